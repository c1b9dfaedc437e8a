/* The boundaries that look at the device behind the steps: first call, queue depth, phases, memory,
 * ceilings. */
#include "bench/boundary_kinds.h"
#include "bench/localize.h"
#include "core/clock.h"

#include <math.h>

/* --- first-call --- */

static bool one_step(struct workload_run *run, double *ms, struct error *error) {
    uint64_t from = clock_monotonic_ns();
    workload_step(run);
    bool fine = device_synchronize(run->device, error);
    *ms = ms_since(from);
    return fine;
}

static bool measure_first_call(struct workload_run *run, const struct boundary_options *options,
                               boundary_emit *emit, void *context, struct error *error) {
    struct sampler s = sampler_begin(options, emit, context);
    double first, second;
    if (run->steps > 0)
        return error_set(error, ERROR_INPUT, "first-call", "open the workload anew",
                         "the workload has already made %zu steps", run->steps);
    if (!one_step(run, &first, error) || !one_step(run, &second, error))
        return false;
    emit_sample(&s, "first", "ms", first);
    emit_sample(&s, "second", "ms", second);
    emit_sample(&s, "open", "ms", run->open_ms);
    for (int i = 0; i < STARTUP_COSTS; i++)
        if (run->device->startup[i].name)
            emit_sample(&s, run->device->startup[i].name, "ms", run->device->startup[i].ms);
    return true;
}

const struct boundary boundary_first_call = {"first-call", "the first step of a fresh workload",
                                             measure_first_call};

/* --- queue-depth --- */

/* How long the device is kept busy while the queue fills: far longer than filling it takes. */
#define BLOCKER_NS 100000000u
/* More than any queue known (CUDA: about 1024). */
#define DEPTH_MOST 200000

/* The submission that blocked is the one during which the rest of the blocker's time went by; a
 * preempted thread loses a few ms, not half of what is left. Returns its index, NAN if none did. */
static bool find_depth(struct device *device, double *depth, struct error *error) {
    *depth = NAN;
    device_spin(device, BLOCKER_NS);
    uint64_t begin = clock_monotonic_ns(), before = begin;
    for (size_t i = 0; i < DEPTH_MOST && before - begin < BLOCKER_NS; i++) {
        device_nothing(device);
        uint64_t after = clock_monotonic_ns();
        uint64_t left = BLOCKER_NS - (before - begin);
        if (after - before > left / 2 && left > BLOCKER_NS / 10) {
            *depth = (double)(i + 1); /* i empty operations and the blocker itself */
            break;
        }
        before = after;
    }
    return device_synchronize(device, error);
}

static bool commands_per_step(struct workload_run *run, double *commands, struct error *error) {
    device_work_reset(run->device);
    workload_step(run);
    *commands = 0;
    for (int i = 0; i < PHASE_COUNT; i++)
        *commands += (double)run->device->work[i].commands;
    return device_synchronize(run->device, error);
}

static bool measure_queue_depth(struct workload_run *run, const struct boundary_options *options,
                                boundary_emit *emit, void *context, struct error *error) {
    struct sampler s = sampler_begin(options, emit, context);
    double commands, depth;
    if (!commands_per_step(run, &commands, error))
        return false;
    for (; sampler_more(&s, options->samples); s.iteration++) {
        if (!find_depth(run->device, &depth, error))
            return false;
        emit_sample(&s, "operations", "operations", depth);
        emit_sample(&s, "steps", "steps", commands > 0 ? depth / commands : NAN);
    }
    return true;
}

const struct boundary boundary_queue_depth = {
    "queue-depth", "operations accepted before submitting blocks", measure_queue_depth};

/* --- phases --- */

static const struct {
    const char *flops, *bytes;
} rate_names[PHASE_COUNT] = {
    [PHASE_COPIES] = {"copies.flops", "copies.bytes"},
    [PHASE_FORWARD] = {"forward.flops", "forward.bytes"},
    [PHASE_LOSS] = {"loss.flops", "loss.bytes"},
    [PHASE_BACKWARD] = {"backward.flops", "backward.bytes"},
    [PHASE_OPTIMIZER] = {"optimizer.flops", "optimizer.bytes"},
};

static void emit_localization(struct sampler *s, const struct localization *found) {
    emit_sample(s, "step", "ms", found->step_ms);
    emit_sample(s, "host", "ms", found->host_ms);
    emit_sample(s, "idle", "ms", found->idle_ms);
    for (int i = 0; i < PHASE_COUNT; i++)
        emit_sample(s, phase_names[i], "ms", found->ms[i]);
    for (int i = 0; i < PHASE_COUNT; i++) {
        if (!(found->ms[i] > 0) || found->work[i].commands == 0)
            continue;
        emit_sample(s, rate_names[i].flops, "GFLOP/s", found->work[i].flops / (found->ms[i] * 1e6));
        emit_sample(s, rate_names[i].bytes, "GB/s", found->work[i].bytes / (found->ms[i] * 1e6));
    }
}

static bool measure_phases(struct workload_run *run, const struct boundary_options *options,
                           boundary_emit *emit, void *context, struct error *error) {
    struct sampler s = sampler_begin(options, emit, context);
    struct localization found;
    for (; sampler_more(&s, options->samples); s.iteration++) {
        if (!localize(run, options->count, &found, error))
            return false;
        emit_localization(&s, &found);
    }
    return true;
}

const struct boundary boundary_phases = {"phases", "where a step's time goes", measure_phases};

/* --- memory --- */

static bool measure_memory(struct workload_run *run, const struct boundary_options *options,
                           boundary_emit *emit, void *context, struct error *error) {
    struct sampler s = sampler_begin(options, emit, context);
    device_memory_reset_peak(run->device);
    workload_step(run);
    if (!device_synchronize(run->device, error))
        return false;
    struct memory_use use = device_memory_use(run->device);
    emit_sample(&s, "peak", "MB", (double)use.peak_total / 1e6);
    for (int i = 0; i < MEMORY_CATEGORIES; i++)
        emit_sample(&s, memory_category_names[i], "MB", (double)use.peak[i] / 1e6);
    emit_sample(&s, "reserved", "MB", (double)use.reserved / 1e6);
    return true;
}

const struct boundary boundary_memory = {"memory", "peak memory of a step, by category",
                                         measure_memory};

/* --- ceilings --- */

static bool measure_ceilings(struct workload_run *run, const struct boundary_options *options,
                             boundary_emit *emit, void *context, struct error *error) {
    struct sampler s = sampler_begin(options, emit, context);
    struct ceilings found;
    if (!ceilings_measure(run->device, 0, 0, &found, error))
        return false;
    emit_sample(&s, "gemm", "GFLOP/s", found.gemm_gflops);
    emit_sample(&s, "copy", "GB/s", found.copy_gbs);
    return true;
}

const struct boundary boundary_ceilings = {"ceilings", "the best GEMM and copy rates of the device",
                                           measure_ceilings};
