/* GitHub's search of repositories: ten questions a minute without a token. */
#include "fetch/lead_service.h"

#include <stdlib.h>

static void ask(struct arena *arena, struct span base, struct span text,
                struct http_request *request) {
    const char *token = getenv("ASSAY_GITHUB_TOKEN");
    request->url = arena_printf(arena, "%.*s/search/repositories?per_page=5&q=%.*s", SPAN_ARG(base),
                                SPAN_ARG(service_escape(arena, text, "")));
    request->accept = SPAN("application/vnd.github+json");
    if (token && *token)
        request->authorization = arena_printf(arena, "Bearer %s", token);
}

static const char *read(struct lead_hits *hits, const struct http_result *result) {
    struct arena *arena = hits->arena;
    const char *fault;
    size_t count;
    cJSON *json = lead_json(arena, result, &fault);
    if (!json)
        return fault;
    const cJSON *item, *items = json_array(json, "items", &count);
    if (!items)
        fault = "the answer is no list of GitHub: expected items";
    cJSON_ArrayForEach(item, items) {
        struct lead *lead = lead_hit_url(hits, json_text(arena, item, "html_url"));
        if (!lead)
            continue;
        struct span name = json_text(arena, item, "full_name");
        struct span about = service_clean(arena, json_text(arena, item, "description"));
        lead->title =
            about.len ? arena_printf(arena, "%.*s: %.*s", SPAN_ARG(name), SPAN_ARG(about)) : name;
        lead->authors = json_text(arena, json_member(item, "owner"), "login");
        lead->year = service_year(json_text(arena, item, "pushed_at"));
    }
    cJSON_Delete(json);
    return fault;
}

const struct lead_service lead_github = {
    .id = "github",
    .base = "https://api.github.com",
    .words = 3,
    .most = 5,
    .ask = ask,
    .read = read,
};
