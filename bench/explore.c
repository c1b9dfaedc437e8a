#include "bench/explore.h"

#include "bench/localize.h"
#include "bench/stats.h"

#include <math.h>

struct scene {
    struct arena *arena;
    const struct experiment *experiment;
    const struct series_set *series;
    double noise;     /* relative; NAN: no sham */
    size_t disturbed; /* processes */
};

/* The median a process of variant "CONFIG: METRIC"; NULL when the plan has no such variant. */
static const double *values_of(const struct scene *s, struct span config, const char *metric) {
    struct span name = arena_printf(s->arena, "%.*s: %s", SPAN_ARG(config), metric);
    for (size_t i = 0; i < s->experiment->variant_count; i++)
        if (span_equal(s->experiment->variants[i].name, name))
            return s->series->variants[i].medians;
    return NULL;
}

/* Median over the processes that have it. */
static double median_of(const struct scene *s, struct span config, const char *metric) {
    const double *values = values_of(s, config, metric);
    double *known = arena_array(s->arena, s->series->process_count + 1, sizeof *known);
    size_t count = 0;
    for (size_t i = 0; values && i < s->series->process_count; i++)
        if (isfinite(values[i]))
            known[count++] = values[i];
    return stats_median(known, count);
}

static double baseline(const struct scene *s, const char *metric) {
    return median_of(s, SPAN("baseline"), metric);
}

/* --- where the time goes --- */

static struct span limit_of(const struct phase_row *row) {
    bool arithmetic = row->of_gemm >= LIMIT_FRACTION, memory = row->of_copy >= LIMIT_FRACTION;
    if (!arithmetic && !memory)
        return SPAN("neither");
    return arithmetic && (!memory || row->of_gemm >= row->of_copy) ? SPAN("arithmetic")
                                                                   : SPAN("memory");
}

static void add_phase(const struct scene *s, struct localization_result *l, const char *name) {
    struct phase_row row = {.name = span_of(name), .ms = baseline(s, name)};
    row.gflops = baseline(s, arena_printf(s->arena, "%s.flops", name).at);
    row.gbs = baseline(s, arena_printf(s->arena, "%s.bytes", name).at);
    row.of_gemm = row.gflops / l->gemm_gflops;
    row.of_copy = row.gbs / l->copy_gbs;
    row.limit = limit_of(&row);
    LIST_PUSH(s->arena, l->phases, l->phase_count, l->phase_capacity, row);
}

static void localize_step(const struct scene *s, struct localization_result *l) {
    static const char *const names[] = {"copies", "forward", "loss", "backward", "optimizer"};
    l->gemm_gflops = baseline(s, "gemm");
    l->copy_gbs = baseline(s, "copy");
    l->host_ms = baseline(s, "host");
    l->synchronized_ms = baseline(s, "step");
    l->idle_ms = baseline(s, "idle");
    l->step_ms = isnan(l->idle_ms) ? 0 : l->idle_ms;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        add_phase(s, l, names[i]);
        l->step_ms += l->phases[i].ms;
    }
    l->known = isfinite(l->step_ms) && isfinite(l->gemm_gflops) && l->step_ms > 0;
    if (l->known)
        explore_limit(s->arena, l);
}

static const struct phase_row *longest(const struct localization_result *l) {
    const struct phase_row *found = &l->phases[0];
    for (size_t i = 1; i < l->phase_count; i++)
        if (l->phases[i].ms > found->ms)
            found = &l->phases[i];
    return found;
}

static bool limited_outside(struct arena *arena, struct localization_result *l) {
    double copies = 0, waiting = l->synchronized_ms - l->step_ms;
    for (size_t i = 0; i < l->phase_count; i++)
        if (span_equal(l->phases[i].name, SPAN("copies")))
            copies = l->phases[i].ms;
    if (l->idle_ms > IDLE_FRACTION * l->step_ms) {
        l->limit = SPAN("host");
        l->proof = arena_printf(arena,
                                "in a loop without waiting the device has nothing to run for %.3g "
                                "of %.3g ms a step; submitting one takes %.3g ms",
                                l->idle_ms, l->step_ms, l->host_ms);
    } else if (copies > IDLE_FRACTION * l->step_ms) {
        l->limit = SPAN("input");
        l->proof =
            arena_printf(arena, "copying input takes %.3g of %.3g ms a step", copies, l->step_ms);
    } else if (waiting > IDLE_FRACTION * l->synchronized_ms) {
        l->limit = SPAN("synchronization");
        l->proof = arena_printf(arena,
                                "a step takes %.3g ms when each is waited for, %.3g ms in a loop "
                                "that is waited for once",
                                l->synchronized_ms, l->step_ms);
    } else {
        return false;
    }
    return true;
}

void explore_limit(struct arena *arena, struct localization_result *l) {
    const struct phase_row *row = longest(l);
    if (limited_outside(arena, l))
        return;
    l->limit = row->limit;
    l->proof = arena_printf(arena,
                            "%.*s takes %.3g of %.3g ms a step, at %.3g GFLOP/s (%.0f %% of what "
                            "GEMM reaches here) and %.3g GB/s (%.0f %% of what copying reaches)",
                            SPAN_ARG(row->name), row->ms, l->step_ms, row->gflops,
                            100 * row->of_gemm, row->gbs, 100 * row->of_copy);
}

/* --- what a change did --- */

static void add_dimension(const struct scene *s, struct change_result *c, const char *name,
                          const char *unit, double before, double after) {
    struct dimension d = {span_of(name), span_of(unit), before, after};
    if (isfinite(before) || isfinite(after))
        LIST_PUSH(s->arena, c->dimensions, c->dimension_count, c->dimension_capacity, d);
}

static double batch_of(const struct scene *s, const struct plan_change *change) {
    double batch = NAN;
    size_t value;
    struct span text = change ? plan_fields_get(&change->parameters, "batch") : SPAN("");
    if (text.len == 0)
        text = plan_fields_get(&s->experiment->variants[0].parameters, "batch");
    if (span_to_size(text, SIZE_MAX, &value))
        batch = (double)value;
    return batch;
}

static void measure_dimensions(const struct scene *s, const struct plan_change *change,
                               struct change_result *c) {
    static const char *const memory[] = {"peak",        "parameters", "gradients", "optimizer",
                                         "activations", "data",       "workspace"};
    double step = baseline(s, "step"), changed = median_of(s, c->name, "step");
    double host = baseline(s, "host"), changed_host = median_of(s, c->name, "host");
    add_dimension(s, c, "time a step", "ms", step, changed);
    add_dimension(s, c, "throughput", "examples/s", 1e3 * batch_of(s, NULL) / step,
                  1e3 * batch_of(s, change) / changed);
    add_dimension(s, c, "host share", "of the step", host / step, changed_host / changed);
    for (size_t i = 0; i < sizeof memory / sizeof *memory; i++) {
        const char *metric = arena_printf(s->arena, "memory %s", memory[i]).at;
        double before = baseline(s, metric), after = median_of(s, c->name, metric);
        if (before > 0 || after > 0)
            add_dimension(s, c, arena_printf(s->arena, "memory, %s", memory[i]).at, "MB", before,
                          after);
    }
}

static void set(struct change_result *c, enum change_verdict verdict, struct span reason) {
    c->verdict = span_of(word_of(&change_words, (int)verdict));
    c->reason = reason;
}

/* True when the results are the same within tolerance. A change that only moves the clock has no
 * result of its own: it computes what the baseline computes. */
static bool equivalent(const struct scene *s, struct change_result *c) {
    c->tolerance = s->experiment->tolerance > 0 ? s->experiment->tolerance : 1e-4;
    c->before = baseline(s, "result");
    c->after = values_of(s, c->name, "result") ? median_of(s, c->name, "result") : c->before;
    return fabs(c->before - c->after) <= c->tolerance * fmax(fabs(c->before), fabs(c->after));
}

/* A change that moves the time by less is none worth having. */
#define CHANGE_LEAST 0.05

static enum change_verdict verdict_of(const struct scene *s, const struct change_result *c) {
    double least = s->noise * 2 > 0.01 ? s->noise * 2 : 0.01;
    if (s->disturbed * 10 > s->series->process_count)
        return CHANGE_UNDECIDED;
    if (c->hi < 1 - least)
        return CHANGE_GAIN;
    if (c->lo > 1 + least)
        return CHANGE_LOSS;
    bool quiet = least <= CHANGE_LEAST && c->lo >= 1 - CHANGE_LEAST && c->hi <= 1 + CHANGE_LEAST;
    return quiet ? CHANGE_NO_GAIN : CHANGE_UNDECIDED;
}

static void judge_time(const struct scene *s, struct change_result *c) {
    struct span noise = SPAN("");
    if (isfinite(s->noise))
        noise = arena_printf(s->arena, "; the same thing under two names differs by %.2g %%",
                             100 * s->noise);
    if (s->disturbed)
        noise = arena_printf(s->arena, "%.*s; %zu of %zu processes were disturbed", SPAN_ARG(noise),
                             s->disturbed, s->series->process_count);
    set(c, verdict_of(s, c),
        arena_printf(s->arena,
                     "results agree within %g; a step takes %.3g of the baseline's time (95 %%: "
                     "%.3g to %.3g)%.*s",
                     c->tolerance, c->ratio, c->lo, c->hi, SPAN_ARG(noise)));
}

static struct change_result judge_change(const struct scene *s, const struct plan_change *change) {
    struct change_result c = {.name = change->name,
                              .tolerance = NAN,
                              .before = NAN,
                              .after = NAN,
                              .ratio = NAN,
                              .lo = NAN,
                              .hi = NAN};
    const double *times = values_of(s, change->name, "step");
    const double *base = values_of(s, SPAN("baseline"), "step");
    if (change->unavailable.len) {
        set(&c, CHANGE_NOT_AVAILABLE, change->unavailable);
        return c;
    }
    if (!times || !base || !isfinite(median_of(s, change->name, "step"))) {
        set(&c, CHANGE_NOT_MEASURED, SPAN("no process measured it"));
        return c;
    }
    struct interval_estimate ratio = stats_log_ratio(times, base, s->series->process_count, 0.025);
    c.ratio = exp(ratio.estimate);
    c.lo = exp(ratio.lo);
    c.hi = exp(ratio.hi);
    measure_dimensions(s, change, &c);
    if (equivalent(s, &c))
        judge_time(s, &c);
    else
        set(&c, CHANGE_NOT_EQUIVALENT,
            arena_printf(
                s->arena,
                "the result after the same number of steps is %.6g instead of %.6g, further "
                "apart than %g: whatever the time, it is no gain",
                c.after, c.before, c.tolerance));
    return c;
}

void explore_judge(struct arena *arena, const struct experiment *e, const struct series_set *series,
                   size_t disturbed, struct exploration *result) {
    struct scene s = {arena, e, series, NAN, disturbed};
    if (series->sham_variant < series->variant_count)
        s.noise = stats_noise_floor(series->variants[series->sham_variant].medians, series->sham,
                                    series->process_count, 0);
    result->noise_floor = s.noise;
    localize_step(&s, &result->localization);
    for (size_t i = 0; i < e->change_count; i++) {
        struct change_result change = judge_change(&s, &e->changes[i]);
        LIST_PUSH(arena, result->changes, result->change_count, result->change_capacity, change);
    }
}
