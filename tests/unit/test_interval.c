/* Intervals of printed numbers. Expected bounds are worked out by hand from the printed digits. */
#include "audit/interval.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

static struct interval a, b, r;

static void expect(const struct interval *x, const char *lo, const char *hi) {
    mpq_t want;
    mpq_init(want);
    assert_int_equal(mpq_set_str(want, lo, 10), 0);
    mpq_canonicalize(want);
    assert_true(mpq_equal(want, x->lo));
    assert_int_equal(mpq_set_str(want, hi, 10), 0);
    mpq_canonicalize(want);
    assert_true(mpq_equal(want, x->hi));
    mpq_clear(want);
}

static void interval_of_9_491_spans_half_a_unit_in_the_last_place(void **state) {
    (void)state;
    assert_true(interval_from_decimal(&a, 9.491, 3));
    expect(&a, "18981/2000", "18983/2000");
}

static void interval_of_12_hundreds_spans_fifty_each_way(void **state) {
    (void)state;
    assert_true(interval_from_decimal(&a, 1200, -2));
    expect(&a, "1150", "1250");
}

static void sum_with_a_counted_part_is_exact(void **state) {
    (void)state; /* 9.491 + 132.0/20: 9.4905 + 131.95/20 = 16.088, 9.4915 + 132.05/20 = 16.094 */
    struct interval n;
    interval_init(&n);
    interval_from_decimal(&a, 9.491, 3);
    interval_from_decimal(&b, 132.0, 1);
    interval_from_ratio(&n, 20, 1);
    assert_true(interval_divide(&r, &b, &n));
    interval_add(&r, &a, &r);
    expect(&r, "16088/1000", "16094/1000");
    interval_clear(&n);
}

static void quotient_takes_the_far_ends(void **state) {
    (void)state; /* 6.5..7.5 over 1.5..2.5 */
    interval_from_decimal(&a, 7, 0);
    interval_from_decimal(&b, 2, 0);
    assert_true(interval_divide(&r, &a, &b));
    expect(&r, "13/5", "5");
}

static void product_of_mixed_signs_takes_the_extremes(void **state) {
    (void)state;
    interval_from_doubles(&a, -2, 3);
    interval_from_doubles(&b, -5, 7);
    interval_multiply(&r, &a, &b);
    expect(&r, "-15", "21");
}

static void division_by_what_may_be_zero_is_refused(void **state) {
    (void)state;
    interval_from_decimal(&a, 1, 0);
    interval_from_decimal(&b, 0, 0);
    assert_false(interval_divide(&r, &a, &b));
}

static void end_points_that_meet_are_undecidable(void **state) {
    (void)state; /* 2.5 printed as 2 or as 3: (1.5, 2.5) and (2.5, 3.5) touch */
    interval_from_decimal(&a, 2, 0);
    interval_from_decimal(&b, 3, 0);
    assert_int_equal(interval_contact(&a, &b), CONTACT_TOUCH);
    interval_from_ratio(&b, 5, 2);
    assert_int_equal(interval_contact(&a, &b), CONTACT_TOUCH);
    interval_from_ratio(&b, 2, 1);
    assert_int_equal(interval_contact(&a, &b), CONTACT_OVERLAP);
    interval_from_ratio(&b, 3, 1);
    assert_int_equal(interval_contact(&a, &b), CONTACT_APART);
    assert_true(interval_gap(&a, &b) == 0.5);
}

static void numbers_no_double_holds_are_refused(void **state) {
    (void)state;
    assert_false(interval_from_decimal(&a, INFINITY, 0));
    assert_false(interval_from_decimal(&a, 1e300, 3));
    assert_false(interval_from_decimal(&a, 1, 4000));
    assert_false(interval_from_doubles(&a, NAN, 1));
    assert_false(interval_from_doubles(&a, 2, 1));
}

static void text_shows_the_width(void **state) {
    (void)state;
    struct arena arena;
    arena_init(&arena);
    struct span text = interval_text(&arena, 16.0885, 16.0941);
    assert_int_equal(text.len, strlen("16.0885..16.0941"));
    assert_memory_equal(text.at, "16.0885..16.0941", text.len);
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(interval_of_9_491_spans_half_a_unit_in_the_last_place),
        cmocka_unit_test(interval_of_12_hundreds_spans_fifty_each_way),
        cmocka_unit_test(sum_with_a_counted_part_is_exact),
        cmocka_unit_test(quotient_takes_the_far_ends),
        cmocka_unit_test(product_of_mixed_signs_takes_the_extremes),
        cmocka_unit_test(division_by_what_may_be_zero_is_refused),
        cmocka_unit_test(end_points_that_meet_are_undecidable),
        cmocka_unit_test(numbers_no_double_holds_are_refused),
        cmocka_unit_test(text_shows_the_width),
    };
    interval_init(&a);
    interval_init(&b);
    interval_init(&r);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    interval_clear(&a);
    interval_clear(&b);
    interval_clear(&r);
    return failed;
}
