/* The gates before the statistics, in order: match, preconditions, environment, noise. */
#include "bench/verdict.h"
#include "bench/verdict_kinds.h"

#include "bench/stats.h"

#include <math.h>

enum truth truth_within(double lo, double hi, double margin_lo, double margin_hi) {
    if (isnan(lo) || isnan(hi))
        return TRUTH_OPEN;
    if (lo >= margin_lo && hi <= margin_hi)
        return TRUTH_HOLDS;
    return hi < margin_lo || lo > margin_hi ? TRUTH_FAILS : TRUTH_OPEN;
}

static size_t variant_index(const struct experiment *e, struct span name) {
    size_t i = 0;
    while (i < e->variant_count && !span_equal(e->variants[i].name, name))
        i++;
    return i;
}

/* --- preconditions --- */

static enum truth judge_condition(const struct evidence *v, const struct plan_condition *c,
                                  struct condition_result *found) {
    *found = (struct condition_result){c->text, NAN, c->at_most, false, false};
    size_t left = variant_index(v->experiment, c->left);
    size_t right = variant_index(v->experiment, c->right);
    if (left == v->experiment->variant_count || right == v->experiment->variant_count)
        return TRUTH_OPEN;
    struct interval_estimate ratio =
        stats_log_ratio(v->series->variants[left].medians, v->series->variants[right].medians,
                        v->series->process_count, v->alpha);
    enum truth truth = truth_within(ratio.lo, ratio.hi, -INFINITY, log(c->at_most));
    found->value = exp(ratio.estimate);
    found->known = truth != TRUTH_OPEN;
    found->held = truth == TRUTH_HOLDS;
    return truth;
}

/* The worst of all: one false precondition is enough. */
static enum truth judge_conditions(struct arena *arena, const struct evidence *v, struct result *r,
                                   const struct condition_result **worst) {
    enum truth all = TRUTH_HOLDS;
    const struct experiment *e = v->experiment;
    for (size_t i = 0; i < e->condition_count; i++) {
        struct condition_result found;
        enum truth truth = judge_condition(v, &e->conditions[i], &found);
        LIST_PUSH(arena, r->conditions, r->condition_count, r->condition_capacity, found);
        if (truth == TRUTH_FAILS || (truth == TRUTH_OPEN && all == TRUTH_HOLDS))
            all = truth;
    }
    for (size_t i = 0; i < r->condition_count && all != TRUTH_HOLDS; i++)
        if (r->conditions[i].known == (all == TRUTH_FAILS) && !r->conditions[i].held)
            *worst = &r->conditions[i];
    return all;
}

static bool pass_conditions(struct arena *arena, const struct evidence *v, struct result *r) {
    const struct condition_result *c = NULL;
    enum truth truth = judge_conditions(arena, v, r, &c);
    if (truth == TRUTH_HOLDS)
        return true;
    r->status = truth == TRUTH_FAILS ? EXPERIMENT_NOT_COMPARABLE : EXPERIMENT_INCONCLUSIVE;
    r->reason = arena_printf(arena, "precondition %s: %.*s (found %.3g, at most %.3g)",
                             truth == TRUTH_FAILS ? "does not hold here" : "could not be decided",
                             SPAN_ARG(c->text), c->value, c->at_most);
    return false;
}

/* --- gates --- */

static struct span drift_names(struct arena *arena, const struct result *r) {
    struct span names = r->drift_count ? r->drift[0].field : SPAN("the whole contract");
    for (size_t i = 1; i < r->drift_count; i++)
        names = arena_printf(arena, "%.*s, %.*s", SPAN_ARG(names), SPAN_ARG(r->drift[i].field));
    return names;
}

/* An absolute number says something only where everything else is the same; with other software
 * alone it is judged with a wider margin, see judge_absolute. */
bool verdict_is_foregone(struct arena *arena, const struct experiment *e, struct result *r) {
    if (experiment_kind_of(e) != KIND_ABSOLUTE ||
        word_value(&match_words, r->match) >= MATCH_SAME_SKU)
        return false;
    struct span names = drift_names(arena, r);
    r->status = EXPERIMENT_NOT_COMPARABLE;
    r->reason =
        arena_printf(arena, "an absolute value, and this run differs in: %.*s", SPAN_ARG(names));
    return true;
}

/* More than one in ten is too many. */
static bool too_many(size_t part, size_t all) {
    return part * 10 > all;
}

static bool inconclusive(struct result *r, struct span reason) {
    r->status = EXPERIMENT_INCONCLUSIVE;
    r->reason = reason;
    return false;
}

static bool pass_count(struct arena *arena, const struct evidence *v, struct result *r) {
    size_t n = v->series->process_count;
    if (n < VERDICT_PROCESSES)
        return inconclusive(r, arena_printf(arena,
                                            "%zu of at least %d processes finished; give it more "
                                            "time with --budget",
                                            n, VERDICT_PROCESSES));
    return true;
}

/* No disturbance that leaves the mirrored order standing doubles a time: an order confirmed by more
 * than that stands. */
#define BEYOND_DISTURBANCE 0.5

static bool stands_disturbed(const struct evidence *v, const struct judgement *found,
                             const struct result *r) {
    enum experiment_kind kind = experiment_kind_of(v->experiment);
    if ((kind != KIND_ORDER && kind != KIND_FIRST_SLOWER) || found->truth != TRUTH_HOLDS)
        return false;
    for (size_t i = 0; i < r->effect_count; i++)
        if (!(r->effects[i].hi < BEYOND_DISTURBANCE))
            return false;
    return true;
}

static bool pass_environment(struct arena *arena, const struct evidence *v,
                             const struct judgement *found, struct result *r) {
    size_t n = v->series->process_count;
    if (too_many(v->disturbed, n) && !stands_disturbed(v, found, r))
        return inconclusive(
            r, arena_printf(arena, "%zu of %zu processes were disturbed: %.*s", v->disturbed, n,
                            SPAN_ARG(r->disturbance_count ? r->disturbances[0] : SPAN("unknown"))));
    if (v->runs && v->unsteady * 2 > v->runs)
        return inconclusive(
            r, arena_printf(arena, "no steady state in %zu of %zu runs", v->unsteady, v->runs));
    return true;
}

static double noise_floor(const struct evidence *v) {
    const struct series_set *s = v->series;
    if (s->sham_variant >= s->variant_count)
        return NAN;
    return stats_noise_floor(s->variants[s->sham_variant].medians, s->sham, s->process_count,
                             v->timer_step);
}

static void put_measured(struct arena *arena, const struct evidence *v, struct result *r) {
    for (size_t i = 0; i < v->experiment->variant_count; i++) {
        struct measured m = series_measured(
            &v->series->variants[i], v->experiment->variants[i].name, v->series->process_count);
        LIST_PUSH(arena, r->measured, r->measured_count, r->measured_capacity, m);
    }
}

void verdict_judge(struct arena *arena, const struct evidence *v, struct result *r) {
    r->noise_floor = noise_floor(v);
    put_measured(arena, v, r);
    /* The relation is worked out even where a gate forbids a verdict: its numbers are evidence. */
    struct judgement found = judge_relation(arena, v, r);
    if (verdict_is_foregone(arena, v->experiment, r) || !pass_count(arena, v, r) ||
        !pass_conditions(arena, v, r) || !pass_environment(arena, v, &found, r))
        return;
    r->reason = found.reason;
    if (found.truth == TRUTH_HOLDS)
        r->status = EXPERIMENT_REPRODUCED;
    else
        r->status =
            found.truth == TRUTH_FAILS ? EXPERIMENT_NOT_REPRODUCED : EXPERIMENT_INCONCLUSIVE;
}

bool verdict_is_open(const struct evidence *v, const struct result *r) {
    return r->status == EXPERIMENT_INCONCLUSIVE && !(v->runs && v->unsteady * 2 > v->runs);
}
