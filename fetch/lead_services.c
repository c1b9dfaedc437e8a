#include "fetch/lead_service.h"

#include "fetch/sources_name.h"

extern const struct lead_service lead_arxiv, lead_crossref, lead_openalex, lead_hackernews,
    lead_huggingface, lead_github;

const struct lead_service *const lead_services[] = {
    &lead_arxiv,       &lead_crossref, &lead_openalex, &lead_hackernews,
    &lead_huggingface, &lead_github,   NULL,
};

static struct lead *push(struct lead_hits *hits, const struct source_name *name) {
    struct lead lead = {.id = name->id, .kind = name->kind, .url = name->url};
    LIST_PUSH(hits->arena, hits->list, hits->count, hits->capacity, lead);
    return &hits->list[hits->count - 1];
}

struct lead *lead_hit_url(struct lead_hits *hits, struct span url) {
    struct source_name name;
    return source_name_url(hits->arena, url, &name) ? push(hits, &name) : NULL;
}

struct lead *lead_hit_arxiv(struct lead_hits *hits, struct span id) {
    struct source_name name;
    if (id.len == 0 || source_arxiv_length(id) != id.len)
        return NULL;
    source_name_arxiv(hits->arena, id, &name);
    return push(hits, &name);
}

struct lead *lead_hit_doi(struct lead_hits *hits, struct span doi) {
    struct source_name name;
    if (!span_starts(doi, SPAN("10.")))
        return NULL;
    source_name_doi(hits->arena, doi, &name);
    return push(hits, &name);
}

cJSON *lead_json(struct arena *arena, const struct http_result *result, const char **fault) {
    struct error error = {0};
    cJSON *json = json_parse(result->body, "answer", &error);
    *fault = json ? NULL : arena_printf(arena, "the answer is not JSON: %s", error.message).at;
    return json;
}
