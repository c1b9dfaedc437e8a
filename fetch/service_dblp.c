/* DBLP: computer science publications by title, for works that a bibliography names without an
 * identifier. A lone author comes as an object, several as a list. */
#include "fetch/service.h"

#include "fetch/compare.h"
#include "fetch/fold.h"

static bool accepts(const struct service_item *item, const struct service_settings *settings,
                    const char **why) {
    (void)settings, (void)why;
    const struct source_claimed *claimed = item->source->metadata.claimed;
    return service_id(item, "mention:").len > 0 && claimed && claimed->title.len > 0;
}

static void ask(struct service_ask *ask) {
    struct arena *arena = ask->arena;
    struct span title = fold_text(arena, ask->items[0]->source->metadata.claimed->title);
    ask->request->url =
        arena_printf(arena, "%.*s/search/publ/api?format=json&h=5&q=%.*s", SPAN_ARG(ask->base),
                     SPAN_ARG(service_escape(arena, span_slice(title, 0, 200), "")));
}

static struct span authors_of(struct arena *arena, const cJSON *info) {
    const cJSON *author = json_member(json_member(info, "authors"), "author");
    struct span authors = SPAN(""), family, given;
    for (const cJSON *one = cJSON_IsArray(author) ? author->child : author; one;
         one = cJSON_IsArray(author) ? one->next : NULL) {
        struct span name = json_text(arena, one, "text");
        /* namesakes are numbered: "Wei Wang 0012" */
        while (name.len > 0 && ((name.at[name.len - 1] >= '0' && name.at[name.len - 1] <= '9') ||
                                name.at[name.len - 1] == ' '))
            name.len--;
        service_split_name(name, &family, &given);
        authors = service_add_author(arena, authors, family, given);
    }
    return authors;
}

static struct source_record record_of(struct arena *arena, const cJSON *info) {
    struct span title = json_text(arena, info, "title");
    if (span_ends(title, SPAN(".")))
        title.len--;
    return (struct source_record){
        .identifier = json_text(arena, info, "doi"),
        .kind = json_text(arena, info, "type"),
        .title = title,
        .authors = authors_of(arena, info),
        .venue = json_text(arena, info, "venue"),
        .year = service_year(json_text(arena, info, "year")),
        .url = json_text(arena, info, "ee"),
    };
}

static const char *read(struct service_reply *reply) {
    struct arena *arena = reply->arena;
    const struct source_claimed *claimed = reply->items[0]->source->metadata.claimed;
    const char *fault;
    size_t count;
    cJSON *json = service_json(reply, &fault);
    if (!json)
        return fault;
    const cJSON *hits = json_member(json_member(json, "result"), "hits"), *hit;
    if (!cJSON_IsObject(hits))
        fault = "the answer is not DBLP's: expected result.hits";
    cJSON_ArrayForEach(hit, json_array(hits, "hit", &count)) {
        struct source_record record = record_of(arena, json_member(hit, "info"));
        if (!service_is_same_work(arena, claimed, &record))
            continue;
        struct service_record *found = service_found(reply, 0);
        found->fields = record;
        service_note(arena, found, "identified", SEVERITY_INFO,
                     "DBLP has a work of this title and author: %.*s",
                     SPAN_ARG(record.identifier.len ? record.identifier : record.url));
        break;
    }
    cJSON_Delete(json);
    return fault;
}

const struct service service_dblp = {
    .id = "dblp",
    .base = "https://dblp.org",
    .absent = "DBLP has no work of this title and author; it knows only computer science",
    .batch = 1,
    .most = 30,
    .accepts = accepts,
    .ask = ask,
    .read = read,
};
