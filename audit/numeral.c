#include "audit/numeral.h"

#include "core/number.h"
#include "core/utf8.h"

#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

enum { DIGITS_MOST = 40, EXPONENT_MOST = 300 };

static bool digit_at(struct span t, size_t at) {
    return at < t.len && t.at[at] >= '0' && t.at[at] <= '9';
}

static char byte_at(struct span t, size_t at) {
    return at < t.len ? t.at[at] : '\0';
}

static size_t digits_at(struct span t, size_t at) {
    size_t n = 0;
    while (digit_at(t, at + n))
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

/* Bytes of a narrow or no-break space that groups digits (SI brochure 5.4.4), or 0. */
static size_t group_space(struct span t, size_t at) {
    uint32_t code = 0;
    size_t len = at < t.len ? utf8_decode(span_slice(t, at, t.len), &code) : 0;
    bool groups = code == 0x00a0 || code == 0x2009 || code == 0x202f || code == 0x2007;
    return len > 1 && groups ? len : 0;
}

/* Groups of exactly three digits behind a mark; 0 when the run is not so grouped. */
static size_t grouped_run(struct span t, size_t at, char mark, size_t *groups) {
    size_t end = at;
    *groups = 0;
    for (;;) {
        size_t skip = mark ? (byte_at(t, end) == mark) : group_space(t, end);
        if (!skip || digits_at(t, end + skip) != 3)
            return end;
        end += skip + 3;
        ++*groups;
    }
}

/* The value of the digits in [from, to), with mark as the decimal mark and others skipped. */
static double digits_value(struct span t, size_t from, size_t to, char mark, int *decimals) {
    char text[DIGITS_MOST * 2];
    size_t n = 0;
    bool behind = false;
    *decimals = 0;
    for (size_t i = from; i < to && n < sizeof text - 2; i++) {
        if (digit_at(t, i)) {
            text[n++] = t.at[i];
            *decimals += behind;
        } else if (mark && t.at[i] == mark) {
            text[n++] = '.';
            behind = true;
        }
    }
    text[n] = '\0';
    return strtod(text, NULL);
}

/* "e-4" "E+03" directly behind the digits, not the start of a word ("3eggs"). */
static size_t exponent_at(struct span t, size_t at, int *exponent) {
    if ((byte_at(t, at) | 32) != 'e')
        return 0;
    size_t sign = byte_at(t, at + 1) == '-' || byte_at(t, at + 1) == '+';
    size_t n = digits_at(t, at + 1 + sign);
    if (n == 0 || n > 3 || isalpha((unsigned char)byte_at(t, at + 1 + sign + n)))
        return 0;
    int value = integer_at(t, at + 1 + sign);
    *exponent = byte_at(t, at + 1) == '-' ? -value : value;
    return 1 + sign + n;
}

/* Superscript digits and minus as U+207x, U+00B9, U+00B2, U+00B3. */
static size_t superscript_at(struct span t, size_t at, int *value) {
    size_t end = at;
    bool negative = false, any = false;
    *value = 0;
    for (;;) {
        uint32_t code;
        size_t len = end < t.len ? utf8_decode(span_slice(t, end, t.len), &code) : 0;
        int digit = len == 0                          ? -1
                    : code == 0xb9                    ? 1
                    : code == 0xb2 || code == 0xb3    ? (int)(code - 0xb0)
                    : code >= 0x2070 && code < 0x207a ? (int)(code - 0x2070)
                                                      : -1;
        if (len && code == 0x207b && !any)
            negative = true;
        else if (digit >= 0 && *value < EXPONENT_MOST)
            *value = *value * 10 + digit, any = true;
        else
            break;
        end += len;
    }
    if (negative)
        *value = -*value;
    return any ? end - at : 0;
}

/* "^20" "^{-3}" "**20" or superscripts: an exponent behind a base. */
static size_t power_at(struct span t, size_t at, int *exponent) {
    size_t skip = byte_at(t, at) == '^'                                ? 1
                  : byte_at(t, at) == '*' && byte_at(t, at + 1) == '*' ? 2
                                                                       : 0;
    if (!skip)
        return superscript_at(t, at, exponent);
    bool brace = byte_at(t, at + skip) == '{';
    size_t from = at + skip + brace;
    bool minus = byte_at(t, from) == '-';
    size_t n = digits_at(t, from + minus);
    if (n == 0 || n > 3)
        return 0;
    *exponent = integer_at(t, from + minus) * (minus ? -1 : 1);
    size_t end = from + minus + n;
    return end + (brace && byte_at(t, end) == '}') - at;
}

static size_t skip_blanks(struct span t, size_t at) {
    while (byte_at(t, at) == ' ')
        at++;
    size_t space = group_space(t, at);
    return at + space;
}

/* "x 10^-3", "x10^6", with any multiplication sign. */
static size_t times_ten_at(struct span t, size_t at, int *exponent) {
    size_t from = skip_blanks(t, at);
    struct span rest = span_slice(t, from, t.len);
    size_t sign = span_starts(rest, SPAN("\xc3\x97"))                  ? 2 /* × */
                  : span_starts(rest, SPAN("\xc2\xb7"))                ? 2 /* · */
                  : byte_at(t, from) == 'x' || byte_at(t, from) == '*' ? 1
                                                                       : 0;
    size_t ten = skip_blanks(t, from + sign);
    if (!sign || digits_at(t, ten) != 2 || t.at[ten] != '1' || t.at[ten + 1] != '0')
        return 0;
    size_t power = power_at(t, ten + 2, exponent);
    return power ? ten + 2 + power - at : 0;
}

static struct numeral plain(double value, int decimals, int exponent, size_t end) {
    double ulp = power_of_ten(exponent - decimals);
    return (struct numeral){
        .form = NUMERAL_PLAIN,
        .end = end,
        .value = exponent ? value * power_of_ten(exponent) : value,
        .half_unit = ulp / 2,
        .decimals = decimals - exponent,
        .is_integer = decimals == 0 && exponent == 0,
    };
}

/* The date forms that digits alone give away. */
static size_t date_at(struct span t, size_t at) {
    size_t a = digits_at(t, at);
    char mark = byte_at(t, at + a);
    if ((a != 4 && a != 2 && a != 1) || (mark != '-' && mark != '/' && mark != '.'))
        return 0;
    size_t b = digits_at(t, at + a + 1);
    if (b == 0 || b > 2 || byte_at(t, at + a + 1 + b) != mark)
        return 0;
    size_t c = digits_at(t, at + a + b + 2), end = at + a + b + 2 + c;
    bool year_first =
        a == 4 && c >= 1 && c <= 2 && mark != '.' && (t.at[at] == '1' || t.at[at] == '2');
    bool year_last =
        a <= 2 && c == 4 && mark != '-' && (t.at[end - 4] == '1' || t.at[end - 4] == '2');
    return (year_first || year_last) && byte_at(t, end) != mark ? end : 0;
}

/* 3:42, 01:02:03, 1:02:03.5 */
static bool read_clock(struct span t, size_t at, struct numeral *n) {
    double parts[3];
    size_t count = 0, end = at, len;
    while (count < 3 && (len = digits_at(t, end)) > 0 && len <= (count ? 2u : 3u)) {
        parts[count++] = integer_at(t, end);
        end += len;
        if (byte_at(t, end) != ':' || !digit_at(t, end + 1))
            break;
        end++;
    }
    if (count < 2 || byte_at(t, end) == ':' || digit_at(t, end) || t.at[end - 1] == ':')
        return false;
    int decimals = 0;
    if (byte_at(t, end) == '.' && digit_at(t, end + 1)) {
        size_t more = digits_at(t, end + 1);
        parts[count - 1] += digits_value(t, end, end + 1 + more, '.', &decimals);
        end += 1 + more;
    }
    n->form = NUMERAL_CLOCK;
    n->end = end;
    n->decimals = decimals;
    n->value = count == 2 ? parts[0] * 60 + parts[1] : (parts[0] * 60 + parts[1]) * 60 + parts[2];
    n->half_unit = power_of_ten(-decimals) / 2;
    return true;
}

/* Two or more points between digit runs; four short runs are an IPv4 address. */
static bool read_dotted(struct span t, size_t at, struct numeral *n) {
    size_t end = at, runs = 0, len, first_two = 0;
    bool thousands = true, octets = true;
    while ((len = digits_at(t, end)) > 0) {
        runs++;
        thousands = thousands && (runs == 1 ? len <= 3 : len == 3);
        octets = octets && len <= 3;
        end += len;
        if (runs == 2)
            first_two = end;
        if (byte_at(t, end) != '.' || !digit_at(t, end + 1))
            break;
        end++;
    }
    if (runs < 3 || (thousands && runs != 4 && t.at[at] != '0'))
        return false; /* 1.234.567 */
    int decimals;
    n->form = runs == 4 && octets ? NUMERAL_ADDRESS : NUMERAL_VERSION;
    n->value = digits_value(t, at, first_two, '.', &decimals);
    n->end = end;
    return true;
}

static struct numeral finish(struct span t, double value, int decimals, size_t end) {
    int exponent = 0;
    size_t more = exponent_at(t, end, &exponent);
    if (!more)
        more = times_ten_at(t, end, &exponent);
    if (exponent > EXPONENT_MOST || exponent < -EXPONENT_MOST)
        return (struct numeral){.form = NUMERAL_ADDRESS, .end = end + more};
    return plain(value, decimals, exponent, end + more);
}

/* An integer part with thousands marks, and a decimal part with the other mark. */
static bool read_grouped(struct span t, size_t at, struct numeral_habit habit, struct numeral *n) {
    static const char marks[] = {',', '.', '\0', '\'', '_'};
    size_t first = digits_at(t, at);
    if (first == 0 || first > 3 || t.at[at] == '0')
        return false;
    for (size_t i = 0; i < sizeof marks; i++) {
        size_t groups, end = grouped_run(t, at + first, marks[i], &groups);
        char decimal = marks[i] == '.' ? ',' : '.';
        bool has_decimals = byte_at(t, end) == decimal && digit_at(t, end + 1);
        if (groups == 0 || digit_at(t, end))
            continue;
        if (marks[i] == ',' && groups == 1 && habit.decimal_comma && !has_decimals)
            continue; /* 1,234 where the document writes 4,2 */
        if (marks[i] == '.' && !has_decimals && !(groups > 1 || habit.decimal_comma))
            continue; /* 1.234 is a decimal unless the document says otherwise */
        if (byte_at(t, end) == marks[i] && digit_at(t, end + 1) && marks[i])
            continue; /* 1,234,56: not thousands */
        int decimals;
        size_t whole_end = end;
        if (has_decimals)
            end += 1 + digits_at(t, end + 1);
        double value = digits_value(t, at, end, has_decimals ? decimal : '\0', &decimals);
        *n = finish(t, value, decimals, end);
        n->grouped = true;
        n->is_integer = n->is_integer && end == whole_end;
        return true;
    }
    return false;
}

/* Digits with a comma in a place that neither habit allows: 1,23,456 or 12,3456,7. */
static bool read_malformed(struct span t, size_t at, struct numeral *n) {
    size_t end = at + digits_at(t, at), commas = 0, len;
    if (end - at > 3)
        return false;
    while (byte_at(t, end) == ',' && (len = digits_at(t, end + 1)) > 0) {
        if (len > 3)
            return false; /* cells of a line of values: 4,215040,840 */
        end += 1 + len;
        commas++;
    }
    if (commas < 2 || (byte_at(t, end) == '.' && digit_at(t, end + 1)))
        return false;
    int decimals;
    *n = plain(digits_value(t, at, end, '\0', &decimals), 0, 0, end);
    n->malformed = true;
    return true;
}

static struct numeral read_plain(struct span t, size_t at, struct numeral_habit habit) {
    size_t end = at + digits_at(t, at);
    char mark = byte_at(t, end);
    int decimals;
    bool point = mark == '.' && digit_at(t, end + 1);
    size_t behind = mark == ',' ? digits_at(t, end + 1) : 0;
    bool comma = behind > 0 && (habit.decimal_comma || (behind < 3 && end > at)) &&
                 !(byte_at(t, end + 1 + behind) == ',' && digit_at(t, end + 2 + behind));
    if (comma && !habit.decimal_comma)
        comma = false; /* "4,2" in a document of points is a list */
    if (point || comma)
        end += 1 + digits_at(t, end + 1);
    double value = digits_value(t, at, end, point ? '.' : ',', &decimals);
    return finish(t, value, decimals, end);
}

static bool read_power(struct span t, size_t at, struct numeral *n) {
    size_t len = digits_at(t, at), end = at + len;
    int exponent, decimals;
    size_t more = len && len <= 4 ? power_at(t, end, &exponent) : 0;
    if (!more)
        return false;
    double base = digits_value(t, at, end, '\0', &decimals), value = pow(base, exponent);
    if (!isfinite(value) || base == 0)
        return false;
    *n = (struct numeral){
        .form = NUMERAL_POWER, .end = end + more, .value = value, .is_integer = exponent >= 0};
    return true;
}

static bool read_fraction(struct span t, size_t at, struct numeral *n) {
    size_t a = digits_at(t, at), b = byte_at(t, at + a) == '/' ? digits_at(t, at + a + 1) : 0;
    size_t end = at + a + 1 + b;
    int decimals;
    if (a == 0 || a > 3 || b == 0 || b > 4 || (at > 0 && t.at[at - 1] == '/') ||
        byte_at(t, end) == '/' || (byte_at(t, end) == '.' && digit_at(t, end + 1)))
        return false;
    double below = digits_value(t, at + a + 1, end, '\0', &decimals);
    if (below == 0)
        return false;
    *n = (struct numeral){.form = NUMERAL_FRACTION,
                          .end = end,
                          .value = digits_value(t, at, at + a, '\0', &decimals) / below};
    return true;
}

struct numeral numeral_read(struct span t, size_t at, struct numeral_habit habit) {
    struct numeral n = {0};
    size_t date;
    if (!digit_at(t, at) && !(byte_at(t, at) == '.' && digit_at(t, at + 1)))
        return n;
    if (digits_at(t, at) > DIGITS_MOST)
        return (struct numeral){.form = NUMERAL_ADDRESS, .end = at + digits_at(t, at)};
    if ((date = date_at(t, at)) != 0)
        return (struct numeral){.form = NUMERAL_DATE, .end = date, .value = integer_at(t, at)};
    if (read_clock(t, at, &n) || read_power(t, at, &n) || read_dotted(t, at, &n) ||
        read_grouped(t, at, habit, &n) || read_malformed(t, at, &n) || read_fraction(t, at, &n))
        return n;
    return read_plain(t, at, habit);
}

/* Unambiguous decimals only: one or two digits (or more than three) behind the mark. */
struct numeral_habit numeral_habit_of(struct span t) {
    size_t commas = 0, points = 0;
    for (size_t at = 0; at < t.len;) {
        size_t len = digits_at(t, at);
        if (len == 0) {
            at++;
            continue;
        }
        size_t end = at + len, behind = digits_at(t, end + 1);
        char mark = byte_at(t, end), next = byte_at(t, end + 1 + behind);
        bool alone = (at == 0 || (t.at[at - 1] != ',' && t.at[at - 1] != '.')) && next != ',' &&
                     !(next == '.' && digit_at(t, end + 2 + behind)) && behind && behind != 3;
        commas += mark == ',' && alone;
        points += mark == '.' && alone;
        at = end + 1;
    }
    return (struct numeral_habit){.decimal_comma = commas >= 2 && commas > 4 * points};
}
