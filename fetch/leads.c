#include "fetch/leads.h"

#include "fetch/fetch_http.h"
#include "fetch/fold.h"
#include "fetch/lead_service.h"

#include <stdlib.h>

enum { ANSWER_BYTES = 4 << 20, FUSION_CONSTANT = 60, QUESTIONS_MOST = 64 };

/* One query put to one service. */
struct question {
    size_t service, query;
};

struct search {
    struct arena *arena;
    struct leads *leads;
    struct question questions[QUESTIONS_MOST];
    struct http_request requests[QUESTIONS_MOST];
    size_t count;
};

static struct span base_of(const struct lead_service *service,
                           const struct service_settings *settings) {
    struct service named = {.id = service->id, .base_id = service->base_id, .base = service->base};
    return service_base(&named, settings);
}

static void prepare(struct search *search, size_t index, const struct service_settings *settings) {
    const struct lead_service *service = lead_services[index];
    struct lead_service_state *state = &search->leads->services[search->leads->service_count++];
    const char *why = service->refuses ? service->refuses() : NULL;
    *state = (struct lead_service_state){.service = service->id, .why = span_of(why ? why : "")};
    for (size_t i = 0; !why && i < search->leads->query_count && i < service->most; i++) {
        if (search->count == QUESTIONS_MOST)
            return;
        struct http_request *request = &search->requests[search->count];
        *request = (struct http_request){.max_bytes = ANSWER_BYTES};
        service->ask(search->arena, base_of(service, settings),
                     lead_query_text(search->arena, &search->leads->queries[i], service->words),
                     request);
        search->questions[search->count++] = (struct question){index, i};
        state->asked++;
    }
}

/* The lead that the hit is, by identity or by a title that is long enough to tell. */
static struct lead *find(struct search *search, const struct lead *hit) {
    enum { TELLING_BYTES = 12 };
    struct span key = fold_text(search->arena, hit->title);
    for (size_t i = 0; i < search->leads->count; i++) {
        struct lead *lead = &search->leads->leads[i];
        if (span_equal(lead->id, hit->id) ||
            (key.len >= TELLING_BYTES && span_equal(lead->key, key)))
            return lead;
    }
    if (search->leads->count == LEADS_MOST)
        return NULL;
    struct lead fresh = {.id = hit->id, .kind = hit->kind, .url = hit->url, .key = key};
    LIST_PUSH(search->arena, search->leads->leads, search->leads->count, search->leads->capacity,
              fresh);
    return &search->leads->leads[search->leads->count - 1];
}

/* Adds name to a list "a, b" unless it is there. */
static void name_in(struct arena *arena, struct span *list, struct span name) {
    struct span rest = *list, one;
    while (span_next_field(&rest, ',', &one))
        if (span_equal(span_trim(one), name))
            return;
    *list =
        arena_printf(arena, "%.*s%s%.*s", SPAN_ARG(*list), list->len ? ", " : "", SPAN_ARG(name));
}

static void fill(struct span *field, struct span value) {
    if (field->len == 0)
        *field = value;
}

static void merge(struct search *search, const struct question *question, const struct lead *hit,
                  size_t place) {
    struct lead *lead = find(search, hit);
    const struct lead_query *query = &search->leads->queries[question->query];
    if (!lead)
        return;
    fill(&lead->title, hit->title);
    fill(&lead->authors, hit->authors);
    fill(&lead->year, hit->year);
    fill(&lead->discussion, hit->discussion);
    name_in(search->arena, &lead->services, span_of(lead_services[question->service]->id));
    name_in(search->arena, &lead->queries, query->claim.len ? query->claim : span_of(query->from));
    lead->score += 1.0 / (double)(FUSION_CONSTANT + place);
}

static void take(struct search *search, size_t index, const struct http_result *result) {
    const struct question *question = &search->questions[index];
    struct lead_service_state *state = &search->leads->services[question->service];
    struct lead_hits hits = {.arena = search->arena};
    const char *fault = NULL;
    if (!http_is_ok(result) ||
        (fault = lead_services[question->service]->read(&hits, result)) != NULL) {
        bool unasked = result->outcome == HTTP_OFFLINE || result->outcome == HTTP_NOT_ARCHIVED;
        state->asked -= unasked;
        if (state->why.len == 0)
            state->why = fault ? span_of(fault) : result->reason;
        return;
    }
    state->answered++;
    state->results += hits.count;
    for (size_t i = 0; i < hits.count; i++)
        merge(search, question, &hits.list[i], i + 1);
}

static int by_score(const void *x, const void *y) {
    const struct lead *a = x, *b = y;
    if (a->score != b->score)
        return a->score < b->score ? 1 : -1;
    size_t shorter = a->id.len < b->id.len ? a->id.len : b->id.len;
    int order = memcmp(a->id.at, b->id.at, shorter);
    return order ? order : (a->id.len > b->id.len) - (a->id.len < b->id.len);
}

/* Marks leads that the pass names already, by identity or title. */
static void mark_known(struct search *search, const struct sources *sources) {
    for (size_t i = 0; i < search->leads->count; i++) {
        struct lead *lead = &search->leads->leads[i];
        for (size_t k = 0; k < sources->count && lead->known.len == 0; k++)
            if (span_equal(sources->sources[k].id, lead->id))
                lead->known = sources->sources[k].label;
    }
}

bool leads_find(struct arena *arena, const struct fetch_options *options,
                const struct leads_input *input, struct leads *leads, struct error *error) {
    struct search search = {.arena = arena, .leads = leads};
    struct http_result results[QUESTIONS_MOST];
    struct service_settings settings = {options->services, options->contact};
    *leads = (struct leads){0};
    leads->query_count =
        leads_queries(arena, &input->brief, &input->claims, &input->findings, leads->queries);
    for (size_t i = 0; lead_services[i]; i++)
        prepare(&search, i, &settings);
    struct http *http = fetch_open_http(options, error);
    if (!http)
        return false;
    bool ok = http_fetch_all(http, arena, search.requests, search.count, results, error);
    for (size_t i = 0; ok && i < search.count; i++)
        take(&search, i, &results[i]);
    http_close(http);
    if (leads->count > 0)
        qsort(leads->leads, leads->count, sizeof *leads->leads, by_score);
    mark_known(&search, &input->sources);
    return ok;
}
