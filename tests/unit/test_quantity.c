/* Quantities as texts print them: value, interval, unit and role, worked out by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "audit/document.h"
#include "fetch/structure.h"

#include <math.h>

struct expected {
    const char *text, *printed;
    double value, high;
    const char *unit, *per;
    int role; /* -1: not tested */
};

static void build(struct arena *arena, const char *text, struct claims *claims) {
    struct chapter chapter = {0};
    struct document document;
    struct error error = {0};
    arena_init(arena);
    assert_true(structure_read(arena, SPAN("text"), span_of(text), "text", &chapter, &error));
    document_build(arena, &chapter, claims, &document);
}

static const struct quantity *find(const struct claims *claims, const char *printed) {
    for (size_t i = 0; i < claims->quantity_count; i++)
        if (span_equal(claims->quantities[i].printed, span_of(printed)))
            return &claims->quantities[i];
    return NULL;
}

static void check(const struct expected *e) {
    struct arena arena;
    struct claims claims = {0};
    build(&arena, e->text, &claims);
    const struct quantity *q = find(&claims, e->printed);
    if (!q)
        fail_msg("no '%s' in: %s", e->printed, e->text);
    double high = e->high != 0 ? e->high : e->value;
    if (fabs(q->value - e->value) > 1e-9 * fabs(e->value) ||
        fabs(q->value_high - high) > 1e-9 * fabs(high))
        fail_msg("%s: %.12g..%.12g, expected %.12g..%.12g", e->text, q->value, q->value_high,
                 e->value, high);
    if (!span_equal(q->unit, span_of(e->unit)) ||
        !span_equal(q->per, span_of(e->per ? e->per : "")))
        fail_msg("%s: unit '%.*s' per '%.*s'", e->text, SPAN_ARG(q->unit), SPAN_ARG(q->per));
    if (e->role >= 0 && q->role != (enum quantity_role)e->role)
        fail_msg("%s: role %d", e->text, q->role);
    arena_free(&arena);
}

static void check_all(const struct expected *cases, size_t count) {
    for (size_t i = 0; i < count; i++)
        check(&cases[i]);
}
#define CHECK(cases) check_all(cases, sizeof cases / sizeof *cases)

static void values_and_units_are_read(void **state) {
    (void)state;
    static const struct expected cases[] = {
        {"It took 9.491 ms/step.", "9.491", 9.491, 0, "ms", "step", ROLE_MEASUREMENT},
        {"It moved 12,288 MiB in all.", "12,288", 12288, 0, "MiB", "", -1},
        {"The model has 28.3M parameters.", "28.3", 28.3e6, 0, "parameter", "", ROLE_CONFIG},
        {"It reached 9.4 TFLOP/s then.", "9.4", 9.4, 0, "TFLOP/s", "", ROLE_MEASUREMENT},
        {"It served 1200 requests per second.", "1200", 1200, 0, "requests/s", "", -1},
        {"This is 2.5\xc3\x97 faster.", "2.5", 2.5, 0, "x", "", ROLE_RATIO},
        {"A node costs $3.06/h here.", "3.06", 3.06, 0, "USD", "h", ROLE_SPEC},
        {"It allocated 17 buffers in total.", "17", 17, 0, "buffer", "", ROLE_MEASUREMENT},
        {"It used 64 GPU hours.", "64", 64, 0, "GPU h", "", ROLE_MEASUREMENT},
        {"The step size is 1.5 \xc3\x97 10\xe2\x81\xbb\xc2\xb3 here.",
         "1.5 \xc3\x97 10\xe2\x81\xbb\xc2\xb3", 0.0015, 0, "", "", -1},
    };
    CHECK(cases);
}

static void numbers_of_several_parts_are_one(void **state) {
    (void)state;
    static const struct expected cases[] = {
        {"Training took 1h 12m on it.", "1h 12m", 72, 0, "min", "", ROLE_MEASUREMENT},
        {"real 3m42.118s", "3m42.118s", 222.118, 0, "s", "", ROLE_MEASUREMENT},
        {"It went to 2:15 minutes.", "2:15", 2.25, 0, "min", "", -1},
        {"Published 14 March 2025 by us.", "14 March 2025", 2025, 0, "date", "", ROLE_OTHER},
        {"Released Nov 4, 2025 at last.", "Nov 4, 2025", 2025, 0, "date", "", ROLE_OTHER},
        {"It needs between 180 and 240 ms for that.", "180 and 240", 180, 240, "ms", "", -1},
        {"We saw 40\xe2\x80\x93"
         "50% of it.",
         "40\xe2\x80\x93"
         "50",
         40, 50, "%", "", ROLE_RATIO},
    };
    CHECK(cases);
}

static void spelled_numbers_compare_or_count(void **state) {
    (void)state;
    static const struct expected cases[] = {
        {"The peak is exactly twice that.", "twice", 2, 0, "x", "", ROLE_RATIO},
        {"That is a third of the time.", "a third", 1.0 / 3, 0, "x", "", ROLE_RATIO},
        {"We waited for roughly fifteen naive steps.", "fifteen", 15, 0, "step", "", -1},
    };
    CHECK(cases);
    static const char *const none[] = {"We ran it in half precision.", "A third party did it.",
                                       "One of them said so.", "We ran it twice a day there."};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        struct arena arena;
        struct claims claims = {0};
        build(&arena, none[i], &claims);
        assert_int_equal(claims.quantity_count, 0);
        arena_free(&arena);
    }
}

static void units_stand_in_labels_lists_and_headers(void **state) {
    (void)state;
    static const struct expected cases[] = {
        {"It dropped from 41.0 to 12.3 s.", "41.0", 41, 0, "s", "", ROLE_MEASUREMENT},
        {"forward_ms = 21.44", "21.44", 21.44, 0, "ms", "", ROLE_MEASUREMENT},
        {"lat (usec): min=41, max=5230", "5230", 5230, 0, "us", "", ROLE_MEASUREMENT},
        {"We beat it by a factor of 57.9 there.", "57.9", 57.9, 0, "x", "", ROLE_RATIO},
        {"name    time (ms)   calls\nfirst        4.25     120\nsecond       8.50      90\n",
         "4.25", 4.25, 0, "ms", "", ROLE_MEASUREMENT},
        {"Rendered at 2560x1440 pixels today.", "2560", 2560, 0, "", "", -1},
    };
    CHECK(cases);
}

static void roles_follow_the_words_around(void **state) {
    (void)state;
    static const struct expected cases[] = {
        {"See section 2.3 of it.", "2.3", 2.3, 0, "", "", ROLE_OTHER},
        {"It has 8 cores inside.", "8", 8, 0, "core", "", ROLE_SPEC},
        {"A machine with 64 GB of RAM did it.", "64", 64, 0, "GB", "", ROLE_SPEC},
        {"We took the median of 31 runs.", "31", 31, 0, "run", "", ROLE_CONFIG},
        {"It wakes every 15 minutes.", "15", 15, 0, "min", "", ROLE_CONFIG},
        {"We send a message of 256 MB.", "256", 256, 0, "MB", "", ROLE_CONFIG},
        {"CPU usage was 31% then.", "31", 31, 0, "%", "", ROLE_MEASUREMENT},
        {"That is 31% less.", "31", 31, 0, "%", "", ROLE_RATIO},
        {"groupid=7, err=3", "7", 7, 0, "", "", ROLE_OTHER},
    };
    CHECK(cases);
}

static void intervals_are_the_printed_digits(void **state) {
    (void)state;
    struct arena arena;
    struct claims claims = {0};
    build(&arena, "It took 9.491 ms, later at least 4 s, and about 100 MB.", &claims);
    const struct quantity *a = find(&claims, "9.491"), *b = find(&claims, "4"),
                          *c = find(&claims, "100");
    assert_non_null(a);
    assert_non_null(b);
    assert_non_null(c);
    assert_true(a->lo == 9.4905 && a->hi == 9.4915); /* the nearest doubles, to the last bit */
    assert_int_equal(b->bound, BOUND_AT_LEAST);
    assert_true(b->hi == INFINITY && b->lo <= 4);
    assert_int_equal(c->bound, BOUND_ABOUT);
    assert_true(c->lo <= 95 && c->hi >= 105);
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_and_units_are_read),
        cmocka_unit_test(numbers_of_several_parts_are_one),
        cmocka_unit_test(spelled_numbers_compare_or_count),
        cmocka_unit_test(units_stand_in_labels_lists_and_headers),
        cmocka_unit_test(roles_follow_the_words_around),
        cmocka_unit_test(intervals_are_the_printed_digits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
