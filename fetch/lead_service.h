/* A service that is searched for leads: one file each (lead_NAME.c), one line in lead_services.c.
 */
#ifndef FETCH_LEAD_SERVICE_H
#define FETCH_LEAD_SERVICE_H

#include "fetch/leads.h"
#include "fetch/service.h"

struct lead_hits {
    struct arena *arena;
    struct lead *list;
    size_t count, capacity;
};

struct lead_service {
    const char *id;
    const char *base_id; /* whose base URL it uses in --service; NULL = its own */
    const char *base;
    size_t words; /* of a query that it gets: those that want all words find little with many */
    size_t most;  /* queries of one run */
    /* NULL = may be asked; else why not (no key). */
    const char *(*refuses)(void);
    void (*ask)(struct arena *arena, struct span base, struct span text,
                struct http_request *request);
    /* Adds hits in their order; NULL, or why the answer cannot be read. */
    const char *(*read)(struct lead_hits *hits, const struct http_result *result);
};

extern const struct lead_service *const lead_services[]; /* NULL-terminated */

/* A hit by its URL, arXiv id or DOI; *lead is valid until the next one. NULL when it is none. */
struct lead *lead_hit_url(struct lead_hits *hits, struct span url);
struct lead *lead_hit_arxiv(struct lead_hits *hits, struct span id);
struct lead *lead_hit_doi(struct lead_hits *hits, struct span doi);
/* The answer as JSON, or NULL with *fault. */
cJSON *lead_json(struct arena *arena, const struct http_result *result, const char **fault);

#endif
