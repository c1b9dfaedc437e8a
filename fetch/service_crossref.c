/* Crossref: works by DOI, several at once by the filter doi:A,doi:B (a comma separates filters, so
 * a DOI with a comma is asked for alone). What was retracted is said on the work itself in
 * updated-by; update-to stands on the notice and speaks of another work. */
#include "fetch/crossref_work.h"

#include <stdint.h>

static bool accepts(const struct service_item *item, const struct service_settings *settings,
                    const char **why) {
    (void)settings, (void)why;
    return service_id(item, "doi:").len > 0;
}

static struct span doi_of(const struct service_item *item) {
    return service_id(item, "doi:");
}

bool crossref_has_comma(const struct service_item *item) {
    return span_find_byte(doi_of(item), ',', 0) != SIZE_MAX;
}

static void ask(struct service_ask *ask) {
    struct arena *arena = ask->arena;
    if (ask->count == 1) {
        ask->request->url =
            arena_printf(arena, "%.*s/works/%.*s", SPAN_ARG(ask->base),
                         SPAN_ARG(service_escape(arena, doi_of(ask->items[0]), "/():")));
        return;
    }
    struct buffer url = {0};
    buffer_printf(&url, "%.*s/works?rows=%zu&filter=", SPAN_ARG(ask->base), ask->count);
    for (size_t i = 0; i < ask->count; i++)
        buffer_printf(&url, "%sdoi:%.*s", i ? "," : "",
                      SPAN_ARG(service_escape(arena, doi_of(ask->items[i]), "/():")));
    ask->request->url = arena_copy(arena, buffer_span(&url));
    buffer_free(&url);
}

static struct span first_of(struct arena *arena, const cJSON *work, const char *key) {
    size_t count;
    const cJSON *list = json_array(work, key, &count);
    const cJSON *first = count ? list->child : NULL;
    return cJSON_IsString(first) ? service_clean(arena, span_of(first->valuestring)) : SPAN("");
}

/* "2022", "2022-05" or "2022-05-27" of {"date-parts":[[2022,5,27]]}; parts may be null. */
static struct span date_of(struct arena *arena, const cJSON *work, const char *key) {
    size_t count;
    const cJSON *parts = json_array(json_member(work, key), "date-parts", &count);
    const cJSON *date = count ? parts->child : NULL;
    struct span text = SPAN("");
    for (const cJSON *part = date ? date->child : NULL; part; part = part->next) {
        if (!cJSON_IsNumber(part) || part->valuedouble < 1 || part->valuedouble > 9999)
            break;
        text = arena_printf(arena, text.len ? "%.*s-%02d" : "%.*s%04d", SPAN_ARG(text),
                            (int)part->valuedouble);
    }
    return text;
}

static struct span first_date(struct arena *arena, const cJSON *work) {
    static const char *const keys[] = {"issued", "published", "published-print", "published-online",
                                       "created"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        struct span date = date_of(arena, work, keys[i]);
        if (date.len > 0)
            return date;
    }
    return SPAN("");
}

static struct span authors_of(struct arena *arena, const cJSON *work) {
    size_t count;
    struct span authors = SPAN("");
    const cJSON *one, *list = json_array(work, "author", &count);
    cJSON_ArrayForEach(one, list) {
        struct span family = json_text(arena, one, "family");
        authors =
            service_add_author(arena, authors, family.len ? family : json_text(arena, one, "name"),
                               json_text(arena, one, "given"));
    }
    return authors;
}

static const struct update_kind {
    const char *type, *kind;
    enum severity severity;
    const char *words;
} update_kinds[] = {
    {"retraction", "retracted", SEVERITY_HIGH, "retracted"},
    {"partial_retraction", "concern", SEVERITY_MEDIUM, "retracted in part"},
    {"withdrawal", "withdrawn", SEVERITY_HIGH, "withdrawn"},
    {"removal", "withdrawn", SEVERITY_HIGH, "removed"},
    {"expression_of_concern", "concern", SEVERITY_MEDIUM, "under an expression of concern"},
    {"correction", "corrected", SEVERITY_LOW, "corrected"},
    {"corrigendum", "corrected", SEVERITY_LOW, "corrected"},
    {"erratum", "corrected", SEVERITY_LOW, "corrected"},
    {"new_version", "later version", SEVERITY_LOW, "followed by a new version"},
    {"new_edition", "later version", SEVERITY_LOW, "followed by a new edition"},
};

/* "expression-of-concern" and "Expression of concern" are the same type. */
static bool is_type(struct span text, const char *type) {
    if (text.len != strlen(type))
        return false;
    for (size_t i = 0; i < text.len; i++) {
        char c = text.at[i] == '-' || text.at[i] == ' ' ? '_' : text.at[i];
        if ((c | 32) != (type[i] | 32))
            return false;
    }
    return true;
}

static void read_updates(struct arena *arena, const cJSON *work, struct service_record *record) {
    size_t count;
    const cJSON *one, *list = json_array(work, "updated-by", &count);
    cJSON_ArrayForEach(one, list) {
        struct span type = json_text(arena, one, "type"), notice = json_text(arena, one, "DOI");
        struct span date = date_of(arena, one, "updated");
        for (size_t i = 0; i < sizeof update_kinds / sizeof *update_kinds; i++)
            if (is_type(type, update_kinds[i].type))
                service_note(arena, record, update_kinds[i].kind, update_kinds[i].severity,
                             "Crossref has it as %s%s%.*s%s%.*s", update_kinds[i].words,
                             date.len ? " on " : "", SPAN_ARG(date), notice.len ? ", notice " : "",
                             SPAN_ARG(notice));
    }
    list = json_array(work, "update-to", &count);
    if (count > 0)
        service_note(arena, record, "notice", SEVERITY_INFO,
                     "it is itself a notice (%.*s) about %.*s; that work is meant by it, not this",
                     SPAN_ARG(json_text(arena, list->child, "type")),
                     SPAN_ARG(json_text(arena, list->child, "DOI")));
}

static void read_relations(struct arena *arena, const cJSON *work, struct service_record *record) {
    static const struct {
        const char *key, *kind, *words;
    } relations[] = {{"is-preprint-of", "published", "a preprint; published as"},
                     {"is-replaced-by", "superseded", "replaced by"},
                     {"is-superseded-by", "superseded", "superseded by"},
                     {"has-version", "later version", "named with a further version,"}};
    for (size_t i = 0; i < sizeof relations / sizeof *relations; i++) {
        size_t count;
        const cJSON *list = json_array(json_member(work, "relation"), relations[i].key, &count);
        struct span id = count ? json_text(arena, list->child, "id") : SPAN("");
        bool gone = span_equal(span_of(relations[i].kind), SPAN("superseded"));
        if (id.len > 0)
            service_note(arena, record, relations[i].kind, gone ? SEVERITY_MEDIUM : SEVERITY_INFO,
                         "Crossref has it as %s %.*s", relations[i].words, SPAN_ARG(id));
    }
}

void crossref_work_read(struct arena *arena, const cJSON *work, struct service_record *record) {
    struct span title = first_of(arena, work, "title"), sub = first_of(arena, work, "subtitle");
    bool joined = sub.len > 0 && span_find_nocase(title, sub, 0) == SIZE_MAX;
    record->fields = (struct source_record){
        .identifier = json_text(arena, work, "DOI"),
        .kind = json_text(arena, work, "type"),
        .title = joined ? arena_printf(arena, "%.*s: %.*s", SPAN_ARG(title), SPAN_ARG(sub)) : title,
        .authors = authors_of(arena, work),
        .venue = first_of(arena, work, "container-title"),
        .date = first_date(arena, work),
        .url = json_text(arena, work, "URL"),
    };
    record->fields.year = service_year(record->fields.date);
    if (record->fields.venue.len == 0)
        record->fields.venue = json_text(arena, work, "publisher");
    read_updates(arena, work, record);
    read_relations(arena, work, record);
}

/* A list holds the works it has in its own order: each is found again by its DOI. */
static void read_list(struct service_reply *reply, const cJSON *items) {
    const cJSON *work;
    cJSON_ArrayForEach(work, items) {
        struct span doi = json_text(reply->arena, work, "DOI");
        for (size_t i = 0; doi.len > 0 && i < reply->count; i++)
            if (span_equal_nocase(doi, doi_of(reply->items[i])))
                crossref_work_read(reply->arena, work, service_found(reply, i));
    }
}

static const char *read(struct service_reply *reply) {
    const char *fault;
    size_t count;
    cJSON *json = service_json(reply, &fault);
    if (!json)
        return fault;
    const cJSON *message = json_member(json, "message");
    const cJSON *items = json_array(message, "items", &count);
    if (items)
        read_list(reply, items);
    else if (reply->count == 1 && cJSON_IsString(json_member(message, "DOI")))
        crossref_work_read(reply->arena, message, service_found(reply, 0));
    else
        fault = "the answer is no Crossref work: expected message.DOI or message.items";
    cJSON_Delete(json);
    return fault;
}

const struct service service_crossref = {
    .id = "crossref",
    .base = "https://api.crossref.org",
    .absent = "not registered at Crossref; another agency may have it",
    .batch = 25,
    .max_bytes = 16 << 20,
    .accepts = accepts,
    .ask = ask,
    .read = read,
    .alone = crossref_has_comma,
};
