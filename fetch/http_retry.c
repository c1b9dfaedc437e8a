#include "fetch/http_retry.h"

#include "core/clock.h"

bool http_status_may_pass(int status) {
    static const int passing[] = {408, 425, 429, 500, 502, 503, 504, 507, 520, 521, 522, 523, 524};
    for (size_t i = 0; i < sizeof passing / sizeof *passing; i++)
        if (status == passing[i])
            return true;
    return false;
}

bool http_outcome_may_pass(enum http_outcome outcome) {
    return outcome == HTTP_TIMED_OUT || outcome == HTTP_CUT || outcome == HTTP_NO_CONNECTION;
}

bool http_retry_after(struct span value, struct span date, int64_t now, uint64_t *seconds) {
    enum { YEAR_SECONDS = 366 * 86400 };
    size_t delta;
    int64_t until;
    value = span_trim(value);
    if (value.len && span_find_byte(value, ' ', 0) == SIZE_MAX) {
        bool ok = span_to_size(value, YEAR_SECONDS, &delta);
        *seconds = ok ? delta : 0;
        return ok;
    }
    if (!clock_parse(value, &until))
        return false;
    clock_parse(date, &now);
    *seconds = until > now ? (uint64_t)(until - now) : 0;
    return true;
}

/* Marsaglia, "Xorshift RNGs" (2003): spread, not secrecy. */
static uint64_t next_random(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

uint64_t http_backoff_ms(const struct http_limits *limits, int tries, uint64_t *random) {
    uint64_t most = limits->backoff_ms;
    for (int i = 1; i < tries && most < limits->backoff_most_ms; i++)
        most *= 2;
    if (most > limits->backoff_most_ms)
        most = limits->backoff_most_ms;
    return most ? next_random(random) % (most + 1) : 0;
}
