/* findings.json: what is written is read back; words outside the lists are refused. */
#include "schemas/findings.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static struct arena arena;

static struct findings sample(void) {
    static struct finding_place places[] = {{10, 16}, {20, 25}};
    static struct finding_number numbers[] = {
        {{"m1", 2}, {"9.491", 5}, {"ms", 2}, 9.4905, 9.4915, 10, 15}};
    static struct finding finding = {
        .id = {"f-0123abcd", 10},
        .check = {"law", 3},
        .claim = {"c-00000001", 10},
        .class = FINDING_CONTRADICTION,
        .severity = SEVERITY_HIGH,
        .message = {"A \"quoted\" sum\nis off.", 21},
        .expression = {"m1 + m2/20", 10},
        .expected_lo = 16.0885,
        .expected_hi = NAN,
        .places = places,
        .place_count = 2,
        .numbers = numbers,
        .number_count = 1,
        .chance = 0.25,
        .response = RESPONSE_CORRECTION,
        .replacement = {"16.093", 6},
        .suppressed = true,
        .suppression = {"known, 2026-12-04 to 2027-01-01", 31},
    };
    static struct coverage coverage = {{"law", 3}, {"", 0}, COVERAGE_NOT_RUN, {"no table", 8}};
    static struct reading_note reading = {
        {"thesis", 6}, {"Measure.", 8}, 1, 9, {"first sentence", 14}};
    return (struct findings){.findings = &finding,
                             .count = 1,
                             .coverage = &coverage,
                             .coverage_count = 1,
                             .reading = &reading,
                             .reading_count = 1,
                             .checks_total = 9,
                             .checks_completed = 8};
}

static void what_is_written_is_read_back_and_written_the_same(void **state) {
    (void)state;
    struct findings wrote = sample(), got;
    struct buffer first = {0}, second = {0};
    struct error error;
    findings_write(&first, &wrote);
    assert_true(findings_read(&arena, buffer_span(&first), "findings.json", &got, &error));
    assert_int_equal(got.checks_completed, 8);
    assert_int_equal(got.findings[0].class, FINDING_CONTRADICTION);
    assert_int_equal(got.findings[0].places[1].start, 20);
    assert_true(got.findings[0].expected_lo == 16.0885 && isnan(got.findings[0].expected_hi));
    assert_true(got.findings[0].suppressed);
    findings_write(&second, &got);
    assert_string_equal(first.at, second.at);
    buffer_free(&first);
    buffer_free(&second);
}

static void a_class_outside_its_words_is_refused(void **state) {
    (void)state;
    struct error error = {0};
    struct findings got;
    const char *json = "{\"schema\":\"assay.findings.v1\",\"findings\":[{\"class\":\"fabricated\","
                       "\"severity\":\"high\",\"response\":\"no change\"}]}";
    assert_false(findings_read(&arena, span_of(json), "findings.json", &got, &error));
    assert_int_equal(error.kind, ERROR_INPUT);
    assert_non_null(strstr(error.message, "fabricated"));
}

static void an_empty_artifact_has_no_findings(void **state) {
    (void)state;
    struct findings none = {0}, got;
    struct error error;
    struct buffer out = {0};
    findings_write(&out, &none);
    assert_true(findings_read(&arena, buffer_span(&out), "findings.json", &got, &error));
    assert_int_equal(got.count + got.coverage_count + got.reading_count, 0);
    buffer_free(&out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read_back_and_written_the_same),
        cmocka_unit_test(a_class_outside_its_words_is_refused),
        cmocka_unit_test(an_empty_artifact_has_no_findings),
    };
    arena_init(&arena);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_free(&arena);
    return failed;
}
