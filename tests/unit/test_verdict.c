/* The rules of docs/verdicts.md, case by case, on medians whose truth is plain. Every process's
 * median is its base times 1 +- spread in turn, so the interval of a ratio can be told by hand:
 * log ratios of two series with opposite signs deviate by about 2 spread, the t interval of six at
 * one-sided 0.01 by 3.365 * 2 spread * sqrt(6/5) / sqrt(6) = 3.01 spread. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bench/stats.h"
#include "bench/verdict.h"

#include <math.h>

#define MOST 4

static struct arena arena;

struct scene {
    const char *kind;
    double bases[MOST], spread;
    double tolerance, lo, hi;
    size_t processes, disturbed, unsteady, judged;
    double sham_off;  /* the second name's relative offset; 0 = none */
    double condition; /* at_most of variant 1 / variant 0; 0 = no condition */
    enum match_level match;
    size_t drifts;
};

static double median_of(double base, double spread, size_t variant, size_t process) {
    bool up = (variant + process) % 2;
    return base * (up ? 1 + spread : 1 - spread);
}

static struct experiment experiment_of(const struct scene *s, size_t *count) {
    static const char *const names[MOST] = {"a", "b", "c", "d"};
    struct experiment e = {.id = SPAN("E1"), .kind = span_of(s->kind), .unit = SPAN("ms")};
    for (*count = 0; *count < MOST && s->bases[*count] > 0; ++*count) {
        struct plan_variant variant = {.name = span_of(names[*count]), .unit = SPAN("ms")};
        LIST_PUSH(&arena, e.variants, e.variant_count, e.variant_capacity, variant);
    }
    if (s->condition > 0) {
        struct plan_condition c = {SPAN("b is small"), SPAN("b"), SPAN("a"), s->condition};
        LIST_PUSH(&arena, e.conditions, e.condition_count, e.condition_capacity, c);
    }
    e.tolerance = s->tolerance;
    e.claimed_lo = s->lo > 0 ? s->lo : NAN;
    e.claimed_hi = s->hi > 0 ? s->hi : NAN;
    e.claimed = SPAN("as printed");
    e.judged = s->judged;
    return e;
}

static struct result judge(struct scene s) {
    size_t count, n = s.processes ? s.processes : 6;
    struct experiment e = experiment_of(&s, &count);
    struct series_set set = {n, arena_array(&arena, count, sizeof *set.variants), count,
                             arena_array(&arena, n, sizeof(double)), 0};
    for (size_t v = 0; v < count; v++) {
        set.variants[v].unit = SPAN("ms");
        set.variants[v].medians = arena_array(&arena, n, sizeof(double));
        for (size_t p = 0; p < n; p++)
            set.variants[v].medians[p] = median_of(s.bases[v], s.spread, v, p);
    }
    for (size_t p = 0; p < n; p++)
        set.sham[p] = set.variants[0].medians[p] * (1 + s.sham_off);
    struct drift one = {SPAN("device"), SPAN("X"), SPAN("Y")};
    struct result r = {.match = span_of(word_of(&match_words, (int)s.match))};
    for (size_t i = 0; i < s.drifts; i++)
        LIST_PUSH(&arena, r.drift, r.drift_count, r.drift_capacity, one);
    struct evidence v = {&e, &set, STATS_LOOK_ALPHA, s.match, s.disturbed, s.unsteady, 12, 0};
    verdict_judge(&arena, &v, &r);
    assert_true(r.reason.len > 0);
    assert_int_equal(r.measured_count, count);
    return r;
}

static void expect(struct scene s, enum experiment_status status) {
    struct result r = judge(s);
    if (r.status != status)
        fail_msg("expected %s, found %s: %.*s", word_of(&experiment_words, (int)status),
                 word_of(&experiment_words, (int)r.status), SPAN_ARG(r.reason));
}

#define R EXPERIMENT_REPRODUCED
#define N EXPERIMENT_NOT_REPRODUCED
#define I EXPERIMENT_INCONCLUSIVE
#define X EXPERIMENT_NOT_COMPARABLE

static void order(void **state) {
    (void)state;
    expect((struct scene){.kind = "order", .bases = {1, 2}, .spread = 0.01}, R);
    expect((struct scene){.kind = "order", .bases = {1, 2, 4, 8}, .spread = 0.01}, R);
    expect((struct scene){.kind = "order", .bases = {2, 1}, .spread = 0.01}, N);
    expect((struct scene){.kind = "order", .bases = {1, 2, 1.5}, .spread = 0.01}, N);
    /* the same within 1 %: there is no such order */
    expect((struct scene){.kind = "order", .bases = {1, 1}, .spread = 0.001}, N);
    /* 2 % smaller, interval +- 3 %: may be either */
    expect((struct scene){.kind = "order", .bases = {1, 1.02}, .spread = 0.01}, I);
    /* three processes are enough for a factor of two, two are not */
    expect((struct scene){.kind = "order", .bases = {1, 2}, .spread = 0.01, .processes = 3}, R);
    expect((struct scene){.kind = "order", .bases = {1, 2}, .spread = 0.01, .processes = 2}, I);
    struct result told = judge((struct scene){.kind = "order", .bases = {1, 2, 1.5}});
    assert_true(span_starts(told.reason, SPAN("b / c is 1.333"))); /* the pair that fails */
    /* variants behind `judged` do not take part */
    expect((struct scene){.kind = "order", .bases = {1, 2, 0.5}, .spread = 0.01, .judged = 2}, R);
}

static void noise_floor_widens_what_counts_as_a_difference(void **state) {
    (void)state;
    const struct scene ten_percent = {.kind = "order", .bases = {1, 1.1}, .spread = 0.001};
    struct scene noisy = ten_percent;
    noisy.sham_off = 0.08; /* a difference must exceed 16 % */
    expect(ten_percent, R);
    expect(noisy, I);
    struct result r = judge(noisy);
    assert_true(fabs(r.noise_floor - log(1.08)) < 1e-9);
    struct scene equal = {.kind = "equal", .bases = {1, 1}, .tolerance = 0.1, .sham_off = 0.08};
    expect(equal, I); /* half of 10 % is less than 8 % */
}

static void ratio_and_share(void **state) {
    (void)state;
    struct scene s = {.kind = "ratio",
                      .bases = {2, 1},
                      .spread = 0.005,
                      .tolerance = 0.1,
                      .lo = 1.95,
                      .hi = 2.05};
    expect(s, R);
    s.bases[0] = 3;
    expect(s, N);
    s.bases[0] = 2.25; /* at the margin of 2.255 */
    expect(s, I);
    s = (struct scene){.kind = "ratio", .bases = {2, 1}, .spread = 0.005};
    expect(s, I); /* nothing claimed to compare with */
    s.hi = 2.5;   /* one side is enough */
    expect(s, R);
    s = (struct scene){.kind = "share", .bases = {0.4, 1}, .spread = 0.005, .lo = 0.35, .hi = 0.45};
    expect(s, R);
    s.bases[0] = 0.6;
    expect(s, N);
}

static void equal_and_constant(void **state) {
    (void)state;
    struct scene s = {.kind = "equal", .bases = {1, 1.02, 0.98}, .spread = 0.005, .tolerance = 0.1};
    expect(s, R);
    s.bases[2] = 0.7;
    expect(s, N);
    s.bases[2] = 1;
    s.bases[1] = 0.91; /* the margin is 1/1.1 = 0.909 */
    expect(s, I);
    s = (struct scene){
        .kind = "constant", .bases = {132, 138, 132}, .spread = 0.005, .tolerance = 0.15};
    expect(s, R);
    s.bases[2] = 400;
    expect(s, N);
    s.bases[2] = 117; /* (138 - 117) / 132 = 15.9 %, +- 1.5 % */
    expect(s, I);
}

static void first_slower(void **state) {
    (void)state;
    expect((struct scene){.kind = "first-slower", .bases = {20, 16}, .spread = 0.01}, R);
    expect((struct scene){.kind = "first-slower", .bases = {16, 20}, .spread = 0.01}, N);
}

static void intervention_needs_an_effect(void **state) {
    (void)state;
    expect((struct scene){.kind = "intervention", .bases = {1, 1.5}, .spread = 0.01}, R);
    expect((struct scene){.kind = "intervention", .bases = {1, 1}, .spread = 0.001}, N);
    expect((struct scene){.kind = "intervention", .bases = {1, 1.02}, .spread = 0.02}, I);
}

static void absolute_values_need_the_same_machine(void **state) {
    (void)state;
    struct scene s = {.kind = "absolute",
                      .bases = {16.43},
                      .spread = 0.001,
                      .lo = 16.4295,
                      .hi = 16.4305,
                      .match = MATCH_SAME_SOFTWARE};
    expect(s, R);
    s.bases[0] = 20;
    expect(s, N);
    s.match = MATCH_SAME_SKU; /* other software: it may confirm, never refute */
    s.drifts = 1;
    expect(s, I);
    s.bases[0] = 17.7; /* 7.7 % off: outside 5 %, inside the doubled 10 % */
    expect(s, R);
    s.match = MATCH_OTHER_HARDWARE;
    expect(s, X);
    struct result r = judge(s);
    assert_true(span_find(r.reason, SPAN("device"), 0) != SIZE_MAX);
    assert_int_equal(r.effect_count, 1); /* the number itself is kept */
}

static void false_precondition_is_not_comparable(void **state) {
    (void)state;
    struct scene s = {.kind = "order", .bases = {2, 1}, .spread = 0.01, .condition = 0.8};
    expect(s, N); /* 1/2 <= 0.8: the relation is judged, and refuted */
    s.condition = 0.3;
    expect(s, X);
    s.condition = 0.5; /* right at it: nobody knows */
    expect(s, I);
    struct result r = judge(s);
    assert_int_equal(r.condition_count, 1);
    assert_false(r.conditions[0].known);
}

static void disturbed_runs_are_inconclusive(void **state) {
    (void)state;
    struct scene s = {.kind = "ratio",
                      .bases = {2, 1},
                      .spread = 0.005,
                      .tolerance = 0.1,
                      .lo = 1.95,
                      .hi = 2.05,
                      .processes = 12};
    s.disturbed = 1; /* one in twelve is let pass */
    expect(s, R);
    s.disturbed = 2;
    expect(s, I);
    s = (struct scene){.kind = "order", .bases = {1, 1.5}, .spread = 0.005, .disturbed = 6};
    expect(s, I);
    s.bases[1] = 4; /* no disturbance explains a factor of four */
    expect(s, R);
    s.bases[0] = 8; /* but a disturbed run refutes nothing */
    expect(s, I);
}

static void runs_without_steady_state_are_inconclusive(void **state) {
    (void)state;
    struct scene s = {.kind = "order", .bases = {1, 2}, .spread = 0.01, .unsteady = 6};
    expect(s, R);
    s.unsteady = 7; /* of 12 */
    expect(s, I);
}

static void intervals_lie_inside_outside_or_across(void **state) {
    (void)state;
    assert_int_equal(truth_within(1, 2, 0, 3), TRUTH_HOLDS);
    assert_int_equal(truth_within(4, 5, 0, 3), TRUTH_FAILS);
    assert_int_equal(truth_within(-2, -1, 0, 3), TRUTH_FAILS);
    assert_int_equal(truth_within(2, 4, 0, 3), TRUTH_OPEN);
    assert_int_equal(truth_within(-9, 4, -INFINITY, 5), TRUTH_HOLDS);
    assert_int_equal(truth_within(NAN, NAN, 0, 3), TRUTH_OPEN);
}

static int start(void **state) {
    (void)state;
    arena_init(&arena);
    return 0;
}

static int stop(void **state) {
    (void)state;
    arena_free(&arena);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(order),
        cmocka_unit_test(noise_floor_widens_what_counts_as_a_difference),
        cmocka_unit_test(ratio_and_share),
        cmocka_unit_test(equal_and_constant),
        cmocka_unit_test(first_slower),
        cmocka_unit_test(intervention_needs_an_effect),
        cmocka_unit_test(absolute_values_need_the_same_machine),
        cmocka_unit_test(false_precondition_is_not_comparable),
        cmocka_unit_test(disturbed_runs_are_inconclusive),
        cmocka_unit_test(runs_without_steady_state_are_inconclusive),
        cmocka_unit_test(intervals_lie_inside_outside_or_across),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
