/* Where a step's time goes and what changes do, from made-up medians whose answer is known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bench/explore.h"
#include "bench/plan.h"

#include <math.h>

enum { PROCESSES = 6 };
static struct arena arena;

/* One variant with one value in every process, but for a little that differs. */
struct fact {
    const char *name;
    double value, spread;
};

static struct exploration judge(const struct fact *facts, size_t count, const char *change,
                                double sham_off, size_t disturbed) {
    struct experiment e = {.id = SPAN("X1"), .tolerance = 1e-3};
    struct plan_change changes[] = {{.name = span_of(change)},
                                    {.name = SPAN("TF32"), .unavailable = SPAN("no GPU")}};
    struct series_set set = {.process_count = PROCESSES,
                             .variants = arena_array(&arena, count, sizeof *set.variants),
                             .variant_count = count,
                             .sham = arena_array(&arena, PROCESSES, sizeof(double))};
    for (size_t i = 0; i < count; i++) {
        struct plan_variant v = {.name = span_of(facts[i].name)};
        plan_fields_set(&arena, &v.parameters, SPAN("batch"), SPAN("32"));
        LIST_PUSH(&arena, e.variants, e.variant_count, e.variant_capacity, v);
        set.variants[i].medians = arena_array(&arena, PROCESSES, sizeof(double));
        for (size_t p = 0; p < PROCESSES; p++)
            set.variants[i].medians[p] = facts[i].value * (1 + facts[i].spread * ((double)p - 2.5));
    }
    for (size_t p = 0; p < PROCESSES; p++)
        set.sham[p] = set.variants[0].medians[p] * (1 + sham_off);
    e.changes = changes;
    e.change_count = 2;
    struct exploration x = {0};
    explore_judge(&arena, &e, &set, disturbed, &x);
    return x;
}

static void verdict_is(const struct exploration *x, const char *verdict) {
    if (!span_equal(x->changes[0].verdict, span_of(verdict)))
        fail_msg("%.*s: %.*s", SPAN_ARG(x->changes[0].verdict), SPAN_ARG(x->changes[0].reason));
}

static void with_times(double changed, double result, double sham_off, size_t disturbed,
                       const char *verdict) {
    const struct fact facts[] = {{"baseline: step", 10, 0.001},
                                 {"baseline: result", 2, 0},
                                 {"faster: step", changed, 0.001},
                                 {"faster: result", result, 0}};
    struct exploration x = judge(facts, 4, "faster", sham_off, disturbed);
    verdict_is(&x, verdict);
    assert_true(span_equal(x.changes[1].verdict, SPAN("not available")));
    assert_true(span_equal(x.changes[1].reason, SPAN("no GPU")));
}

static void a_change_is_a_gain_only_when_its_result_is_the_same(void **state) {
    (void)state;
    with_times(5, 2, 0, 0, "gain");
    with_times(5, 2.001, 0, 0, "gain"); /* 0.05 % apart: within 0.1 % */
    with_times(5, 2.01, 0, 0, "not equivalent");
    with_times(15, 2, 0, 0, "loss");
    with_times(10.1, 2, 0, 0, "no gain");
}

static void noise_and_disturbances_leave_it_undecided(void **state) {
    (void)state;
    with_times(9, 2, 0.08, 0, "undecided"); /* 10 % against 2 x 8 % */
    with_times(5, 2, 0.08, 0, "gain");
    with_times(10.1, 2, 0.08, 0, "undecided");
    with_times(5, 2, 0, 1, "undecided"); /* one of six is more than one in ten */
}

static void a_change_that_nothing_measured_says_so(void **state) {
    (void)state;
    const struct fact facts[] = {{"baseline: step", 10, 0}, {"baseline: result", 2, 0}};
    struct exploration x = judge(facts, 2, "graph", 0, 0);
    verdict_is(&x, "not measured");
}

static void dimensions_are_worked_out(void **state) {
    (void)state;
    const struct fact facts[] = {{"baseline: step", 10, 0}, {"baseline: result", 2, 0},
                                 {"baseline: host", 1, 0},  {"baseline: memory peak", 50, 0},
                                 {"x: step", 5, 0},         {"x: result", 2, 0},
                                 {"x: host", 1, 0},         {"x: memory peak", 40, 0}};
    struct exploration x = judge(facts, 8, "x", 0, 0);
    static const struct {
        const char *name;
        double before, after;
    } expected[] = {{"time a step", 10, 5},
                    {"throughput", 3200, 6400}, /* 32 examples in 10 and 5 ms */
                    {"host share", 0.1, 0.2},
                    {"memory, peak", 50, 40}};
    assert_int_equal(x.changes[0].dimension_count, 4);
    for (size_t i = 0; i < 4; i++) {
        const struct dimension *d = &x.changes[0].dimensions[i];
        assert_true(span_equal(d->name, span_of(expected[i].name)));
        assert_true(fabs(d->before - expected[i].before) < 1e-9 * expected[i].before);
        assert_true(fabs(d->after - expected[i].after) < 1e-9 * expected[i].after);
    }
}

static struct span limit(double copies, double optimizer, double idle, double synchronized_ms,
                         double optimizer_gbs) {
    const struct fact facts[] = {{"baseline: step", synchronized_ms, 0},
                                 {"baseline: host", 0.5, 0},
                                 {"baseline: idle", idle, 0},
                                 {"baseline: copies", copies, 0},
                                 {"baseline: forward", 2, 0},
                                 {"baseline: loss", 0.1, 0},
                                 {"baseline: backward", 4, 0},
                                 {"baseline: optimizer", optimizer, 0},
                                 {"baseline: forward.flops", 80, 0},
                                 {"baseline: forward.bytes", 1, 0},
                                 {"baseline: backward.flops", 80, 0},
                                 {"baseline: backward.bytes", 1, 0},
                                 {"baseline: optimizer.flops", 1, 0},
                                 {"baseline: optimizer.bytes", optimizer_gbs, 0},
                                 {"baseline: gemm", 100, 0},
                                 {"baseline: copy", 10, 0}};
    struct exploration x = judge(facts, sizeof facts / sizeof *facts, "x", 0, 0);
    assert_true(x.localization.known && x.localization.proof.len > 0);
    return x.localization.limit;
}

static void the_limit_is_named_with_its_proof(void **state) {
    (void)state;
    assert_true(span_equal(limit(0, 1, 0, 7.1, 8), SPAN("arithmetic"))); /* backward at 80 % */
    assert_true(span_equal(limit(0, 9, 0, 15.1, 8), SPAN("memory")));    /* optimizer at 80 % */
    assert_true(span_equal(limit(0, 9, 0, 15.1, 3), SPAN("neither")));
    assert_true(span_equal(limit(3, 1, 0, 10.1, 8), SPAN("input")));
    assert_true(span_equal(limit(0, 1, 3, 10.1, 8), SPAN("host")));
    assert_true(span_equal(limit(0, 1, 0, 14.2, 8), SPAN("synchronization")));
}

static void exploration_reads_back(void **state) {
    (void)state;
    const struct fact facts[] = {{"baseline: step", 10, 0.001}, {"baseline: result", 2, 0}};
    struct exploration x = judge(facts, 2, "graph", 0, 0);
    x.id = SPAN("X1");
    x.reason = SPAN("made up");
    struct results results = {.explorations = &x, .exploration_count = 1}, again;
    struct buffer text = {0};
    struct error error;
    results_write(&text, &results);
    assert_true(results_read(&arena, buffer_span(&text), "results.json", &again, &error));
    assert_int_equal(again.exploration_count, 1);
    assert_true(span_equal(again.explorations[0].changes[1].reason, SPAN("no GPU")));
    assert_true(isnan(again.explorations[0].changes[0].ratio));
    assert_false(again.explorations[0].localization.known);
    buffer_free(&text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_change_is_a_gain_only_when_its_result_is_the_same),
        cmocka_unit_test(noise_and_disturbances_leave_it_undecided),
        cmocka_unit_test(a_change_that_nothing_measured_says_so),
        cmocka_unit_test(dimensions_are_worked_out),
        cmocka_unit_test(the_limit_is_named_with_its_proof),
        cmocka_unit_test(exploration_reads_back),
    };
    arena_init(&arena);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_free(&arena);
    return failed;
}
