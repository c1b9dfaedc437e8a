/* Laws found in small tables written by hand. Expected intervals are worked out on paper from the
 * printed digits, not by the code under test. */
#include "audit/law.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include <math.h>

static struct arena arena;
static struct claims claims;
static struct grid grid;
static struct document document;
static struct law_table table;
static struct laws laws;

static size_t put(const char *printed, const char *unit, enum quantity_role role) {
    const char *dot = strchr(printed, '.');
    double value = strtod(printed, NULL), half;
    struct quantity q = {.printed = span_of(printed),
                         .unit = span_of(unit),
                         .role = role,
                         .value = value,
                         .value_high = value,
                         .decimals = dot ? (int)strlen(dot + 1) : 0,
                         .claim = SIZE_MAX};
    half = pow(10, -q.decimals) / 2;
    q.lo = value - half;
    q.hi = value + half;
    q.start = claims.quantity_count * 10;
    q.end = q.start + strlen(printed);
    LIST_PUSH(&arena, claims.quantities, claims.quantity_count, claims.quantity_capacity, q);
    return claims.quantity_count - 1;
}

/* cells: rows of printed numbers separated by spaces ("-" is empty), rows by '|'. units: one a
 * column; a unit that begins with '#' makes the column a setting. */
static void search(const char *headers, const char *units, const char *cells) {
    static char text[16384];
    char *next = text, *unit_list[16] = {0}, *header_list[16] = {0};
    size_t columns = 0, rows = 0, capacity = 0;
    claims = (struct claims){0};
    grid = (struct grid){0};
    snprintf(text, sizeof text, "%s\n%s\n%s", headers, units, cells);
    char *line = strsep(&next, "\n");
    while (line && columns < 16)
        header_list[columns++] = strsep(&line, ",");
    line = strsep(&next, "\n");
    for (size_t i = 0; i < columns; i++)
        unit_list[i] = strsep(&line, ",");
    for (char *row = strsep(&next, "|"); row; row = strsep(&next, "|"), rows++)
        for (size_t i = 0; i < columns; i++) {
            char *word = strsep(&row, " ");
            const char *unit = unit_list[i];
            size_t cell = NONE;
            if (word && strcmp(word, "-") != 0)
                cell = put(word, *unit == '#' ? unit + 1 : unit,
                           *unit == '#' ? ROLE_CONFIG : ROLE_MEASUREMENT);
            size_t count = rows * columns + i;
            LIST_PUSH(&arena, grid.cells, count, capacity, cell);
        }
    grid.columns = arena_array(&arena, columns, sizeof *grid.columns);
    for (size_t i = 0; i < columns; i++)
        grid.columns[i].label = span_of(header_list[i]);
    grid.row_labels = arena_array(&arena, rows, sizeof *grid.row_labels);
    grid.column_count = columns;
    grid.row_count = rows;
    document = (struct document){.arena = &arena, .claims = &claims};
    law_table_build(&table, &document, &grid);
    law_search(&table, &laws);
}

static const struct law *law_for(size_t target) {
    for (size_t i = 0; i < laws.count; i++)
        if (laws.laws[i].target == target)
            return &laws.laws[i];
    return NULL;
}

static void expect_interval(const struct law *law, size_t row, double lo, double hi) {
    struct interval x;
    interval_init(&x);
    assert_true(law_predict(&table, law, row, &x));
    assert_true(fabs(interval_lo(&x) - lo) < 1e-9 && fabs(interval_hi(&x) - hi) < 1e-9);
    interval_clear(&x);
}

static void expect_expression(const struct law *law, size_t row, const char *text) {
    struct span got = law_expression(&table, law, row);
    assert_int_equal(got.len, strlen(text));
    assert_memory_equal(got.at, text, got.len);
}

static void an_amortized_rest_is_found(void **state) {
    (void)state;
    search("loop of,reported,queued,really", "#,ms,ms,ms",
           "20 9.491 132.0 16.093|100 14.692 138.8 16.080|400 15.741 132.1 16.071");
    const struct law *law = law_for(3);
    assert_non_null(law);
    assert_int_equal(law->shape, LAW_QUOTIENT);
    assert_int_equal(law->holds, 3);
    expect_interval(law, 0, 0.016088, 0.016094);
    expect_interval(law, 1, 0.016079, 0.016081);
    expect_expression(law, 0, "9.491 + 132.0/20");
}

static void the_row_that_breaks_it_is_named(void **state) {
    (void)state;
    search("loop of,reported,queued,really", "#,ms,ms,ms",
           "20 9.491 132.0 16.093|100 14.692 138.8 16.580|400 15.741 132.1 16.071|"
           "50 13.442 131.0 16.062");
    const struct law *law = law_for(3);
    assert_non_null(law);
    assert_int_equal(law->breaks, 1);
    assert_int_equal(law->rows[1], STATE_BREAKS);
    assert_true(law->warranted && law->chance < LAW_ALARM_CHANCE);
}

static void speedup_is_told_from_its_base_row(void **state) {
    (void)state; /* 33.60/27.18: 33.595/27.185 = 1.23579..., 33.605/27.175 = 1.23661... */
    search("run,vs base", "s,x", "33.60 1.00|30.05 1.12|31.22 1.08|27.18 1.24|38.94 1.16");
    const struct law *law = law_for(1);
    assert_non_null(law);
    assert_int_equal(law->base_row, 0);
    expect_interval(law, 3, 33.595 / 27.185, 33.605 / 27.175);
    expect_expression(law, 3, "33.60/27.18");
    assert_int_equal(law->rows[4], STATE_BREAKS);
    assert_true(law->warranted);
}

static void percent_change_is_found_with_its_sign(void **state) {
    (void)state;
    search("before,after,change", "ms,ms,%",
           "4.10 2.46 -40.0|3.25 3.31 1.8|6.80 3.74 -55.0|1.90 1.88 -1.1|2.15 2.17 0.9");
    const struct law *law = law_for(2);
    assert_non_null(law);
    assert_int_equal(law->transform, TRANSFORM_PLUS_ONE);
    assert_int_equal(law->rows[2], STATE_BREAKS);
    assert_int_equal(law->breaks, 1);
    expect_expression(law, 0, "2.46/4.10 - 1");
}

static void units_give_the_scale(void **state) {
    (void)state; /* mA * ms = uC: 4.8 mA * 120 ms = 0.576 mC */
    search("current,time,charge", "mA,ms,mC", "4.8 120 0.576|38.5 64 2.464|11.2 210 2.352");
    const struct law *law = law_for(2);
    assert_non_null(law);
    assert_true(law->k_lo == 1 && law->k_hi == 1);
    assert_true(law->warranted);
}

static void good_scaling_with_a_straggler_is_no_broken_law(void **state) {
    (void)state;
    search("threads,speedup", "#,x", "1 1.00|2 2.00|4 4.00|8 8.00|16 14.10");
    for (size_t i = 0; i < laws.count; i++)
        assert_false(laws.laws[i].warranted);
    search("GPUs,images/s", "#,image/s", "1 100|2 200|4 400|8 790");
    for (size_t i = 0; i < laws.count; i++)
        assert_false(laws.laws[i].warranted);
}

static void row_sums_and_means_are_found(void **state) {
    (void)state;
    search("a,b,c,total", "s,s,s,s",
           "1.25 2.50 3.11 6.86|4.42 1.07 2.93 8.42|0.77 9.13 5.02 14.92");
    assert_non_null(law_for(3));
    assert_int_equal(law_for(3)->shape, LAW_SUM);
    search("a,b,c,avg", ",,,",
           "91.4 84.9 88.0 88.1|85.2 77.3 80.6 81.0|90.8 83.9 86.9 87.2|91.1 84.6 87.9 88.9|"
           "90.1 83.2 86.4 86.6");
    const struct law *law = law_for(3);
    assert_non_null(law);
    assert_int_equal(law->shape, LAW_MEAN);
    assert_int_equal(law->rows[3], STATE_BREAKS);
    assert_true(law->warranted && law->chance < LAW_ALARM_CHANCE);
}

static void running_totals_are_found(void **state) {
    (void)state;
    search("step,total so far", "s,s", "1.31 1.31|2.07 3.38|0.94 4.32|5.55 9.87|3.21 13.08");
    assert_non_null(law_for(1));
    assert_int_equal(law_for(1)->shape, LAW_CUMULATIVE);
}

static void unrelated_numbers_have_no_law(void **state) {
    (void)state; /* digits of pi, e and the square root of two, in order */
    search("a,b,c", "ms,ms,ms",
           "3.14 2.71 1.41|15.9 82.8 42.1|26.5 18.2 35.6|35.8 84.5 23.7|97.9 90.4 30.9");
    assert_int_equal(laws.count, 0);
}

static void a_large_table_is_sampled_and_judged_whole(void **state) {
    (void)state;
    struct buffer cells = {0};
    for (int i = 0; i < 300; i++) {
        int a = 20 + 7 * i % 91, b = 50 + 13 * i % 83, c = a + b + (i == 177 ? 20 : 0);
        buffer_printf(&cells, "%s%d.%d %d.%d %d.%d", i ? "|" : "", a / 10, a % 10, b / 10, b % 10,
                      c / 10, c % 10);
    }
    search("a,b,sum", "s,s,s", cells.at);
    buffer_free(&cells);
    const struct law *law = law_for(2);
    assert_non_null(law);
    assert_int_equal(law->judged, 300);
    assert_int_equal(law->breaks, 1);
    assert_int_equal(law->rows[177], STATE_BREAKS);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_amortized_rest_is_found),
        cmocka_unit_test(the_row_that_breaks_it_is_named),
        cmocka_unit_test(speedup_is_told_from_its_base_row),
        cmocka_unit_test(percent_change_is_found_with_its_sign),
        cmocka_unit_test(units_give_the_scale),
        cmocka_unit_test(good_scaling_with_a_straggler_is_no_broken_law),
        cmocka_unit_test(row_sums_and_means_are_found),
        cmocka_unit_test(running_totals_are_found),
        cmocka_unit_test(unrelated_numbers_have_no_law),
        cmocka_unit_test(a_large_table_is_sampled_and_judged_whole),
    };
    arena_init(&arena);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_free(&arena);
    return failed;
}
