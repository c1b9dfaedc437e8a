/* The RFC Editor: title, authors and what an RFC was made obsolete or updated by. */
#include "fetch/service.h"

static bool accepts(const struct service_item *item, const struct service_settings *settings,
                    const char **why) {
    (void)settings, (void)why;
    return service_id(item, "rfc:").len > 0;
}

static void ask(struct service_ask *ask) {
    ask->request->url =
        arena_printf(ask->arena, "%.*s/rfc/rfc%.*s.json", SPAN_ARG(ask->base),
                     SPAN_ARG(service_escape(ask->arena, service_id(ask->items[0], "rfc:"), "")));
}

static struct span joined(struct arena *arena, const cJSON *json, const char *key) {
    size_t count;
    struct span text = SPAN("");
    const cJSON *one, *list = json_array(json, key, &count);
    cJSON_ArrayForEach(one, list) if (cJSON_IsString(one)) text =
        arena_printf(arena, "%.*s%s%s", SPAN_ARG(text), text.len ? ", " : "", one->valuestring);
    return text;
}

static struct span authors_of(struct arena *arena, const cJSON *json) {
    size_t count;
    struct span authors = SPAN(""), family, given;
    const cJSON *one, *list = json_array(json, "authors", &count);
    cJSON_ArrayForEach(one, list) {
        if (!cJSON_IsString(one))
            continue;
        service_split_name(span_of(one->valuestring), &family, &given);
        authors = service_add_author(arena, authors, family, given);
    }
    return authors;
}

static const char *read(struct service_reply *reply) {
    struct arena *arena = reply->arena;
    const char *fault;
    cJSON *json = service_json(reply, &fault);
    if (!json)
        return fault;
    struct span title = service_clean(arena, json_text(arena, json, "title"));
    if (title.len == 0) {
        cJSON_Delete(json);
        return "the answer is not the RFC Editor's: expected a title";
    }
    struct service_record *record = service_found(reply, 0);
    record->fields = (struct source_record){
        .identifier = json_text(arena, json, "doc_id"),
        .kind = SPAN("RFC"),
        .title = title,
        .authors = authors_of(arena, json),
        .venue = SPAN("RFC Editor"),
        .date = json_text(arena, json, "pub_date"),
        .version = json_text(arena, json, "status"),
        .url = reply->result->url,
    };
    record->fields.year = service_year(record->fields.date);
    struct span obsolete = joined(arena, json, "obsoleted_by");
    struct span updated = joined(arena, json, "updated_by");
    if (obsolete.len > 0)
        service_note(arena, record, "superseded", SEVERITY_MEDIUM, "made obsolete by %.*s",
                     SPAN_ARG(obsolete));
    if (updated.len > 0)
        service_note(arena, record, "corrected", SEVERITY_LOW, "updated by %.*s",
                     SPAN_ARG(updated));
    cJSON_Delete(json);
    return NULL;
}

const struct service service_rfc = {
    .id = "rfc-editor",
    .base = "https://www.rfc-editor.org",
    .absent = "the RFC Editor has no such RFC",
    .absent_kind = "phantom identifier",
    .batch = 1,
    .accepts = accepts,
    .ask = ask,
    .read = read,
};
