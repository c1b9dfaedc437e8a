/* Leads: documents that may bear on a chapter, found by asking search services with queries from
 * its own claims and terms (leads_query.h). A lead is never evidence: nobody has opened it.
 *
 * Ranked by reciprocal rank fusion (Cormack, Clarke and Buettcher, SIGIR 2009): each list that
 * holds a lead at place r adds 1 / (60 + r). Leads with one identity or one title are one. A
 * discussion (Hacker News) leads to what it discusses. */
#ifndef FETCH_LEADS_H
#define FETCH_LEADS_H

#include "fetch/fetch.h"
#include "fetch/leads_query.h"
#include "schemas/claims.h"
#include "schemas/findings.h"
#include "schemas/sources.h"

enum { LEADS_MOST = 400 };

struct lead {
    struct span id, kind, url; /* as in sources.json */
    struct span title, authors, year;
    struct span services;   /* that named it: "arxiv, crossref" */
    struct span queries;    /* by which: "topic, C3" */
    struct span discussion; /* URL of a thread about it, or empty */
    struct span known;      /* label of the source of the pass that it is, or empty */
    double score;
    struct span key; /* the title folded: two leads of one title are one */
};

/* What became of one service: how many of its questions were answered. */
struct lead_service_state {
    const char *service;
    size_t asked, answered, results;
    struct span why; /* the first silence; for asked = 0 why nobody asked */
};

struct leads {
    struct lead_query queries[QUERIES_MOST];
    size_t query_count;
    struct lead_service_state services[16];
    size_t service_count;
    struct lead *leads; /* best first */
    size_t count, capacity;
};

struct leads_input {
    struct brief brief;
    struct claims claims;
    struct findings findings;
    struct sources sources;
};

/* false with an error only when interrupted or when the transport cannot be had. */
bool leads_find(struct arena *arena, const struct fetch_options *options,
                const struct leads_input *input, struct leads *leads, struct error *error);

void leads_write_json(struct buffer *out, const struct leads *leads);
void leads_write_text(struct buffer *out, const struct leads *leads);

#endif
