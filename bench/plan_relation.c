/* Relations between stated times that hold or fail on any machine: what is smaller than what, what
 * is about the same, what is constant. Each is planned only when the text states all its times. */
#include "bench/plan.h"

#include <math.h>
#include <stdint.h>

struct draft {
    struct arena *arena;
    const struct timings *timings;
    const struct planned_workload *workload;
    struct plan *plan;
};

static void add_claim(struct arena *arena, struct experiment *e, struct span id) {
    for (size_t i = 0; i < e->claim_count; i++)
        if (span_equal(e->claims[i], id))
            return;
    struct span *more = arena_array(arena, e->claim_count + 1, sizeof *more);
    for (size_t i = 0; i < e->claim_count; i++)
        more[i] = e->claims[i];
    more[e->claim_count++] = id;
    e->claims = more;
}

static bool has_variant(const struct experiment *e, struct span name) {
    for (size_t i = 0; i < e->variant_count; i++)
        if (span_equal(e->variants[i].name, name))
            return true;
    return false;
}

static struct span add_variant(const struct draft *d, struct experiment *e, enum timing_kind kind,
                               size_t loop) {
    struct plan_variant v = plan_variant_of(d->arena, d->workload, kind, loop);
    if (!has_variant(e, v.name))
        LIST_PUSH(d->arena, e->variants, e->variant_count, e->variant_capacity, v);
    return v.name;
}

static struct experiment begin(const struct draft *d, enum experiment_kind kind,
                               const char *title) {
    return (struct experiment){.title = span_of(title),
                               .kind = span_of(word_of(&experiment_kinds, (int)kind)),
                               .tolerance = NAN,
                               .claimed_lo = NAN,
                               .claimed_hi = NAN,
                               .contract = d->workload->contract,
                               .scaled = d->workload->scaled,
                               .device = SPAN("cpu")};
}

static void take(const struct draft *d, struct experiment *e, const struct timing *t) {
    add_variant(d, e, t->kind, t->loop);
    add_claim(d->arena, e, t->claim->id);
    e->judged = e->variant_count;
}

/* Its claimed values, for the relation as the text has it: "9.491 < 14.692". */
static struct span joined(const struct draft *d, const struct timing *const *timings, size_t count,
                          const char *between) {
    struct buffer out = {0};
    for (size_t i = 0; i < count; i++) {
        const struct quantity *q = timings[i]->quantity;
        buffer_printf(&out, "%s%.*s %.*s", i ? between : "", SPAN_ARG(q->printed),
                      SPAN_ARG(q->unit));
        if (q->per.len)
            buffer_printf(&out, "/%.*s", SPAN_ARG(q->per));
    }
    struct span text = arena_copy(d->arena, buffer_span(&out));
    buffer_free(&out);
    return text;
}

static struct span names_joined(const struct draft *d, const struct experiment *e,
                                const char *sign) {
    struct buffer out = {0};
    for (size_t i = 0; i < e->judged; i++)
        buffer_printf(&out, "%s%.*s", i ? sign : "", SPAN_ARG(e->variants[i].name));
    struct span text = arena_copy(d->arena, buffer_span(&out));
    buffer_free(&out);
    return text;
}

static void add(const struct draft *d, struct experiment *e, const struct timing *const *timings,
                size_t count, const char *sign) {
    e->claimed = joined(d, timings, count, sign);
    LIST_PUSH(d->arena, d->plan->experiments, d->plan->count, d->plan->capacity, *e);
}

/* Only a device that is behind its host can show what is claimed of loops. */
static void add_asynchrony(const struct draft *d, struct experiment *e) {
    struct plan_condition c = {
        .text = SPAN("submitting a step takes at most 0.8 of doing it"),
        .left = add_variant(d, e, TIMING_HOST_RETURN, 0),
        .right = add_variant(d, e, TIMING_SYNCHRONIZED, 0),
        .at_most = 0.8,
    };
    LIST_PUSH(d->arena, e->conditions, e->condition_count, e->condition_capacity, c);
}

/* Times may be stated in different units. */
static double in_ms(const struct quantity *q, double value) {
    static const struct {
        const char *unit;
        double ms;
    } units[] = {{"ns", 1e-6}, {"us", 1e-3}, {"s", 1e3}, {"min", 60e3}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (span_equal(q->unit, span_of(units[i].unit)))
            return value * units[i].ms;
    return value;
}

/* The largest value of a surely lies below the smallest of b. */
static bool below(const struct quantity *a, const struct quantity *b) {
    return in_ms(a, a->hi) < in_ms(b, b->lo);
}

static bool rises(const struct timing *const *timings, size_t count) {
    for (size_t i = 1; i < count; i++)
        if (!below(timings[i - 1]->quantity, timings[i]->quantity))
            return false;
    return count >= 2;
}

static void plan_order(const struct draft *d, const struct timing *const *timings, size_t count,
                       const char *title, bool asynchrony) {
    for (size_t i = 0; i < count; i++)
        if (!timings[i])
            return;
    if (!rises(timings, count))
        return;
    struct experiment e = begin(d, KIND_ORDER, title);
    for (size_t i = 0; i < count; i++)
        take(d, &e, timings[i]);
    if (asynchrony)
        add_asynchrony(d, &e);
    e.relation = names_joined(d, &e, " < ");
    e.method = SPAN("Measure all in turns within each process, forwards and backwards; take one "
                    "median a process; compare neighbours by the interval of their ratio.");
    e.success = SPAN("Each is smaller than the next, with the interval of the ratio below 1.");
    e.failure = SPAN("One is larger than the next, with the interval of the ratio above 1.");
    add(d, &e, timings, count, " < ");
}

/* Relative spread of the claimed values, (max - min) / least. */
static double spread(const struct timing *const *timings, size_t count) {
    double lo = INFINITY, hi = 0;
    for (size_t i = 0; i < count; i++) {
        const struct quantity *q = timings[i]->quantity;
        lo = fmin(lo, in_ms(q, q->value));
        hi = fmax(hi, in_ms(q, q->value));
    }
    return (hi - lo) / lo;
}

/* Values that the text gives as about equal (within a tenth) are to be equal within a sixth here:
 * other hardware is noisier than the author's, and a quarter would be no equality. */
enum { LARGEST_COUNT = 32 };
#define CLAIMED_EQUAL 0.10
#define EQUAL_TOLERANCE 0.15

static void plan_same(const struct draft *d, const struct timing *const *timings, size_t count,
                      enum experiment_kind kind, const char *title) {
    for (size_t i = 0; i < count; i++)
        if (!timings[i])
            return;
    if (count < 2 || spread(timings, count) > CLAIMED_EQUAL)
        return;
    struct experiment e = begin(d, kind, title);
    for (size_t i = 0; i < count; i++)
        take(d, &e, timings[i]);
    e.tolerance = EQUAL_TOLERANCE;
    e.relation = arena_printf(d->arena, "%.*s within %g %%",
                              SPAN_ARG(names_joined(d, &e, kind == KIND_EQUAL ? " = " : ", ")),
                              100 * EQUAL_TOLERANCE);
    e.method = SPAN("Measure all in turns within each process; take one median a process; compare "
                    "by the interval of their ratios.");
    e.success = SPAN("All lie within the tolerance of each other, intervals included.");
    e.failure = SPAN("Two differ by more than the tolerance, intervals included.");
    add(d, &e, timings, count, kind == KIND_EQUAL ? " = " : ", ");
}

static void plan_first(const struct draft *d) {
    const struct timing *t[] = {plan_timing(d->timings, TIMING_FIRST, 0),
                                plan_timing(d->timings, TIMING_SYNCHRONIZED, 0)};
    if (!t[0] || !t[1] || !below(t[1]->quantity, t[0]->quantity))
        return;
    struct experiment e =
        begin(d, KIND_FIRST_SLOWER, "The first step takes longer than the others");
    take(d, &e, t[0]);
    take(d, &e, t[1]);
    e.relation = names_joined(d, &e, " > ");
    e.method = SPAN("Time the first step of each fresh process and, in the same process, the "
                    "synchronized median after warm-up.");
    e.success = SPAN("The first step is longer, with the interval of the ratio above 1.");
    e.failure = SPAN("The first step is shorter, with the interval of the ratio below 1.");
    add(d, &e, t, 2, " > ");
}

/* All timings of one kind, in rising order of their loops. */
static size_t loops_of(const struct draft *d, enum timing_kind kind, const struct timing **out) {
    size_t count = 0;
    for (size_t i = 0; i < d->timings->count && count < LARGEST_COUNT; i++) {
        const struct timing *t = &d->timings->items[i];
        if (t->kind != kind)
            continue;
        size_t at = count;
        while (at > 0 && out[at - 1]->loop > t->loop)
            at--;
        if (at > 0 && out[at - 1]->loop == t->loop)
            continue;
        memmove(out + at + 1, out + at, (count - at) * sizeof *out);
        out[at] = t;
        count++;
    }
    return count;
}

static void plan_loops(const struct draft *d) {
    const struct timing *reported[LARGEST_COUNT + 1], *real[LARGEST_COUNT + 1];
    size_t n = loops_of(d, TIMING_REPORTED, reported), m = loops_of(d, TIMING_REAL, real);
    const struct timing *sync = plan_timing(d->timings, TIMING_SYNCHRONIZED, 0);
    if (n >= 2)
        plan_order(d, reported, n, "A longer unsynchronized loop reports more per step", true);
    if (n && sync) {
        const struct timing *pair[] = {reported[0], sync};
        plan_order(d, pair, 2, "A short unsynchronized loop reports less than a step takes", true);
    }
    if (n && m) {
        const struct timing *pair[] = {reported[n - 1], real[m - 1]};
        plan_order(d, pair, 2, "Even the longest loop reports less than with its queue added",
                   true);
    }
    if (m >= 2)
        plan_same(d, real, m, KIND_CONSTANT,
                  "With the queue added, loops of every length give one time per step");
    if (m && sync) {
        const struct timing *pair[] = {real[m - 1], sync};
        plan_same(d, pair, 2, KIND_EQUAL,
                  "With the queue added, a loop gives the synchronized time");
    }
}

void plan_relations(struct arena *arena, const struct timings *timings,
                    const struct planned_workload *workload, struct plan *plan) {
    struct draft d = {arena, timings, workload, plan};
    const struct timing *sync = plan_timing(timings, TIMING_SYNCHRONIZED, 0),
                        *host = plan_timing(timings, TIMING_HOST_RETURN, 0),
                        *inference = plan_timing(timings, TIMING_INFERENCE, 0),
                        *forward = plan_timing(timings, TIMING_FORWARD, 0),
                        *both = plan_timing(timings, TIMING_FORWARD_BACKWARD, 0),
                        *step = plan_timing(timings, TIMING_STEP, 0);
    plan_loops(&d);
    plan_order(&d, (const struct timing *[]){host, sync}, 2,
               "Submitting a step returns before the step is done", false);
    plan_first(&d);
    plan_order(&d, (const struct timing *[]){forward, both, step}, 3,
               "Forward, forward and backward, and the full step cost more in this order", false);
    plan_order(&d, (const struct timing *[]){inference, both}, 2,
               "Inference costs less than forward and backward", false);
    plan_same(&d, (const struct timing *[]){inference, forward}, 2, KIND_EQUAL,
              "Forward costs the same with and without gradients kept");
    plan_same(&d, (const struct timing *[]){step, sync}, 2, KIND_EQUAL,
              "Two ways of timing the full step agree");
}
