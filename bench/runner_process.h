/* One process of an experiment, or of a family of them. */
#ifndef BENCH_RUNNER_PROCESS_H
#define BENCH_RUNNER_PROCESS_H

#include "bench/runner.h"
#include "bench/runner_lines.h"

struct outcome {
    struct process_record record;
    enum run_end end;
};

/* Starts this program anew with each request (for device torch the adapter in bench/adapters, by
 * $ASSAY_PYTHON or python3), waits, and appends what was measured to the journal: one request here,
 * or any number as one Slurm job array, in the order asked for. limit_seconds bounds the wall clock
 * of each, latest_ns (monotonic) that of waiting for Slurm. Where nothing was measured record has
 * reason and log, and the journal nothing: who called decides whose failure it is. */
bool runner_processes(struct arena *arena, const struct runner *runner,
                      const struct measured_family *all, const struct experiment_request *requests,
                      size_t count, double limit_seconds, uint64_t latest_ns,
                      struct outcome *outcomes, struct error *error);

#endif
