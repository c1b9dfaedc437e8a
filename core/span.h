/* A view of text that somebody else owns. Never NUL-terminated by contract; may hold NUL. */
#ifndef CORE_SPAN_H
#define CORE_SPAN_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct span {
    const char *at;
    size_t len;
};

#define SPAN(literal) ((struct span){(literal), sizeof(literal) - 1})
/* For printf's %.*s: SPAN_ARG(s) passes length and pointer (length cut at INT_MAX). */
#define SPAN_ARG(s) (int)((s).len > 0x7fffffff ? 0x7fffffff : (s).len), ((s).at ? (s).at : "")

static inline struct span span_of(const char *text) {
    return (struct span){text, text ? strlen(text) : 0};
}

static inline struct span span_make(const char *at, size_t len) {
    return (struct span){at, len};
}

/* The part [from, to) of s; bounds beyond s are cut to it. */
static inline struct span span_slice(struct span s, size_t from, size_t to) {
    if (to > s.len)
        to = s.len;
    if (from > to)
        from = to;
    return (struct span){s.at ? s.at + from : NULL, to - from};
}

static inline bool span_equal(struct span a, struct span b) {
    return a.len == b.len && (a.len == 0 || (*a.at == *b.at && memcmp(a.at, b.at, a.len) == 0));
}

/* ASCII case-insensitive equality. */
bool span_equal_nocase(struct span a, struct span b);
static inline bool span_starts(struct span s, struct span prefix) {
    return s.len >= prefix.len && span_equal(span_slice(s, 0, prefix.len), prefix);
}

bool span_starts_nocase(struct span s, struct span prefix);
static inline bool span_ends(struct span s, struct span suffix) {
    return s.len >= suffix.len && span_equal(span_slice(s, s.len - suffix.len, s.len), suffix);
}

/* Offset of the first needle at or after from, or SIZE_MAX. An empty needle is never found. */
size_t span_find(struct span s, struct span needle, size_t from);
size_t span_find_nocase(struct span s, struct span needle, size_t from);
size_t span_find_byte(struct span s, char byte, size_t from);
/* s without ASCII white space at both ends. */
struct span span_trim(struct span s);
/* Cuts the first line off *rest (without its \n or \r\n); false when *rest is empty. */
bool span_next_line(struct span *rest, struct span *line);
/* Cuts the part up to separator off *rest; the last part ends with the text. */
bool span_next_field(struct span *rest, char separator, struct span *field);
/* Whole span as a base-10 integer in [0, max]; false on anything else. */
bool span_to_size(struct span s, size_t max, size_t *value);

#endif
