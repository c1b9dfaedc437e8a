/* assay bench --experiment-process: measures, and writes what it saw as lines of
 * measurements.jsonl. No line is written while a turn is being measured. */
#include "bench/experiment.h"

#include "bench/bench.h"
#include "bench/boundary.h"
#include "bench/environment.h"
#include "bench/gpu_watch.h"
#include "core/file.h"

#include <errno.h>
#include <stdio.h>
#include <sys/resource.h>

#define REQUEST_MOST (16u << 20) /* bytes: far more than any experiment */
#define TURN_SAMPLES 5000u       /* more tell nothing new, and their lines must be read again */

struct raw_sample {
    size_t variant, iteration;
    double value;
    const char *unit; /* of the boundary, lives as long as the program */
    bool warmup;
};

/* What one turn collects. */
struct collector {
    struct arena *arena;
    const struct experiment *experiment;
    size_t first; /* variant that begins the group */
    struct raw_sample *samples;
    size_t count, capacity;
};

static bool collect(void *context, const struct boundary_sample *sample) {
    struct collector *c = context;
    struct span metric = span_of(sample->metric);
    const struct plan_variant *variants = c->experiment->variants;
    for (size_t i = c->first; i < c->experiment->variant_count; i++) {
        if (!span_equal(variants[i].metric, metric) ||
            !variants_share_run(&variants[c->first], &variants[i]))
            continue;
        LIST_PUSH(
            c->arena, c->samples, c->count, c->capacity,
            (struct raw_sample){i, sample->iteration, sample->value, sample->unit, sample->warmup});
    }
    return c->count < TURN_SAMPLES;
}

static bool flush(struct buffer *lines, struct error *error) {
    bool fine = fwrite(lines->at ? lines->at : "", 1, lines->len, stdout) == lines->len &&
                fflush(stdout) == 0;
    buffer_clear(lines);
    return fine || error_system(error, errno, "standard output", "", "cannot write the samples");
}

/* "samples" of the plan are those of a process; a warm variant has two turns in it. */
static void halve_samples(struct arena *arena, const struct plan_variant *variant,
                          struct plan_fields *settings) {
    size_t samples;
    if (!variant_runs_once(variant) &&
        span_to_size(plan_fields_get(settings, "samples"), SIZE_MAX / 2, &samples) && samples)
        plan_fields_set(arena, settings, SPAN("samples"),
                        arena_printf(arena, "%zu", (samples + 1) / 2));
}

/* Where the plan leaves it open a turn samples for its time, up to this many: short steps vary, and
 * their median needs many. */
#define SAMPLES_IN_TIME SPAN("500")

/* The turn's settings: the variant's, and the time for one turn where the plan sets none. */
static struct plan_fields turn_settings(struct arena *arena, const struct plan_variant *variant,
                                        double seconds) {
    struct plan_fields settings = {0};
    for (size_t i = 0; i < variant->parameters.count; i++)
        plan_fields_set(arena, &settings, variant->parameters.items[i].name,
                        variant->parameters.items[i].value);
    if (seconds > 0 && plan_fields_get(&settings, "seconds").len == 0)
        plan_fields_set(arena, &settings, SPAN("seconds"), arena_printf(arena, "%.3g", seconds));
    halve_samples(arena, variant, &settings);
    if (seconds > 0 && plan_fields_get(&settings, "samples").len == 0)
        plan_fields_set(arena, &settings, SPAN("samples"), SAMPLES_IN_TIME);
    return settings;
}

static void write_samples(struct buffer *out, const struct experiment_request *request,
                          const struct collector *c, size_t block, bool sham) {
    for (size_t i = 0; i < c->count; i++) {
        const struct raw_sample *raw = &c->samples[i];
        struct sample sample = {
            .experiment = request->experiment.id,
            .variant = c->experiment->variants[raw->variant].name,
            .unit = span_of(raw->unit),
            .process = request->process,
            .block = block,
            .iteration = raw->iteration,
            .value = raw->value,
            .warmup = raw->warmup,
            .sham = sham,
        };
        sample_write(out, &sample);
    }
}

static void write_contracts(struct buffer *out, const struct experiment_request *request,
                            size_t first, const struct plan_fields *contract) {
    const struct experiment *e = &request->experiment;
    for (size_t i = first; i < e->variant_count; i++)
        if (variants_share_run(&e->variants[first], &e->variants[i])) {
            struct contract_record record = {e->id, e->variants[i].name, request->key, *contract};
            contract_write(out, &record);
        }
}

/* Every variant of the group must have been seen, or the plan names a metric that is not there. */
static bool check_metrics(const struct collector *c, struct error *error) {
    const struct plan_variant *variants = c->experiment->variants;
    for (size_t i = c->first; i < c->experiment->variant_count; i++) {
        size_t seen = 0;
        for (size_t k = 0; k < c->count; k++)
            seen += c->samples[k].variant == i;
        if (seen == 0 && variants_share_run(&variants[c->first], &variants[i]))
            return error_set(error, ERROR_INPUT, "plan.json",
                             "bench/boundary.h lists the metrics of each boundary.",
                             "variant '%.*s': boundary %.*s gave no '%.*s'",
                             SPAN_ARG(variants[i].name), SPAN_ARG(variants[i].boundary),
                             SPAN_ARG(variants[i].metric));
    }
    return true;
}

static bool run_turn(const struct experiment_request *request, const struct turn *turn,
                     size_t block, bool describe, struct error *error) {
    struct arena arena;
    arena_init(&arena);
    const struct plan_variant *variant = &request->experiment.variants[turn->variant];
    struct collector c = {&arena, &request->experiment, turn->variant, NULL, 0, 0};
    struct plan_fields contract = {0};
    struct plan_fields settings = turn_settings(&arena, variant, request->seconds);
    struct boundary_request boundary = {.device = arena_string(&arena, request->device),
                                        .workload = variant->workload,
                                        .boundary = variant->boundary,
                                        .settings = &settings};
    struct buffer lines = {0};
    bool fine =
        boundary_run(&arena, &boundary, collect, &c, &contract, error) && check_metrics(&c, error);
    if (fine) {
        write_samples(&lines, request, &c, block, turn->sham);
        if (describe)
            write_contracts(&lines, request, turn->variant, &contract);
        fine = flush(&lines, error);
    }
    buffer_free(&lines);
    arena_free(&arena);
    return fine;
}

static bool run_turns(struct arena *arena, const struct experiment_request *request,
                      struct error *error) {
    const struct experiment *e = &request->experiment;
    struct turn *turns =
        arena_array(arena, 2 * (e->variant_count + request->sham_count), sizeof *turns);
    bool *described = arena_array(arena, e->variant_count + 1, sizeof *described);
    size_t count = experiment_turns(e, request->seed, request->shams, request->sham_count, turns);
    for (size_t i = 0; i < count; i++) {
        bool describe = !turns[i].sham && !described[turns[i].variant];
        if (!run_turn(request, &turns[i], i, describe, error))
            return false;
        described[turns[i].variant] |= describe;
    }
    return true;
}

static double own_cpu_seconds(void) {
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6;
}

/* The turns with the machine watched around them, as the parent does when it is on the same one. */
static bool run_watched(struct arena *arena, const struct experiment_request *request,
                        struct error *error) {
    struct span found[ENVIRONMENT_DISTURBANCES + GPU_DISTURBANCES];
    struct plan_fields environment = {0};
    struct buffer line = {0};
    struct json_writer w = {.out = &line, .compact = true};
    bool on_cpu = span_equal(request->device, SPAN("cpu"));
    struct gpu_watch *watch = on_cpu ? NULL : gpu_watch_begin();
    struct environment_counters before = environment_count();
    bool fine = run_turns(arena, request, error);
    struct environment_counters after = environment_count();
    size_t count = gpu_watch_end(watch, arena, found);
    count += environment_disturbances(arena, &before, &after, own_cpu_seconds(), found + count);
    environment_describe(arena, &environment);
    json_begin_object(&w, NULL);
    json_put_string(&w, "schema", WATCH_SCHEMA);
    json_begin_array(&w, "disturbances");
    for (size_t i = 0; i < count; i++)
        json_put_text(&w, NULL, found[i]);
    json_end_array(&w);
    plan_fields_write(&w, "environment", &environment);
    json_end_object(&w);
    json_finish(&w);
    fine = fine && flush(&line, error);
    buffer_free(&line);
    return fine;
}

/* Only a device that cannot be opened at all is unavailable (exit 3: UNRUN); any other failure,
 * memory that was not there among them, is one of this experiment. Asked afterwards, because
 * opening the device first would spoil what first-call measures. */
static void tell_failure_from_absence(const char *device_name, struct error *error) {
    struct device *device;
    if (error->kind == ERROR_UNAVAILABLE &&
        device_open(device_name, &(struct device_options){0}, &device, NULL)) {
        device_close(device);
        error->kind = ERROR_SYSTEM;
    }
}

bool bench_experiment_process(struct error *error) {
    struct arena arena;
    arena_init(&arena);
    struct span json;
    struct experiment_request request = {.device = SPAN("cpu")};
    bool fine = file_read(&arena, "-", REQUEST_MOST, ERROR_INPUT, &json, error) &&
                experiment_request_read(&arena, json, &request, error) &&
                (request.watch ? run_watched : run_turns)(&arena, &request, error);
    if (!fine)
        tell_failure_from_absence(arena_string(&arena, request.device), error);
    arena_free(&arena);
    return fine;
}
