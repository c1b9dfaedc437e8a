/* Hugging Face papers: its ids are arXiv ids, so what it finds is looked up there. */
#include "fetch/lead_service.h"

static void ask(struct arena *arena, struct span base, struct span text,
                struct http_request *request) {
    request->url = arena_printf(arena, "%.*s/api/papers/search?q=%.*s", SPAN_ARG(base),
                                SPAN_ARG(service_escape(arena, text, "")));
}

static void read_paper(struct lead_hits *hits, const cJSON *item) {
    struct arena *arena = hits->arena;
    const cJSON *paper = json_member(item, "paper"), *one;
    size_t count;
    paper = paper ? paper : item;
    struct lead *lead = lead_hit_arxiv(hits, json_text(arena, paper, "id"));
    if (!lead)
        return;
    lead->title = service_clean(arena, json_text(arena, paper, "title"));
    lead->year = service_year(json_text(arena, paper, "publishedAt"));
    cJSON_ArrayForEach(one, json_array(paper, "authors", &count)) {
        struct span family, given;
        service_split_name(json_text(arena, one, "name"), &family, &given);
        lead->authors = service_add_author(arena, lead->authors, family, given);
    }
}

static const char *read(struct lead_hits *hits, const struct http_result *result) {
    enum { HITS_MOST = 10 };
    const char *fault;
    cJSON *json = lead_json(hits->arena, result, &fault);
    if (!json)
        return fault;
    if (!cJSON_IsArray(json))
        fault = "the answer is not Hugging Face's: expected a list of papers";
    size_t taken = 0;
    for (const cJSON *item = fault ? NULL : json->child; item && taken < HITS_MOST;
         item = item->next, taken++)
        read_paper(hits, item);
    cJSON_Delete(json);
    return fault;
}

const struct lead_service lead_huggingface = {
    .id = "huggingface",
    .base = "https://huggingface.co",
    .words = 4,
    .most = 6,
    .ask = ask,
    .read = read,
};
