/* A quantity as a value with dimension: its unit symbol ("ms", "GB/s", "tokens/s") taken apart into
 * a scale to base units (s, B, FLOP, J, C, money) and exponents. Counted nouns (token, step, row)
 * are dimensionless; "%" is 1/100, "x" is 1. Scales are exact ratios of integers. */
#ifndef AUDIT_MEASURE_H
#define AUDIT_MEASURE_H

#include "audit/interval.h"
#include "schemas/claims.h"

#include <stdint.h>

enum { DIM_TIME, DIM_DATA, DIM_WORK, DIM_ENERGY, DIM_CHARGE, DIM_MONEY, DIM_COUNT };

struct dimension {
    int8_t power[DIM_COUNT];
};

struct measure {
    double value, lo, hi; /* in base units; lo == hi for a count */
    double ulp;           /* size of the last printed digit in base units, 0 for a count */
    struct dimension dimension;
    int64_t scale_numerator, scale_denominator; /* of one printed unit, in base units */
    struct span noun; /* the counted noun above or below the line, "" when all is physical */
    bool unit_known;  /* a unit stood there: "" and free text are not known */
    bool is_percent, is_factor;
    bool exact;
    bool tame; /* one positive value whose doubles are the exact interval to some billionths */
};

/* Never fails: what is not understood has unit_known == false and scale 1. */
struct measure measure_of(const struct quantity *quantity);
/* Exact interval in base units; false where measure_of has no finite value. */
bool measure_interval(const struct quantity *quantity, struct interval *out);
/* The same for the printed number alone, in its own unit. */
bool measure_printed(const struct quantity *quantity, struct interval *out);
bool dimension_equal(struct dimension a, struct dimension b);
bool dimension_is_none(struct dimension d);
/* a + sign*b, power by power. */
struct dimension dimension_combine(struct dimension a, struct dimension b, int sign);

#endif
