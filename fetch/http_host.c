#include "fetch/http_session.h"

#include "core/clock.h"

static const uint64_t ms_ns = 1000000;

struct http_host *http_host_of(struct http *http, struct span name) {
    for (struct http_host *host = http->hosts; host; host = host->next)
        if (span_equal(host->name, name))
            return host;
    struct http_host *host = arena_alloc(&http->arena, sizeof *host);
    *host = (struct http_host){.name = arena_copy(&http->arena, name),
                               .pace = http_pace_of(&http->limits, name),
                               .next = http->hosts};
    return http->hosts = host;
}

bool http_host_is_ready(const struct http_host *host, uint64_t now, uint64_t *when) {
    if (host->active >= host->pace.per_host)
        return false; /* a finished exchange wakes the loop */
    if (host->next_ns > now && host->next_ns < *when)
        *when = host->next_ns;
    return host->next_ns <= now;
}

void http_host_start(struct http_host *host, uint64_t now) {
    host->active++;
    host->next_ns = now + host->pace.pause_ms * ms_ns;
}

/* A service that wants seconds between two requests gets them between the end of one and the start
 * of the next: it may have seen the first much later than it was started. */
void http_host_end(struct http_host *host, uint64_t now) {
    enum { LONG_PAUSE_MS = 1000 };
    uint64_t next_ns = now + host->pace.pause_ms * ms_ns;
    host->active--;
    if (host->pace.pause_ms >= LONG_PAUSE_MS && host->next_ns < next_ns)
        host->next_ns = next_ns;
}

void http_host_slow_down(struct http_host *host, uint64_t until_ns) {
    enum { SLOWEST_MS = 5000 };
    if (host->next_ns < until_ns)
        host->next_ns = until_ns;
    if (host->pace.pause_ms < SLOWEST_MS)
        host->pace.pause_ms *= 2;
    host->pace.per_host = 1;
    host->pace.slowed = true;
}

void http_host_stand_down(struct http_host *host, int port, enum http_outcome outcome,
                          struct span why) {
    host->down = why;
    host->down_outcome = outcome;
    host->down_port = port;
}

bool http_host_is_down(const struct http_host *host, int port) {
    return host->down.len > 0 && (host->down_port == 0 || host->down_port == port);
}

static bool head_number(struct span head, const char *name, size_t *value) {
    struct span text = span_trim(http_head_value(head, name));
    return span_to_size(text, SIZE_MAX / 2, value);
}

/* Crossref: so many requests (x-rate-limit-limit) in an interval ("1s"), so many at once. A tenth
 * of the time is left unused. */
static void obey_rate(struct http_host *host, struct span head) {
    enum { MOST_AT_ONCE = 5, SHORTEST_MS = 20 };
    size_t requests, seconds, at_once;
    struct span interval = span_trim(http_head_value(head, "x-rate-limit-interval"));
    if (span_ends(interval, SPAN("s")))
        interval.len--;
    if (head_number(head, "x-concurrency-limit", &at_once) && at_once > 0)
        host->pace.per_host = at_once < MOST_AT_ONCE ? at_once : MOST_AT_ONCE;
    if (!head_number(head, "x-rate-limit-limit", &requests) || requests == 0 ||
        requests > 1000000 || !span_to_size(interval, 86400, &seconds))
        return;
    size_t pause_ms = seconds * 1100 / requests;
    host->pace.pause_ms = pause_ms > SHORTEST_MS ? pause_ms : SHORTEST_MS;
}

/* GitHub: none is left before the moment of x-ratelimit-reset (seconds since 1970). */
static void obey_allowance(struct http *http, struct http_host *host, struct span head) {
    size_t left, reset;
    if (!head_number(head, "x-ratelimit-remaining", &left) || left > 0)
        return;
    struct span until = head_number(head, "x-ratelimit-reset", &reset) && reset < (size_t)1 << 40
                            ? clock_rfc3339(&http->arena, (int64_t)reset)
                            : SPAN("a moment it does not name");
    http_host_stand_down(host, 0, HTTP_STOOD_DOWN,
                         arena_printf(&http->arena,
                                      "the host's allowance is spent until %.*s; it is not asked "
                                      "again in this run",
                                      SPAN_ARG(until)));
}

void http_host_obey(struct http *http, struct http_host *host, struct span head) {
    if (host->pace.slowed)
        return;
    obey_rate(host, head);
    obey_allowance(http, host, head);
}

/* Cuts "HOST:" with HOST perhaps in brackets off *entry. */
static struct span cut_host(struct span *entry) {
    size_t from = span_starts(*entry, SPAN("[")) ? span_find_byte(*entry, ']', 0) : 0;
    size_t colon = from == SIZE_MAX ? SIZE_MAX : span_find_byte(*entry, ':', from);
    if (colon == SIZE_MAX)
        colon = entry->len;
    struct span host = span_slice(*entry, 0, colon);
    *entry = span_slice(*entry, colon + 1, entry->len);
    return host;
}

bool http_is_mapped(const struct http *http, const struct url *url) {
    const char *const *entries = http->options.connect_to;
    for (; entries && *entries; entries++) {
        struct span rest = span_of(*entries), host = cut_host(&rest), port;
        size_t number = 0;
        span_next_field(&rest, ':', &port);
        if ((host.len == 0 || span_equal_nocase(host, url->host)) &&
            (port.len == 0 || (span_to_size(port, 65535, &number) && (int)number == url->port)))
            return true;
    }
    return false;
}
