/* A request as JSON, and the order of its turns. */
#include "bench/experiment.h"

void experiment_request_write(struct buffer *out, const struct experiment_request *request) {
    struct json_writer w = {.out = out, .compact = true};
    json_begin_object(&w, NULL);
    json_put_string(&w, "schema", REQUEST_SCHEMA);
    json_put_text(&w, "device", request->device);
    json_put_text(&w, "key", request->key);
    json_put_size(&w, "process", request->process);
    json_put_size(&w, "seed", request->seed);
    json_put_number(&w, "seconds", request->seconds);
    json_put_flag(&w, "watch", request->watch);
    json_begin_array(&w, "shams");
    for (size_t i = 0; i < request->sham_count; i++)
        json_put_size(&w, NULL, request->shams[i]);
    json_end_array(&w);
    experiment_write(&w, "experiment", &request->experiment);
    json_end_object(&w);
    json_finish(&w);
}

/* What does not name a variant is passed over. */
static void read_shams(struct arena *arena, const cJSON *root, struct experiment_request *request) {
    size_t most;
    const cJSON *item, *list = json_array(root, "shams", &most);
    request->shams = arena_array(arena, most, sizeof *request->shams);
    cJSON_ArrayForEach(item, list) {
        if (cJSON_IsNumber(item) && item->valuedouble >= 0 &&
            item->valuedouble < (double)request->experiment.variant_count)
            request->shams[request->sham_count++] = (size_t)item->valuedouble;
    }
}

bool experiment_request_read(struct arena *arena, struct span json,
                             struct experiment_request *request, struct error *error) {
    const char *fault;
    cJSON *root = json_parse_schema(json, "request", REQUEST_SCHEMA, error);
    if (!root)
        return false;
    *request = (struct experiment_request){
        .device = json_text(arena, root, "device"),
        .key = json_text(arena, root, "key"),
        .process = json_size(root, "process", 0),
        .seed = json_size(root, "seed", 0),
        .seconds = json_number(root, "seconds", 0),
        .watch = json_flag(root, "watch", false),
    };
    bool fine =
        experiment_read(arena, json_member(root, "experiment"), &request->experiment, &fault);
    if (fine)
        read_shams(arena, root, request);
    cJSON_Delete(root);
    return fine || error_set(error, ERROR_INPUT, "request", "Correct the experiment in plan.json.",
                             "%s", fault);
}

static bool fields_equal(const struct plan_fields *a, const struct plan_fields *b) {
    for (size_t i = 0; i < a->count; i++) {
        size_t j = 0;
        while (j < b->count && !(span_equal(a->items[i].name, b->items[j].name) &&
                                 span_equal(a->items[i].value, b->items[j].value)))
            j++;
        if (j == b->count)
            return false;
    }
    return a->count == b->count;
}

bool variants_share_run(const struct plan_variant *a, const struct plan_variant *b) {
    return span_equal(a->workload, b->workload) && span_equal(a->boundary, b->boundary) &&
           fields_equal(&a->parameters, &b->parameters);
}

bool variant_is_cold(const struct plan_variant *variant) {
    return span_equal(variant->boundary, SPAN("first-call"));
}

/* splitmix64 (Steele, Lea, Flood 2014): any seed is a good one. */
static uint64_t next_random(uint64_t *state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

bool variant_runs_once(const struct plan_variant *variant) {
    static const char *const boundaries[] = {"first-call", "result", "memory", "ceilings"};
    for (size_t i = 0; i < sizeof boundaries / sizeof *boundaries; i++)
        if (span_equal(variant->boundary, span_of(boundaries[i])))
            return true;
    return false;
}

/* Fisher and Yates; the remainder's bias is below 2^-50 for such short lists. */
static void shuffle(struct turn *turns, size_t count, uint64_t *state) {
    for (size_t i = count; i > 1; i--) {
        size_t j = next_random(state) % i;
        struct turn other = turns[i - 1];
        turns[i - 1] = turns[j];
        turns[j] = other;
    }
}

static bool begins_group(const struct experiment *e, size_t variant) {
    for (size_t i = 0; i < variant; i++)
        if (variants_share_run(&e->variants[i], &e->variants[variant]))
            return false;
    return true;
}

enum part { PART_COLD, PART_ONCE, PART_MIRRORED };

static enum part part_of(const struct plan_variant *variant) {
    return variant_is_cold(variant)     ? PART_COLD
           : variant_runs_once(variant) ? PART_ONCE
                                        : PART_MIRRORED;
}

static size_t add_groups(const struct experiment *e, enum part part, struct turn *turns) {
    size_t count = 0;
    for (size_t i = 0; i < e->variant_count; i++)
        if (part_of(&e->variants[i]) == part && begins_group(e, i))
            turns[count++] = (struct turn){i, false};
    return count;
}

static double setting(const struct plan_variant *variant, const char *name, double fallback) {
    size_t value;
    struct span text = plan_fields_get(&variant->parameters, name);
    return span_to_size(text, SIZE_MAX, &value) ? (double)value : fallback;
}

/* Defaults as in bench/boundary.h. */
static double variant_steps(const struct plan_variant *variant) {
    bool loops = span_starts(variant->boundary, SPAN("loop-")) ||
                 span_equal(variant->boundary, SPAN("events"));
    return setting(variant, "samples", 20) * (loops ? setting(variant, "count", 20) : 1);
}

size_t experiment_sham_variant(const struct experiment *e) {
    size_t found = e->variant_count;
    for (size_t i = 0; i < e->variant_count; i++)
        if (!variant_runs_once(&e->variants[i]) && begins_group(e, i) &&
            (found == e->variant_count ||
             variant_steps(&e->variants[i]) < variant_steps(&e->variants[found])))
            found = i;
    return found;
}

double experiment_steps(const struct experiment *e) {
    double steps = 0;
    for (size_t i = 0; i < e->variant_count; i++)
        if (begins_group(e, i))
            steps += variant_steps(&e->variants[i]);
    return steps;
}

size_t experiment_turns(const struct experiment *e, uint64_t seed, const size_t *shams,
                        size_t sham_count, struct turn *turns) {
    uint64_t state = seed;
    size_t once = add_groups(e, PART_COLD, turns);
    shuffle(turns, once, &state);
    once += add_groups(e, PART_ONCE, turns + once);
    struct turn *warm = turns + once;
    size_t count = add_groups(e, PART_MIRRORED, warm);
    for (size_t i = 0; i < sham_count; i++)
        if (shams[i] < e->variant_count && !variant_runs_once(&e->variants[shams[i]]))
            warm[count++] = (struct turn){shams[i], true};
    shuffle(warm, count, &state);
    for (size_t i = 0; i < count; i++)
        warm[count + i] = warm[count - 1 - i];
    return once + 2 * count;
}
