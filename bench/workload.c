/* Workloads by name, and their settings from text. */
#include "bench/workload.h"
#include "bench/boundary.h"
#include "core/clock.h"

#include <math.h>
#include <stdlib.h>

static const struct workload *const workloads[] = {&workload_null, &workload_mlp, NULL};

const struct workload *const *workload_list(void) {
    return workloads;
}

const struct workload *workload_find(struct span name) {
    for (const struct workload *const *w = workloads; *w; w++)
        if (span_equal(name, span_of((*w)->name)))
            return *w;
    return NULL;
}

static size_t parameter_index(const struct workload *workload, struct span name) {
    for (size_t i = 0; i < workload->parameter_count; i++)
        if (span_equal(name, span_of(workload->parameters[i].name)))
            return i;
    return SIZE_MAX;
}

bool workload_takes(const struct workload *workload, struct span name) {
    return parameter_index(workload, name) != SIZE_MAX;
}

/* --- one value --- */

static bool choice_index(const char *choices, struct span text, size_t *index) {
    struct span rest = span_of(choices), choice;
    for (*index = 0; span_next_field(&rest, '|', &choice); ++*index)
        if (span_equal(choice, text))
            return true;
    return false;
}

/* A finite decimal number and nothing else. */
static bool number_of(struct span text, double *value) {
    char copy[64], *end;
    if (text.len == 0 || text.len >= sizeof copy || memchr(text.at, '\0', text.len))
        return false;
    memcpy(copy, text.at, text.len);
    copy[text.len] = '\0';
    if (copy[strspn(copy, "0123456789.eE+-")] != '\0')
        return false;
    *value = strtod(copy, &end);
    return *end == '\0' && isfinite(*value);
}

static bool parse_value(const struct workload_parameter *p, struct span text,
                        union workload_value *value, struct error *error) {
    if (p->choices) {
        if (choice_index(p->choices, text, &value->choice))
            return true;
        return error_set(error, ERROR_INPUT, p->name, p->meaning, "'%.*s' is not one of %s",
                         SPAN_ARG(text), p->choices);
    }
    if (number_of(text, &value->number) && value->number >= p->lo && value->number <= p->hi &&
        (!p->whole || floor(value->number) == value->number))
        return true;
    return error_set(error, ERROR_INPUT, p->name, p->meaning,
                     "'%.*s' is not %s between %.10g and %.10g", SPAN_ARG(text),
                     p->whole ? "a whole number" : "a number", p->lo, p->hi);
}

/* --- a table of parameters against settings --- */

/* values gets the initial values, then those set; names not in the table are passed over. */
static bool parse_table(const struct workload_parameter *table, size_t count,
                        const struct plan_fields *settings, union workload_value *values,
                        struct error *error) {
    for (size_t i = 0; i < count; i++)
        if (!parse_value(&table[i], span_of(table[i].initial), &values[i], error))
            return false;
    for (size_t s = 0; settings && s < settings->count; s++)
        for (size_t i = 0; i < count; i++)
            if (span_equal(settings->items[s].name, span_of(table[i].name)) &&
                !parse_value(&table[i], settings->items[s].value, &values[i], error))
                return false;
    return true;
}

static bool table_takes(const struct workload_parameter *table, size_t count, struct span name) {
    for (size_t i = 0; i < count; i++)
        if (span_equal(name, span_of(table[i].name)))
            return true;
    return false;
}

static const struct workload_parameter device_table[] = {
    {"threads", "threads of the CPU device; 0 = one a core", "0", NULL, 0, 256, true},
    {"queue_depth", "commands the CPU device accepts ahead; 0 = default", "0", NULL, 0, 1e6, true},
    {"tf32", "whether GEMM may round its inputs to TF32", "off", "off|on", 0, 0, false},
    {"memory_budget_mb", "10^6 bytes the device may hold; 0 = all", "0", NULL, 0, 1e7, true},
    {"gpu", "which GPU", "0", NULL, 0, 1023, true},
};
#define DEVICE_SETTINGS (sizeof device_table / sizeof *device_table)

bool device_takes(struct span name) {
    return table_takes(device_table, DEVICE_SETTINGS, name);
}

bool device_settings(const struct plan_fields *settings, struct device_options *options,
                     struct error *error) {
    union workload_value v[DEVICE_SETTINGS];
    if (!parse_table(device_table, DEVICE_SETTINGS, settings, v, error))
        return false;
    *options = (struct device_options){
        .threads = (int)v[0].number,
        .queue_depth = (size_t)v[1].number,
        .tf32 = v[2].choice == 1,
        .memory_budget = (size_t)v[3].number * 1000000,
        .index = (int)v[4].number,
    };
    return true;
}

static const struct workload_parameter boundary_table[] = {
    {"count", "steps in one loop", "20", NULL, 1, 1e7, true},
    {"samples", "loops or iterations to sample", "20", NULL, 1, 1e7, true},
    {"warmup", "iterations before the samples of warmed-median", "10", NULL, 0, 1e6, true},
    {"seconds", "stop early after this long; 0 = never", "0", NULL, 0, 86400, false},
};
#define BOUNDARY_SETTINGS (sizeof boundary_table / sizeof *boundary_table)

bool boundary_takes(struct span name) {
    return table_takes(boundary_table, BOUNDARY_SETTINGS, name);
}

bool boundary_settings(const struct plan_fields *settings, struct boundary_options *options,
                       struct error *error) {
    union workload_value v[BOUNDARY_SETTINGS];
    if (!parse_table(boundary_table, BOUNDARY_SETTINGS, settings, v, error))
        return false;
    *options = (struct boundary_options){
        .count = (size_t)v[0].number,
        .samples = (size_t)v[1].number,
        .warmup = (size_t)v[2].number,
        .seconds = v[3].number,
    };
    return true;
}

/* --- opening --- */

static bool say_unknown_setting(const struct workload *workload, struct span name,
                                struct error *error) {
    struct buffer known = {0};
    for (size_t i = 0; i < workload->parameter_count; i++)
        buffer_printf(&known, "%s%s", i ? ", " : "", workload->parameters[i].name);
    error_set(error, ERROR_INPUT, workload->name, "remove it, or see docs/adding.md",
              "unknown setting '%.*s'; the workload takes %s", SPAN_ARG(name),
              known.len ? known.at : "none");
    buffer_free(&known);
    return false;
}

bool workload_open(struct arena *arena, struct device *device, struct span name,
                   const struct plan_fields *settings, struct workload_run *run,
                   struct error *error) {
    const struct workload *workload = workload_find(name);
    if (!workload)
        return error_set(error, ERROR_INPUT, "workload", "use null or mlp",
                         "no workload is called '%.*s'", SPAN_ARG(name));
    for (size_t i = 0; settings && i < settings->count; i++) {
        struct span setting = settings->items[i].name;
        if (!workload_takes(workload, setting) && !boundary_takes(setting) &&
            !device_takes(setting))
            return say_unknown_setting(workload, setting, error);
    }
    union workload_value *values =
        arena_array(arena, workload->parameter_count + 1, sizeof *values);
    if (!parse_table(workload->parameters, workload->parameter_count, settings, values, error))
        return false;
    *run = (struct workload_run){.workload = workload, .device = device, .values = values};
    uint64_t from = clock_monotonic_ns();
    bool fine = workload->open(arena, run, error) && device_synchronize(device, error);
    run->open_ms = (double)(clock_monotonic_ns() - from) / 1e6;
    return fine;
}

void workload_close(struct workload_run *run) {
    if (run->workload)
        run->workload->close(run);
    run->workload = NULL;
}

void workload_step(struct workload_run *run) {
    run->steps++;
    run->workload->step(run);
}

bool workload_result(struct workload_run *run, double *value, struct error *error) {
    return run->workload->result(run, value, error);
}

static struct span value_text(struct arena *arena, const struct workload_parameter *p,
                              const union workload_value *value) {
    if (!p->choices)
        return arena_printf(arena, "%.9g", value->number);
    struct span rest = span_of(p->choices), choice = {0};
    for (size_t i = 0; i <= value->choice && span_next_field(&rest, '|', &choice); i++)
        continue;
    return choice;
}

void workload_describe(const struct workload_run *run, struct arena *arena,
                       struct plan_fields *fields) {
    LIST_PUSH(arena, fields->items, fields->count, fields->capacity,
              (struct plan_field){SPAN("workload"), span_of(run->workload->name)});
    for (size_t i = 0; i < run->workload->parameter_count; i++) {
        const struct workload_parameter *p = &run->workload->parameters[i];
        LIST_PUSH(arena, fields->items, fields->count, fields->capacity,
                  (struct plan_field){span_of(p->name), value_text(arena, p, &run->values[i])});
    }
}
