/* core/number.h: against the C library's own conversions. */
#include "core/number.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* What printf and strtod give: the first of 15, 16 and 17 digits that reads back the same. */
static void shortest(double value, char *text, size_t size) {
    if (fabs(value) < 1e15 && value == floor(value)) {
        snprintf(text, size, "%.0f", value + 0.0);
        return;
    }
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, size, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            return;
    }
}

static void assert_as_printf(double value) {
    char expected[64], out[NUMBER_LONGEST + 1];
    shortest(value, expected, sizeof expected);
    size_t length = number_format(out, value);
    assert_true(length <= NUMBER_LONGEST);
    out[length] = '\0';
    assert_string_equal(out, expected);
}

static uint64_t next_random(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    return *state ^= *state << 17;
}

static void numbers_are_written_in_their_shortest_form(void **state) {
    (void)state;
    static const double chosen[] = {
        0,         1,     -1,        0.1, -0.5,    9.4905,     1e15,       1e-4,
        9.9e-5,    1e300, 4.9e-324,  0.3, 1.0 / 3, 123456.789, 1e14 + 0.5, 999999999999999.0,
        0.1 + 0.2, 2.675, 1e9 + 1e-9};
    for (size_t i = 0; i < sizeof chosen / sizeof *chosen; i++)
        assert_as_printf(chosen[i]);
    assert_as_printf(1e-5 * 9.5);
}

static void random_bits_and_random_decimals_are_written_as_printf_writes_them(void **state) {
    (void)state;
    uint64_t random = 88172645463325252u;
    char text[64];
    for (int i = 0; i < 40000; i++) {
        uint64_t bits = next_random(&random);
        double value;
        memcpy(&value, &bits, sizeof value);
        if (isfinite(value))
            assert_as_printf(value);
        uint64_t digits = next_random(&random) % 1000000000000u;
        int shift = (int)(next_random(&random) % 24) - 14;
        snprintf(text, sizeof text, "%llue%d", (unsigned long long)(digits >> digits % 30), shift);
        assert_as_printf(strtod(text, NULL));
        assert_as_printf(strtod(text, NULL) * 1.0001);
    }
}

static void sizes_are_written_in_full(void **state) {
    (void)state;
    char out[NUMBER_LONGEST + 1];
    out[number_format_size(out, 0)] = '\0';
    assert_string_equal(out, "0");
    out[number_format_size(out, SIZE_MAX)] = '\0';
    assert_string_equal(out, "18446744073709551615");
}

static void powers_of_ten_are_those_of_pow(void **state) {
    (void)state;
    for (int i = -330; i < 310; i++)
        assert_true(power_of_ten(i) == pow(10, i));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_written_in_their_shortest_form),
        cmocka_unit_test(random_bits_and_random_decimals_are_written_as_printf_writes_them),
        cmocka_unit_test(sizes_are_written_in_full),
        cmocka_unit_test(powers_of_ten_are_those_of_pow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
