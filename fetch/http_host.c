#include "fetch/http_session.h"

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

void http_host_slow_down(struct http_host *host, uint64_t until_ns) {
    enum { SLOWEST_MS = 5000 };
    if (host->next_ns < until_ns)
        host->next_ns = until_ns;
    if (host->pace.pause_ms < SLOWEST_MS)
        host->pace.pause_ms *= 2;
    host->pace.per_host = 1;
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
