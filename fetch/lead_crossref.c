/* Crossref's bibliographic search. Its score is relative; only the order counts here. */
#include "fetch/crossref_work.h"
#include "fetch/lead_service.h"

static void ask(struct arena *arena, struct span base, struct span text,
                struct http_request *request) {
    request->url = arena_printf(arena, "%.*s/works?rows=5&query.bibliographic=%.*s", SPAN_ARG(base),
                                SPAN_ARG(service_escape(arena, text, "")));
}

static const char *read(struct lead_hits *hits, const struct http_result *result) {
    const char *fault;
    size_t count;
    cJSON *json = lead_json(hits->arena, result, &fault);
    if (!json)
        return fault;
    const cJSON *work, *items = json_array(json_member(json, "message"), "items", &count);
    if (!items)
        fault = "the answer is no list of Crossref: expected message.items";
    cJSON_ArrayForEach(work, items) {
        struct service_record record = {0};
        crossref_work_read(hits->arena, work, &record);
        struct lead *lead = lead_hit_doi(hits, record.fields.identifier);
        if (!lead)
            continue;
        lead->title = record.fields.title;
        lead->authors = record.fields.authors;
        lead->year = record.fields.year;
    }
    cJSON_Delete(json);
    return fault;
}

const struct lead_service lead_crossref = {
    .id = "crossref",
    .base = "https://api.crossref.org",
    .words = 6,
    .most = 8,
    .ask = ask,
    .read = read,
};
