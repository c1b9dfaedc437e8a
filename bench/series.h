/* From raw samples to one number a process. */
#ifndef BENCH_SERIES_H
#define BENCH_SERIES_H

#include "schemas/results.h"

/* Sets warmup and outlier of the samples of one process (in the order written): what the boundary
 * did not mark itself is found with bench/trace.h. Samples of boundaries that are no runs of like
 * iterations (first-call, result, memory ...) are left as they are. */
void series_mark(const struct experiment *experiment, struct sample *samples, size_t count);
/* How many runs of marked samples have no steady state, of how many there are. */
size_t series_unsteady(const struct experiment *experiment, const struct sample *samples,
                       size_t count, size_t *runs);

/* One variant over the processes that finished. */
struct series {
    struct span unit;
    double *medians; /* one a process, warm-up left out; NAN: nothing usable */
    size_t samples, warmup_dropped, outliers;
    double autocorrelation; /* lag 1, median over processes; NAN = unknown */
};

struct series_set {
    size_t process_count;
    struct series *variants; /* as the experiment has them */
    size_t variant_count;
    double *sham; /* medians of the second name of sham_variant; NAN where it did not run */
    size_t sham_variant;
};

/* processes: the numbers of the processes to use, in ascending order. Samples of others and of
 * other experiments are passed over. */
struct series_set series_build(struct arena *arena, const struct experiment *experiment,
                               const struct sample *samples, size_t count, const size_t *processes,
                               size_t process_count);

/* Median, t interval of the log medians (in the values' unit) and rank interval. */
struct measured series_measured(const struct series *series, struct span variant,
                                size_t process_count);

#endif
