/* The resolver of DOIs: the only one that knows whether a DOI exists, whichever agency registered
 * it. Asked where neither Crossref nor DataCite has a record; only its "no" makes a phantom.
 * https://www.doi.org/the-identifier/resources/factsheets/doi-resolution-documentation */
#include "fetch/service.h"

static bool accepts(const struct service_item *item, const struct service_settings *settings,
                    const char **why) {
    (void)settings, (void)why;
    return service_id(item, "doi:").len > 0 && service_is_settled(item, "datacite") &&
           !service_has_record(item, "datacite");
}

static void ask(struct service_ask *ask) {
    ask->request->url = arena_printf(
        ask->arena, "%.*s/api/handles/%.*s", SPAN_ARG(ask->base),
        SPAN_ARG(service_escape(ask->arena, service_id(ask->items[0], "doi:"), "/():")));
}

/* {"responseCode":1,"handle":"10.1/x","values":[{"type":"URL","data":{"value":"https://..."}}]} */
static struct span target_of(struct arena *arena, const cJSON *json) {
    size_t count;
    const cJSON *one, *list = json_array(json, "values", &count);
    cJSON_ArrayForEach(
        one, list) if (span_equal(json_text(arena, one, "type"),
                                  SPAN("URL"))) return json_text(arena, json_member(one, "data"),
                                                                 "value");
    return SPAN("");
}

static const char *read(struct service_reply *reply) {
    enum { FOUND = 1, NOT_FOUND = 100, NO_VALUES = 200 };
    const char *fault;
    cJSON *json = service_json(reply, &fault);
    if (!json)
        return fault;
    int code = (int)json_number(json, "responseCode", 0);
    if (code == FOUND || code == NO_VALUES) {
        struct service_record *record = service_found(reply, 0);
        record->fields.identifier = json_text(reply->arena, json, "handle");
        record->fields.url = target_of(reply->arena, json);
    } else if (code != NOT_FOUND) {
        fault = "the answer has no responseCode of 1, 100 or 200";
    }
    cJSON_Delete(json);
    return fault;
}

const struct service service_handle = {
    .id = "doi.org",
    .base = "https://doi.org",
    .absent = "no such DOI is registered with any agency",
    .absent_kind = "phantom identifier",
    .batch = 1,
    .accepts = accepts,
    .ask = ask,
    .read = read,
};
