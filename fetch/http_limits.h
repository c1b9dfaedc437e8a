/* What one request may cost, and how politely it asks. */
#ifndef FETCH_HTTP_LIMITS_H
#define FETCH_HTTP_LIMITS_H

#include "core/memory.h"

#include <stdint.h>

struct http_limits {
    size_t connect_ms;      /* name, connection and TLS handshake */
    size_t stall_ms;        /* below 16 bytes a second for so long ends the exchange */
    size_t exchange_ms;     /* one exchange */
    size_t request_ms;      /* a request with its redirects, retries and pauses */
    size_t head_bytes;      /* all header lines of one exchange, interim answers and trailers too */
    size_t redirects;       /* followed for one request */
    size_t tries;           /* exchanges for one hop */
    size_t backoff_ms;      /* most wait before the second try; doubles with each (full jitter) */
    size_t backoff_most_ms; /* where the doubling ends */
    size_t retry_after_s;   /* longest Retry-After that is waited for; beyond, the host is left */
    size_t pause_ms;        /* between two starts at one host */
    size_t per_host;        /* exchanges at once at one host */
    size_t batch_bytes;     /* bodies kept by one http_fetch_all */
};

/* The defaults, changed by ASSAY_FETCH_LIMITS="name=value,..." (for tests: names as above). */
struct http_limits http_limits(void);

/* Pace of a host: services that publish a rate get it, others the default. */
struct http_pace {
    size_t pause_ms, per_host;
    bool slowed; /* the host asked for less: what its headers allow no longer counts */
};
struct http_pace http_pace_of(const struct http_limits *limits, struct span host);

#endif
