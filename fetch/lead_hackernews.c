/* Hacker News (Algolia): discussions of documents. The document is the lead; the discussion says
 * where people talked about it. A text post has no document and is commentary itself. */
#include "fetch/lead_service.h"

static void ask(struct arena *arena, struct span base, struct span text,
                struct http_request *request) {
    request->url = arena_printf(arena, "%.*s/api/v1/search?tags=story&hitsPerPage=10&query=%.*s",
                                SPAN_ARG(base), SPAN_ARG(service_escape(arena, text, "")));
}

static void read_hit(struct lead_hits *hits, const cJSON *hit) {
    struct arena *arena = hits->arena;
    struct span id = json_text(arena, hit, "objectID"), url = json_text(arena, hit, "url");
    struct span thread = arena_printf(arena, "https://news.ycombinator.com/item?id=%.*s",
                                      SPAN_ARG(service_escape(arena, id, "")));
    struct lead *lead = url.len > 0 ? lead_hit_url(hits, url) : NULL;
    bool has_original = lead != NULL;
    if (!lead && id.len > 0)
        lead = lead_hit_url(hits, thread);
    if (!lead)
        return;
    lead->title = service_clean(arena, json_text(arena, hit, "title"));
    if (has_original)
        lead->discussion = thread;
    else
        lead->year = service_year(json_text(arena, hit, "created_at"));
}

static const char *read(struct lead_hits *hits, const struct http_result *result) {
    const char *fault;
    size_t count;
    cJSON *json = lead_json(hits->arena, result, &fault);
    if (!json)
        return fault;
    const cJSON *hit, *list = json_array(json, "hits", &count);
    if (!list)
        fault = "the answer is not Algolia's: expected hits";
    cJSON_ArrayForEach(hit, list) read_hit(hits, hit);
    cJSON_Delete(json);
    return fault;
}

const struct lead_service lead_hackernews = {
    .id = "hackernews",
    .base = "https://hn.algolia.com",
    .words = 3,
    .most = 8,
    .ask = ask,
    .read = read,
};
