#include "core/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int64_t clock_now(void) {
    const char *fixed = getenv("SOURCE_DATE_EPOCH");
    size_t seconds;
    if (fixed && span_to_size(span_of(fixed), 253402300799, &seconds))
        return (int64_t)seconds;
    return (int64_t)time(NULL);
}

static struct span format(struct arena *arena, int64_t seconds, const char *pattern) {
    time_t at = (time_t)seconds;
    struct tm parts;
    char text[64];
    if (!gmtime_r(&at, &parts))
        return SPAN("UNVERIFIED");
    size_t len = strftime(text, sizeof text, pattern, &parts);
    return arena_copy(arena, span_make(text, len));
}

struct span clock_rfc3339(struct arena *arena, int64_t seconds) {
    return format(arena, seconds, "%Y-%m-%dT%H:%M:%SZ");
}

struct span clock_compact(struct arena *arena, int64_t seconds) {
    return format(arena, seconds, "%Y%m%dT%H%M%SZ");
}

uint64_t clock_monotonic_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Days since 1970-01-01 of a proleptic Gregorian date (Howard Hinnant, "chrono-Compatible
 * Low-Level Date Algorithms", days_from_civil). */
static int64_t days_from_civil(int64_t year, int month, int day) {
    year -= month <= 2;
    int64_t era = (year >= 0 ? year : year - 399) / 400;
    int64_t year_of_era = year - era * 400;
    int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    int64_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    return era * 146097 + day_of_era - 719468;
}

struct moment {
    int year, month, day, hour, minute, second, offset_minutes;
};

static bool moment_to_seconds(const struct moment *m, int64_t *seconds) {
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = m->year % 4 == 0 && (m->year % 100 != 0 || m->year % 400 == 0);
    if (m->year < 1 || m->year > 9999 || m->month < 1 || m->month > 12 || m->day < 1 ||
        m->day > days[m->month - 1] + (m->month == 2 && leap) || m->hour < 0 || m->hour > 23 ||
        m->minute < 0 || m->minute > 59 || m->second < 0 || m->second > 60 ||
        m->offset_minutes < -24 * 60 || m->offset_minutes > 24 * 60)
        return false;
    *seconds = days_from_civil(m->year, m->month, m->day) * 86400 + m->hour * 3600 +
               m->minute * 60 + m->second - m->offset_minutes * 60;
    return true;
}

static bool parse_offset(const char *text, int *minutes) {
    int hours, rest;
    char sign;
    if (strcmp(text, "Z") == 0 || strcmp(text, "z") == 0 || strcmp(text, "GMT") == 0 ||
        strcmp(text, "UTC") == 0 || strcmp(text, "UT") == 0) {
        *minutes = 0;
        return true;
    }
    if (sscanf(text, "%c%2d:%2d", &sign, &hours, &rest) != 3 &&
        sscanf(text, "%c%2d%2d", &sign, &hours, &rest) != 3)
        return false;
    if (sign != '+' && sign != '-')
        return false;
    *minutes = (hours * 60 + rest) * (sign == '-' ? -1 : 1);
    return true;
}

static bool parse_rfc3339(const char *text, struct moment *m) {
    int used = 0;
    if (sscanf(text, "%4d-%2d-%2d%n", &m->year, &m->month, &m->day, &used) != 3)
        return false;
    if (text[used] == '\0')
        return true;
    if (text[used] != 'T' && text[used] != 't' && text[used] != ' ')
        return false;
    text += used + 1;
    if (sscanf(text, "%2d:%2d:%2d%n", &m->hour, &m->minute, &m->second, &used) != 3)
        return false;
    text += used;
    if (*text == '.')
        for (text++; *text >= '0' && *text <= '9';)
            text++;
    return parse_offset(text, &m->offset_minutes);
}

static bool month_from_name(const char *name, int *month) {
    static const char *const names[] = {"jan", "feb", "mar", "apr", "may", "jun",
                                        "jul", "aug", "sep", "oct", "nov", "dec"};
    for (int i = 0; i < 12; i++)
        if (span_equal_nocase(span_of(name), span_of(names[i]))) {
            *month = i + 1;
            return true;
        }
    return false;
}

/* "Sat, 29 Aug 2026 16:00:00 +0100" (RFC 2822 and RFC 9110 IMF-fixdate). */
static bool parse_rfc2822(const char *text, struct moment *m) {
    char month[4], offset[8];
    const char *comma = strchr(text, ',');
    text = comma ? comma + 1 : text;
    if (sscanf(text, " %2d %3[A-Za-z] %4d %2d:%2d:%2d %7s", &m->day, month, &m->year, &m->hour,
               &m->minute, &m->second, offset) != 7)
        return false;
    return month_from_name(month, &m->month) && parse_offset(offset, &m->offset_minutes);
}

bool clock_parse(struct span text, int64_t *seconds) {
    char copy[64];
    text = span_trim(text);
    if (text.len == 0 || text.len >= sizeof copy || memchr(text.at, '\0', text.len))
        return false;
    memcpy(copy, text.at, text.len);
    copy[text.len] = '\0';
    struct moment m = {0};
    if (!parse_rfc3339(copy, &m)) {
        m = (struct moment){0};
        if (!parse_rfc2822(copy, &m))
            return false;
    }
    return moment_to_seconds(&m, seconds);
}
