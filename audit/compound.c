#include "audit/compound.h"

#include "core/number.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>

static char byte_at(struct span t, size_t at) {
    return at < t.len ? t.at[at] : '\0';
}

static size_t digits_at(struct span t, size_t at) {
    size_t n = 0;
    while (isdigit((unsigned char)byte_at(t, at + n)))
        n++;
    return n;
}

/* The first digits from at as an integer, at most nine of them; never reads past the text. */
static int integer_at(struct span t, size_t at) {
    enum { MOST_DIGITS = 9 };
    size_t digits = digits_at(t, at);
    int value = 0;
    for (size_t i = 0; i < digits && i < MOST_DIGITS; i++)
        value = value * 10 + (t.at[at + i] - '0');
    return value;
}

static size_t letters_at(struct span t, size_t at) {
    size_t n = 0;
    while (isalpha((unsigned char)byte_at(t, at + n)))
        n++;
    return n;
}

static bool is_word(struct span word, const char *const *words) {
    for (; *words; words++)
        if (span_equal_nocase(word, span_of(*words)))
            return true;
    return false;
}

/* --- durations ----------------------------------------------------------------------------- */

static const char *const hour_words[] = {"h", "hr", "hrs", "hour", "hours", NULL};
static const char *const minute_words[] = {"m", "min", "mins", "minute", "minutes", NULL};
static const char *const second_words[] = {"s", "sec", "secs", "second", "seconds", NULL};
static const char *const *const scale_words[] = {hour_words, minute_words, second_words};
static const double scale_seconds[] = {3600, 60, 1};
static const char *const scale_units[] = {"h", "min", "s"};

struct part {
    double value;
    int scale, decimals;
    size_t end;
};

/* One "12 min"; false when no time word of a finer scale than last stands behind the digits. */
static bool part_at(struct span t, size_t at, int last, struct part *part) {
    enum { MOST_DIGITS = 9 };
    size_t digits = digits_at(t, at), end = at + digits;
    if (digits == 0 || digits > MOST_DIGITS)
        return false;
    part->value = integer_at(t, at);
    part->decimals = 0;
    if (byte_at(t, end) == '.' && isdigit((unsigned char)byte_at(t, end + 1))) {
        double place = 0.1;
        for (end++; isdigit((unsigned char)byte_at(t, end)); end++, place /= 10) {
            part->value += place * (t.at[end] - '0');
            part->decimals++;
        }
    }
    end += byte_at(t, end) == ' ';
    size_t letters = letters_at(t, end);
    struct span word = span_slice(t, end, end + letters);
    for (int scale = last + 1; scale < 3; scale++)
        if (is_word(word, scale_words[scale])) {
            part->scale = scale;
            part->end = end + letters;
            return true;
        }
    return false;
}

bool duration_read(struct span text, size_t at, size_t limit, struct compound *out) {
    struct span t = span_slice(text, 0, limit);
    struct part part;
    double seconds = 0;
    int last = -1, count = 0;
    *out = (struct compound){.start = at};
    while (last < 2 && part_at(t, at, last, &part)) {
        if (count && part.value >= 60)
            break;
        seconds += part.value * scale_seconds[part.scale];
        last = part.scale;
        out->end = part.end;
        out->decimals = part.decimals;
        count++;
        at = part.end + (byte_at(t, part.end) == ' ');
        if (part.decimals)
            break;
    }
    if (count < 2)
        return false;
    out->value = seconds / scale_seconds[last];
    out->half_unit = power_of_ten(-out->decimals) / 2;
    out->unit = span_of(scale_units[last]);
    return true;
}

/* --- dates --------------------------------------------------------------------------------- */

static const char *const months[] = {
    "january", "february", "march",    "april", "may", "june", "july", "august", "september",
    "october", "november", "december", "jan",   "feb", "mar",  "apr",  "jun",    "jul",
    "aug",     "sep",      "sept",     "oct",   "nov", "dec",  NULL};

static bool is_year(struct span t, size_t at) {
    return digits_at(t, at) == 4 && (t.at[at] == '1' || t.at[at] == '2') &&
           (t.at[at + 1] == '9' || t.at[at + 1] == '0') &&
           !isalnum((unsigned char)byte_at(t, at + 4));
}

static size_t skip_blanks(struct span t, size_t at) {
    size_t from = at;
    while (byte_at(t, at) == ' ' && at - from < 3)
        at++;
    return at;
}

static size_t clock_at(struct span t, size_t at) {
    size_t end = at, parts = 0, len;
    while ((len = digits_at(t, end)) > 0 && len <= 2) {
        end += len;
        parts++;
        if (byte_at(t, end) != ':' || !isdigit((unsigned char)byte_at(t, end + 1)))
            break;
        end++;
    }
    return parts >= 2 ? end : at;
}

static bool finish_date(struct span t, size_t start, size_t at, struct compound *out) {
    size_t year = skip_blanks(t, at + (byte_at(t, at) == ',' || byte_at(t, at) == '.'));
    size_t clock = clock_at(t, year);
    if (clock > year)
        year = skip_blanks(t, clock);
    bool has_year = is_year(t, year);
    *out = (struct compound){.start = start,
                             .end = has_year ? year + 4 : at,
                             .value = has_year ? integer_at(t, year) : 0,
                             .unit = SPAN("date"),
                             .is_integer = true};
    return true;
}

/* "2025-11-02T09:14:33+01:00" */
static bool iso_time(struct span t, size_t at, struct compound *out) {
    if (!is_year(span_slice(t, 0, at + 4), at) || byte_at(t, at + 4) != '-' ||
        digits_at(t, at + 5) != 2 || byte_at(t, at + 7) != '-' || digits_at(t, at + 8) != 2)
        return false;
    size_t end = at + 10;
    if (byte_at(t, end) == 'T') {
        size_t clock = clock_at(t, end + 1);
        if (clock == end + 1)
            return false;
        end = clock;
        if (byte_at(t, end) == '.')
            end += 1 + digits_at(t, end + 1);
        if (byte_at(t, end) == '+' || byte_at(t, end) == '-')
            end = clock_at(t, end + 1);
        else
            end += byte_at(t, end) == 'Z';
    }
    *out = (struct compound){.start = at,
                             .end = end,
                             .value = integer_at(t, at),
                             .unit = SPAN("date"),
                             .is_integer = true};
    return true;
}

bool date_read(struct span text, size_t at, size_t limit, struct compound *out) {
    struct span t = span_slice(text, 0, limit);
    size_t digits = digits_at(t, at);
    if (iso_time(t, at, out))
        return true;
    if (digits == 0 || digits > 2)
        return false;
    size_t end = at + digits, word = skip_blanks(t, end + (byte_at(t, end) == '.'));
    size_t letters = letters_at(t, word);
    if (word > end && letters >= 3 && is_word(span_slice(t, word, word + letters), months))
        return finish_date(t, at, word + letters, out);
    size_t before = at;
    while (before > 0 && t.at[before - 1] == ' ')
        before--;
    size_t start = before;
    while (start > 0 && before - start < 10 && isalpha((unsigned char)t.at[start - 1]))
        start--;
    bool named = before < at && before - start >= 3 && isupper((unsigned char)t.at[start]) &&
                 is_word(span_slice(t, start, before), months);
    return named && finish_date(t, start, end, out);
}

/* --- spelled numbers ----------------------------------------------------------------------- */

static const struct {
    const char *word;
    double value;
} cardinals[] = {
    {"one", 1},      {"two", 2},        {"three", 3},     {"four", 4},        {"five", 5},
    {"six", 6},      {"seven", 7},      {"eight", 8},     {"nine", 9},        {"ten", 10},
    {"eleven", 11},  {"twelve", 12},    {"thirteen", 13}, {"fourteen", 14},   {"fifteen", 15},
    {"sixteen", 16}, {"seventeen", 17}, {"eighteen", 18}, {"nineteen", 19},   {"twenty", 20},
    {"thirty", 30},  {"forty", 40},     {"fifty", 50},    {"sixty", 60},      {"seventy", 70},
    {"eighty", 80},  {"ninety", 90},    {"hundred", 100}, {"thousand", 1000},
};
static const struct {
    const char *word;
    double below;
} fractions[] = {
    {"half", 2},    {"halves", 2}, {"third", 3}, {"quarter", 4}, {"fifth", 5},       {"sixth", 6},
    {"seventh", 7}, {"eighth", 8}, {"ninth", 9}, {"tenth", 10},  {"hundredth", 100},
};

static double cardinal_of(struct span word) {
    for (size_t i = 0; i < sizeof cardinals / sizeof *cardinals; i++)
        if (span_equal_nocase(word, span_of(cardinals[i].word)))
            return cardinals[i].value;
    return 0;
}

static double fraction_of(struct span word) {
    for (size_t i = 0; i < sizeof fractions / sizeof *fractions; i++) {
        struct span w = span_of(fractions[i].word);
        bool plural = word.len == w.len + 1 && word.at[w.len] == 's';
        if (span_equal_nocase(plural ? span_slice(word, 0, w.len) : word, w))
            return fractions[i].below;
    }
    return 0;
}

static struct span word_at(struct span t, size_t at) {
    return span_slice(t, at, at + letters_at(t, at));
}

static bool put_factor(struct compound *out, size_t at, size_t end, double value) {
    *out = (struct compound){.start = at, .end = end, .value = value, .unit = SPAN("x")};
    return true;
}

/* "thirty-two", "two hundred": a following cardinal that adds to or multiplies the first. */
static double join_cardinals(struct span t, double value, size_t *end) {
    char mark = byte_at(t, *end);
    struct span next = mark == '-' || mark == ' ' ? word_at(t, *end + 1) : (struct span){0};
    double more = cardinal_of(next);
    bool tens = value >= 20 && value < 100 && more > 0 && more < 10;
    bool hundreds = value < 100 && more >= 100;
    if (!tens && !hundreds)
        return value;
    *end += 1 + next.len;
    return tens ? value + more : value * more;
}

bool number_words_read(struct span text, size_t at, size_t limit, struct compound *out) {
    struct span t = span_slice(text, 0, limit), word = word_at(t, at);
    size_t end = at + word.len;
    if (span_equal_nocase(word, SPAN("twice")))
        return put_factor(out, at, end, 2);
    if (span_equal_nocase(word, SPAN("thrice")))
        return put_factor(out, at, end, 3);
    if (span_equal_nocase(word, SPAN("half")) && byte_at(t, end) != '-')
        return put_factor(out, at, end, 0.5);
    bool article = span_equal_nocase(word, SPAN("a")) || span_equal_nocase(word, SPAN("one"));
    double above = article ? 1 : cardinal_of(word);
    if (above == 0)
        return false;
    if (byte_at(t, end) == ' ' || byte_at(t, end) == '-') {
        struct span next = word_at(t, end + 1);
        double below = fraction_of(next);
        if (below > above)
            return put_factor(out, at, end + 1 + next.len, above / below);
    }
    if (span_equal_nocase(word, SPAN("a")))
        return false;
    *out = (struct compound){.start = at, .is_integer = true};
    out->value = join_cardinals(t, above, &end);
    out->end = end;
    return true;
}
