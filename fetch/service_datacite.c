/* DataCite: the other large registrar of DOIs (Zenodo, figshare, arXiv, Dryad). Several at once by
 * query=doi:("A" OR "B"), which Lucene syntax makes safe for anything but quotes and backslashes.
 * Asked when Crossref has no record. */
#include "fetch/service.h"

#include <stdint.h>

static struct span doi_of(const struct service_item *item) {
    return service_id(item, "doi:");
}

static bool accepts(const struct service_item *item, const struct service_settings *settings,
                    const char **why) {
    (void)settings, (void)why;
    return doi_of(item).len > 0 && service_is_settled(item, "crossref") &&
           !service_has_record(item, "crossref");
}

static bool needs_escape(const struct service_item *item) {
    struct span doi = doi_of(item);
    return span_find_byte(doi, '"', 0) != SIZE_MAX || span_find_byte(doi, '\\', 0) != SIZE_MAX;
}

static void ask(struct service_ask *ask) {
    struct arena *arena = ask->arena;
    if (ask->count == 1) {
        ask->request->url =
            arena_printf(arena, "%.*s/dois/%.*s", SPAN_ARG(ask->base),
                         SPAN_ARG(service_escape(arena, doi_of(ask->items[0]), "/():")));
        return;
    }
    struct buffer query = {0};
    for (size_t i = 0; i < ask->count; i++)
        buffer_printf(&query, "%s\"%.*s\"", i ? " OR " : "doi:(", SPAN_ARG(doi_of(ask->items[i])));
    buffer_add_string(&query, ")");
    ask->request->url =
        arena_printf(arena, "%.*s/dois?page%%5Bsize%%5D=%zu&query=%.*s", SPAN_ARG(ask->base),
                     ask->count, SPAN_ARG(service_escape(arena, buffer_span(&query), "/:")));
    buffer_free(&query);
}

/* The title without a titleType is the main one. */
static struct span title_of(struct arena *arena, const cJSON *attributes) {
    size_t count;
    struct span title = SPAN("");
    const cJSON *one, *list = json_array(attributes, "titles", &count);
    cJSON_ArrayForEach(one, list) {
        struct span type = json_text(arena, one, "titleType");
        if (title.len == 0 || type.len == 0)
            title = json_text(arena, one, "title");
        if (type.len == 0)
            break;
    }
    return service_clean(arena, title);
}

static struct span authors_of(struct arena *arena, const cJSON *attributes) {
    size_t count;
    struct span authors = SPAN("");
    const cJSON *one, *list = json_array(attributes, "creators", &count);
    cJSON_ArrayForEach(one, list) {
        struct span family = json_text(arena, one, "familyName");
        struct span given = json_text(arena, one, "givenName");
        struct span name = json_text(arena, one, "name");
        bool person = !span_equal(json_text(arena, one, "nameType"), SPAN("Organizational"));
        if (family.len == 0 && person && span_find_byte(name, ',', 0) != SIZE_MAX)
            service_split_name(name, &family, &given);
        authors = service_add_author(arena, authors, family.len ? family : name, given);
    }
    return authors;
}

/* A string, or since 2024 an object with a name. */
static struct span publisher_of(struct arena *arena, const cJSON *attributes) {
    const cJSON *publisher = json_member(attributes, "publisher");
    return cJSON_IsObject(publisher) ? json_text(arena, publisher, "name")
                                     : json_text(arena, attributes, "publisher");
}

static struct span year_of(struct arena *arena, const cJSON *attributes) {
    double year = json_number(attributes, "publicationYear", 0);
    if (year >= 1000 && year <= 2999)
        return arena_printf(arena, "%d", (int)year);
    return service_year(json_text(arena, attributes, "publicationYear"));
}

static void read_relations(struct arena *arena, const cJSON *attributes,
                           struct service_record *record) {
    static const struct {
        const char *type, *kind, *words;
    } relations[] = {{"IsPreviousVersionOf", "later version", "followed by"},
                     {"IsObsoletedBy", "superseded", "made obsolete by"}};
    size_t count;
    const cJSON *one, *list = json_array(attributes, "relatedIdentifiers", &count);
    cJSON_ArrayForEach(one, list) for (size_t i = 0; i < 2; i++) {
        if (!span_equal(json_text(arena, one, "relationType"), span_of(relations[i].type)))
            continue;
        service_note(arena, record, relations[i].kind, i ? SEVERITY_MEDIUM : SEVERITY_LOW,
                     "DataCite has it as %s %.*s", relations[i].words,
                     SPAN_ARG(json_text(arena, one, "relatedIdentifier")));
    }
}

static void read_attributes(struct arena *arena, const cJSON *attributes,
                            struct service_record *record) {
    record->fields = (struct source_record){
        .identifier = json_text(arena, attributes, "doi"),
        .kind = json_text(arena, json_member(attributes, "types"), "resourceTypeGeneral"),
        .title = title_of(arena, attributes),
        .authors = authors_of(arena, attributes),
        .venue = publisher_of(arena, attributes),
        .year = year_of(arena, attributes),
        .version = json_text(arena, attributes, "version"),
        .url = json_text(arena, attributes, "url"),
    };
    read_relations(arena, attributes, record);
}

static void read_one(struct service_reply *reply, const cJSON *data) {
    const cJSON *attributes = json_member(data, "attributes");
    struct span doi = json_text(reply->arena, attributes, "doi");
    if (doi.len == 0)
        doi = json_text(reply->arena, data, "id");
    for (size_t i = 0; i < reply->count; i++)
        if (span_equal_nocase(doi, doi_of(reply->items[i])))
            read_attributes(reply->arena, attributes, service_found(reply, i));
}

static const char *read(struct service_reply *reply) {
    const char *fault;
    cJSON *json = service_json(reply, &fault);
    if (!json)
        return fault;
    const cJSON *data = json_member(json, "data"), *one;
    if (cJSON_IsArray(data)) {
        cJSON_ArrayForEach(one, data) read_one(reply, one);
    } else if (cJSON_IsObject(json_member(data, "attributes"))) {
        read_one(reply, data);
    } else {
        fault = "the answer is no DataCite record: expected data.attributes";
    }
    cJSON_Delete(json);
    return fault;
}

const struct service service_datacite = {
    .id = "datacite",
    .base = "https://api.datacite.org",
    .absent = "not registered at DataCite; another agency may have it",
    .batch = 25,
    .max_bytes = 16 << 20,
    .accepts = accepts,
    .ask = ask,
    .read = read,
    .alone = needs_escape,
};
