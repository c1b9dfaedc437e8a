#include "fetch/crossref_work.h"

/* The reverse question: which notices update these works? No rows are asked for, only how many
 * there are: a batch with none clears all of its works at once. */
static bool wants_updates(const struct service_item *item, const struct service_settings *settings,
                          const char **why) {
    (void)settings;
    if (!service_has_record(item, "crossref"))
        return false;
    if (crossref_has_comma(item))
        *why = "a DOI with a comma cannot be asked for in Crossref's filter";
    return !crossref_has_comma(item);
}

static void ask_updates(struct service_ask *ask) {
    struct buffer url = {0};
    buffer_printf(&url, "%.*s/works?filter=", SPAN_ARG(ask->base));
    for (size_t i = 0; i < ask->count; i++)
        buffer_printf(
            &url, "updates:%.*s,",
            SPAN_ARG(service_escape(ask->arena, service_id(ask->items[i], "doi:"), "/():")));
    buffer_add_string(&url, "update-type:retraction&rows=0");
    ask->request->url = arena_copy(ask->arena, buffer_span(&url));
    buffer_free(&url);
}

static const char *read_update_count(struct service_reply *reply) {
    const char *fault;
    cJSON *json = service_json(reply, &fault);
    if (!json)
        return fault;
    double total = json_number(json_member(json, "message"), "total-results", -1);
    cJSON_Delete(json);
    if (total < 0)
        return "the answer is no list of Crossref: expected message.total-results";
    if (total > 0 && reply->count > 1)
        return "a work of this batch is retracted; each is asked for alone";
    if (total > 0)
        service_note(reply->arena, service_found(reply, 0), "retracted", SEVERITY_HIGH,
                     "Crossref knows %.0f retraction notice%s for it", total,
                     total == 1 ? "" : "s");
    return NULL;
}

const struct service service_crossref_updates = {
    .id = "crossref-updates",
    .base_id = "crossref",
    .base = "https://api.crossref.org",
    .absent = "Crossref knows no retraction notice for it",
    .batch = 50,
    .halves = true,
    .accepts = wants_updates,
    .ask = ask_updates,
    .read = read_update_count,
};
