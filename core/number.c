#include "core/number.h"

#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_POWER = 40 };
static double powers[2 * MOST_POWER + 1]; /* from 10^-MOST_POWER */

static void fill_powers(void) {
    for (int i = -MOST_POWER; i <= MOST_POWER; i++)
        powers[i + MOST_POWER] = pow(10, i);
}

double power_of_ten(int exponent) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (exponent < -MOST_POWER || exponent > MOST_POWER)
        return pow(10, exponent);
    pthread_once(&once, fill_powers);
    return powers[exponent + MOST_POWER];
}

size_t number_format_size(char *out, size_t value) {
    char digits[NUMBER_LONGEST];
    size_t at = sizeof digits;
    do {
        digits[--at] = (char)('0' + value % 10);
        value /= 10;
    } while (value);
    memcpy(out, digits + at, sizeof digits - at);
    return sizeof digits - at;
}

/* value is digits / 10^decimals with digits below 1e15: every such decimal is the only one of up to
 * 15 digits that reads back as value, so that no other form could be shorter. 0: it is none. */
static size_t format_decimal(char *out, double value) {
    static const double tens[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9};
    double size = fabs(value);
    if (size < 1e-4)
        return 0;
    for (unsigned decimals = 0; decimals < sizeof tens / sizeof *tens; decimals++) {
        double digits = nearbyint(size * tens[decimals]);
        if (digits >= 1e15)
            return 0;
        if (digits / tens[decimals] != size)
            continue;
        uint64_t whole = (uint64_t)digits, unit = (uint64_t)tens[decimals];
        char *at = out;
        if (value < 0)
            *at++ = '-';
        at += number_format_size(at, whole / unit);
        if (decimals)
            *at++ = '.';
        for (uint64_t rest = whole % unit; unit > 1; rest %= unit) {
            unit /= 10;
            *at++ = (char)('0' + rest / unit);
        }
        return (size_t)(at - out);
    }
    return 0;
}

size_t number_format(char *out, double value) {
    char text[NUMBER_LONGEST];
    if (value == 0) {
        *out = '0'; /* -0 as well */
        return 1;
    }
    size_t length = format_decimal(out, value);
    if (length)
        return length;
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    length = strlen(text);
    memcpy(out, text, length);
    return length;
}
