/* Exact rational intervals (GMP). A printed number stands for the open interval of the values that
 * round to it; a count is a point. Nothing here rounds: 9.491 is (18981/2000, 18983/2000).
 *
 * Each interval owns two mpq_t: interval_init before use, interval_clear after. Results may be one
 * of the operands. Every operation is exact when each variable occurs once in the expression, which
 * is how the laws write theirs (100*(a/b - 1), never 100*(a - b)/b). */
#ifndef AUDIT_INTERVAL_H
#define AUDIT_INTERVAL_H

#include "core/memory.h"

#include <gmp.h>

struct interval {
    mpq_t lo, hi; /* lo == hi: a point (closed); else open at both ends */
};

void interval_init(struct interval *x);
void interval_clear(struct interval *x);
void interval_set(struct interval *x, const struct interval *from);
/* Finite doubles, taken exactly; false for NaN, infinities and lo > hi. */
bool interval_from_doubles(struct interval *x, double lo, double hi);
/* The value rounded to so many decimals, half a unit of the last place to each side; decimals may
 * be negative (1200 known to hundreds: -2). false beyond what a double holds exactly. */
bool interval_from_decimal(struct interval *x, double value, int decimals);
/* numerator/denominator as a point. */
void interval_from_ratio(struct interval *x, long numerator, unsigned long denominator);

void interval_add(struct interval *r, const struct interval *a, const struct interval *b);
void interval_subtract(struct interval *r, const struct interval *a, const struct interval *b);
void interval_multiply(struct interval *r, const struct interval *a, const struct interval *b);
/* false when b may be zero. */
bool interval_divide(struct interval *r, const struct interval *a, const struct interval *b);
void interval_scale(struct interval *r, const struct interval *a, const mpq_t factor);

enum contact {
    CONTACT_OVERLAP, /* a common inner value exists */
    CONTACT_TOUCH,   /* only end points meet: undecidable, rounding rules differ there */
    CONTACT_APART
};
enum contact interval_contact(const struct interval *a, const struct interval *b);
/* Distance between two intervals as a double, 0 unless they are apart. */
double interval_gap(const struct interval *a, const struct interval *b);

double interval_lo(const struct interval *x);
double interval_hi(const struct interval *x);
/* "16.0885..16.0941": as many digits as tell the ends apart; a point is one number. */
struct span interval_text(struct arena *arena, double lo, double hi);

#endif
