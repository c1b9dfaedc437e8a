/* Any text from outside to UTF-8: byte order mark, then the declared charset, then <meta>, then
 * detection, as browsers do (WHATWG Encoding and HTML standards, "determining the character
 * encoding"); what cannot be decoded becomes U+FFFD and is counted. */
#ifndef FETCH_CHARSET_H
#define FETCH_CHARSET_H

#include "core/memory.h"

struct charset {
    struct span name;    /* "utf-8", "windows-1252" ...: the encoding used */
    struct span source;  /* bom | header | meta | detected */
    struct span ignored; /* a declared label that was unknown or plainly wrong; else empty */
    size_t replaced;     /* invalid parts written as U+FFFD */
};

/* Text as UTF-8 in the arena; valid UTF-8 is returned as it stands (with its byte order mark).
 * content_type is the header's value, or empty. */
struct span charset_decode(struct arena *arena, struct span bytes, struct span content_type,
                           struct charset *charset);
/* NUL bytes outside UTF-16 mean that this is no text. */
bool charset_is_binary(struct span bytes, struct span content_type);

#endif
