/* plan.json (assay.plan.v1): the experiments derived from the claims. A person may edit it before
 * bench runs. Written by bench (plan step), read by bench and report. */
#ifndef SCHEMAS_PLAN_H
#define SCHEMAS_PLAN_H

#include "core/json.h"
#include "schemas/status.h"

#define PLAN_SCHEMA "assay.plan.v1"

struct plan_field {
    struct span name,
        value; /* contract field and its value, "UNVERIFIED" when the text is silent */
};

struct plan_fields {
    struct plan_field *items;
    size_t count, capacity;
};

/* What is measured: one variant is one metric of one workload at one boundary. Variants that differ
 * only in the metric are measured together. */
struct plan_variant {
    struct span name;              /* "loop 20, reported"; key of its samples */
    struct span workload;          /* "mlp" */
    struct plan_fields parameters; /* dim, depth, batch, mode, optimizer, count ... */
    struct span boundary; /* host-return | loop-unsynchronized | loop-synchronized | per-iteration |
                             events | first-call | warmed-median | queue-depth */
    struct span metric;   /* one of the boundary's metrics: "reported", "step" */
    struct span unit;     /* "ms/step" */
};

/* Must hold on this machine before the experiment says anything: left/right <= at_most, both names
 * of variants. A false one makes the experiment NOT COMPARABLE, never NOT REPRODUCED. */
struct plan_condition {
    struct span text; /* "submitting a step takes at most 0.8 of doing it" */
    struct span left, right;
    double at_most;
};

/* One factor of a workload changed, all else equal. Its variants are called "NAME: METRIC", those
 * of the unchanged workload "baseline: METRIC". */
struct plan_change {
    struct span name;              /* "fused optimizer" */
    struct plan_fields parameters; /* what it sets */
    struct span unavailable;       /* non-empty: it cannot be tried, for this reason */
};

struct experiment {
    struct span id; /* "E1" */
    struct span title;
    struct span *claims; /* claim ids it speaks to */
    size_t claim_count;
    struct span kind;              /* one of experiment_kinds */
    struct plan_variant *variants; /* in the order the relation names them */
    size_t variant_count, variant_capacity;
    size_t judged; /* the first so many variants take part in the relation, the rest only in
                      conditions; 0 = all */
    struct plan_condition *conditions;
    size_t condition_count, condition_capacity;
    struct span relation;          /* "A < B", "A/B in [1.9, 2.1]", "constant within 15 %" */
    double tolerance;              /* relative, for ratio | equal | constant | absolute */
    double claimed_lo, claimed_hi; /* absolute and ratio; NAN otherwise */
    struct span claimed, unit;     /* as the text says it: "16.430" "ms" */
    struct plan_fields contract;   /* what the claim was measured under, as far as the text says */
    struct plan_fields scaled;     /* parameters changed to fit the budget: each is drift */
    struct span method, success, failure; /* sentences */
    double budget_seconds;                /* for this experiment; 0 = a fair part of the plan's */
    struct span device;                   /* cpu | cuda | none */
    struct span skip_reason;              /* non-empty: UNRUN with this reason */
    struct plan_change *changes;          /* of an exploration */
    size_t change_count, change_capacity;
};

/* Kinds of experiment and what is judged:
 *   absolute      variant 0 against claimed_lo..claimed_hi
 *   order         every variant is smaller than the next
 *   ratio         variant 0 / variant 1 against claimed_lo..claimed_hi, within tolerance
 *   equal         every variant is the same as the first, within tolerance
 *   constant      (max - min) / median over the variants is at most tolerance
 *   share         variant 0 / variant 1 lies in claimed_lo..claimed_hi (a share of the whole)
 *   first-slower  variant 0, seen once a process, is larger than variant 1
 *   intervention  variant 0 is the baseline, the others change one mechanism each; all are reported
 */
extern const struct word_list experiment_kinds;
enum experiment_kind {
    KIND_ABSOLUTE,
    KIND_ORDER,
    KIND_RATIO,
    KIND_EQUAL,
    KIND_CONSTANT,
    KIND_SHARE,
    KIND_FIRST_SLOWER,
    KIND_INTERVENTION,
};

struct plan {
    struct span backend; /* auto | cuda | cpu | torch */
    double budget_seconds;
    struct experiment *experiments;
    size_t count, capacity;
    /* Experiments of kind intervention that answer no claim: where a workload's time goes, and what
     * single changes do. Their ids are not those of experiments. */
    struct experiment *explorations;
    size_t exploration_count, exploration_capacity;
};

/* Sets or appends a field; the value of a field, or the empty span. */
void plan_fields_set(struct arena *arena, struct plan_fields *fields, struct span name,
                     struct span value);
struct span plan_fields_get(const struct plan_fields *fields, const char *name);
/* As one JSON object {"name": "value"}. */
void plan_fields_write(struct json_writer *w, const char *key, const struct plan_fields *fields);
void plan_fields_read(struct arena *arena, const cJSON *object, struct plan_fields *fields);

/* One experiment alone: what a child process gets on stdin. */
void experiment_write(struct json_writer *w, const char *key, const struct experiment *experiment);
/* On a fault *fault says what is wrong (it lives forever) and false comes back. */
bool experiment_read(struct arena *arena, const cJSON *object, struct experiment *experiment,
                     const char **fault);

void plan_write(struct buffer *out, const struct plan *plan);
bool plan_read(struct arena *arena, struct span json, const char *where, struct plan *plan,
               struct error *error);

#endif
