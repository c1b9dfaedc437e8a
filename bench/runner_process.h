/* One process of an experiment, or of a family of them. */
#ifndef BENCH_RUNNER_PROCESS_H
#define BENCH_RUNNER_PROCESS_H

#include "bench/runner.h"
#include "bench/runner_lines.h"

/* Starts this program anew with the request (for device torch the adapter in bench/adapters, by
 * $ASSAY_PYTHON or python3), waits, and appends what it measured to the journal. limit_seconds
 * bounds its wall clock. Where nothing was measured record has reason and log, and the journal
 * nothing: who called decides whose failure it is. */
bool runner_process(struct arena *arena, const struct runner *runner,
                    const struct measured_family *all, const struct experiment_request *request,
                    double limit_seconds, struct process_record *record, enum run_end *end,
                    struct error *error);

#endif
