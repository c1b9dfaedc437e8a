/* core/process: limits, signals, output, input. */
#include "core/process.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

static struct arena arena;

static struct process_result run(const char *script, struct span input,
                                 struct process_limits limits) {
    const char *const arguments[] = {"sh", "-c", script, NULL};
    struct process_result result;
    struct error error = {0};
    assert_true(process_run(&arena, arguments, NULL, input, &limits, NULL, NULL, &result, &error));
    return result;
}

static void input_and_both_outputs_arrive(void **state) {
    (void)state;
    struct process_result r =
        run("cat; echo log >&2; exit 3", SPAN("hello"), (struct process_limits){.time_ms = 5000});
    assert_int_equal(r.end, PROCESS_EXITED);
    assert_int_equal(r.status, 3);
    assert_string_equal(r.out.at, "hello");
    assert_string_equal(r.err.at, "log\n");
}

static void a_hang_ends_at_its_limit(void **state) {
    (void)state;
    struct process_result r =
        run("echo early; sleep 60", SPAN(""), (struct process_limits){.time_ms = 300});
    assert_int_equal(r.end, PROCESS_TIMED_OUT);
    assert_string_equal(r.out.at, "early\n");
    assert_true(r.wall_ns < 5000000000u);
}

static void a_hang_behind_closed_pipes_ends_too(void **state) {
    (void)state;
    struct process_result r =
        run("exec >&- 2>&-; sleep 60", SPAN(""), (struct process_limits){.time_ms = 300});
    assert_int_equal(r.end, PROCESS_TIMED_OUT);
}

static void a_signal_is_named(void **state) {
    (void)state;
    struct process_result r =
        run("kill -SEGV $$", SPAN(""), (struct process_limits){.time_ms = 5000});
    assert_int_equal(r.end, PROCESS_SIGNALLED);
    assert_int_equal(r.status, 11);
}

static void endless_output_is_cut(void **state) {
    (void)state;
    struct process_result r = run("head -c 5000000 /dev/zero", SPAN(""),
                                  (struct process_limits){.time_ms = 9000, .output_bytes = 1000});
    assert_int_equal(r.end, PROCESS_EXITED);
    assert_true(r.out.len >= 1000 && r.out.len < 100000);
}

static void a_missing_program_is_an_error(void **state) {
    (void)state;
    const char *const arguments[] = {"no-such-program-here", NULL};
    struct process_result result;
    struct process_limits limits = {.time_ms = 1000};
    struct error error = {0};
    assert_false(
        process_run(&arena, arguments, NULL, SPAN(""), &limits, NULL, NULL, &result, &error));
    assert_int_equal(error.kind, ERROR_SYSTEM);
    assert_non_null(strstr(error.where, "no-such-program-here"));
}

static void count_line(void *context, struct span line) {
    size_t *counts = context;
    counts[0]++;
    counts[1] += line.len;
}

static void lines_arrive_one_by_one(void **state) {
    (void)state;
    const char *const arguments[] = {"printf", "a\\nbb\\nccc", NULL};
    size_t counts[2] = {0};
    struct process_result result;
    struct process_limits limits = {.time_ms = 5000};
    assert_true(
        process_run(&arena, arguments, NULL, SPAN(""), &limits, count_line, counts, &result, NULL));
    assert_int_equal(counts[0], 3);
    assert_int_equal(counts[1], 6);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(input_and_both_outputs_arrive),
        cmocka_unit_test(a_hang_ends_at_its_limit),
        cmocka_unit_test(a_hang_behind_closed_pipes_ends_too),
        cmocka_unit_test(a_signal_is_named),
        cmocka_unit_test(endless_output_is_cut),
        cmocka_unit_test(a_missing_program_is_an_error),
        cmocka_unit_test(lines_arrive_one_by_one),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_free(&arena);
    return failed;
}
