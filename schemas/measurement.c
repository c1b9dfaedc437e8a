/* Lines of measurements.jsonl. */
#include "schemas/fields.h"
#include "schemas/results.h"

#include <math.h>

void sample_write(struct buffer *out, const struct sample *s) {
    struct json_writer w = {.out = out, .compact = true};
    json_begin_object(&w, NULL);
    json_put_string(&w, "schema", MEASUREMENT_SCHEMA);
    json_put_text(&w, "experiment", s->experiment);
    json_put_text(&w, "variant", s->variant);
    json_put_size(&w, "process", s->process);
    json_put_size(&w, "block", s->block);
    json_put_size(&w, "iteration", s->iteration);
    json_put_number(&w, "value", s->value);
    json_put_text(&w, "unit", s->unit);
    json_put_flag(&w, "warmup", s->warmup);
    json_put_flag(&w, "outlier", s->outlier);
    json_put_flag(&w, "sham", s->sham);
    json_put_text(&w, "environment", s->environment);
    json_end_object(&w);
    json_finish(&w);
}

bool sample_read(struct arena *arena, struct span line, const char *where, struct sample *s,
                 struct error *error) {
    cJSON *root = json_parse_schema(line, where, MEASUREMENT_SCHEMA, error);
    if (!root)
        return false;
    *s = (struct sample){.experiment = json_text(arena, root, "experiment"),
                         .variant = json_text(arena, root, "variant"),
                         .unit = json_text(arena, root, "unit"),
                         .process = json_size(root, "process", 0),
                         .block = json_size(root, "block", 0),
                         .iteration = json_size(root, "iteration", 0),
                         .value = json_number(root, "value", NAN),
                         .warmup = json_flag(root, "warmup", false),
                         .outlier = json_flag(root, "outlier", false),
                         .sham = json_flag(root, "sham", false),
                         .environment = json_text(arena, root, "environment")};
    cJSON_Delete(root);
    if (s->experiment.len == 0 || s->variant.len == 0)
        return error_set(error, ERROR_INPUT, where, "Remove the line and run assay bench again.",
                         "a measurement without experiment and variant");
    return true;
}

static const struct text_field record_texts[] = {
    TEXT_FIELD(process_record, experiment), TEXT_FIELD(process_record, key),
    TEXT_FIELD(process_record, end),        TEXT_FIELD(process_record, reason),
    TEXT_FIELD(process_record, log),        TEXT_FIELD(process_record, environment),
    TEXT_FIELD(process_record, shared),
};

void process_record_write(struct buffer *out, const struct process_record *record) {
    struct json_writer w = {.out = out, .compact = true};
    json_begin_object(&w, NULL);
    json_put_string(&w, "schema", PROCESS_SCHEMA);
    fields_write(&w, record_texts, FIELD_COUNT(record_texts), record);
    json_put_size(&w, "process", record->process);
    json_put_number(&w, "wall_seconds", record->wall_seconds);
    json_put_number(&w, "cpu_seconds", record->cpu_seconds);
    json_begin_array(&w, "disturbances");
    for (size_t i = 0; i < record->disturbance_count; i++)
        json_put_text(&w, NULL, record->disturbances[i]);
    json_end_array(&w);
    json_end_object(&w);
    json_finish(&w);
}

bool process_record_read(struct arena *arena, struct span line, const char *where,
                         struct process_record *record, struct error *error) {
    cJSON *root = json_parse_schema(line, where, PROCESS_SCHEMA, error);
    if (!root)
        return false;
    size_t count;
    const cJSON *item, *list = json_array(root, "disturbances", &count);
    *record = (struct process_record){.process = json_size(root, "process", 0),
                                      .wall_seconds = json_number(root, "wall_seconds", NAN),
                                      .cpu_seconds = json_number(root, "cpu_seconds", NAN)};
    fields_read(arena, root, record_texts, FIELD_COUNT(record_texts), record);
    record->disturbances = arena_array(arena, count, sizeof *record->disturbances);
    cJSON_ArrayForEach(item, list) {
        if (cJSON_IsString(item))
            record->disturbances[record->disturbance_count++] =
                arena_copy(arena, span_of(item->valuestring));
    }
    cJSON_Delete(root);
    return true;
}

static const struct text_field contract_texts[] = {
    TEXT_FIELD(contract_record, experiment),
    TEXT_FIELD(contract_record, variant),
    TEXT_FIELD(contract_record, key),
};

void contract_write(struct buffer *out, const struct contract_record *record) {
    struct json_writer w = {.out = out, .compact = true};
    json_begin_object(&w, NULL);
    json_put_string(&w, "schema", CONTRACT_SCHEMA);
    fields_write(&w, contract_texts, FIELD_COUNT(contract_texts), record);
    plan_fields_write(&w, "fields", &record->fields);
    json_end_object(&w);
    json_finish(&w);
}

bool contract_read(struct arena *arena, struct span line, const char *where,
                   struct contract_record *record, struct error *error) {
    cJSON *root = json_parse_schema(line, where, CONTRACT_SCHEMA, error);
    if (!root)
        return false;
    *record = (struct contract_record){0};
    fields_read(arena, root, contract_texts, FIELD_COUNT(contract_texts), record);
    plan_fields_read(arena, json_member(root, "fields"), &record->fields);
    cJSON_Delete(root);
    return true;
}

void environment_write(struct buffer *out, struct span id, const struct plan_fields *fields) {
    struct json_writer w = {.out = out, .compact = true};
    json_begin_object(&w, NULL);
    json_put_string(&w, "schema", ENVIRONMENT_SCHEMA);
    json_put_text(&w, "id", id);
    plan_fields_write(&w, "fields", fields);
    json_end_object(&w);
    json_finish(&w);
}

struct span measurement_schema(struct arena *arena, struct span line) {
    struct error ignored; /* a torn line is no error: its process did not finish */
    cJSON *root = json_parse(line, "", &ignored);
    struct span schema = root ? json_text(arena, root, "schema") : (struct span){"", 0};
    cJSON_Delete(root);
    return schema;
}
