#include "schemas/results.h"

#include "schemas/fields.h"

#include <math.h>

static const char *const matches[] = {"none", "other hardware", "same SKU",
                                      "same SKU and software"};
const struct word_list match_words = {matches, sizeof matches / sizeof *matches};

static const struct text_field result_texts[] = {
    TEXT_FIELD(result, id),     TEXT_FIELD(result, title),   TEXT_FIELD(result, kind),
    TEXT_FIELD(result, reason), TEXT_FIELD(result, match),   TEXT_FIELD(result, relation),
    TEXT_FIELD(result, method), TEXT_FIELD(result, success), TEXT_FIELD(result, failure),
    TEXT_FIELD(result, log),
};

static const struct text_field drift_texts[] = {
    TEXT_FIELD(drift, field),
    TEXT_FIELD(drift, claimed),
    TEXT_FIELD(drift, ours),
};

static void put_texts(struct json_writer *w, const char *key, const struct span *texts,
                      size_t count) {
    json_begin_array(w, key);
    for (size_t i = 0; i < count; i++)
        json_put_text(w, NULL, texts[i]);
    json_end_array(w);
}

static struct span *read_texts(struct arena *arena, const cJSON *object, const char *key,
                               size_t *count) {
    size_t most;
    const cJSON *item, *list = json_array(object, key, &most);
    struct span *texts = arena_array(arena, most, sizeof *texts);
    *count = 0;
    cJSON_ArrayForEach(item, list) {
        if (cJSON_IsString(item))
            texts[(*count)++] = arena_copy(arena, span_of(item->valuestring));
    }
    return texts;
}

static void put_interval(struct json_writer *w, const char *key, double lo, double hi) {
    if (isnan(lo) && isnan(hi)) {
        json_put_null(w, key);
        return;
    }
    json_begin_array(w, key);
    json_put_number(w, NULL, lo);
    json_put_number(w, NULL, hi);
    json_end_array(w);
}

/* An end that is null (a side without a bound) is NAN. */
static void read_interval(const cJSON *object, const char *key, double *lo, double *hi) {
    size_t count;
    const cJSON *list = json_array(object, key, &count);
    const cJSON *low = count == 2 ? cJSON_GetArrayItem(list, 0) : NULL;
    const cJSON *high = count == 2 ? cJSON_GetArrayItem(list, 1) : NULL;
    *lo = cJSON_IsNumber(low) ? low->valuedouble : NAN;
    *hi = cJSON_IsNumber(high) ? high->valuedouble : NAN;
}

static void put_measured(struct json_writer *w, const struct result *r) {
    json_begin_array(w, "measured");
    for (size_t i = 0; i < r->measured_count; i++) {
        const struct measured *m = &r->measured[i];
        json_begin_object(w, NULL);
        json_put_text(w, "variant", m->variant);
        json_put_size(w, "n", m->n);
        json_put_number(w, "median", m->median);
        put_interval(w, "ci95", m->ci_lo, m->ci_hi);
        put_interval(w, "rank95", m->rank_lo, m->rank_hi);
        json_put_text(w, "unit", m->unit);
        json_put_size(w, "samples", m->samples);
        json_put_size(w, "warmup_dropped", m->warmup_dropped);
        json_put_size(w, "outliers", m->outliers);
        json_put_number(w, "autocorrelation", m->autocorrelation);
        json_end_object(w);
    }
    json_end_array(w);
}

static void put_effects(struct json_writer *w, const struct result *r) {
    json_begin_array(w, "effects");
    for (size_t i = 0; i < r->effect_count; i++) {
        const struct effect *e = &r->effects[i];
        json_begin_object(w, NULL);
        json_put_text(w, "meaning", e->meaning);
        json_put_number(w, "estimate", e->estimate);
        put_interval(w, "ci95", e->lo, e->hi);
        put_interval(w, "margin", e->margin_lo, e->margin_hi);
        json_end_object(w);
    }
    json_end_array(w);
}

static void put_conditions(struct json_writer *w, const struct result *r) {
    json_begin_array(w, "conditions");
    for (size_t i = 0; i < r->condition_count; i++) {
        const struct condition_result *c = &r->conditions[i];
        json_begin_object(w, NULL);
        json_put_text(w, "text", c->text);
        json_put_number(w, "value", c->value);
        json_put_number(w, "at_most", c->at_most);
        if (c->known)
            json_put_flag(w, "held", c->held);
        else
            json_put_null(w, "held");
        json_end_object(w);
    }
    json_end_array(w);
}

static void put_drift(struct json_writer *w, const struct result *r) {
    json_begin_array(w, "drift");
    for (size_t i = 0; i < r->drift_count; i++) {
        json_begin_object(w, NULL);
        fields_write(w, drift_texts, FIELD_COUNT(drift_texts), &r->drift[i]);
        json_end_object(w);
    }
    json_end_array(w);
}

static void put_result(struct json_writer *w, const struct result *r) {
    json_begin_object(w, NULL);
    fields_write(w, result_texts, FIELD_COUNT(result_texts), r);
    json_put_string(w, "status", word_of(&experiment_words, (int)r->status));
    put_texts(w, "claims", r->claims, r->claim_count);
    plan_fields_write(w, "contract", &r->contract);
    put_drift(w, r);
    plan_fields_write(w, "scaled", &r->scaled);
    json_begin_object(w, "claimed");
    json_put_text(w, "text", r->claimed);
    json_put_text(w, "unit", r->unit);
    json_put_number(w, "lo", r->claimed_lo);
    json_put_number(w, "hi", r->claimed_hi);
    json_end_object(w);
    put_measured(w, r);
    put_effects(w, r);
    put_conditions(w, r);
    put_texts(w, "disturbances", r->disturbances, r->disturbance_count);
    json_put_number(w, "noise_floor", r->noise_floor);
    json_end_object(w);
}

void results_write(struct buffer *out, const struct results *results) {
    struct json_writer w = {.out = out};
    json_begin_object(&w, NULL);
    json_put_string(&w, "schema", RESULTS_SCHEMA);
    json_put_text(&w, "started_at", results->started_at);
    json_put_text(&w, "finished_at", results->finished_at);
    plan_fields_write(&w, "environment", &results->environment);
    json_begin_array(&w, "experiments");
    for (size_t i = 0; i < results->count; i++)
        put_result(&w, &results->results[i]);
    json_end_array(&w);
    json_begin_array(&w, "explorations");
    for (size_t i = 0; i < results->exploration_count; i++)
        exploration_write(&w, &results->explorations[i]);
    json_end_array(&w);
    json_end_object(&w);
    json_finish(&w);
}

static void read_measured(struct arena *arena, const cJSON *object, struct result *r) {
    size_t count;
    const cJSON *item, *list = json_array(object, "measured", &count);
    cJSON_ArrayForEach(item, list) {
        struct measured m = {.variant = json_text(arena, item, "variant"),
                             .unit = json_text(arena, item, "unit"),
                             .n = json_size(item, "n", 0),
                             .samples = json_size(item, "samples", 0),
                             .median = json_number(item, "median", NAN),
                             .autocorrelation = json_number(item, "autocorrelation", NAN),
                             .warmup_dropped = json_size(item, "warmup_dropped", 0),
                             .outliers = json_size(item, "outliers", 0)};
        read_interval(item, "ci95", &m.ci_lo, &m.ci_hi);
        read_interval(item, "rank95", &m.rank_lo, &m.rank_hi);
        LIST_PUSH(arena, r->measured, r->measured_count, r->measured_capacity, m);
    }
}

static void read_effects(struct arena *arena, const cJSON *object, struct result *r) {
    size_t count;
    const cJSON *item, *list = json_array(object, "effects", &count);
    cJSON_ArrayForEach(item, list) {
        struct effect e = {.meaning = json_text(arena, item, "meaning"),
                           .estimate = json_number(item, "estimate", NAN)};
        read_interval(item, "ci95", &e.lo, &e.hi);
        read_interval(item, "margin", &e.margin_lo, &e.margin_hi);
        LIST_PUSH(arena, r->effects, r->effect_count, r->effect_capacity, e);
    }
}

static void read_conditions(struct arena *arena, const cJSON *object, struct result *r) {
    size_t count;
    const cJSON *item, *list = json_array(object, "conditions", &count);
    cJSON_ArrayForEach(item, list) {
        struct condition_result c = {.text = json_text(arena, item, "text"),
                                     .value = json_number(item, "value", NAN),
                                     .at_most = json_number(item, "at_most", NAN),
                                     .known = cJSON_IsBool(json_member(item, "held")),
                                     .held = json_flag(item, "held", false)};
        LIST_PUSH(arena, r->conditions, r->condition_count, r->condition_capacity, c);
    }
}

static void read_drift(struct arena *arena, const cJSON *object, struct result *r) {
    size_t count;
    const cJSON *item, *list = json_array(object, "drift", &count);
    cJSON_ArrayForEach(item, list) {
        struct drift drift = {0};
        fields_read(arena, item, drift_texts, FIELD_COUNT(drift_texts), &drift);
        LIST_PUSH(arena, r->drift, r->drift_count, r->drift_capacity, drift);
    }
}

/* NULL, or what is wrong. */
static const char *read_result(struct arena *arena, const cJSON *object, struct result *r) {
    int status = word_value(&experiment_words, json_text(arena, object, "status"));
    const cJSON *claimed = json_member(object, "claimed");
    fields_read(arena, object, result_texts, FIELD_COUNT(result_texts), r);
    r->status = status < 0 ? EXPERIMENT_UNRUN : (enum experiment_status)status;
    r->claims = read_texts(arena, object, "claims", &r->claim_count);
    plan_fields_read(arena, json_member(object, "contract"), &r->contract);
    plan_fields_read(arena, json_member(object, "scaled"), &r->scaled);
    r->claimed = json_text(arena, claimed, "text");
    r->unit = json_text(arena, claimed, "unit");
    r->claimed_lo = json_number(claimed, "lo", NAN);
    r->claimed_hi = json_number(claimed, "hi", NAN);
    r->noise_floor = json_number(object, "noise_floor", NAN);
    r->disturbances = read_texts(arena, object, "disturbances", &r->disturbance_count);
    read_measured(arena, object, r);
    read_effects(arena, object, r);
    read_conditions(arena, object, r);
    read_drift(arena, object, r);
    if (status < 0)
        return "an experiment of unknown status";
    return r->reason.len == 0 ? "an experiment without a reason" : NULL;
}

bool results_read(struct arena *arena, struct span json, const char *where, struct results *results,
                  struct error *error) {
    *results = (struct results){0};
    cJSON *root = json_parse_schema(json, where, RESULTS_SCHEMA, error);
    if (!root)
        return false;
    size_t count;
    const char *fault = NULL;
    const cJSON *item, *list = json_array(root, "experiments", &count);
    results->started_at = json_text(arena, root, "started_at");
    results->finished_at = json_text(arena, root, "finished_at");
    plan_fields_read(arena, json_member(root, "environment"), &results->environment);
    cJSON_ArrayForEach(item, list) {
        struct result result = {0};
        const char *wrong = read_result(arena, item, &result);
        fault = fault ? fault : wrong;
        LIST_PUSH(arena, results->results, results->count, results->capacity, result);
    }
    list = json_array(root, "explorations", &count);
    cJSON_ArrayForEach(item, list) {
        struct exploration exploration = {0};
        exploration_read(arena, item, &exploration);
        LIST_PUSH(arena, results->explorations, results->exploration_count,
                  results->exploration_capacity, exploration);
    }
    cJSON_Delete(root);
    if (fault)
        return error_set(error, ERROR_INPUT, where, "Run assay bench again.", "%s", fault);
    return true;
}
