/* URLs from outside: one gate that parses, bounds and normalizes them (RFC 3986 by libcurl's URL
 * parser, IDN to A-labels by libidn2), and one that keeps secrets out of whatever is written. */
#ifndef FETCH_URL_H
#define FETCH_URL_H

#include "core/memory.h"

enum { URL_LONGEST_BYTES = 8192 };

struct url {
    struct span text;  /* what is requested: absolute, percent-encoded, without fragment */
    struct span shown; /* text with the values of secret query parameters replaced by "REDACTED" */
    struct span host;  /* lower case; an IPv6 address with its brackets */
    int port;
    bool secure; /* https */
};

/* false, with one sentence in *reason, for what is not fetched: another scheme than http and https,
 * a user name or password, control bytes, more than URL_LONGEST_BYTES. */
bool url_parse(struct arena *arena, struct span text, struct url *url, struct span *reason);
/* The same for a Location header seen at base. */
bool url_follow(struct arena *arena, const struct url *base, struct span location, struct url *url,
                struct span *reason);
/* text without user name, password and the values of secret query parameters; works on any text. */
struct span url_redact(struct arena *arena, struct span text);
/* text, which may hold URLs anywhere, with those parts of them overwritten by '*': offsets stay. */
struct span url_mask(struct arena *arena, struct span text);
/* Whether the value of a query parameter with this name is a key or token. */
bool url_is_secret(struct span name);
/* "http://" or "https://" in front, in any case. */
bool url_is_http(struct span text);

#endif
