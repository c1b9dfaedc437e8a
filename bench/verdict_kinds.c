/* Relations judged by intervals of paired log ratios. To confirm, every part must hold, each at
 * alpha (intersection-union: no correction needed); to refute, one part must fail, so alpha is
 * divided by the number of parts. */
#include "bench/verdict_kinds.h"

#include "bench/stats.h"

#include <math.h>

enum experiment_kind experiment_kind_of(const struct experiment *experiment) {
    return (enum experiment_kind)word_value(&experiment_kinds, experiment->kind);
}

static size_t judged(const struct experiment *e) {
    return e->judged ? e->judged : e->variant_count;
}

static double margin_or(double tolerance, double fallback) {
    return tolerance > 0 ? tolerance : fallback; /* NAN is not */
}

/* The smallest ratio taken for a difference: 1 %, or twice the noise floor. */
static double least_difference(const struct result *r) {
    double twice = 2 * r->noise_floor;
    return twice > VERDICT_LEAST ? twice : VERDICT_LEAST;
}

static const double *medians(const struct evidence *v, size_t variant) {
    return v->series->variants[variant].medians;
}

/* ln of variant a over variant b. */
static struct interval_estimate log_ratio(const struct evidence *v, size_t a, size_t b,
                                          double alpha) {
    return stats_log_ratio(medians(v, a), medians(v, b), v->series->process_count, alpha);
}

/* Margins in log scale, infinite for a side without a bound. */
static void put_effect(struct arena *arena, const struct evidence *v, struct result *r, size_t a,
                       size_t b, struct interval_estimate found, double lo, double hi) {
    const struct plan_variant *variants = v->experiment->variants;
    struct effect effect = {
        .meaning = arena_printf(arena, "%.*s / %.*s", SPAN_ARG(variants[a].name),
                                SPAN_ARG(variants[b].name)),
        .estimate = exp(found.estimate),
        .lo = exp(found.lo),
        .hi = exp(found.hi),
        .margin_lo = isinf(lo) ? NAN : exp(lo),
        .margin_hi = isinf(hi) ? NAN : exp(hi),
    };
    LIST_PUSH(arena, r->effects, r->effect_count, r->effect_capacity, effect);
}

static struct span effect_text(struct arena *arena, const struct effect *e) {
    return arena_printf(arena, "%.*s is %.4g (%.4g to %.4g)", SPAN_ARG(e->meaning), e->estimate,
                        e->lo, e->hi);
}

/* What all parts together came to, and the part to tell about. */
struct parts {
    enum truth truth;
    size_t telling; /* index of an effect */
    bool any;
};

static void add_part(struct parts *p, enum truth truth, size_t effect) {
    bool worse = truth == TRUTH_FAILS || (truth == TRUTH_OPEN && p->truth == TRUTH_HOLDS);
    if (!p->any || (worse && p->truth != TRUTH_FAILS)) {
        p->truth = truth;
        p->telling = effect;
    }
    p->any = true;
}

/* The noise gate: a margin that the noise floor could fill decides nothing. */
static bool too_noisy(struct arena *arena, const struct result *r, double margin,
                      struct judgement *found) {
    if (!(r->noise_floor > margin / 2))
        return false;
    *found = (struct judgement){
        TRUTH_OPEN,
        arena_printf(arena,
                     "the same thing under two names differs by %.2g %%, more than half "
                     "of the margin of %.2g %%",
                     100 * r->noise_floor, 100 * margin)};
    return true;
}

static struct judgement tell(struct arena *arena, const struct result *r, const struct parts *p,
                             const char *rule) {
    if (!p->any)
        return (struct judgement){TRUTH_OPEN, SPAN("nothing to compare")};
    struct span text = effect_text(arena, &r->effects[p->telling]);
    const char *verb = p->truth == TRUTH_HOLDS   ? "as claimed"
                       : p->truth == TRUTH_FAILS ? "against"
                                                 : "undecided";
    return (struct judgement){p->truth,
                              arena_printf(arena, "%.*s, %s: %s", SPAN_ARG(text), verb, rule)};
}

/* a < b: below 1 less the least difference. Refuted when the order is reversed, or when both are
 * the same within 1 % and the noise allows to say so. */
static enum truth judge_less(const struct evidence *v, struct result *r, size_t a, size_t b,
                             size_t parts, struct arena *arena) {
    double least = least_difference(r);
    struct interval_estimate found = log_ratio(v, a, b, v->alpha);
    put_effect(arena, v, r, a, b, found, -INFINITY, -log1p(least));
    if (found.hi < -log1p(least))
        return TRUTH_HOLDS;
    struct interval_estimate wide = log_ratio(v, a, b, v->alpha / (double)parts);
    bool reversed = wide.lo > log1p(least);
    bool same = wide.lo > -log1p(VERDICT_LEAST) && !(r->noise_floor > VERDICT_LEAST / 2);
    return reversed || same ? TRUTH_FAILS : TRUTH_OPEN;
}

static void judge_pair(struct parts *p, const struct evidence *v, struct result *r, size_t a,
                       size_t b, size_t parts, struct arena *arena) {
    enum truth truth = judge_less(v, r, a, b, parts, arena); /* appends the effect */
    add_part(p, truth, r->effect_count - 1);
}

static struct judgement judge_order(struct arena *arena, const struct evidence *v,
                                    struct result *r) {
    struct parts p = {0};
    size_t count = judged(v->experiment);
    for (size_t i = 0; i + 1 < count; i++)
        judge_pair(&p, v, r, i, i + 1, count - 1, arena);
    return tell(arena, r, &p, "smaller means below 1 by 1 % and by twice the noise floor");
}

static struct judgement judge_first_slower(struct arena *arena, const struct evidence *v,
                                           struct result *r) {
    struct parts p = {0};
    if (judged(v->experiment) > 1)
        judge_pair(&p, v, r, 1, 0, 1, arena);
    return tell(arena, r, &p, "the first must take longer by 1 % and by twice the noise floor");
}

/* One ratio against claimed bounds widened by a tolerance. */
static struct judgement judge_ratio(struct arena *arena, const struct evidence *v, struct result *r,
                                    double tolerance) {
    const struct experiment *e = v->experiment;
    struct judgement noisy;
    struct parts p = {0};
    double lo = e->claimed_lo > 0 ? log(e->claimed_lo) - log1p(tolerance) : -INFINITY;
    double hi = e->claimed_hi > 0 ? log(e->claimed_hi) + log1p(tolerance) : INFINITY;
    if (judged(e) < 2 || (isinf(lo) && isinf(hi)))
        return (struct judgement){TRUTH_OPEN, SPAN("the plan has no claimed ratio to compare")};
    struct interval_estimate found = log_ratio(v, 0, 1, v->alpha);
    put_effect(arena, v, r, 0, 1, found, lo, hi);
    if (isfinite(lo) && isfinite(hi) && too_noisy(arena, r, (hi - lo) / 2, &noisy))
        return noisy;
    add_part(&p, truth_within(found.lo, found.hi, lo, hi), 0);
    return tell(arena, r, &p,
                arena_printf(arena, "claimed %.4g to %.4g within %.3g %%", e->claimed_lo,
                             e->claimed_hi, 100 * tolerance)
                    .at);
}

static struct judgement judge_equal(struct arena *arena, const struct evidence *v,
                                    struct result *r) {
    double tolerance = margin_or(v->experiment->tolerance, VERDICT_LEAST);
    double margin = log1p(tolerance);
    size_t count = judged(v->experiment);
    struct judgement noisy;
    struct parts p = {0};
    for (size_t i = 1; i < count; i++) {
        struct interval_estimate found = log_ratio(v, i, 0, v->alpha);
        struct interval_estimate wide = log_ratio(v, i, 0, v->alpha / (double)(count - 1));
        enum truth truth = truth_within(found.lo, found.hi, -margin, margin);
        if (truth == TRUTH_FAILS)
            truth = truth_within(wide.lo, wide.hi, -margin, margin);
        put_effect(arena, v, r, i, 0, found, -margin, margin);
        add_part(&p, truth, r->effect_count - 1);
    }
    if (too_noisy(arena, r, tolerance, &noisy))
        return noisy;
    return tell(arena, r, &p,
                arena_printf(arena, "equal means within %.3g %%", 100 * tolerance).at);
}

/* (a - b) / median of all variants, process by process: largest over the pairs is the spread. */
static struct interval_estimate spread(struct arena *arena, const struct evidence *v, size_t a,
                                       size_t b, double alpha) {
    size_t n = v->series->process_count, count = judged(v->experiment), kept = 0;
    double *differences = arena_array(arena, n, sizeof *differences);
    double *all = arena_array(arena, count, sizeof *all);
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < count; k++)
            all[k] = medians(v, k)[i];
        double value = (all[a] - all[b]) / stats_median(all, count);
        if (isfinite(value))
            differences[kept++] = value;
    }
    return stats_mean_interval(differences, kept, alpha);
}

static void put_spread(struct arena *arena, const struct evidence *v, struct result *r, size_t a,
                       size_t b, struct interval_estimate found, double tolerance) {
    const struct plan_variant *variants = v->experiment->variants;
    struct effect effect = {arena_printf(arena, "(%.*s - %.*s) / median",
                                         SPAN_ARG(variants[a].name), SPAN_ARG(variants[b].name)),
                            found.estimate,
                            found.lo,
                            found.hi,
                            -tolerance,
                            tolerance};
    LIST_PUSH(arena, r->effects, r->effect_count, r->effect_capacity, effect);
}

static struct judgement judge_constant(struct arena *arena, const struct evidence *v,
                                       struct result *r) {
    double tolerance = margin_or(v->experiment->tolerance, 0.15);
    size_t count = judged(v->experiment), pairs = count * (count - 1) / 2;
    struct judgement noisy;
    struct parts p = {0};
    for (size_t a = 0; a < count; a++)
        for (size_t b = a + 1; b < count; b++) {
            struct interval_estimate found = spread(arena, v, a, b, v->alpha);
            struct interval_estimate wide = spread(arena, v, a, b, v->alpha / (double)pairs);
            enum truth truth = truth_within(found.lo, found.hi, -tolerance, tolerance);
            if (truth == TRUTH_FAILS)
                truth = truth_within(wide.lo, wide.hi, -tolerance, tolerance);
            put_spread(arena, v, r, a, b, found, tolerance);
            add_part(&p, truth, r->effect_count - 1);
        }
    if (too_noisy(arena, r, tolerance, &noisy))
        return noisy;
    return tell(
        arena, r, &p,
        arena_printf(arena, "constant means no pair further apart than %.3g %%", 100 * tolerance)
            .at);
}

/* A mechanism is confirmed when taking it away changes the number beyond the noise. */
static struct judgement judge_intervention(struct arena *arena, const struct evidence *v,
                                           struct result *r) {
    double least = log1p(least_difference(r));
    size_t count = judged(v->experiment);
    struct parts p = {0};
    for (size_t i = 1; i < count; i++) {
        struct interval_estimate found = log_ratio(v, i, 0, v->alpha);
        struct interval_estimate wide = log_ratio(v, i, 0, v->alpha / (double)(count - 1));
        enum truth truth = truth_within(found.lo, found.hi, -least, least);
        if (truth != TRUTH_OPEN)
            truth = truth == TRUTH_FAILS ? TRUTH_HOLDS : TRUTH_FAILS;
        if (truth == TRUTH_FAILS)
            truth = truth_within(wide.lo, wide.hi, -least, least) == TRUTH_HOLDS ? TRUTH_FAILS
                                                                                 : TRUTH_OPEN;
        put_effect(arena, v, r, i, 0, found, -least, least);
        add_part(&p, truth, r->effect_count - 1);
    }
    return tell(arena, r, &p, "an effect means outside 1 % and twice the noise floor");
}

/* Nanoseconds in a time unit, whatever it is counted per; 0 for others. */
static double unit_ns(struct span unit) {
    static const struct {
        const char *name;
        double ns;
    } units[] = {{"ns", 1}, {"us", 1e3}, {"µs", 1e3}, {"μs", 1e3}, {"ms", 1e6}, {"s", 1e9}};
    size_t slash = span_find_byte(unit, '/', 0);
    struct span name = span_slice(unit, 0, slash == SIZE_MAX ? unit.len : slash);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (span_equal(name, span_of(units[i].name)))
            return units[i].ns;
    return 0;
}

/* Measured unit over claimed unit; NAN when they cannot be compared. */
static double unit_factor(struct span measured, struct span claimed) {
    if (span_equal(measured, claimed))
        return 1;
    double from = unit_ns(measured), to = unit_ns(claimed);
    return from > 0 && to > 0 ? from / to : NAN;
}

static struct judgement judge_absolute(struct arena *arena, const struct evidence *v,
                                       struct result *r) {
    const struct experiment *e = v->experiment;
    bool same = v->match == MATCH_SAME_SOFTWARE;
    double tolerance = margin_or(e->tolerance, 0.05) * (same ? 1 : 2);
    double factor = e->variant_count ? unit_factor(v->series->variants[0].unit, e->unit) : NAN;
    size_t n = v->series->process_count, kept = 0;
    double *logs = arena_array(arena, n, sizeof *logs);
    struct judgement noisy;
    if (isnan(factor) || !(e->claimed_lo > 0) || !(e->claimed_hi > 0))
        return (struct judgement){TRUTH_OPEN,
                                  SPAN("the claimed value has no unit to compare this one with")};
    for (size_t i = 0; i < n; i++)
        if (medians(v, 0)[i] > 0)
            logs[kept++] = log(medians(v, 0)[i] * factor);
    struct interval_estimate found = stats_mean_interval(logs, kept, v->alpha);
    double lo = log(e->claimed_lo) - log1p(tolerance), hi = log(e->claimed_hi) + log1p(tolerance);
    struct effect effect = {
        arena_printf(arena, "%.*s, in %.*s", SPAN_ARG(e->variants[0].name), SPAN_ARG(e->unit)),
        exp(found.estimate),
        exp(found.lo),
        exp(found.hi),
        exp(lo),
        exp(hi)};
    LIST_PUSH(arena, r->effects, r->effect_count, r->effect_capacity, effect);
    if (too_noisy(arena, r, tolerance, &noisy))
        return noisy;
    struct parts p = {0};
    enum truth truth = truth_within(found.lo, found.hi, lo, hi);
    add_part(&p, truth == TRUTH_FAILS && !same ? TRUTH_OPEN : truth, 0);
    return tell(
        arena, r, &p,
        arena_printf(arena, "claimed %.*s within %.3g %%", SPAN_ARG(e->claimed), 100 * tolerance)
            .at);
}

/* A ratio travels to other hardware less well than within one. */
static double ratio_tolerance(const struct evidence *v) {
    return margin_or(v->experiment->tolerance, v->match >= MATCH_SAME_SKU ? 0.10 : 0.25);
}

struct judgement judge_relation(struct arena *arena, const struct evidence *v, struct result *r) {
    double share_tolerance = margin_or(v->experiment->tolerance, 0);
    switch (experiment_kind_of(v->experiment)) {
    case KIND_ABSOLUTE:
        return judge_absolute(arena, v, r);
    case KIND_ORDER:
        return judge_order(arena, v, r);
    case KIND_RATIO:
        return judge_ratio(arena, v, r, ratio_tolerance(v));
    case KIND_EQUAL:
        return judge_equal(arena, v, r);
    case KIND_CONSTANT:
        return judge_constant(arena, v, r);
    case KIND_SHARE:
        return judge_ratio(arena, v, r, share_tolerance);
    case KIND_FIRST_SLOWER:
        return judge_first_slower(arena, v, r);
    case KIND_INTERVENTION:
        return judge_intervention(arena, v, r);
    }
    return (struct judgement){TRUTH_OPEN, SPAN("an experiment of unknown kind")};
}
