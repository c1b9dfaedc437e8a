#include "core/span.h"

#include <stdint.h>

static char lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

static bool is_space(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

bool span_equal_nocase(struct span a, struct span b) {
    if (a.len != b.len)
        return false;
    for (size_t i = 0; i < a.len; i++)
        if (lower(a.at[i]) != lower(b.at[i]))
            return false;
    return true;
}

bool span_starts_nocase(struct span s, struct span prefix) {
    return s.len >= prefix.len && span_equal_nocase(span_slice(s, 0, prefix.len), prefix);
}

size_t span_find(struct span s, struct span needle, size_t from) {
    if (needle.len == 0 || from >= s.len)
        return SIZE_MAX;
    const char *hit = memmem(s.at + from, s.len - from, needle.at, needle.len);
    return hit ? (size_t)(hit - s.at) : SIZE_MAX;
}

size_t span_find_nocase(struct span s, struct span needle, size_t from) {
    if (needle.len == 0 || needle.len > s.len)
        return SIZE_MAX;
    for (size_t i = from; i + needle.len <= s.len; i++)
        if (lower(s.at[i]) == lower(needle.at[0]) &&
            span_equal_nocase(span_slice(s, i, i + needle.len), needle))
            return i;
    return SIZE_MAX;
}

size_t span_find_byte(struct span s, char byte, size_t from) {
    if (from >= s.len)
        return SIZE_MAX;
    const char *hit = memchr(s.at + from, byte, s.len - from);
    return hit ? (size_t)(hit - s.at) : SIZE_MAX;
}

struct span span_trim(struct span s) {
    size_t from = 0, to = s.len;
    while (from < to && is_space(s.at[from]))
        from++;
    while (to > from && is_space(s.at[to - 1]))
        to--;
    return span_slice(s, from, to);
}

bool span_next_line(struct span *rest, struct span *line) {
    if (!span_next_field(rest, '\n', line))
        return false;
    if (line->len > 0 && line->at[line->len - 1] == '\r')
        line->len--;
    return true;
}

bool span_next_field(struct span *rest, char separator, struct span *field) {
    if (rest->len == 0)
        return false;
    size_t at = span_find_byte(*rest, separator, 0);
    size_t end = at == SIZE_MAX ? rest->len : at;
    *field = span_slice(*rest, 0, end);
    *rest = span_slice(*rest, at == SIZE_MAX ? end : end + 1, rest->len);
    return true;
}

bool span_to_size(struct span s, size_t max, size_t *value) {
    size_t total = 0;
    if (s.len == 0)
        return false;
    for (size_t i = 0; i < s.len; i++) {
        if (s.at[i] < '0' || s.at[i] > '9')
            return false;
        size_t digit = (size_t)(s.at[i] - '0');
        if (digit > max || total > (max - digit) / 10)
            return false;
        total = total * 10 + digit;
    }
    *value = total;
    return true;
}
