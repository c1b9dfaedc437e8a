/* One request and its answer, exactly as they crossed the wire (transfer coding undone, content
 * coding kept): what the transport gives, the cache and the archive keep, and a replay returns. */
#ifndef FETCH_HTTP_EXCHANGE_H
#define FETCH_HTTP_EXCHANGE_H

#include "fetch/http.h"

struct http_exchange {
    struct span url;     /* without secrets */
    struct span accept;  /* of the request; part of the identity of what was asked */
    struct span request; /* request line and headers with the empty line; empty when unknown */
    struct span head;    /* status line and headers of the final answer with the empty line */
    struct span payload;
    struct span date;      /* RFC 3339: when it arrived */
    struct span protocol;  /* "http/1.1", "h2" */
    struct span record_id; /* of the WARC record that holds it, "urn:uuid:..."; empty = none yet */
    int status;
    /* What came instead of an answer; HTTP_ANSWERED when head is there. */
    enum http_outcome outcome;
    struct span reason;
};

/* Status of the status line, or 0. */
int http_head_status(struct span head);
/* Header lines of head, names in lower case, folded lines joined; malformed lines are left out. */
struct snapshot_header *http_head_parse(struct arena *arena, struct span head, size_t *count);
/* Trimmed value of the first line with that name (lower case) in head, or empty. */
struct span http_head_value(struct span head, const char *name);

/* head with user names, passwords and the values of secret query parameters taken out of its
 * Location and Content-Location lines. */
struct span http_head_shown(struct arena *arena, struct span head);
/* The request with the target that the exchange's URL shows, as HTTP/1.1. */
struct span http_request_shown(struct arena *arena, const struct http_exchange *exchange);
/* The head as an HTTP/1.1 message whose framing fits the payload: HTTP/2's status line rewritten;
 * Transfer-Encoding, and a Content-Length that is not the payload's, renamed with
 * HTTP_ORIGINAL_PREFIX in front. */
#define HTTP_ORIGINAL_PREFIX "X-Archive-Orig-"
struct span http_head_plain(struct arena *arena, const struct http_exchange *exchange);
/* The way back: prefixes taken off. */
struct span http_head_restored(struct arena *arena, struct span head);

/* The payload with its content coding (gzip, deflate, br, in the order applied) undone, at most
 * max_bytes in every step. Identity gives the payload itself. *trailing counts bytes behind the end
 * of the coded data. false with outcome and reason for what does not decode or grows too large. */
bool http_decode(struct arena *arena, const struct http_exchange *exchange, size_t max_bytes,
                 struct span *body, size_t *trailing, enum http_outcome *outcome,
                 struct span *reason);

#endif
