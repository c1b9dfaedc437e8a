#include "bench/plan.h"

#include <math.h>
#include <stdint.h>

enum { DEFAULT_BUDGET_SECONDS = 60, MOST_ABSOLUTE = 200 };
#define EXPLORATION_PART 0.2 /* of the budget */

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

/* The number of a listing or table, as precise or more, that a number of the prose repeats, or
 * NULL: inside what its digits stand for, in its unit or in any when it has none. The nearest
 * before it counts.
 */
static const struct quantity *restated(const struct claims *claims, const struct claim *c,
                                       const struct quantity *q) {
    enum { MOST_BACK = 2000 };
    if (c->block != BLOCK_PROSE || q->value != q->value_high)
        return NULL;
    size_t last = c->first_quantity > MOST_BACK ? c->first_quantity - MOST_BACK : 0;
    for (size_t i = c->first_quantity; i-- > last;) {
        const struct quantity *s = &claims->quantities[i];
        bool same = q->unit.len == 0 || span_equal(q->unit, s->unit);
        if (same && s->role == ROLE_MEASUREMENT && s->claim < claims->count &&
            claims->claims[s->claim].block != BLOCK_PROSE && s->value == s->value_high &&
            s->hi - s->lo <= (q->hi - q->lo) * (1 + 1e-9) && s->value >= q->lo && s->value <= q->hi)
            return s;
    }
    return NULL;
}

static const struct timing *timing_at(const struct timings *timings, const struct quantity *q) {
    for (size_t i = 0; q && i < timings->count; i++)
        if (timings->items[i].quantity == q)
            return &timings->items[i];
    return NULL;
}

static struct span title_of(struct arena *arena, const struct claim *c, const struct quantity *q,
                            struct span unit) {
    enum { MOST_BYTES = 60 };
    struct span about = span_trim(span_slice(q->subject, 0, 80));
    bool sentence = c->quote.len && strchr(".!?", c->quote.at[c->quote.len - 1]);
    if (c->block == BLOCK_PROSE && sentence) {
        size_t end = MOST_BYTES < c->quote.len ? MOST_BYTES : c->quote.len;
        while (end < c->quote.len && end > 0 && c->quote.at[end] != ' ')
            end--;
        about = arena_printf(arena, "\xe2\x80\x9c%.*s%s\xe2\x80\x9d", (int)end, c->quote.at,
                             end < c->quote.len ? "\xe2\x80\xa6" : "");
    }
    return arena_printf(arena, "%.*s: %.*s%s%.*s", SPAN_ARG(about), SPAN_ARG(q->printed),
                        unit.len ? " " : "", SPAN_ARG(unit));
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
    e.title = title_of(arena, c, q, e.unit);
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

/* One more claim that states the experiment's value. */
static void add_claim(struct arena *arena, struct experiment *e, struct span id) {
    struct span *claims = arena_array(arena, e->claim_count + 1, sizeof *claims);
    memcpy(claims, e->claims, e->claim_count * sizeof *claims);
    claims[e->claim_count++] = id;
    e->claims = claims;
}

static void plan_absolute(struct arena *arena, const struct claims *claims,
                          const struct timings *timings, const struct planned_workload *workload,
                          struct plan *plan) {
    size_t planned = 0, first = plan->count;
    const struct quantity *planned_for[MOST_ABSOLUTE];
    for (size_t i = 0; i < claims->count && planned < MOST_ABSOLUTE; i++) {
        const struct claim *c = &claims->claims[i];
        const struct timing *timing = timing_of(timings, c);
        const struct quantity *q =
            c->kind == CLAIM_MEASUREMENT ? headline(claims, c, timing) : NULL;
        if (!q)
            continue;
        struct quantity stated = *q;
        const struct quantity *source = restated(claims, c, q);
        if (source) {
            q = source;
            timing = timing_at(timings, source) ? timing_at(timings, source) : timing;
            stated.unit = source->unit;
            stated.per = source->per;
        }
        size_t same = 0;
        while (same < planned && planned_for[same] != q)
            same++;
        if (same < planned) {
            add_claim(arena, &plan->experiments[first + same], c->id);
            continue;
        }
        struct experiment e = absolute(arena, c, &stated, timing, workload);
        LIST_PUSH(arena, plan->experiments, plan->count, plan->capacity, e);
        planned_for[planned++] = q;
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
    if (workload.name.len)
        plan_exploration(arena, &workload, false, plan->budget_seconds * EXPLORATION_PART, plan);
    plan_absolute(arena, claims, &timings, &workload, plan);
    for (size_t i = 0; i < plan->count; i++) {
        plan->experiments[i].id = arena_printf(arena, "E%zu", i + 1);
        if (i < relations)
            plan->experiments[i].budget_seconds = plan->budget_seconds / (double)relations;
    }
    return true;
}
