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
    const char *folder; /* of the pass */
    struct span environment_id;
    uint64_t latest_ns;             /* end of the stage's budget, monotonic clock */
    uint64_t experiments_latest_ns; /* the same for what is not exploration */
    bool environment_written;
    struct span unavailable, why; /* a device that turned out not to be had, and the reason */
};

/* Runs what has to run and fills session->results. On interruption the rest is UNRUN and
 * *interrupted is true. False when something broke that is nobody's measurement: disk, processes.
 */
bool session_run(struct session *session, bool *interrupted, struct error *error);

/* session_explore.c: the plan's explorations, after its experiments. */
bool session_explore(struct session *session, bool *interrupted, struct error *error);
/* Seconds of the budget that are kept for them. */
double session_reserve(const struct session *session);

/* --- what the files of the session share --- */

/* Why an experiment or exploration does not run; empty when it may. */
struct span session_reason_not_to_run(const struct session *session, const struct experiment *e);
/* Where it is measured: as planned, or by the adapter that was asked for. */
struct span session_device(const struct session *session, const struct experiment *e);
/* How it is measured. */
struct runner session_runner(struct session *session, const struct experiment *e);
bool session_write_environment(struct session *session, struct error *error);

#endif
