#include "fetch/http_limits.h"

#include <stdlib.h>

static const struct http_limits defaults = {
    .connect_ms = 15000,
    .stall_ms = 30000,
    .exchange_ms = 120000,
    .request_ms = 240000,
    .head_bytes = 64 << 10,
    .redirects = 10,
    .tries = 4,
    .backoff_ms = 500,
    .backoff_most_ms = 8000,
    .retry_after_s = 60,
    .pause_ms = 50,
    .per_host = 2,
    .batch_bytes = (size_t)512 << 20,
};

static const struct limit_name {
    const char *name;
    size_t offset;
} names[] = {
#define LIMIT(name)                                                                                \
    { #name, offsetof(struct http_limits, name) }
    LIMIT(connect_ms), LIMIT(stall_ms),  LIMIT(exchange_ms),     LIMIT(request_ms),
    LIMIT(head_bytes), LIMIT(redirects), LIMIT(tries),           LIMIT(backoff_ms),
    LIMIT(per_host),   LIMIT(pause_ms),  LIMIT(backoff_most_ms), LIMIT(retry_after_s),
    LIMIT(batch_bytes)
#undef LIMIT
};

static void set_limit(struct http_limits *limits, struct span setting) {
    size_t equals = span_find_byte(setting, '=', 0), value;
    if (equals == SIZE_MAX ||
        !span_to_size(span_slice(setting, equals + 1, setting.len), SIZE_MAX / 2, &value))
        return;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (span_equal(span_slice(setting, 0, equals), span_of(names[i].name)))
            *(size_t *)((char *)limits + names[i].offset) = value;
}

struct http_limits http_limits(void) {
    struct http_limits limits = defaults;
    const char *settings = getenv("ASSAY_FETCH_LIMITS");
    struct span rest = span_of(settings ? settings : ""), setting;
    while (span_next_field(&rest, ',', &setting))
        set_limit(&limits, setting);
    limits.per_host += limits.per_host == 0;
    limits.tries += limits.tries == 0;
    return limits;
}

/* Published rates, December 2026: arXiv one request in 3 s over one connection; Crossref 5/s public
 * with one at a time; DataCite 500 in 5 minutes when anonymous; the others ask for restraint. */
static const struct host_pace {
    const char *host;
    size_t pause_ms, per_host;
} paces[] = {
    {"export.arxiv.org", 3000, 1}, {"api.crossref.org", 500, 1}, {"api.datacite.org", 600, 1},
    {"doi.org", 500, 2},           {"dblp.org", 1000, 1},        {"openlibrary.org", 1000, 1},
    {"web.archive.org", 1000, 1},  {"api.openalex.org", 500, 1}, {"hn.algolia.com", 400, 1},
    {"huggingface.co", 600, 1},
};

struct http_pace http_pace_of(const struct http_limits *limits, struct span host) {
    for (size_t i = 0; i < sizeof paces / sizeof *paces; i++)
        if (span_equal(host, span_of(paces[i].host)) && limits->pause_ms == defaults.pause_ms)
            return (struct http_pace){paces[i].pause_ms, paces[i].per_host, false};
    return (struct http_pace){limits->pause_ms, limits->per_host, false};
}
