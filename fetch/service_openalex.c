/* OpenAlex: a second word on retraction and metadata. Since February 2026 it wants a key for more
 * than a few requests a day, so it is asked only with one (ASSAY_OPENALEX_KEY); ids with a comma or
 * an ampersand are refused by it. */
#include "fetch/service.h"

#include <stdint.h>
#include <stdlib.h>

static struct span doi_of(struct arena *arena, const struct service_item *item) {
    struct span arxiv = service_id(item, "arxiv:");
    return arxiv.len ? arena_printf(arena, "10.48550/arxiv.%.*s", SPAN_ARG(arxiv))
                     : service_id(item, "doi:");
}

static bool accepts(const struct service_item *item, const struct service_settings *settings,
                    const char **why) {
    const char *key = getenv("ASSAY_OPENALEX_KEY");
    struct span id = item->source->id;
    (void)settings;
    if (!span_starts(id, SPAN("doi:")) && !span_starts(id, SPAN("arxiv:")))
        return false;
    if (!key || !*key)
        *why = "OpenAlex wants a key; set ASSAY_OPENALEX_KEY";
    else if (span_find_byte(id, ',', 0) != SIZE_MAX || span_find_byte(id, '&', 0) != SIZE_MAX)
        *why = "OpenAlex takes no identifier with a comma or an ampersand";
    return *why == NULL;
}

static void ask(struct service_ask *ask) {
    struct arena *arena = ask->arena;
    struct span key = span_of(getenv("ASSAY_OPENALEX_KEY"));
    ask->request->url =
        arena_printf(arena, "%.*s/works/doi:%.*s?api_key=%.*s", SPAN_ARG(ask->base),
                     SPAN_ARG(service_escape(arena, doi_of(arena, ask->items[0]), "/():")),
                     SPAN_ARG(service_escape(arena, key, "")));
}

static struct span authors_of(struct arena *arena, const cJSON *json) {
    size_t count;
    struct span authors = SPAN("");
    const cJSON *one, *list = json_array(json, "authorships", &count);
    cJSON_ArrayForEach(one, list) {
        struct span family, given;
        service_split_name(json_text(arena, json_member(one, "author"), "display_name"), &family,
                           &given);
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
    if (json_text(arena, json, "id").len == 0) {
        cJSON_Delete(json);
        return "the answer is no work of OpenAlex: expected an id";
    }
    struct service_record *record = service_found(reply, 0);
    const cJSON *location = json_member(json, "primary_location");
    double year = json_number(json, "publication_year", 0);
    record->fields = (struct source_record){
        .identifier = json_text(arena, json, "id"),
        .kind = json_text(arena, json, "type"),
        .title = service_clean(arena, json_text(arena, json, "display_name")),
        .authors = authors_of(arena, json),
        .venue = json_text(arena, json_member(location, "source"), "display_name"),
        .year = year >= 1000 && year <= 2999 ? arena_printf(arena, "%d", (int)year) : SPAN(""),
        .url = json_text(arena, location, "landing_page_url"),
    };
    if (json_flag(json, "is_retracted", false))
        service_note(arena, record, "retracted", SEVERITY_HIGH, "OpenAlex has it as retracted");
    cJSON_Delete(json);
    return NULL;
}

const struct service service_openalex = {
    .id = "openalex",
    .base = "https://api.openalex.org",
    .absent = "OpenAlex has no record of it",
    .batch = 1,
    .most = 200,
    .accepts = accepts,
    .ask = ask,
    .read = read,
};
