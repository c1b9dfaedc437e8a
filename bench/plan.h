/* The planner: what of a text's claims this program can measure again, and how it will judge it. */
#ifndef BENCH_PLAN_H
#define BENCH_PLAN_H

#include "core/error.h"
#include "schemas/brief.h"
#include "schemas/claims.h"
#include "schemas/plan.h"

/* Fills plan from the claims: relations first, then one experiment a measured claim. backend and
 * budget_seconds (for all experiments together; 0 = 60) are kept in it. brief may be NULL. Nothing
 * in the claims is an error: what cannot be measured becomes an experiment with a skip_reason. */
bool plan_build(struct arena *arena, const struct claims *claims, const struct brief *brief,
                const char *backend, double budget_seconds, struct plan *plan, struct error *error);

/* --- the parts, for the files of the planner and its tests --- */

/* What a stated time is the time of. */
enum timing_kind {
    TIMING_NONE,
    TIMING_REPORTED, /* per step, clock stopped after the last submission of a loop */
    TIMING_QUEUED,   /* what the synchronize after that loop still waits for */
    TIMING_REAL,     /* both together, per step */
    TIMING_SYNCHRONIZED,
    TIMING_HOST_RETURN,
    TIMING_FIRST,
    TIMING_INFERENCE,
    TIMING_FORWARD,
    TIMING_FORWARD_BACKWARD,
    TIMING_STEP,
};

struct timing {
    enum timing_kind kind;
    size_t loop; /* steps of the loop for REPORTED, QUEUED, REAL; else 0 */
    const struct claim *claim;
    const struct quantity *quantity;
};

struct timings {
    struct timing *items; /* in the order of the text */
    size_t count, capacity;
};

/* Every stated time whose words say what it is the time of. */
struct timings plan_timings(struct arena *arena, const struct claims *claims);
/* The first of that kind (and loop, unless 0), or NULL. */
const struct timing *plan_timing(const struct timings *timings, enum timing_kind kind, size_t loop);

/* The workload the contract describes, as far as this program has it. */
struct planned_workload {
    struct span name; /* empty: none, why says so */
    struct span why;
    struct plan_fields parameters, scaled; /* scaled: "dim": "1536 -> 384" */
    struct plan_fields contract; /* as stated; standard fields "UNVERIFIED" where silent */
};

struct planned_workload plan_workload(struct arena *arena, const struct claims *claims,
                                      const struct brief *brief, const struct timings *timings,
                                      double budget_seconds);

/* Appends the experiments on relations between the timings. */
void plan_relations(struct arena *arena, const struct timings *timings,
                    const struct planned_workload *workload, struct plan *plan);
/* Appends the exploration of the workload; cuda: the device that it is for. */
void plan_exploration(struct arena *arena, const struct planned_workload *workload, bool cuda,
                      double budget_seconds, struct plan *plan);
/* Loops of that many steps that a process measures: short ones are repeated until they take as long
 * as long ones, which are averages already. */
size_t plan_loop_samples(size_t loop);
/* The variant that measures a timing of that kind. */
struct plan_variant plan_variant_of(struct arena *arena, const struct planned_workload *workload,
                                    enum timing_kind kind, size_t loop);

#endif
