#include "schemas/exploration.h"

#include "schemas/fields.h"

#include <math.h>

static const char *const verdicts[] = {
    "gain", "no gain", "loss", "undecided", "not equivalent", "not available", "not measured"};
const struct word_list change_words = {verdicts, sizeof verdicts / sizeof *verdicts};

static const struct text_field texts[] = {
    TEXT_FIELD(exploration, id), TEXT_FIELD(exploration, title), TEXT_FIELD(exploration, reason)};
static const struct text_field phase_texts[] = {TEXT_FIELD(phase_row, name),
                                                TEXT_FIELD(phase_row, limit)};
static const struct text_field limit_texts[] = {TEXT_FIELD(localization_result, limit),
                                                TEXT_FIELD(localization_result, proof)};
static const struct text_field change_texts[] = {TEXT_FIELD(change_result, name),
                                                 TEXT_FIELD(change_result, verdict),
                                                 TEXT_FIELD(change_result, reason)};
static const struct text_field dimension_texts[] = {TEXT_FIELD(dimension, name),
                                                    TEXT_FIELD(dimension, unit)};

/* Numbers of a struct as a table, like struct text_field. */
struct number_field {
    const char *name;
    size_t offset;
};
#define NUMBER_FIELD(type, member)                                                                 \
    { #member, offsetof(struct type, member) }

static const struct number_field phase_numbers[] = {
    NUMBER_FIELD(phase_row, ms),      NUMBER_FIELD(phase_row, gflops),
    NUMBER_FIELD(phase_row, gbs),     NUMBER_FIELD(phase_row, of_gemm),
    NUMBER_FIELD(phase_row, of_copy),
};
static const struct number_field localization_numbers[] = {
    NUMBER_FIELD(localization_result, step_ms),
    NUMBER_FIELD(localization_result, host_ms),
    NUMBER_FIELD(localization_result, idle_ms),
    NUMBER_FIELD(localization_result, synchronized_ms),
    NUMBER_FIELD(localization_result, gemm_gflops),
    NUMBER_FIELD(localization_result, copy_gbs),
};
static const struct number_field change_numbers[] = {
    NUMBER_FIELD(change_result, tolerance), NUMBER_FIELD(change_result, before),
    NUMBER_FIELD(change_result, after),     NUMBER_FIELD(change_result, ratio),
    NUMBER_FIELD(change_result, lo),        NUMBER_FIELD(change_result, hi),
};
static const struct number_field dimension_numbers[] = {NUMBER_FIELD(dimension, before),
                                                        NUMBER_FIELD(dimension, after)};

static void put_numbers(struct json_writer *w, const struct number_field *fields, size_t count,
                        const void *from) {
    for (size_t i = 0; i < count; i++)
        json_put_number(w, fields[i].name,
                        *(const double *)((const char *)from + fields[i].offset));
}

static void read_numbers(const cJSON *object, const struct number_field *fields, size_t count,
                         void *to) {
    for (size_t i = 0; i < count; i++)
        *(double *)((char *)to + fields[i].offset) = json_number(object, fields[i].name, NAN);
}

/* --- writing --- */

static void put_localization(struct json_writer *w, const struct localization_result *l) {
    if (!l->known) {
        json_put_null(w, "localization");
        return;
    }
    json_begin_object(w, "localization");
    put_numbers(w, localization_numbers, FIELD_COUNT(localization_numbers), l);
    fields_write(w, limit_texts, FIELD_COUNT(limit_texts), l);
    json_begin_array(w, "phases");
    for (size_t i = 0; i < l->phase_count; i++) {
        json_begin_object(w, NULL);
        fields_write(w, phase_texts, FIELD_COUNT(phase_texts), &l->phases[i]);
        put_numbers(w, phase_numbers, FIELD_COUNT(phase_numbers), &l->phases[i]);
        json_end_object(w);
    }
    json_end_array(w);
    json_end_object(w);
}

static void put_change(struct json_writer *w, const struct change_result *c) {
    json_begin_object(w, NULL);
    fields_write(w, change_texts, FIELD_COUNT(change_texts), c);
    put_numbers(w, change_numbers, FIELD_COUNT(change_numbers), c);
    json_begin_array(w, "dimensions");
    for (size_t i = 0; i < c->dimension_count; i++) {
        json_begin_object(w, NULL);
        fields_write(w, dimension_texts, FIELD_COUNT(dimension_texts), &c->dimensions[i]);
        put_numbers(w, dimension_numbers, FIELD_COUNT(dimension_numbers), &c->dimensions[i]);
        json_end_object(w);
    }
    json_end_array(w);
    json_end_object(w);
}

void exploration_write(struct json_writer *w, const struct exploration *e) {
    json_begin_object(w, NULL);
    fields_write(w, texts, FIELD_COUNT(texts), e);
    json_put_flag(w, "measured", e->measured);
    plan_fields_write(w, "contract", &e->contract);
    json_put_number(w, "noise_floor", e->noise_floor);
    put_localization(w, &e->localization);
    json_begin_array(w, "changes");
    for (size_t i = 0; i < e->change_count; i++)
        put_change(w, &e->changes[i]);
    json_end_array(w);
    json_end_object(w);
}

/* --- reading --- */

static void read_localization(struct arena *arena, const cJSON *object,
                              struct localization_result *l) {
    size_t count;
    const cJSON *item, *list = json_array(object, "phases", &count);
    l->known = cJSON_IsObject(object);
    read_numbers(object, localization_numbers, FIELD_COUNT(localization_numbers), l);
    fields_read(arena, object, limit_texts, FIELD_COUNT(limit_texts), l);
    cJSON_ArrayForEach(item, list) {
        struct phase_row row = {0};
        fields_read(arena, item, phase_texts, FIELD_COUNT(phase_texts), &row);
        read_numbers(item, phase_numbers, FIELD_COUNT(phase_numbers), &row);
        LIST_PUSH(arena, l->phases, l->phase_count, l->phase_capacity, row);
    }
}

static void read_change(struct arena *arena, const cJSON *object, struct change_result *c) {
    size_t count;
    const cJSON *item, *list = json_array(object, "dimensions", &count);
    fields_read(arena, object, change_texts, FIELD_COUNT(change_texts), c);
    read_numbers(object, change_numbers, FIELD_COUNT(change_numbers), c);
    cJSON_ArrayForEach(item, list) {
        struct dimension d = {0};
        fields_read(arena, item, dimension_texts, FIELD_COUNT(dimension_texts), &d);
        read_numbers(item, dimension_numbers, FIELD_COUNT(dimension_numbers), &d);
        LIST_PUSH(arena, c->dimensions, c->dimension_count, c->dimension_capacity, d);
    }
}

void exploration_read(struct arena *arena, const cJSON *object, struct exploration *e) {
    size_t count;
    const cJSON *item, *list = json_array(object, "changes", &count);
    fields_read(arena, object, texts, FIELD_COUNT(texts), e);
    e->measured = json_flag(object, "measured", false);
    e->noise_floor = json_number(object, "noise_floor", NAN);
    plan_fields_read(arena, json_member(object, "contract"), &e->contract);
    read_localization(arena, json_member(object, "localization"), &e->localization);
    cJSON_ArrayForEach(item, list) {
        struct change_result change = {0};
        read_change(arena, item, &change);
        LIST_PUSH(arena, e->changes, e->change_count, e->change_capacity, change);
    }
}
