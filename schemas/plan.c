#include "schemas/plan.h"

#include "schemas/fields.h"

#include <math.h>

static const char *const kinds[] = {"absolute", "order", "ratio",        "equal",
                                    "constant", "share", "first-slower", "intervention"};
const struct word_list experiment_kinds = {kinds, sizeof kinds / sizeof *kinds};

void plan_fields_set(struct arena *arena, struct plan_fields *fields, struct span name,
                     struct span value) {
    for (size_t i = 0; i < fields->count; i++)
        if (span_equal(fields->items[i].name, name)) {
            fields->items[i].value = value;
            return;
        }
    struct plan_field field = {name, value};
    LIST_PUSH(arena, fields->items, fields->count, fields->capacity, field);
}

struct span plan_fields_get(const struct plan_fields *fields, const char *name) {
    for (size_t i = 0; i < fields->count; i++)
        if (span_equal(fields->items[i].name, span_of(name)))
            return fields->items[i].value;
    return (struct span){"", 0};
}

void plan_fields_write(struct json_writer *w, const char *key, const struct plan_fields *fields) {
    struct buffer name = {0};
    json_begin_object(w, key);
    for (size_t i = 0; i < fields->count; i++) {
        buffer_clear(&name);
        buffer_add(&name, fields->items[i].name);
        json_put_text(w, name.at ? name.at : "", fields->items[i].value);
    }
    json_end_object(w);
    buffer_free(&name);
}

void plan_fields_read(struct arena *arena, const cJSON *object, struct plan_fields *fields) {
    const cJSON *item;
    cJSON_ArrayForEach(item, object) {
        if (!cJSON_IsString(item) || !item->string)
            continue;
        plan_fields_set(arena, fields, arena_copy(arena, span_of(item->string)),
                        arena_copy(arena, span_of(item->valuestring)));
    }
}

static const struct text_field texts[] = {
    TEXT_FIELD(experiment, id),          TEXT_FIELD(experiment, title),
    TEXT_FIELD(experiment, kind),        TEXT_FIELD(experiment, relation),
    TEXT_FIELD(experiment, method),      TEXT_FIELD(experiment, success),
    TEXT_FIELD(experiment, failure),     TEXT_FIELD(experiment, device),
    TEXT_FIELD(experiment, skip_reason),
};

static const struct text_field variant_texts[] = {
    TEXT_FIELD(plan_variant, name),     TEXT_FIELD(plan_variant, workload),
    TEXT_FIELD(plan_variant, boundary), TEXT_FIELD(plan_variant, metric),
    TEXT_FIELD(plan_variant, unit),
};

static const struct text_field condition_texts[] = {
    TEXT_FIELD(plan_condition, text),
    TEXT_FIELD(plan_condition, left),
    TEXT_FIELD(plan_condition, right),
};

static void put_claims(struct json_writer *w, const struct experiment *e) {
    json_begin_array(w, "claims");
    for (size_t i = 0; i < e->claim_count; i++)
        json_put_text(w, NULL, e->claims[i]);
    json_end_array(w);
    json_begin_object(w, "claimed");
    json_put_text(w, "text", e->claimed);
    json_put_text(w, "unit", e->unit);
    json_put_number(w, "lo", e->claimed_lo);
    json_put_number(w, "hi", e->claimed_hi);
    json_end_object(w);
}

static void put_variants(struct json_writer *w, const struct experiment *e) {
    json_begin_array(w, "variants");
    for (size_t i = 0; i < e->variant_count; i++) {
        json_begin_object(w, NULL);
        fields_write(w, variant_texts, FIELD_COUNT(variant_texts), &e->variants[i]);
        plan_fields_write(w, "parameters", &e->variants[i].parameters);
        json_end_object(w);
    }
    json_end_array(w);
    json_put_size(w, "judged", e->judged);
}

static void put_conditions(struct json_writer *w, const struct experiment *e) {
    json_begin_array(w, "conditions");
    for (size_t i = 0; i < e->condition_count; i++) {
        json_begin_object(w, NULL);
        fields_write(w, condition_texts, FIELD_COUNT(condition_texts), &e->conditions[i]);
        json_put_number(w, "at_most", e->conditions[i].at_most);
        json_end_object(w);
    }
    json_end_array(w);
}

static const struct text_field change_texts[] = {TEXT_FIELD(plan_change, name),
                                                 TEXT_FIELD(plan_change, unavailable)};

static void put_changes(struct json_writer *w, const struct experiment *e) {
    if (e->change_count == 0)
        return;
    json_begin_array(w, "changes");
    for (size_t i = 0; i < e->change_count; i++) {
        json_begin_object(w, NULL);
        fields_write(w, change_texts, FIELD_COUNT(change_texts), &e->changes[i]);
        plan_fields_write(w, "parameters", &e->changes[i].parameters);
        json_end_object(w);
    }
    json_end_array(w);
}

void experiment_write(struct json_writer *w, const char *key, const struct experiment *e) {
    json_begin_object(w, key);
    fields_write(w, texts, FIELD_COUNT(texts), e);
    json_put_number(w, "tolerance", e->tolerance);
    json_put_number(w, "budget_seconds", e->budget_seconds);
    put_claims(w, e);
    put_variants(w, e);
    put_conditions(w, e);
    plan_fields_write(w, "contract", &e->contract);
    plan_fields_write(w, "scaled", &e->scaled);
    put_changes(w, e);
    json_end_object(w);
}

static void put_experiments(struct json_writer *w, const char *key,
                            const struct experiment *experiments, size_t count) {
    json_begin_array(w, key);
    for (size_t i = 0; i < count; i++)
        experiment_write(w, NULL, &experiments[i]);
    json_end_array(w);
}

void plan_write(struct buffer *out, const struct plan *plan) {
    struct json_writer w = {.out = out};
    json_begin_object(&w, NULL);
    json_put_string(&w, "schema", PLAN_SCHEMA);
    json_put_text(&w, "backend", plan->backend);
    json_put_number(&w, "budget_seconds", plan->budget_seconds);
    put_experiments(&w, "experiments", plan->experiments, plan->count);
    put_experiments(&w, "explorations", plan->explorations, plan->exploration_count);
    json_end_object(&w);
    json_finish(&w);
}

static void read_claims(struct arena *arena, const cJSON *object, struct experiment *e) {
    size_t count;
    const cJSON *item, *list = json_array(object, "claims", &count);
    e->claims = arena_array(arena, count, sizeof *e->claims);
    cJSON_ArrayForEach(item, list) {
        if (cJSON_IsString(item))
            e->claims[e->claim_count++] = arena_copy(arena, span_of(item->valuestring));
    }
    const cJSON *claimed = json_member(object, "claimed");
    e->claimed = json_text(arena, claimed, "text");
    e->unit = json_text(arena, claimed, "unit");
    e->claimed_lo = json_number(claimed, "lo", NAN);
    e->claimed_hi = json_number(claimed, "hi", NAN);
}

static void read_variants(struct arena *arena, const cJSON *object, struct experiment *e) {
    size_t count;
    const cJSON *item, *list = json_array(object, "variants", &count);
    cJSON_ArrayForEach(item, list) {
        struct plan_variant variant = {0};
        fields_read(arena, item, variant_texts, FIELD_COUNT(variant_texts), &variant);
        plan_fields_read(arena, json_member(item, "parameters"), &variant.parameters);
        LIST_PUSH(arena, e->variants, e->variant_count, e->variant_capacity, variant);
    }
    e->judged = json_size(object, "judged", 0);
}

static void read_conditions(struct arena *arena, const cJSON *object, struct experiment *e) {
    size_t count;
    const cJSON *item, *list = json_array(object, "conditions", &count);
    cJSON_ArrayForEach(item, list) {
        struct plan_condition condition = {.at_most = json_number(item, "at_most", NAN)};
        fields_read(arena, item, condition_texts, FIELD_COUNT(condition_texts), &condition);
        LIST_PUSH(arena, e->conditions, e->condition_count, e->condition_capacity, condition);
    }
}

static void read_changes(struct arena *arena, const cJSON *object, struct experiment *e) {
    size_t count;
    const cJSON *item, *list = json_array(object, "changes", &count);
    cJSON_ArrayForEach(item, list) {
        struct plan_change change = {0};
        fields_read(arena, item, change_texts, FIELD_COUNT(change_texts), &change);
        plan_fields_read(arena, json_member(item, "parameters"), &change.parameters);
        LIST_PUSH(arena, e->changes, e->change_count, e->change_capacity, change);
    }
}

static bool has_variant(const struct experiment *e, struct span name, size_t below) {
    for (size_t i = 0; i < below; i++)
        if (span_equal(e->variants[i].name, name))
            return true;
    return false;
}

/* What is wrong with an experiment that a person may have edited; NULL when nothing is. */
static const char *experiment_fault(const struct experiment *e) {
    if (e->id.len == 0)
        return "an experiment without an id";
    if (word_value(&experiment_kinds, e->kind) < 0)
        return "an experiment of unknown kind";
    if (e->variant_count == 0 && e->skip_reason.len == 0)
        return "an experiment with neither variants nor a skip_reason";
    if (e->judged > e->variant_count)
        return "\"judged\" beyond the number of variants";
    for (size_t i = 0; i < e->variant_count; i++) {
        if (e->variants[i].name.len == 0)
            return "a variant without a name";
        if (has_variant(e, e->variants[i].name, i))
            return "two variants of one name";
    }
    for (size_t i = 0; i < e->condition_count; i++)
        if (!has_variant(e, e->conditions[i].left, e->variant_count) ||
            !has_variant(e, e->conditions[i].right, e->variant_count))
            return "a condition on a variant that is not there";
    return NULL;
}

bool experiment_read(struct arena *arena, const cJSON *object, struct experiment *e,
                     const char **fault) {
    *e = (struct experiment){0};
    fields_read(arena, object, texts, FIELD_COUNT(texts), e);
    e->tolerance = json_number(object, "tolerance", NAN);
    e->budget_seconds = json_number(object, "budget_seconds", 0);
    read_claims(arena, object, e);
    read_variants(arena, object, e);
    read_conditions(arena, object, e);
    plan_fields_read(arena, json_member(object, "contract"), &e->contract);
    plan_fields_read(arena, json_member(object, "scaled"), &e->scaled);
    read_changes(arena, object, e);
    *fault = experiment_fault(e);
    return *fault == NULL;
}

static bool has_id(const struct experiment *list, size_t count, struct span id) {
    for (size_t i = 0; i < count; i++)
        if (span_equal(list[i].id, id))
            return true;
    return false;
}

/* Both lists share one space of ids: measurements are found by them. *at counts what was read. */
static const char *read_experiments(struct arena *arena, const cJSON *root, const char *key,
                                    struct plan *plan, size_t *at) {
    size_t count;
    const char *fault = NULL;
    bool explores = strcmp(key, "explorations") == 0;
    const cJSON *item, *list = json_array(root, key, &count);
    cJSON_ArrayForEach(item, list) {
        struct experiment e;
        ++*at;
        if (!experiment_read(arena, item, &e, &fault))
            return fault;
        if (has_id(plan->experiments, plan->count, e.id) ||
            has_id(plan->explorations, plan->exploration_count, e.id))
            return "two experiments of one id";
        if (explores)
            LIST_PUSH(arena, plan->explorations, plan->exploration_count,
                      plan->exploration_capacity, e);
        else
            LIST_PUSH(arena, plan->experiments, plan->count, plan->capacity, e);
    }
    return NULL;
}

bool plan_read(struct arena *arena, struct span json, const char *where, struct plan *plan,
               struct error *error) {
    *plan = (struct plan){0};
    cJSON *root = json_parse_schema(json, where, PLAN_SCHEMA, error);
    if (!root)
        return false;
    plan->backend = json_text(arena, root, "backend");
    plan->budget_seconds = json_number(root, "budget_seconds", 0);
    size_t at = 0;
    const char *fault = read_experiments(arena, root, "experiments", plan, &at);
    fault = fault ? fault : read_experiments(arena, root, "explorations", plan, &at);
    cJSON_Delete(root);
    if (fault)
        return error_set(error, ERROR_INPUT, where,
                         "Correct the file, or remove it so that bench plans anew.",
                         "experiment %zu: %s", at, fault);
    return true;
}
