/* One call of bench_pass: decides for each experiment whether to run it, and fills its result. */
#ifndef BENCH_SESSION_H
#define BENCH_SESSION_H

#include "bench/bench.h"
#include "bench/runner.h"

struct session {
    struct arena *arena;
    const struct bench_options *options;
    const struct plan *plan;
    struct results previous; /* of an earlier call; empty when there was none */
    struct results results;  /* in the plan's order, however they are run */
    size_t *order, done;     /* indices into the plan as they are run, and how many are through */
    struct journal journal;
    struct span environment_id;
    uint64_t latest_ns; /* end of the stage's budget, monotonic clock */
    bool environment_written;
    struct span unavailable, why; /* a device that turned out not to be had, and the reason */
};

/* Runs what has to run and fills session->results. On interruption the rest is UNRUN and
 * *interrupted is true. False when something broke that is nobody's measurement: disk, processes.
 */
bool session_run(struct session *session, bool *interrupted, struct error *error);

#endif
