/* OpenAlex's search is metered: only with a key (ASSAY_OPENALEX_KEY). */
#include "fetch/lead_service.h"

#include <stdlib.h>

static const char *refuses(void) {
    const char *key = getenv("ASSAY_OPENALEX_KEY");
    return key && *key ? NULL : "OpenAlex wants a key; set ASSAY_OPENALEX_KEY";
}

static void ask(struct arena *arena, struct span base, struct span text,
                struct http_request *request) {
    struct span key = span_of(getenv("ASSAY_OPENALEX_KEY"));
    request->url = arena_printf(arena, "%.*s/works?per_page=5&search=%.*s&api_key=%.*s",
                                SPAN_ARG(base), SPAN_ARG(service_escape(arena, text, "")),
                                SPAN_ARG(service_escape(arena, key, "")));
}

static void read_work(struct lead_hits *hits, const cJSON *work) {
    struct arena *arena = hits->arena;
    struct span doi = json_text(arena, work, "doi");
    struct span page = json_text(arena, json_member(work, "primary_location"), "landing_page_url");
    size_t count, at = span_find(doi, SPAN("10."), 0);
    struct lead *lead = doi.len > 0 && at < doi.len
                            ? lead_hit_doi(hits, span_slice(doi, at, doi.len))
                            : lead_hit_url(hits, page);
    if (!lead)
        return;
    double year = json_number(work, "publication_year", 0);
    lead->title = service_clean(arena, json_text(arena, work, "display_name"));
    lead->year = year >= 1000 && year <= 2999 ? arena_printf(arena, "%d", (int)year) : SPAN("");
    const cJSON *one, *authors = json_array(work, "authorships", &count);
    cJSON_ArrayForEach(one, authors) {
        struct span family, given;
        service_split_name(json_text(arena, json_member(one, "author"), "display_name"), &family,
                           &given);
        lead->authors = service_add_author(arena, lead->authors, family, given);
    }
}

static const char *read(struct lead_hits *hits, const struct http_result *result) {
    const char *fault;
    size_t count;
    cJSON *json = lead_json(hits->arena, result, &fault);
    if (!json)
        return fault;
    const cJSON *work, *works = json_array(json, "results", &count);
    if (!works)
        fault = "the answer is no list of OpenAlex: expected results";
    cJSON_ArrayForEach(work, works) read_work(hits, work);
    cJSON_Delete(json);
    return fault;
}

const struct lead_service lead_openalex = {
    .id = "openalex",
    .base = "https://api.openalex.org",
    .words = 4,
    .most = 4,
    .refuses = refuses,
    .ask = ask,
    .read = read,
};
