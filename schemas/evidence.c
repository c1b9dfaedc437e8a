#include "schemas/evidence.h"

void evidence_write(struct buffer *out, const struct evidence *evidence) {
    struct json_writer w = {.out = out};
    json_begin_object(&w, NULL);
    json_put_string(&w, "schema", EVIDENCE_SCHEMA);
    json_begin_array(&w, "sources");
    for (size_t i = 0; i < evidence->source_count; i++)
        ledger_source_put(&w, NULL, &evidence->sources[i]);
    json_end_array(&w);
    json_begin_array(&w, "evidence");
    for (size_t i = 0; i < evidence->count; i++)
        ledger_evidence_put(&w, NULL, &evidence->items[i]);
    json_end_array(&w);
    json_end_object(&w);
    json_finish(&w);
}

void decisions_write(struct buffer *out, const struct decisions *decisions) {
    struct json_writer w = {.out = out};
    json_begin_object(&w, NULL);
    json_put_string(&w, "schema", DECISIONS_SCHEMA);
    json_begin_array(&w, "decisions");
    for (size_t i = 0; i < decisions->count; i++)
        ledger_decision_put(&w, NULL, &decisions->items[i]);
    json_end_array(&w);
    json_end_object(&w);
    json_finish(&w);
}

static bool refuse(const char *where, const char *fault, struct error *error) {
    return error_set(error, ERROR_INPUT, where, "Write the report again: `assay report PASS`.",
                     "expected items of the ledger, found %s", fault);
}

static const char *get_sources(struct arena *arena, const cJSON *root, struct evidence *evidence) {
    size_t count;
    const cJSON *one, *list = json_array(root, "sources", &count);
    cJSON_ArrayForEach(one, list) {
        struct ledger_source source = {0};
        const char *fault = ledger_source_get(arena, one, &source);
        if (fault)
            return fault;
        LIST_PUSH(arena, evidence->sources, evidence->source_count, evidence->source_capacity,
                  source);
    }
    return NULL;
}

static const char *get_items(struct arena *arena, const cJSON *root, struct evidence *evidence) {
    size_t count;
    const cJSON *one, *list = json_array(root, "evidence", &count);
    cJSON_ArrayForEach(one, list) {
        struct ledger_evidence item = {0};
        const char *fault = ledger_evidence_get(arena, one, &item);
        if (fault)
            return fault;
        LIST_PUSH(arena, evidence->items, evidence->count, evidence->capacity, item);
    }
    return NULL;
}

bool evidence_read(struct arena *arena, struct span json, const char *where,
                   struct evidence *evidence, struct error *error) {
    *evidence = (struct evidence){0};
    cJSON *root = json_parse_schema(json, where, EVIDENCE_SCHEMA, error);
    if (!root)
        return false;
    const char *fault = get_sources(arena, root, evidence);
    if (!fault)
        fault = get_items(arena, root, evidence);
    cJSON_Delete(root);
    return !fault || refuse(where, fault, error);
}

bool decisions_read(struct arena *arena, struct span json, const char *where,
                    struct decisions *decisions, struct error *error) {
    *decisions = (struct decisions){0};
    cJSON *root = json_parse_schema(json, where, DECISIONS_SCHEMA, error);
    if (!root)
        return false;
    size_t count;
    const char *fault = NULL;
    const cJSON *one, *list = json_array(root, "decisions", &count);
    cJSON_ArrayForEach(one, list) {
        struct ledger_decision decision = {0};
        if (!fault)
            fault = ledger_decision_get(arena, one, &decision);
        LIST_PUSH(arena, decisions->items, decisions->count, decisions->capacity, decision);
    }
    cJSON_Delete(root);
    return !fault || refuse(where, fault, error);
}
