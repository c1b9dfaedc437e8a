#include "schemas/source_metadata.h"

#include "schemas/fields.h"

#include <math.h>

static const char *const registry_states[] = {"not asked", "unreachable", "answered"};
const struct word_list registry_state_words = {registry_states, 3};

static const struct text_field claimed_fields[] = {
    TEXT_FIELD(source_claimed, origin),    TEXT_FIELD(source_claimed, key),
    TEXT_FIELD(source_claimed, text),      TEXT_FIELD(source_claimed, title),
    TEXT_FIELD(source_claimed, authors),   TEXT_FIELD(source_claimed, venue),
    TEXT_FIELD(source_claimed, year),      TEXT_FIELD(source_claimed, version),
    TEXT_FIELD(source_claimed, identifier)};

static const struct text_field record_fields[] = {
    TEXT_FIELD(source_record, identifier), TEXT_FIELD(source_record, kind),
    TEXT_FIELD(source_record, title),      TEXT_FIELD(source_record, authors),
    TEXT_FIELD(source_record, venue),      TEXT_FIELD(source_record, year),
    TEXT_FIELD(source_record, date),       TEXT_FIELD(source_record, version),
    TEXT_FIELD(source_record, url)};

static const struct text_field comparison_fields[] = {
    TEXT_FIELD(source_comparison, field),   TEXT_FIELD(source_comparison, service),
    TEXT_FIELD(source_comparison, claimed), TEXT_FIELD(source_comparison, registered),
    TEXT_FIELD(source_comparison, result),  TEXT_FIELD(source_comparison, rule)};

/* Only the members that hold something. */
static void put_texts(struct json_writer *w, const struct text_field *fields, size_t count,
                      const void *from) {
    for (size_t i = 0; i < count; i++)
        json_put_optional(w, fields[i].name,
                          *(const struct span *)((const char *)from + fields[i].offset));
}

static void put_registry(struct json_writer *w, const struct source_registry *registry) {
    json_begin_object(w, NULL);
    json_put_text(w, "service", registry->service);
    json_put_string(w, "state", word_of(&registry_state_words, (int)registry->state));
    if (registry->state == REGISTRY_ANSWERED)
        json_put_flag(w, "found", registry->found);
    json_put_optional(w, "why", registry->why);
    json_put_optional(w, "url", registry->url);
    json_put_optional(w, "at", registry->at);
    if (registry->found) {
        json_begin_object(w, "record");
        put_texts(w, record_fields, FIELD_COUNT(record_fields), &registry->record);
        json_end_object(w);
    }
    json_end_object(w);
}

static void put_comparison(struct json_writer *w, const struct source_comparison *comparison) {
    json_begin_object(w, NULL);
    put_texts(w, comparison_fields, FIELD_COUNT(comparison_fields), comparison);
    if (!isnan(comparison->similarity))
        json_put_number(w, "similarity", comparison->similarity);
    json_end_object(w);
}

static void put_finding(struct json_writer *w, const struct source_finding *finding) {
    json_begin_object(w, NULL);
    json_put_text(w, "kind", finding->kind);
    json_put_string(w, "severity", word_of(&severity_words, (int)finding->severity));
    json_put_text(w, "message", finding->message);
    json_put_text(w, "service", finding->service);
    json_put_optional(w, "url", finding->url);
    json_end_object(w);
}

void source_metadata_write(struct json_writer *w, const struct source_metadata *metadata) {
    if (metadata->claimed) {
        json_begin_object(w, "claimed");
        put_texts(w, claimed_fields, FIELD_COUNT(claimed_fields), metadata->claimed);
        json_end_object(w);
    }
    if (metadata->registry_count > 0) {
        json_begin_array(w, "registries");
        for (size_t i = 0; i < metadata->registry_count; i++)
            put_registry(w, &metadata->registries[i]);
        json_end_array(w);
    }
    if (metadata->comparison_count > 0) {
        json_begin_array(w, "comparisons");
        for (size_t i = 0; i < metadata->comparison_count; i++)
            put_comparison(w, &metadata->comparisons[i]);
        json_end_array(w);
    }
    if (metadata->finding_count > 0) {
        json_begin_array(w, "findings");
        for (size_t i = 0; i < metadata->finding_count; i++)
            put_finding(w, &metadata->findings[i]);
        json_end_array(w);
    }
}

static const char *get_registries(struct arena *arena, const cJSON *source,
                                  struct source_metadata *metadata) {
    size_t count;
    const cJSON *one, *list = json_array(source, "registries", &count);
    cJSON_ArrayForEach(one, list) {
        struct source_registry registry = {.service = json_text(arena, one, "service"),
                                           .found = json_flag(one, "found", false),
                                           .why = json_text(arena, one, "why"),
                                           .url = json_text(arena, one, "url"),
                                           .at = json_text(arena, one, "at")};
        int state = word_value(&registry_state_words, json_text(arena, one, "state"));
        if (state < 0 || registry.service.len == 0)
            return "a registry without a name or a known state";
        registry.state = (enum registry_state)state;
        fields_read(arena, json_member(one, "record"), record_fields, FIELD_COUNT(record_fields),
                    &registry.record);
        LIST_PUSH(arena, metadata->registries, metadata->registry_count,
                  metadata->registry_capacity, registry);
    }
    return NULL;
}

static void get_comparisons(struct arena *arena, const cJSON *source,
                            struct source_metadata *metadata) {
    size_t count;
    const cJSON *one, *list = json_array(source, "comparisons", &count);
    cJSON_ArrayForEach(one, list) {
        struct source_comparison comparison = {.similarity = json_number(one, "similarity", NAN)};
        fields_read(arena, one, comparison_fields, FIELD_COUNT(comparison_fields), &comparison);
        LIST_PUSH(arena, metadata->comparisons, metadata->comparison_count,
                  metadata->comparison_capacity, comparison);
    }
}

static const char *get_findings(struct arena *arena, const cJSON *source,
                                struct source_metadata *metadata) {
    size_t count;
    const cJSON *one, *list = json_array(source, "findings", &count);
    cJSON_ArrayForEach(one, list) {
        struct source_finding finding = {.kind = json_text(arena, one, "kind"),
                                         .message = json_text(arena, one, "message"),
                                         .service = json_text(arena, one, "service"),
                                         .url = json_text(arena, one, "url")};
        int severity = word_value(&severity_words, json_text(arena, one, "severity"));
        if (severity < 0 || finding.kind.len == 0)
            return "a finding on a source without a kind or a known severity";
        finding.severity = (enum severity)severity;
        LIST_PUSH(arena, metadata->findings, metadata->finding_count, metadata->finding_capacity,
                  finding);
    }
    return NULL;
}

const char *source_metadata_read(struct arena *arena, const cJSON *source,
                                 struct source_metadata *metadata) {
    const cJSON *claimed = json_member(source, "claimed");
    *metadata = (struct source_metadata){0};
    if (cJSON_IsObject(claimed)) {
        metadata->claimed = arena_alloc(arena, sizeof *metadata->claimed);
        fields_read(arena, claimed, claimed_fields, FIELD_COUNT(claimed_fields), metadata->claimed);
    }
    get_comparisons(arena, source, metadata);
    const char *fault = get_registries(arena, source, metadata);
    return fault ? fault : get_findings(arena, source, metadata);
}
