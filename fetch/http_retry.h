/* What may pass when asked again, and how long to wait before. */
#ifndef FETCH_HTTP_RETRY_H
#define FETCH_HTTP_RETRY_H

#include "fetch/http.h"
#include "fetch/http_limits.h"

/* 408, 425, 429 and the 5xx that describe a moment; never other 4xx, 501 or 505. */
bool http_status_may_pass(int status);
/* Timeouts, cut and refused connections; never names, TLS, sizes or rules. */
bool http_outcome_may_pass(enum http_outcome outcome);
/* Retry-After in both forms (RFC 9110, 10.2.3). A date counts from the response's own Date, or from
 * now (seconds since 1970) when it has none; the past gives 0. false when it is neither. */
bool http_retry_after(struct span value, struct span date, int64_t now, uint64_t *seconds);
/* Full jitter: a random part of backoff * 2^(tries-1), bounded. *random is the generator's state,
 * never 0. tries counts from 1. */
uint64_t http_backoff_ms(const struct http_limits *limits, int tries, uint64_t *random);

#endif
