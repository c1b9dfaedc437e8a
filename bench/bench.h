/* Stage 3: claims -> plan -> measurements -> results. */
#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H

#include "core/progress.h"
#include "schemas/pass.h"
#include "schemas/plan.h"
#include "schemas/results.h"

struct bench_options {
    const char *backend;     /* auto | cuda | cpu | torch */
    double budget_seconds;   /* for the whole stage; 0 = 60 */
    const char *const *only; /* experiment ids, NULL-terminated, or NULL for all */
    int repeat;              /* rounds; 0 = as the statistics want */
    bool list;               /* only write and print the plan */
    bool skip;               /* plan, but mark everything UNRUN (assay run --no-bench) */
    const char *executor;    /* local | slurm; NULL = local */
    struct progress *progress;
};

/* Writes plan.json unless the pass has one, measurements.jsonl, results.json. Experiments that did
 * not run are UNRUN with the reason; the stage then ends partial and still returns true. */
bool bench_pass(struct arena *arena, struct pass *pass, const struct bench_options *options,
                struct error *error);

/* The child side: reads one experiment (JSON) on stdin, writes sample lines on stdout. Called by
 * `assay bench --experiment-process`. */
bool bench_experiment_process(struct error *error);

/* What each device can do here, for `assay doctor`: appends lines of text (or one JSON value). */
bool bench_doctor(struct arena *arena, struct buffer *out, bool json, struct error *error);

#endif
