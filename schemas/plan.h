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

/* What is measured: one variant is one metric of one workload at one boundary. */
struct plan_variant {
    struct span name;              /* "loop 20, reported"; key of its samples */
    struct span workload;          /* "mlp" */
    struct plan_fields parameters; /* dim, depth, batch, mode, optimizer, count ... */
    struct span boundary; /* host-return | loop-unsynchronized | loop-synchronized | per-iteration |
                             events | first-call | warmed-median | queue-depth */
    struct span metric;   /* "ms/step" */
};

struct experiment {
    struct span id; /* "E1" */
    struct span title;
    struct span *claims; /* claim ids it speaks to */
    size_t claim_count;
    struct span kind; /* absolute | order | ratio | equal | constant | first-slower | model */
    struct plan_variant *variants;
    size_t variant_count, variant_capacity;
    struct span relation;          /* "A < B", "A/B in [1.9, 2.1]", "constant within 15 %" */
    double tolerance;              /* relative, for ratio | equal | constant | absolute */
    double claimed_lo, claimed_hi; /* absolute and ratio; NAN otherwise */
    struct span claimed, unit;     /* as the text says it: "16.430" "ms" */
    struct plan_fields contract;   /* what the claim was measured under, as far as the text says */
    struct plan_fields scaled;     /* parameters changed to fit the budget: each is drift */
    struct span method, success, failure; /* sentences */
    double budget_seconds;
    struct span device;      /* cpu | cuda | none */
    struct span skip_reason; /* non-empty: UNRUN with this reason */
};

struct plan {
    struct span backend; /* auto | cuda | cpu | torch */
    double budget_seconds;
    struct experiment *experiments;
    size_t count, capacity;
};

void plan_write(struct buffer *out, const struct plan *plan);
bool plan_read(struct arena *arena, struct span json, const char *where, struct plan *plan,
               struct error *error);

#endif
