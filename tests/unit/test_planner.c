/* The planner over texts of our own: what becomes an experiment, and what does not. */
#include "audit/document.h"
#include "bench/plan.h"
#include "fetch/structure.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static struct plan plan_of(struct arena *arena, const char *text, double budget) {
    struct chapter chapter = {0};
    struct claims claims = {0};
    struct document document;
    struct plan plan;
    struct error error = {0};
    assert_true(structure_read(arena, SPAN("text"), span_of(text), "text", &chapter, &error));
    document_build(arena, &chapter, &claims, &document);
    assert_true(plan_build(arena, &claims, NULL, "cpu", budget, &plan, &error));
    return plan;
}

static const struct experiment *find(const struct plan *plan, const char *relation) {
    for (size_t i = 0; i < plan->count; i++)
        if (span_equal(plan->experiments[i].relation, span_of(relation)))
            return &plan->experiments[i];
    return NULL;
}

static const char timings[] =
    "We timed an MLP, width 512.\n\n"
    "loop of 4: 1.0 ms/step reported + 8.0 ms in the queue -> really 3.0 ms/step\n"
    "loop of 40: 2.5 ms/step reported + 20.0 ms in the queue -> really 3.0 ms/step\n"
    "synchronized, median of 50: 3.1 ms\n"
    "host return of one step: 0.2 ms\n"
    "first step of all: 9.0 ms\n"
    "forward: 1.0 ms\n"
    "forward and backward: 2.0 ms\n"
    "full training step: 3.0 ms\n";

static void relations_follow_from_the_stated_times(void **state) {
    (void)state;
    struct arena arena;
    arena_init(&arena);
    struct plan plan = plan_of(&arena, timings, 30);
    const char *const expected[] = {
        "loop of 4, reported < loop of 40, reported",
        "loop of 4, reported < synchronized and warmed",
        "loop of 40, reported < loop of 40, with the queue",
        "loop of 4, with the queue, loop of 40, with the queue within 15 %",
        "loop of 40, with the queue = synchronized and warmed within 15 %",
        "host return < synchronized and warmed",
        "first step > synchronized and warmed",
        "forward < forward and backward < full step",
        "full step = synchronized and warmed within 15 %",
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        if (!find(&plan, expected[i]))
            fail_msg("no experiment: %s", expected[i]);
    const struct experiment *order = find(&plan, expected[0]);
    assert_int_equal(order->judged, 2);
    assert_int_equal(order->condition_count, 1); /* the device must run behind its host */
    assert_true(span_equal(plan_fields_get(&order->variants[1].parameters, "count"), SPAN("40")));
    assert_true(span_equal(order->variants[0].boundary, SPAN("loop-unsynchronized")));
    arena_free(&arena);
}

static void times_that_do_not_rise_are_no_order(void **state) {
    (void)state;
    struct arena arena;
    arena_init(&arena);
    struct plan plan = plan_of(&arena,
                               "An MLP in three modes.\n\nforward: 2.0 ms\n"
                               "forward and backward: 1.9 ms\nfull training step: 3.0 ms\n",
                               30);
    assert_null(find(&plan, "forward < forward and backward < full step"));
    arena_free(&arena);
}

/* 900 µs are less than 3.1 ms, and 1.2 s more. */
static void times_in_different_units_are_compared_as_times(void **state) {
    (void)state;
    struct arena arena;
    arena_init(&arena);
    struct plan plan = plan_of(&arena,
                               "We timed an MLP, width 512.\n\nsynchronized, median of 50: 3.1 ms\n"
                               "host return of one step: 900 µs\nfirst step of all: 1.2 s\n",
                               30);
    assert_non_null(find(&plan, "host return < synchronized and warmed"));
    assert_non_null(find(&plan, "first step > synchronized and warmed"));
    arena_free(&arena);
}

static void another_subject_has_no_experiment_and_says_why(void **state) {
    (void)state;
    struct arena arena;
    arena_init(&arena);
    struct plan plan =
        plan_of(&arena, "The parser reads a file.\n\nsmall file: 1.2 ms\nlarge file: 8.4 ms\n", 30);
    assert_int_equal(plan.count, 2);
    for (size_t i = 0; i < plan.count; i++) {
        assert_int_equal(plan.experiments[i].variant_count, 0);
        assert_true(plan.experiments[i].skip_reason.len > 0);
        assert_int_equal(plan.experiments[i].claim_count, 1);
    }
    arena_free(&arena);
}

static void sizes_come_from_the_contract_and_scaling_is_named(void **state) {
    (void)state;
    struct arena arena;
    arena_init(&arena);
    struct plan plan = plan_of(&arena,
                               "WORKLOAD  training step\nMODEL  MLP, dim 2048, depth 16\n"
                               "INPUT  [512, 2048]\nDEVICE  cuda\n\n"
                               "forward: 1.0 ms\nforward and backward: 2.0 ms\n"
                               "full training step: 3.0 ms\n",
                               10);
    const struct experiment *order = find(&plan, "forward < forward and backward < full step");
    assert_non_null(order);
    assert_true(span_equal(plan_fields_get(&order->contract, "device"), SPAN("cuda")));
    assert_true(span_equal(plan_fields_get(&order->contract, "dtype"), SPAN("UNVERIFIED")));
    /* 6 * 16 * 2048^2 * 512 operations are 206 GFLOP: far beyond ten seconds of many steps */
    struct span dim = plan_fields_get(&order->scaled, "dim");
    assert_true(span_starts(dim, SPAN("2048 -> ")));
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(relations_follow_from_the_stated_times),
        cmocka_unit_test(times_that_do_not_rise_are_no_order),
        cmocka_unit_test(times_in_different_units_are_compared_as_times),
        cmocka_unit_test(another_subject_has_no_experiment_and_says_why),
        cmocka_unit_test(sizes_come_from_the_contract_and_scaling_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
