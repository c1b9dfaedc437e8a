/* The self-test of devices: it passes on the CPU device, on a GPU where there is one, and notices
 * an operation that is wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bench/selftest.h"

#include <stdio.h>

static bool test_device(const char *kind, const struct device_options *options) {
    struct arena arena;
    struct device *device;
    struct selftest result;
    struct error error = {0};
    if (!device_open(kind, options, &device, &error)) {
        assert_int_equal(error.kind, ERROR_UNAVAILABLE);
        printf("%s is not tested: %s\n", kind, error.message);
        return false;
    }
    arena_init(&arena);
    bool ran = device_selftest(&arena, device, &result, &error);
    for (size_t i = 0; i < result.count; i++)
        if (!result.cases[i].passed)
            print_error("%s: %s (%.*s): %.*s; error %.3g, bound %.3g\n", kind,
                        result.cases[i].operation, (int)result.cases[i].shape.len,
                        result.cases[i].shape.at, (int)result.cases[i].failed_at.len,
                        result.cases[i].failed_at.at, result.cases[i].error, result.cases[i].bound);
    if (!ran)
        fail_msg("%s: %s", error.where, error.message);
    assert_int_equal(result.failed, 0);
    assert_true(result.count > 200);
    assert_int_equal(device_memory_use(device).now_total, 0);
    device_close(device);
    arena_free(&arena);
    return true;
}

static void the_cpu_device_passes_its_self_test(void **state) {
    (void)state;
    assert_true(test_device("cpu", &(struct device_options){.threads = 1}));
    assert_true(test_device("cpu", &(struct device_options){.threads = 3}));
}

static void the_cuda_device_passes_its_self_test_where_there_is_a_gpu(void **state) {
    (void)state;
    if (!test_device("cuda", &(struct device_options){0}))
        skip();
    test_device("cuda", &(struct device_options){.tf32 = true});
}

static void a_wrong_result_is_found_and_named(void **state) {
    (void)state;
    struct arena arena;
    struct selftest result = {0};
    arena_init(&arena);
    struct selftest_run run = {.arena = &arena, .result = &result, .running = true};
    float found[3] = {1, 2, 3.5f};
    selftest_compare(&run, "sum", SPAN("3"), found, (double[]){1, 2, 3}, NULL, 3, 1e-4);
    assert_int_equal(result.failed, 1);
    assert_false(result.cases[0].passed);
    assert_non_null(strstr(result.cases[0].failed_at.at, "element 2 is 3.5"));
    found[1] = __builtin_nanf("");
    selftest_compare(&run, "sum", SPAN("3"), found, (double[]){1, 2, 3}, NULL, 3, 1e-4);
    assert_int_equal(result.failed, 2);
    assert_non_null(strstr(result.cases[1].failed_at.at, "element 1 is nan"));
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_cpu_device_passes_its_self_test),
        cmocka_unit_test(the_cuda_device_passes_its_self_test_where_there_is_a_gpu),
        cmocka_unit_test(a_wrong_result_is_found_and_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
