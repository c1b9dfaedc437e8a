/* Where a step's time goes, and what holds each part back. */
#ifndef BENCH_LOCALIZE_H
#define BENCH_LOCALIZE_H

#include "bench/workload.h"

/* The best a device reaches here, measured: GEMM of a square of `edge`, copy of `bytes`. */
struct ceilings {
    double gemm_gflops, copy_gbs; /* 10^9/s; copy counts bytes read and written */
};
/* edge and bytes 0: sizes large enough for the device. Best of a few. */
bool ceilings_measure(struct device *device, size_t edge, size_t bytes, struct ceilings *ceilings,
                      struct error *error);

/* Per step, over a loop of steps synchronized once. ms NAN: not known (a replayed recording is one
 * operation, its phases cannot be told apart). */
struct localization {
    double ms[PHASE_COUNT];
    double idle_ms; /* the device had nothing to run; NAN where it cannot know */
    double step_ms; /* from the first phase's begin to the last one's end */
    double host_ms; /* submitting one step */
    struct work work[PHASE_COUNT];
};
bool localize(struct workload_run *run, size_t count, struct localization *found,
              struct error *error);

/* "compute", "memory", "host" or "neither": what limits a phase, PHASE_COUNT for the whole step.
 * Compute and memory need at least LIMIT_FRACTION of their ceiling, the larger one names the limit;
 * host means that the device was idle for IDLE_FRACTION of the step. */
#define LIMIT_FRACTION 0.5
#define IDLE_FRACTION 0.2
const char *localization_limit(const struct localization *found, const struct ceilings *ceilings,
                               int phase);

#endif
