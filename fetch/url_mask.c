/* Secrets of URLs inside a text, overwritten in place. */
#include "fetch/url.h"

#include <stdint.h>

static bool ends_url(char c) {
    return (unsigned char)c <= ' ' || strchr("<>\"'`\\", c) != NULL;
}

static char *writable(struct arena *arena, struct span *text, char **copy) {
    if (!*copy) {
        *copy = arena_string(arena, *text);
        text->at = *copy;
    }
    return *copy;
}

/* The authority begins at `from`; everything before its last @ is a user name and a password. */
static void mask_user(struct arena *arena, struct span *text, char **copy, size_t from,
                      size_t end) {
    size_t stop = from, at = SIZE_MAX;
    while (stop < end && !strchr("/?#", text->at[stop])) {
        at = text->at[stop] == '@' ? stop : at;
        stop++;
    }
    if (at != SIZE_MAX)
        memset(writable(arena, text, copy) + from, '*', at - from);
}

static void mask_query(struct arena *arena, struct span *text, char **copy, size_t from,
                       size_t end) {
    size_t at = span_find_byte(span_slice(*text, 0, end), '?', from);
    while (at != SIZE_MAX && at < end) {
        size_t start = at + 1, equals = start;
        while (equals < end && !strchr("=&;?#", text->at[equals]))
            equals++;
        size_t stop = equals;
        while (stop < end && !strchr("&;?#", text->at[stop]))
            stop++;
        /* "&amp;" inside a page ends in ";": the name behind it begins there. */
        if (equals < stop && url_is_secret(span_slice(*text, start, equals)))
            memset(writable(arena, text, copy) + equals + 1, '*', stop - equals - 1);
        at = stop < end && text->at[stop] != '#' ? stop : SIZE_MAX;
    }
}

struct span url_mask(struct arena *arena, struct span text) {
    char *copy = NULL;
    size_t end = 0; /* of the run without white space that at is in */
    for (size_t at = 0; (at = span_find(text, SPAN("://"), at)) != SIZE_MAX;) {
        at += 3;
        bool inner = at < end; /* a URL in another one's query */
        if (!inner)
            for (end = at; end < text.len && !ends_url(text.at[end]);)
                end++;
        mask_user(arena, &text, &copy, at, end);
        if (!inner)
            mask_query(arena, &text, &copy, at, end);
    }
    return text;
}
