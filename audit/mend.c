#include "audit/mend.h"

#include "core/number.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

enum { LONGEST = 24 };

/* The value of plain digits; false for anything but sign, digits, ',' and one '.'. */
static bool value_of(const char *text, size_t len, double *value) {
    char plain[LONGEST + 1];
    size_t used = 0, points = 0;
    for (size_t i = 0; i < len && used < LONGEST; i++) {
        char c = text[i];
        points += c == '.';
        if (c == ',')
            continue;
        if ((c < '0' || c > '9') && c != '.' && !(i == 0 && (c == '-' || c == '+')))
            return false;
        plain[used++] = c;
    }
    plain[used] = 0;
    *value = strtod(plain, NULL);
    return used > 0 && points < 2;
}

static bool inside(const char *text, size_t len, double lo, double hi, double half) {
    double value;
    return value_of(text, len, &value) && value + half > lo && value - half < hi;
}

static bool digit(char c) {
    return c >= '0' && c <= '9';
}

/* Tries every one-digit change of work; leaves the good one there. */
static bool change_digit(char *work, size_t len, double lo, double hi, double half) {
    for (size_t i = 0; i < len; i++) {
        if (!digit(work[i]))
            continue;
        char old = work[i];
        for (char c = '0'; c <= '9'; c++) {
            work[i] = c;
            if (c != old && inside(work, len, lo, hi, half))
                return true;
        }
        work[i] = old;
    }
    return false;
}

static void swap_bytes(char *a, char *b) {
    char c = *a;
    *a = *b;
    *b = c;
}

static bool transpose(char *work, size_t len, double lo, double hi, double half) {
    for (size_t i = 0; i + 1 < len; i++) {
        size_t j = digit(work[i + 1]) ? i + 1 : i + 2;
        if (j >= len || !digit(work[i]) || !digit(work[j]) || work[i] == work[j])
            continue;
        swap_bytes(&work[i], &work[j]);
        if (inside(work, len, lo, hi, half))
            return true;
        swap_bytes(&work[i], &work[j]);
    }
    return false;
}

static bool shifts_point(double value, double lo, double hi) {
    for (int power = -3; power <= 3; power++) {
        double moved = value * power_of_ten(power), slack = 0.01 * fabs(moved);
        if (power && moved + slack > lo && moved - slack < hi)
            return true;
    }
    return false;
}

/* The middle of the interval with so many decimals, thousands marked as before. */
static struct span rewrite(struct arena *arena, struct span printed, int decimals, double lo,
                           double hi) {
    double middle = (lo + hi) / 2;
    struct span plain = arena_printf(arena, "%.*f", decimals > 0 ? decimals : 0, middle);
    if (span_find_byte(printed, ',', 0) == SIZE_MAX)
        return plain;
    size_t point = span_find_byte(plain, '.', 0), whole = point == SIZE_MAX ? plain.len : point;
    struct buffer out = {0};
    for (size_t i = 0; i < plain.len; i++) {
        size_t left = whole - i;
        if (i && i < whole && left % 3 == 0 && digit(plain.at[i - 1]))
            buffer_add_byte(&out, ',');
        buffer_add_byte(&out, plain.at[i]);
    }
    struct span text = arena_copy(arena, buffer_span(&out));
    buffer_free(&out);
    return text;
}

struct mend mend_number(struct arena *arena, struct span printed, int decimals, double lo,
                        double hi) {
    char work[LONGEST];
    double value, half = power_of_ten(-decimals) / 2;
    if (!isfinite(lo) || !isfinite(hi) || fabs(lo) > 1e15 || fabs(hi) > 1e15)
        return (struct mend){MEND_NONE, SPAN("")};
    if (printed.len && printed.len < LONGEST && value_of(printed.at, printed.len, &value)) {
        memcpy(work, printed.at, printed.len);
        if (-value + half > lo && -value - half < hi && value != 0)
            return (struct mend){MEND_SIGN, rewrite(arena, printed, decimals, -value, -value)};
        if (change_digit(work, printed.len, lo, hi, half))
            return (struct mend){MEND_DIGIT, arena_copy(arena, span_make(work, printed.len))};
        if (transpose(work, printed.len, lo, hi, half))
            return (struct mend){MEND_TRANSPOSE, arena_copy(arena, span_make(work, printed.len))};
        if (value != 0 && shifts_point(value, lo, hi))
            return (struct mend){MEND_POINT, rewrite(arena, printed, decimals, lo, hi)};
    }
    return (struct mend){MEND_REWRITE, rewrite(arena, printed, decimals, lo, hi)};
}

const char *mend_words(enum mend_kind kind) {
    static const char *const words[] = {
        [MEND_NONE] = "no edit",
        [MEND_DIGIT] = "one digit",
        [MEND_TRANSPOSE] = "two digits swapped",
        [MEND_SIGN] = "the sign",
        [MEND_POINT] = "the decimal mark or the prefix",
        [MEND_REWRITE] = "another number",
    };
    return words[kind];
}
