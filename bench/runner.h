/* The parent side of an experiment: fresh processes, one after another, until a verdict is decided,
 * enough were seen, or the time is up. */
#ifndef BENCH_RUNNER_H
#define BENCH_RUNNER_H

#include "bench/journal.h"
#include "bench/verdict.h"

struct runner {
    struct journal *journal;
    struct span environment;  /* id of the environment line */
    struct span device;       /* cpu | cuda | torch */
    size_t repeat;            /* exactly so many processes; 0 = as the statistics want */
    const char *slurm_folder; /* executor slurm: where files of its jobs go; NULL = run here */
};

enum run_end {
    RUN_MEASURED,
    RUN_FAILED,      /* a process broke: result has reason and log */
    RUN_UNAVAILABLE, /* the device cannot be had: result has the reason */
    RUN_UNSUPPORTED, /* it can, but cannot measure this: result has the reason */
    RUN_INTERRUPTED,
};

/* One experiment to measure: result's drift and match are set before. */
struct runner_item {
    const struct experiment *experiment;
    struct result *result;
    enum run_end end;
};

/* Measures experiments, those of a family (bench/family.h) in the same processes, for about
 * `seconds` (as long as `latest_ns` of the monotonic clock allows), counting what the journal
 * already has, and judges each. Where a process of several breaks, each is measured alone, so that
 * it costs the one that broke it. False only when the journal cannot be written or a process cannot
 * be started. */
bool runner_run(struct arena *arena, const struct runner *runner, struct runner_item *items,
                size_t count, double seconds, uint64_t latest_ns, struct error *error);

/* Judges what the journal has, running nothing. False when it has no finished process. */
bool runner_judge(struct arena *arena, const struct runner *runner,
                  const struct experiment *experiment, struct result *result);

#endif
