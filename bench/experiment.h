/* The child side of an experiment: one fresh process measures every variant of one experiment, in a
 * random order and then in its mirror image (A B B A), so that a drift of the machine touches all
 * of them alike. Variants that differ only in the metric are measured together. */
#ifndef BENCH_EXPERIMENT_H
#define BENCH_EXPERIMENT_H

#include "core/error.h"
#include "schemas/plan.h"

#include <stdint.h>

#define REQUEST_SCHEMA "assay.request.v1"

/* What the parent writes to the child's stdin, as one JSON object. */
struct experiment_request {
    struct experiment experiment;
    struct span device; /* cpu | cuda | torch */
    struct span key;    /* comes back in contract records */
    size_t process;     /* number of this process within the experiment, from 0 */
    uint64_t seed;      /* of the order; below 2^53, so that JSON holds it */
    double seconds;     /* about how long one turn may take; 0 = as the settings say */
    size_t *shams;      /* these variants run once more in every half, under a second name */
    size_t sham_count;
    bool watch; /* the process watches its machine itself and says what it saw: it is elsewhere */
};

/* The line a watching process ends with: {"schema", "disturbances": [...], "environment": {...}}.
 */
#define WATCH_SCHEMA "assay.watch.v1"
void experiment_request_write(struct buffer *out, const struct experiment_request *request);
bool experiment_request_read(struct arena *arena, struct span json,
                             struct experiment_request *request, struct error *error);

/* One run of a boundary: of the group that begins with this variant. */
struct turn {
    size_t variant;
    bool sham;
};
/* The turns of a process, at most 2 * (variant_count + sham_count). Groups measured at boundary
 * first-call come first, then those that one run tells all about (result, memory, ceilings), each
 * once. The others follow in random order, then mirrored. */
size_t experiment_turns(const struct experiment *experiment, uint64_t seed, const size_t *shams,
                        size_t sham_count, struct turn *turns);
/* The variant the sham repeats: the one that costs least to run again; variant_count when all are
 * cold. */
size_t experiment_sham_variant(const struct experiment *experiment);
/* About how many steps of its workload a process of it submits. */
double experiment_steps(const struct experiment *experiment);
/* Whether two variants are measured by the same run. */
bool variants_share_run(const struct plan_variant *a, const struct plan_variant *b);
bool variant_is_cold(const struct plan_variant *variant);
/* Whether one run a process tells all: first-call, result, memory, ceilings. */
bool variant_runs_once(const struct plan_variant *variant);

#endif
