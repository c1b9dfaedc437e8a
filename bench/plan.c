#include "bench/plan.h"

#include <math.h>
#include <stdint.h>

enum { DEFAULT_BUDGET_SECONDS = 60, MOST_ABSOLUTE = 200 };

static const struct timing *timing_of(const struct timings *timings, const struct claim *c) {
    const struct timing *found = NULL;
    for (size_t i = 0; i < timings->count; i++)
        if (timings->items[i].claim == c && (!found || timings->items[i].kind == TIMING_REAL))
            found = &timings->items[i];
    return found;
}

/* The number a claim is about: what the planner read, else its first measurement. */
static const struct quantity *headline(const struct claims *claims, const struct claim *c,
                                       const struct timing *timing) {
    if (timing)
        return timing->quantity;
    for (size_t i = c->first_quantity; i < c->first_quantity + c->quantity_count; i++)
        if (claims->quantities[i].role == ROLE_MEASUREMENT)
            return &claims->quantities[i];
    return NULL;
}

static struct experiment absolute(struct arena *arena, const struct claim *c,
                                  const struct quantity *q, const struct timing *timing,
                                  const struct planned_workload *workload) {
    struct experiment e = {
        .kind = span_of(word_of(&experiment_kinds, KIND_ABSOLUTE)),
        .tolerance = 0.05,
        .claimed_lo = q->lo,
        .claimed_hi = q->hi,
        .claimed = q->printed,
        .unit = q->per.len ? arena_printf(arena, "%.*s/%.*s", SPAN_ARG(q->unit), SPAN_ARG(q->per))
                           : q->unit,
        .contract = workload->contract,
        .scaled = workload->scaled,
        .device = SPAN("cpu")};
    e.claims = arena_array(arena, 1, sizeof *e.claims);
    e.claims[e.claim_count++] = c->id;
    e.title = arena_printf(arena, "%.*s: %.*s %.*s", SPAN_ARG(span_slice(q->subject, 0, 80)),
                           SPAN_ARG(q->printed), SPAN_ARG(e.unit));
    e.relation = arena_printf(arena, "the median lies in [%.10g, %.10g] %.*s, within 5 %%", q->lo,
                              q->hi, SPAN_ARG(e.unit));
    e.method = SPAN("Measure the same workload at the same boundary and take one median a process. "
                    "Only a machine with the claim's hardware and software can say anything.");
    e.success = SPAN("The contract has no drift and the interval of the median meets the claim.");
    e.failure = SPAN("The contract has no drift and the interval of the median misses the claim.");
    if (workload->name.len == 0 || !timing) {
        e.skip_reason =
            workload->name.len
                ? SPAN("no boundary of this program measures what the claim's words describe")
                : workload->why;
        return e;
    }
    struct plan_variant v = plan_variant_of(arena, workload, timing->kind, timing->loop);
    LIST_PUSH(arena, e.variants, e.variant_count, e.variant_capacity, v);
    return e;
}

static void plan_absolute(struct arena *arena, const struct claims *claims,
                          const struct timings *timings, const struct planned_workload *workload,
                          struct plan *plan) {
    size_t planned = 0;
    for (size_t i = 0; i < claims->count && planned < MOST_ABSOLUTE; i++) {
        const struct claim *c = &claims->claims[i];
        const struct timing *timing = timing_of(timings, c);
        const struct quantity *q =
            c->kind == CLAIM_MEASUREMENT ? headline(claims, c, timing) : NULL;
        if (!q)
            continue;
        struct experiment e = absolute(arena, c, q, timing, workload);
        LIST_PUSH(arena, plan->experiments, plan->count, plan->capacity, e);
        planned++;
    }
}

bool plan_build(struct arena *arena, const struct claims *claims, const struct brief *brief,
                const char *backend, double budget_seconds, struct plan *plan,
                struct error *error) {
    (void)error;
    *plan = (struct plan){.backend = span_of(backend ? backend : "auto"),
                          .budget_seconds =
                              budget_seconds > 0 ? budget_seconds : DEFAULT_BUDGET_SECONDS};
    struct timings timings = plan_timings(arena, claims);
    struct planned_workload workload =
        plan_workload(arena, claims, brief, &timings, plan->budget_seconds);
    if (workload.name.len)
        plan_relations(arena, &timings, &workload, plan);
    size_t relations = plan->count;
    plan_absolute(arena, claims, &timings, &workload, plan);
    for (size_t i = 0; i < plan->count; i++) {
        plan->experiments[i].id = arena_printf(arena, "E%zu", i + 1);
        if (i < relations)
            plan->experiments[i].budget_seconds = plan->budget_seconds / (double)relations;
    }
    return true;
}
