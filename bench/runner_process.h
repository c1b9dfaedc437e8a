/* One process of an experiment. */
#ifndef BENCH_RUNNER_PROCESS_H
#define BENCH_RUNNER_PROCESS_H

#include "bench/experiment.h"
#include "bench/runner.h"

/* Starts this program anew with the request, waits, and appends what it measured to the journal.
 * limit_seconds bounds its wall clock. On RUN_FAILED and RUN_UNAVAILABLE record has reason and log.
 */
bool runner_process(struct arena *arena, const struct runner *runner,
                    const struct experiment_request *request, double limit_seconds,
                    struct process_record *record, enum run_end *end, struct error *error);

#endif
