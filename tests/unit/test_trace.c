/* Warm-up, drift and outliers of synthetic runs whose truth is known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bench/stats.h"
#include "bench/trace.h"

#include <math.h>

#define LONG 200

/* Deterministic noise in [-1, 1): a linear congruence of full period (Knuth's MMIX constants). */
static double noise(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) / (double)(1ull << 52) - 1;
}

static void fill(double *values, size_t n, uint64_t seed, double spread) {
    for (size_t i = 0; i < n; i++)
        values[i] = 100 * (1 + spread * noise(&seed));
}

static void warmup_ends_where_the_decay_does(void **state) {
    (void)state;
    double values[LONG];
    fill(values, LONG, 1, 0.005);
    for (size_t i = 0; i < 30; i++)
        values[i] *= 1 + 0.5 * exp(-(double)i / 6);
    size_t cut = trace_warmup(values, LONG);
    /* 0.5 exp(-i/6) is under 1 % from i = 23.5 on, and over 4 % until i = 15. */
    assert_in_range(cut, 15, 60);
    double median = stats_median(values + cut, LONG - cut);
    assert_true(fabs(median / 100 - 1) < 0.001);
}

static void one_slow_first_iteration_is_dropped(void **state) {
    (void)state;
    const double short_run[] = {90, 10, 10.1, 9.9, 10, 10.1};
    assert_in_range(trace_warmup(short_run, 6), 1, 3);
    const double three[] = {90, 10, 10};
    assert_int_equal(trace_warmup(three, 3), 0); /* too few to drop from */
    assert_int_equal(trace_warmup(short_run, 0), 0);
}

static void never_more_than_half_is_dropped(void **state) {
    (void)state;
    double values[LONG];
    for (size_t i = 0; i < LONG; i++)
        values[i] = 1000 - (double)i; /* never settles */
    assert_true(trace_warmup(values, LONG) <= LONG / 2);
    assert_false(trace_is_steady(values, LONG));
}

/* 100 + 0.1 i over 200: slope 0.1, median 109.95, so 0.1 * 200 / 109.95. */
static void drift_of_a_line_is_its_rise(void **state) {
    (void)state;
    double values[LONG];
    for (size_t i = 0; i < LONG; i++)
        values[i] = 100 + 0.1 * (double)i;
    assert_true(fabs(trace_drift(values, LONG) - 20 / 109.95) < 1e-12);
    assert_true(isnan(trace_drift(values, 2)));
}

static void clean_runs_are_steady_and_drifting_ones_are_not(void **state) {
    (void)state;
    size_t clean = 0, drifting = 0, late = 0;
    for (uint64_t seed = 0; seed < 100; seed++) {
        double values[LONG];
        fill(values, LONG, seed * 77 + 5, 0.005);
        clean += trace_is_steady(values, LONG);
        for (size_t i = 0; i < LONG; i++)
            values[i] *= 1 + 0.04 * (double)i / LONG;
        drifting += trace_is_steady(values, LONG);
        fill(values, LONG, seed * 77 + 5, 0.005);
        for (size_t i = LONG / 2; i < LONG; i++)
            values[i] *= 1.04; /* throttled in the middle */
        late += trace_is_steady(values, LONG);
    }
    assert_true(clean >= 99);
    assert_int_equal(drifting, 0);
    assert_true(late <= 1);
}

static void short_noisy_runs_are_not_called_unsteady(void **state) {
    (void)state;
    size_t steady = 0;
    for (uint64_t seed = 0; seed < 200; seed++) {
        double values[12];
        fill(values, 12, seed * 31 + 3, 0.05);
        steady += trace_is_steady(values, 12);
    }
    assert_true(steady >= 194); /* 1 % by chance: 2 expected, 6 is three deviations more */
}

static void long_runs_are_looked_at_in_points(void **state) {
    (void)state;
    enum { MANY = 100000 };
    static double values[MANY];
    for (size_t i = 0; i < MANY; i++)
        values[i] = 100 + 10.0 * (double)i / MANY;
    assert_true(fabs(trace_drift(values, MANY) - 10 / 105.0) < 1e-3);
}

/* Quartiles of 1..9 are 3 and 7: fences at 3 - 12 and 7 + 12. */
static void fences_stand_three_ranges_out(void **state) {
    (void)state;
    const double values[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    double low, high;
    trace_fences(values, 9, &low, &high);
    assert_true(low == -9 && high == 19);
    trace_fences(values, 7, &low, &high);
    assert_true(isinf(low) && isinf(high));
}

/* +1, -1, ... of 10: sum of squares 10, neighbours -9, so -0.9. */
static void alternating_values_correlate_negatively(void **state) {
    (void)state;
    const double values[] = {1, -1, 1, -1, 1, -1, 1, -1, 1, -1};
    assert_true(fabs(trace_autocorrelation(values, 10) + 0.9) < 1e-15);
    const double same[] = {1, 1, 1, 1, 1, 1, 1, 1};
    assert_true(isnan(trace_autocorrelation(same, 8)));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(warmup_ends_where_the_decay_does),
        cmocka_unit_test(one_slow_first_iteration_is_dropped),
        cmocka_unit_test(never_more_than_half_is_dropped),
        cmocka_unit_test(drift_of_a_line_is_its_rise),
        cmocka_unit_test(clean_runs_are_steady_and_drifting_ones_are_not),
        cmocka_unit_test(short_noisy_runs_are_not_called_unsteady),
        cmocka_unit_test(long_runs_are_looked_at_in_points),
        cmocka_unit_test(fences_stand_three_ranges_out),
        cmocka_unit_test(alternating_values_correlate_negatively),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
