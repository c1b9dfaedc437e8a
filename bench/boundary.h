/* Measurement boundaries: where the clock starts and stops. Each works for any workload.
 *
 *   name                 metrics (unit), the first is the boundary's own number
 *   host-return          host (ms): submitting one step to an idle device; step (ms): until it is
 * done loop-unsynchronized  reported (ms/step): clock stopped after the last submission of a loop
 * of `count`; queued (ms): what the synchronize after it still waits for; real (ms/step): both
 *   loop-synchronized    step (ms/step): loop of `count`, one synchronize inside the clock
 *   per-iteration        step (ms): submit and synchronize, each iteration
 *   events               step (ms): device events around each step of a loop of `count`
 *   first-call           first (ms): first step of a fresh workload, synchronized; second (ms),
 * open (ms): making the workload; context, kernels, library (ms): device start-up warmed-median
 * step (ms): per-iteration after `warmup` iterations, which are marked queue-depth operations:
 * empty operations accepted before submitting blocks phases               forward, loss, backward,
 * optimizer, copies, idle, step, host (ms); and for each timed phase NAME.flops (GFLOP/s),
 * NAME.bytes (GB/s) memory               peak (MB), and parameters, gradients, optimizer,
 * activations, data, workspace (MB) ceilings             gemm (GFLOP/s), copy (GB/s): what this
 * device reaches at best result               result: the workload's own number after `count` steps
 * (a loss)
 */
#ifndef BENCH_BOUNDARY_H
#define BENCH_BOUNDARY_H

#include "bench/workload.h"

struct boundary_sample {
    const char *metric, *unit;
    size_t iteration;
    double value; /* NAN: could not be measured here */
    bool warmup;
};

/* Returns false to stop the measurement (which then ends well). */
typedef bool boundary_emit(void *context, const struct boundary_sample *sample);

struct boundary_options {
    size_t count;   /* steps in one loop; setting `count`, default 20 */
    size_t samples; /* loops, or iterations; setting `samples`, default 20 */
    size_t warmup;  /* iterations before, for warmed-median; setting `warmup`, default 10 */
    double seconds; /* stop early after this much time, but not before 3 samples; 0 = never */
};

struct boundary {
    const char *name, *summary;
    bool (*measure)(struct workload_run *run, const struct boundary_options *options,
                    boundary_emit *emit, void *context, struct error *error);
};

const struct boundary *const *boundary_list(void); /* NULL at the end */
const struct boundary *boundary_find(struct span name);
/* Settings a boundary takes: count, samples, warmup, seconds. */
bool boundary_takes(struct span name);
bool boundary_settings(const struct plan_fields *settings, struct boundary_options *options,
                       struct error *error);

/* One call for a child process: opens the device (timed: first-call reports it) and the workload,
 * measures, closes. metric picks one of the boundary's; empty = all. contract (may be NULL) gets
 * every setting in force. */
struct boundary_request {
    const char *device; /* "cpu", "cuda" */
    struct span workload, boundary, metric;
    const struct plan_fields *settings;
};
bool boundary_run(struct arena *arena, const struct boundary_request *request, boundary_emit *emit,
                  void *context, struct plan_fields *contract, struct error *error);

#endif
