#include "fetch/crossref_work.h"

/* Works that a bibliography names without an identifier, by title, first author and year. The
 * score of a hit is relative and proves nothing: titles and authors are compared here. */
static bool wants_search(const struct service_item *item, const struct service_settings *settings,
                         const char **why) {
    (void)settings, (void)why;
    const struct source_claimed *claimed = item->source->metadata.claimed;
    return service_id(item, "mention:").len > 0 && claimed && claimed->title.len > 0;
}

static void ask_search(struct service_ask *ask) {
    struct arena *arena = ask->arena;
    const struct source_claimed *claimed = ask->items[0]->source->metadata.claimed;
    size_t comma = span_find_byte(claimed->authors, ',', 0);
    struct span first = span_slice(claimed->authors, 0, comma == SIZE_MAX ? 60 : comma);
    struct span text =
        arena_printf(arena, "%.*s %.*s %.*s", SPAN_ARG(span_slice(claimed->title, 0, 300)),
                     SPAN_ARG(first), SPAN_ARG(claimed->year));
    ask->request->url =
        arena_printf(arena, "%.*s/works?rows=5&query.bibliographic=%.*s", SPAN_ARG(ask->base),
                     SPAN_ARG(service_escape(arena, text, "")));
}

static const char *read_search(struct service_reply *reply) {
    struct arena *arena = reply->arena;
    const struct source_claimed *claimed = reply->items[0]->source->metadata.claimed;
    const char *fault;
    size_t count;
    cJSON *json = service_json(reply, &fault);
    if (!json)
        return fault;
    const cJSON *work, *items = json_array(json_member(json, "message"), "items", &count);
    if (!items)
        fault = "the answer is no list of Crossref: expected message.items";
    cJSON_ArrayForEach(work, items) {
        struct service_record record = {0};
        crossref_work_read(arena, work, &record);
        if (!service_is_same_work(arena, claimed, &record.fields))
            continue;
        service_note(arena, &record, "identified", SEVERITY_INFO,
                     "Crossref has a work of this title and author: %.*s",
                     SPAN_ARG(record.fields.identifier));
        *service_found(reply, 0) = record;
        break;
    }
    cJSON_Delete(json);
    return fault;
}

const struct service service_crossref_search = {
    .id = "crossref-search",
    .base_id = "crossref",
    .base = "https://api.crossref.org",
    .absent = "Crossref has no work of this title and author among its first five",
    .batch = 1,
    .most = 30,
    .accepts = wants_search,
    .ask = ask_search,
    .read = read_search,
};
