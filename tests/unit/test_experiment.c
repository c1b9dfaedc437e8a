/* The order of turns, and the way of a request to the child and back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bench/experiment.h"

static struct arena arena;

static void add(struct experiment *e, const char *name, const char *boundary, const char *metric,
                const char *samples) {
    struct plan_variant v = {.name = span_of(name),
                             .workload = SPAN("null"),
                             .boundary = span_of(boundary),
                             .metric = span_of(metric),
                             .unit = SPAN("ms")};
    plan_fields_set(&arena, &v.parameters, SPAN("samples"), span_of(samples));
    LIST_PUSH(&arena, e->variants, e->variant_count, e->variant_capacity, v);
}

static struct experiment example(void) {
    struct experiment e = {.id = SPAN("E1"), .kind = SPAN("order")};
    add(&e, "host", "host-return", "host", "9");
    add(&e, "first", "first-call", "first", "9");
    add(&e, "step", "host-return", "step", "9");
    add(&e, "each", "per-iteration", "step", "5");
    return e;
}

static void turns_are_mirrored_and_cold_ones_come_first(void **state) {
    (void)state;
    struct experiment e = example();
    for (uint64_t seed = 0; seed < 50; seed++) {
        struct turn turns[10];
        size_t sham = 3, count = experiment_turns(&e, seed, &sham, 1, turns);
        assert_int_equal(count, 1 + 2 * 3); /* first-call; host-return, per-iteration, sham */
        assert_int_equal(turns[0].variant, 1);
        for (size_t i = 0; i < 3; i++) {
            assert_int_equal(turns[1 + i].variant, turns[6 - i].variant);
            assert_int_equal(turns[1 + i].sham, turns[6 - i].sham);
        }
    }
}

static void every_order_occurs(void **state) {
    (void)state;
    struct experiment e = {.id = SPAN("E1"), .kind = SPAN("order")};
    add(&e, "a", "per-iteration", "step", "1");
    add(&e, "b", "per-iteration", "step", "2");
    size_t first[2] = {0};
    for (uint64_t seed = 0; seed < 200; seed++) {
        struct turn turns[6];
        assert_int_equal(experiment_turns(&e, seed, NULL, 0, turns), 4);
        first[turns[0].variant]++;
    }
    assert_in_range(first[0], 65, 135); /* 100 +- five deviations of 7 */
}

static void the_sham_repeats_the_cheapest_warm_variant(void **state) {
    (void)state;
    struct experiment e = example();
    assert_int_equal(experiment_sham_variant(&e), 3); /* 5 steps against 9 */
    assert_true(experiment_steps(&e) == 9 + 9 + 5);
    struct experiment cold = {.id = SPAN("E1")};
    add(&cold, "first", "first-call", "first", "1");
    assert_int_equal(experiment_sham_variant(&cold), 1);
    struct turn turns[4];
    assert_int_equal(experiment_turns(&cold, 0, NULL, 0, turns), 1);
}

static void request_reads_back(void **state) {
    (void)state;
    size_t shams[] = {3};
    struct experiment_request request = {example(), SPAN("cpu"), SPAN("k"), 7,   12345,
                                         0.25,      shams,       1,         true};
    struct experiment_request again;
    struct buffer text = {0};
    struct error error;
    experiment_request_write(&text, &request);
    assert_true(experiment_request_read(&arena, buffer_span(&text), &again, &error));
    assert_true(span_equal(again.device, SPAN("cpu")) && span_equal(again.key, SPAN("k")));
    assert_int_equal(again.process, 7);
    assert_int_equal(again.seed, 12345);
    assert_true(again.seconds == 0.25 && again.sham_count == 1 && again.shams[0] == 3);
    assert_true(again.watch);
    assert_int_equal(again.experiment.variant_count, 4);
    assert_true(variants_share_run(&again.experiment.variants[0], &again.experiment.variants[2]));
    assert_false(variants_share_run(&again.experiment.variants[0], &again.experiment.variants[3]));
    buffer_free(&text);
}

static void request_without_experiment_is_refused(void **state) {
    (void)state;
    struct experiment_request request;
    struct error error = {0};
    assert_false(experiment_request_read(&arena, SPAN("{\"schema\":\"assay.request.v1\"}"),
                                         &request, &error));
    assert_int_equal(error.kind, ERROR_INPUT);
    assert_false(experiment_request_read(&arena, SPAN("{"), &request, &error));
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
        cmocka_unit_test(turns_are_mirrored_and_cold_ones_come_first),
        cmocka_unit_test(every_order_occurs),
        cmocka_unit_test(the_sham_repeats_the_cheapest_warm_variant),
        cmocka_unit_test(request_reads_back),
        cmocka_unit_test(request_without_experiment_is_refused),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
