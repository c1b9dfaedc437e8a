/* Estimators against printed tables and hand calculation. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bench/stats.h"

#include <math.h>

static void close_to(double found, double expected, double tolerance) {
    if (!(fabs(found - expected) <= tolerance))
        fail_msg("expected %.9g within %g, found %.9g", expected, tolerance, found);
}

static void median_of_odd_and_even_counts(void **state) {
    (void)state;
    const double odd[] = {3, 1, 2}, even[] = {4, 1, 3, 2};
    close_to(stats_median(odd, 3), 2, 0);
    close_to(stats_median(even, 4), 2.5, 0);
    close_to(odd[0], 3, 0); /* the values stay as they were */
    assert_true(isnan(stats_median(odd, 0)));
}

/* Hyndman and Fan's type 7 by hand: h = (4 - 1) 0.25 = 0.75, so 1 + 0.75 (2 - 1). */
static void quantile_lies_between_order_statistics(void **state) {
    (void)state;
    const double values[] = {4, 3, 2, 1};
    close_to(stats_quantile(values, 4, 0.25), 1.75, 1e-15);
    close_to(stats_quantile(values, 4, 0), 1, 0);
    close_to(stats_quantile(values, 4, 1), 4, 0);
}

/* The t tables of NIST/SEMATECH e-Handbook 1.3.6.7.2, three decimals; df 1 is exact: tan(0.475 pi).
 */
static void t_quantiles_are_those_of_the_table(void **state) {
    (void)state;
    const struct {
        double p, t;
        size_t freedom;
    } table[] = {{0.90, 3.078, 1},   {0.95, 2.920, 2},  {0.975, 3.182, 3},
                 {0.975, 2.571, 5},  {0.99, 2.998, 7},  {0.995, 3.169, 10},
                 {0.975, 2.110, 17}, {0.95, 1.697, 30}, {0.999, 3.174, 100}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        close_to(stats_t_quantile(table[i].p, table[i].freedom), table[i].t, 0.0005001);
    close_to(stats_t_quantile(0.975, 1), tan(0.475 * M_PI), 1e-9);
    close_to(stats_t_quantile(0.025, 5), -2.571, 0.0005);
    assert_true(isnan(stats_t_quantile(1, 5)));
    assert_true(isnan(stats_t_quantile(0.5, 0)));
}

/* For two degrees of freedom P(T <= t) = 1/2 + t / (2 sqrt(2 + t^2)). */
static void t_probability_has_its_closed_form(void **state) {
    (void)state;
    close_to(stats_t_probability(1, 2), 0.5 + 1 / (2 * sqrt(3)), 1e-14);
    close_to(stats_t_probability(-1, 2), 0.5 - 1 / (2 * sqrt(3)), 1e-14);
    close_to(stats_t_probability(0, 9), 0.5, 1e-15);
}

/* {2,4,4,4,5,5,7,9}: mean 5, sum of squares 32, s = sqrt(32/7) = 2.13809; t(0.975, 7) = 2.3646. */
static void mean_interval_by_hand(void **state) {
    (void)state;
    const double values[] = {2, 4, 4, 4, 5, 5, 7, 9};
    struct interval_estimate found = stats_mean_interval(values, 8, 0.025);
    close_to(found.estimate, 5, 1e-15);
    close_to(found.hi, 5 + 2.3646 * 2.13809 / 2.828427, 1e-4);
    close_to(found.lo, 5 - 2.3646 * 2.13809 / 2.828427, 1e-4);
    found = stats_mean_interval(values, 1, 0.025);
    close_to(found.estimate, 2, 0);
    assert_true(isnan(found.lo) && isnan(found.hi));
}

/* n = 6: 1 - 2/64 = 0.969; n = 9: 1 - 2 (1 + 9)/512 = 0.961; n = 12: 1 - 2 (1 + 12 + 66)/4096 =
 * 0.961. The large ones are those of floor((n - 1.96 sqrt n)/2), ceil(1 + (n + 1.96 sqrt n)/2). */
static void median_ranks_hold_their_confidence(void **state) {
    (void)state;
    const size_t table[][3] = {{6, 1, 6},   {7, 1, 7},   {8, 1, 8},     {9, 2, 8},
                               {12, 3, 10}, {18, 5, 14}, {100, 40, 61}, {400, 180, 221}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        size_t lower, upper;
        assert_true(stats_median_ranks(table[i][0], 0.95, &lower, &upper));
        assert_int_equal(lower, table[i][1]);
        assert_int_equal(upper, table[i][2]);
    }
    size_t lower, upper;
    assert_false(stats_median_ranks(5, 0.95, &lower, &upper)); /* 1 - 2/32 = 0.9375 */
    assert_false(stats_median_ranks(0, 0.95, &lower, &upper));
    assert_true(stats_median_ranks(1000000, 0.95, &lower, &upper));
    assert_int_equal(lower, 499020); /* 500000 - 980 */
}

static void median_interval_takes_order_statistics(void **state) {
    (void)state;
    const double values[] = {9, 8, 7, 6, 5, 4, 3, 2, 1};
    struct interval_estimate found = stats_median_interval(values, 9, 0.95);
    close_to(found.estimate, 5, 0);
    close_to(found.lo, 2, 0);
    close_to(found.hi, 8, 0);
    found = stats_median_interval(values, 5, 0.95);
    assert_true(isnan(found.lo));
}

/* K = 19 for 90 %, 39 for 95 %. */
static void prediction_needs_many_processes(void **state) {
    (void)state;
    close_to(stats_prediction_coverage(19), 0.9, 1e-15);
    close_to(stats_prediction_coverage(39), 0.95, 1e-15);
}

/* Five looks at one-sided 0.01: the 0.99 column of the NIST table at 2, 5, 8, 11, 17. */
static void looks_use_corrected_quantiles(void **state) {
    (void)state;
    const double expected[] = {6.965, 3.365, 2.896, 2.718, 2.567};
    for (size_t i = 0; i < STATS_LOOKS; i++)
        close_to(stats_t_quantile(1 - STATS_LOOK_ALPHA, stats_look_sizes[i] - 1), expected[i],
                 0.0005001);
}

/* ln 2, ln 2, ln 2 in every pair: no spread is left although both sides vary. */
static void paired_ratio_cancels_what_both_share(void **state) {
    (void)state;
    const double a[] = {2, 4, 8, NAN}, b[] = {1, 2, 4, 1};
    struct interval_estimate found = stats_log_ratio(a, b, 4, 0.025);
    assert_int_equal(found.n, 3);
    close_to(found.estimate, log(2), 1e-15);
    close_to(found.hi - found.lo, 0, 1e-15);
}

static void noise_floor_is_the_largest_difference_of_equals(void **state) {
    (void)state;
    const double a[] = {100, 103, 100}, b[] = {100, 100, 101}, same[] = {100, 103, 100};
    close_to(stats_noise_floor(a, b, 3, 0), log(1.03), 1e-15);
    close_to(stats_noise_floor(a, same, 3, 0), 0.002, 1e-15); /* never below 0.2 % */
    close_to(stats_noise_floor(a, same, 3, 1), 0.02, 1e-15);  /* 2 * 1 / 100 */
    assert_true(isnan(stats_noise_floor(a, b, 0, 0)));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(median_of_odd_and_even_counts),
        cmocka_unit_test(quantile_lies_between_order_statistics),
        cmocka_unit_test(t_quantiles_are_those_of_the_table),
        cmocka_unit_test(t_probability_has_its_closed_form),
        cmocka_unit_test(mean_interval_by_hand),
        cmocka_unit_test(median_ranks_hold_their_confidence),
        cmocka_unit_test(median_interval_takes_order_statistics),
        cmocka_unit_test(prediction_needs_many_processes),
        cmocka_unit_test(looks_use_corrected_quantiles),
        cmocka_unit_test(paired_ratio_cancels_what_both_share),
        cmocka_unit_test(noise_floor_is_the_largest_difference_of_equals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
