/* The boundaries that time steps. Each measures a little loop and hands over raw samples: nothing
 * is discarded here, statistics are another file's business. */
#include "bench/boundary.h"
#include "bench/boundary_kinds.h"
#include "core/clock.h"

#include <math.h>
#include <stdlib.h>

double ms_since(uint64_t from_ns) {
    return (double)(clock_monotonic_ns() - from_ns) / 1e6;
}

bool emit_sample(struct sampler *s, const char *metric, const char *unit, double value) {
    struct boundary_sample sample = {metric, unit, s->iteration, value, s->warmup};
    if (!s->emit(s->context, &sample))
        s->stopped = true;
    return !s->stopped;
}

struct sampler sampler_begin(const struct boundary_options *options, boundary_emit *emit,
                             void *context) {
    return (struct sampler){
        .emit = emit, .context = context, .options = options, .begin_ns = clock_monotonic_ns()};
}

/* Fewer samples than this say nothing about spread. */
#define SAMPLES_LEAST 3

bool sampler_more(const struct sampler *s, size_t wanted) {
    if (s->stopped || s->iteration >= wanted)
        return false;
    double limit_ms = s->options->seconds * 1e3;
    return limit_ms <= 0 || s->iteration - s->first < SAMPLES_LEAST ||
           ms_since(s->begin_ns) < limit_ms;
}

static void steps(struct workload_run *run, size_t count) {
    for (size_t i = 0; i < count; i++)
        workload_step(run);
}

static bool measure_host_return(struct workload_run *run, const struct boundary_options *options,
                                boundary_emit *emit, void *context, struct error *error) {
    struct sampler s = sampler_begin(options, emit, context);
    for (; sampler_more(&s, options->samples); s.iteration++) {
        if (!device_synchronize(run->device, error))
            return false;
        uint64_t from = clock_monotonic_ns();
        workload_step(run);
        double host = ms_since(from);
        if (!device_synchronize(run->device, error))
            return false;
        double all = ms_since(from);
        emit_sample(&s, "host", "ms", host);
        emit_sample(&s, "step", "ms", all);
    }
    return true;
}

static bool measure_loop_unsynchronized(struct workload_run *run,
                                        const struct boundary_options *options, boundary_emit *emit,
                                        void *context, struct error *error) {
    struct sampler s = sampler_begin(options, emit, context);
    double count = (double)options->count;
    for (; sampler_more(&s, options->samples); s.iteration++) {
        if (!device_synchronize(run->device, error))
            return false;
        uint64_t from = clock_monotonic_ns();
        steps(run, options->count);
        double submitted = ms_since(from);
        if (!device_synchronize(run->device, error))
            return false;
        double all = ms_since(from);
        emit_sample(&s, "reported", "ms/step", submitted / count);
        emit_sample(&s, "queued", "ms", all - submitted);
        emit_sample(&s, "real", "ms/step", all / count);
    }
    return true;
}

static bool measure_loop_synchronized(struct workload_run *run,
                                      const struct boundary_options *options, boundary_emit *emit,
                                      void *context, struct error *error) {
    struct sampler s = sampler_begin(options, emit, context);
    for (; sampler_more(&s, options->samples); s.iteration++) {
        if (!device_synchronize(run->device, error))
            return false;
        uint64_t from = clock_monotonic_ns();
        steps(run, options->count);
        if (!device_synchronize(run->device, error))
            return false;
        emit_sample(&s, "step", "ms/step", ms_since(from) / (double)options->count);
    }
    return true;
}

static bool synchronized_step(struct workload_run *run, struct sampler *s, struct error *error) {
    uint64_t from = clock_monotonic_ns();
    workload_step(run);
    if (!device_synchronize(run->device, error))
        return false;
    emit_sample(s, "step", "ms", ms_since(from));
    return true;
}

static bool measure_per_iteration(struct workload_run *run, const struct boundary_options *options,
                                  boundary_emit *emit, void *context, struct error *error) {
    if (!device_synchronize(run->device, error))
        return false;
    struct sampler s = sampler_begin(options, emit, context);
    for (; sampler_more(&s, options->samples); s.iteration++)
        if (!synchronized_step(run, &s, error))
            return false;
    return true;
}

static bool measure_warmed(struct workload_run *run, const struct boundary_options *options,
                           boundary_emit *emit, void *context, struct error *error) {
    if (!device_synchronize(run->device, error))
        return false;
    struct sampler s = sampler_begin(options, emit, context);
    for (s.warmup = true; sampler_more(&s, options->warmup); s.iteration++)
        if (!synchronized_step(run, &s, error))
            return false;
    s.first = s.iteration;
    s.warmup = false;
    s.begin_ns = clock_monotonic_ns();
    for (; sampler_more(&s, s.first + options->samples); s.iteration++)
        if (!synchronized_step(run, &s, error))
            return false;
    return true;
}

/* Events around each step of one loop that nothing interrupts. */
static bool time_loop_events(struct workload_run *run, struct device_event **events,
                             struct sampler *s, struct error *error) {
    size_t count = s->options->count;
    if (!device_synchronize(run->device, error))
        return false;
    for (size_t i = 0; i < count; i++) {
        device_event_record(run->device, events[i]);
        workload_step(run);
    }
    device_event_record(run->device, events[count]);
    if (!device_synchronize(run->device, error))
        return false;
    for (size_t i = 0; i < count && !s->stopped; i++, s->iteration++)
        emit_sample(s, "step", "ms", device_elapsed_ms(run->device, events[i], events[i + 1]));
    return true;
}

static bool measure_events(struct workload_run *run, const struct boundary_options *options,
                           boundary_emit *emit, void *context, struct error *error) {
    size_t count = options->count + 1;
    struct device_event **events = memory_alloc(count * sizeof *events);
    struct sampler s = sampler_begin(options, emit, context);
    bool fine = true;
    for (size_t i = 0; i < count; i++)
        events[i] = device_event_new(run->device);
    while (fine && sampler_more(&s, options->samples))
        fine = time_loop_events(run, events, &s, error);
    for (size_t i = 0; i < count; i++)
        device_event_free(run->device, events[i]);
    free(events);
    return fine;
}

static bool measure_result(struct workload_run *run, const struct boundary_options *options,
                           boundary_emit *emit, void *context, struct error *error) {
    struct sampler s = sampler_begin(options, emit, context);
    double value;
    steps(run, options->count);
    if (!workload_result(run, &value, error))
        return false;
    emit_sample(&s, "result", "", value);
    return true;
}

static const struct boundary
    host_return = {"host-return", "submitting one step to an idle device", measure_host_return},
    loop_unsynchronized = {"loop-unsynchronized", "a loop whose clock stops before the device",
                           measure_loop_unsynchronized},
    loop_synchronized = {"loop-synchronized", "a loop with one synchronize at its end",
                         measure_loop_synchronized},
    per_iteration = {"per-iteration", "each step synchronized", measure_per_iteration},
    events = {"events", "device events around each step of a loop", measure_events},
    warmed_median = {"warmed-median", "each step synchronized, after a warm-up", measure_warmed},
    result = {"result", "the workload's own number", measure_result};

static const struct boundary *const boundaries[] = {&host_return,
                                                    &loop_unsynchronized,
                                                    &loop_synchronized,
                                                    &per_iteration,
                                                    &events,
                                                    &boundary_first_call,
                                                    &warmed_median,
                                                    &boundary_queue_depth,
                                                    &boundary_phases,
                                                    &boundary_memory,
                                                    &boundary_ceilings,
                                                    &result,
                                                    NULL};

const struct boundary *const *boundary_list(void) {
    return boundaries;
}

const struct boundary *boundary_find(struct span name) {
    for (const struct boundary *const *b = boundaries; *b; b++)
        if (span_equal(name, span_of((*b)->name)))
            return *b;
    return NULL;
}
