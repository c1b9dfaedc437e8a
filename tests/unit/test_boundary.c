/* The boundaries against a workload whose true time is known: a step that keeps the device busy for
 * 2 ms and costs the host next to nothing. No test bounds a time from above by less than a second:
 * the machine may be busy. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bench/boundary.h"

#include <math.h>

struct collected {
    struct boundary_sample samples[256];
    size_t count;
    size_t stop_after; /* 0 = never */
};

static bool collect(void *context, const struct boundary_sample *sample) {
    struct collected *all = context;
    assert_true(all->count < 256);
    all->samples[all->count++] = *sample;
    return all->count != all->stop_after;
}

/* "name=value" words into settings. */
static struct plan_fields settings_of(struct arena *arena, const char *text) {
    struct plan_fields fields = {0};
    struct span rest = span_of(text), word;
    while (span_next_field(&rest, ' ', &word)) {
        size_t equals = span_find_byte(word, '=', 0);
        LIST_PUSH(arena, fields.items, fields.count, fields.capacity,
                  (struct plan_field){span_slice(word, 0, equals),
                                      span_slice(word, equals + 1, word.len)});
    }
    return fields;
}

static bool measure(struct arena *arena, const char *boundary, const char *metric,
                    const char *settings, struct collected *all, struct error *error) {
    struct plan_fields fields = settings_of(arena, settings);
    struct boundary_request request = {"cpu", SPAN("null"), span_of(boundary), span_of(metric),
                                       &fields};
    return boundary_run(arena, &request, collect, all, NULL, error);
}

static double value_of(const struct collected *all, const char *metric, size_t nth) {
    for (size_t i = 0; i < all->count; i++)
        if (strcmp(all->samples[i].metric, metric) == 0 && nth-- == 0)
            return all->samples[i].value;
    fail_msg("no sample of %s", metric);
    return NAN;
}

static void run(const char *boundary, const char *metric, const char *settings,
                struct collected *all) {
    struct arena arena;
    struct error error = {0};
    arena_init(&arena);
    *all = (struct collected){0};
    if (!measure(&arena, boundary, metric, settings, all, &error))
        fail_msg("%s: %s", error.where, error.message);
    arena_free(&arena);
}

static void an_unsynchronized_loop_reports_less_than_the_work_takes(void **state) {
    (void)state;
    struct collected all;
    run("loop-unsynchronized", "", "microseconds=2000 count=20 samples=1", &all);
    double reported = value_of(&all, "reported", 0), queued = value_of(&all, "queued", 0);
    double real = value_of(&all, "real", 0);
    assert_true(real >= 2.0);
    assert_true(reported < real);
    assert_true(queued > 0);
    assert_float_equal(reported + queued / 20, real, 1e-4);
}

static void a_short_queue_makes_the_host_wait(void **state) {
    (void)state;
    struct collected all;
    /* 20 steps of 2 ms through a queue of 4: submitting returns when 16 have run */
    run("loop-unsynchronized", "", "microseconds=2000 count=20 samples=1 queue_depth=4", &all);
    assert_true(value_of(&all, "reported", 0) * 20 >= 16 * 2.0);
}

static void every_step_boundary_sees_the_true_time(void **state) {
    (void)state;
    static const char *const names[] = {"loop-synchronized", "per-iteration", "events",
                                        "warmed-median"};
    for (size_t i = 0; i < 4; i++) {
        struct collected all;
        run(names[i], "step", "microseconds=2000 count=3 samples=3 warmup=2", &all);
        assert_true(all.count >= 3);
        for (size_t k = 0; k < all.count; k++)
            assert_true(all.samples[k].value >= 2.0);
    }
}

static void warm_up_is_marked_and_kept(void **state) {
    (void)state;
    struct collected all;
    run("warmed-median", "", "samples=3 warmup=2", &all);
    assert_int_equal(all.count, 5);
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(all.samples[i].iteration, i);
        assert_int_equal(all.samples[i].warmup, i < 2);
    }
}

static void host_return_stops_before_the_device_is_done(void **state) {
    (void)state;
    struct collected all;
    run("host-return", "", "microseconds=20000 samples=3", &all);
    double best = INFINITY;
    for (size_t i = 0; i < 3; i++) {
        assert_true(value_of(&all, "step", i) >= 20.0);
        best = fmin(best, value_of(&all, "host", i));
    }
    assert_true(best < 20.0);
}

static void queue_depth_is_what_the_device_was_given(void **state) {
    (void)state;
    struct collected all;
    run("queue-depth", "", "queue_depth=37 samples=1", &all);
    assert_float_equal(value_of(&all, "operations", 0), 37, 0);
    run("queue-depth", "", "samples=1 operations=8", &all);
    assert_float_equal(value_of(&all, "operations", 0), DEVICE_QUEUE_DEPTH, 0);
    assert_float_equal(value_of(&all, "steps", 0), DEVICE_QUEUE_DEPTH / 8, 0);
}

static void phases_account_for_the_step(void **state) {
    (void)state;
    struct collected all;
    run("phases", "", "microseconds=2000 count=3 samples=1", &all);
    assert_true(value_of(&all, "forward", 0) >= 2.0);
    assert_float_equal(value_of(&all, "optimizer", 0), 0, 0);
    assert_float_equal(value_of(&all, "forward", 0) + value_of(&all, "idle", 0),
                       value_of(&all, "step", 0), 1e-4);
}

static void first_call_reports_what_starting_costs(void **state) {
    (void)state;
    struct collected all;
    run("first-call", "", "microseconds=2000", &all);
    assert_true(value_of(&all, "first", 0) >= 2.0);
    assert_true(value_of(&all, "open", 0) >= 0);
    assert_true(value_of(&all, "context", 0) > 0);
}

static void a_receiver_can_stop_a_measurement(void **state) {
    (void)state;
    struct arena arena;
    struct error error = {0};
    struct collected all = {.stop_after = 4};
    arena_init(&arena);
    assert_true(measure(&arena, "per-iteration", "", "samples=100", &all, &error));
    assert_int_equal(all.count, 4);
    arena_free(&arena);
}

static void the_contract_names_every_setting_in_force(void **state) {
    (void)state;
    struct arena arena;
    struct error error = {0};
    struct collected all = {0};
    struct plan_fields contract = {0}, fields;
    arena_init(&arena);
    fields = settings_of(&arena, "operations=3 samples=1 queue_depth=9");
    struct boundary_request request = {"cpu", SPAN("null"), SPAN("events"), SPAN("step"), &fields};
    assert_true(boundary_run(&arena, &request, collect, &all, &contract, &error));
    size_t found = 0;
    for (size_t i = 0; i < contract.count; i++) {
        found += span_equal(contract.items[i].name, SPAN("operations")) &&
                 span_equal(contract.items[i].value, SPAN("3"));
        found += span_equal(contract.items[i].name, SPAN("queue_depth")) &&
                 span_equal(contract.items[i].value, SPAN("9"));
        found += span_equal(contract.items[i].name, SPAN("count")) &&
                 span_equal(contract.items[i].value, SPAN("20"));
    }
    assert_int_equal(found, 3);
    arena_free(&arena);
}

static void wrong_settings_are_refused_with_what_is_allowed(void **state) {
    (void)state;
    static const struct {
        const char *boundary, *settings, *says;
    } cases[] = {
        {"per-iteration", "operation=3", "unknown setting 'operation'"},
        {"per-iteration", "operations=-1", "between 0 and 100000"},
        {"per-iteration", "operations=1.5", "whole number"},
        {"per-iteration", "operations=nan", "'nan'"},
        {"per-iteration", "operations=", "''"},
        {"per-iteration", "tf32=yes", "off|on"},
        {"per-iteration", "count=0", "between 1 and"},
        {"per-iterations", "count=1", "no boundary is called 'per-iterations'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct arena arena;
        struct error error = {0};
        struct collected all = {0};
        arena_init(&arena);
        assert_false(measure(&arena, cases[i].boundary, "", cases[i].settings, &all, &error));
        assert_int_equal(error.kind, ERROR_INPUT);
        if (!strstr(error.message, cases[i].says))
            fail_msg("'%s' lacks '%s'", error.message, cases[i].says);
        arena_free(&arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_unsynchronized_loop_reports_less_than_the_work_takes),
        cmocka_unit_test(a_short_queue_makes_the_host_wait),
        cmocka_unit_test(every_step_boundary_sees_the_true_time),
        cmocka_unit_test(warm_up_is_marked_and_kept),
        cmocka_unit_test(host_return_stops_before_the_device_is_done),
        cmocka_unit_test(queue_depth_is_what_the_device_was_given),
        cmocka_unit_test(phases_account_for_the_step),
        cmocka_unit_test(first_call_reports_what_starting_costs),
        cmocka_unit_test(a_receiver_can_stop_a_measurement),
        cmocka_unit_test(the_contract_names_every_setting_in_force),
        cmocka_unit_test(wrong_settings_are_refused_with_what_is_allowed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
