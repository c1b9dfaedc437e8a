#include "audit/interval.h"

#include "core/number.h"

#include <math.h>
#include <stdio.h>

/* Numbers beyond these bounds do not come from measurements; they would only cost time. */
enum { MOST_DECIMALS = 40 };
static const double most_exact = 9007199254740992.0; /* 2^53: integers above are not exact */

void interval_init(struct interval *x) {
    mpq_init(x->lo);
    mpq_init(x->hi);
}

void interval_clear(struct interval *x) {
    mpq_clear(x->lo);
    mpq_clear(x->hi);
}

void interval_set(struct interval *x, const struct interval *from) {
    mpq_set(x->lo, from->lo);
    mpq_set(x->hi, from->hi);
}

bool interval_from_doubles(struct interval *x, double lo, double hi) {
    if (!isfinite(lo) || !isfinite(hi) || lo > hi)
        return false;
    mpq_set_d(x->lo, lo);
    mpq_set_d(x->hi, hi);
    return true;
}

/* *scale = 10^-decimals */
static void unit_in_last_place(mpq_t unit, int decimals) {
    mpz_t power;
    mpz_init(power);
    mpz_ui_pow_ui(power, 10, (unsigned long)(decimals < 0 ? -decimals : decimals));
    mpq_set_z(unit, power);
    if (decimals > 0)
        mpq_inv(unit, unit);
    mpz_clear(power);
}

bool interval_from_decimal(struct interval *x, double value, int decimals) {
    if (!isfinite(value) || decimals > MOST_DECIMALS || decimals < -MOST_DECIMALS)
        return false;
    double digits = nearbyint(value * power_of_ten(decimals));
    if (!(fabs(digits) < most_exact))
        return false;
    mpq_t unit, half;
    mpq_inits(unit, half, NULL);
    unit_in_last_place(unit, decimals);
    mpq_div_2exp(half, unit, 1);
    mpq_set_d(x->lo, digits);
    mpq_mul(x->lo, x->lo, unit);
    mpq_add(x->hi, x->lo, half);
    mpq_sub(x->lo, x->lo, half);
    mpq_clears(unit, half, NULL);
    return true;
}

void interval_from_ratio(struct interval *x, long numerator, unsigned long denominator) {
    mpq_set_si(x->lo, numerator, denominator);
    mpq_canonicalize(x->lo);
    mpq_set(x->hi, x->lo);
}

void interval_add(struct interval *r, const struct interval *a, const struct interval *b) {
    mpq_add(r->lo, a->lo, b->lo);
    mpq_add(r->hi, a->hi, b->hi);
}

void interval_subtract(struct interval *r, const struct interval *a, const struct interval *b) {
    mpq_t lo;
    mpq_init(lo);
    mpq_sub(lo, a->lo, b->hi);
    mpq_sub(r->hi, a->hi, b->lo);
    mpq_set(r->lo, lo);
    mpq_clear(lo);
}

/* Smallest and largest of the four products of end points. */
void interval_multiply(struct interval *r, const struct interval *a, const struct interval *b) {
    mpq_t product, lo, hi;
    mpq_inits(product, lo, hi, NULL);
    mpq_mul(lo, a->lo, b->lo);
    mpq_set(hi, lo);
    for (int corner = 1; corner < 4; corner++) {
        mpq_mul(product, corner & 1 ? a->hi : a->lo, corner & 2 ? b->hi : b->lo);
        if (mpq_cmp(product, lo) < 0)
            mpq_set(lo, product);
        if (mpq_cmp(product, hi) > 0)
            mpq_set(hi, product);
    }
    mpq_set(r->lo, lo);
    mpq_set(r->hi, hi);
    mpq_clears(product, lo, hi, NULL);
}

bool interval_divide(struct interval *r, const struct interval *a, const struct interval *b) {
    if (mpq_sgn(b->lo) * mpq_sgn(b->hi) <= 0)
        return false;
    struct interval inverse;
    interval_init(&inverse);
    mpq_inv(inverse.lo, b->hi);
    mpq_inv(inverse.hi, b->lo);
    interval_multiply(r, a, &inverse);
    interval_clear(&inverse);
    return true;
}

void interval_scale(struct interval *r, const struct interval *a, const mpq_t factor) {
    mpq_mul(r->lo, a->lo, factor);
    mpq_mul(r->hi, a->hi, factor);
    if (mpq_sgn(factor) < 0)
        mpq_swap(r->lo, r->hi);
}

enum contact interval_contact(const struct interval *a, const struct interval *b) {
    int left = mpq_cmp(a->hi, b->lo), right = mpq_cmp(b->hi, a->lo);
    if (left < 0 || right < 0)
        return CONTACT_APART;
    bool points = mpq_equal(a->lo, a->hi) && mpq_equal(b->lo, b->hi);
    if (points)
        return CONTACT_OVERLAP; /* equal points: left == right == 0 */
    return left == 0 || right == 0 ? CONTACT_TOUCH : CONTACT_OVERLAP;
}

double interval_gap(const struct interval *a, const struct interval *b) {
    mpq_t gap;
    mpq_init(gap);
    mpq_sub(gap, b->lo, a->hi);
    if (mpq_sgn(gap) < 0)
        mpq_sub(gap, a->lo, b->hi);
    double distance = mpq_sgn(gap) < 0 ? 0 : mpq_get_d(gap);
    mpq_clear(gap);
    return distance;
}

double interval_lo(const struct interval *x) {
    return mpq_get_d(x->lo);
}

double interval_hi(const struct interval *x) {
    return mpq_get_d(x->hi);
}

/* Decimals that show the width with three digits, at least those that carry the value at all. */
static int decimals_for(double lo, double hi) {
    double width = hi - lo, size = fmax(fabs(lo), fabs(hi));
    double smallest = width > 0 ? width / 50 : size / 1e5;
    if (!(smallest > 0))
        return 0;
    int decimals = (int)ceil(-log10(smallest));
    return decimals < 0 ? 0 : decimals > 12 ? 12 : decimals;
}

struct span interval_text(struct arena *arena, double lo, double hi) {
    if (lo == hi)
        return arena_printf(arena, "%.12g", lo);
    int decimals = decimals_for(lo, hi);
    if (fabs(lo) >= 1e15 || fabs(hi) >= 1e15)
        return arena_printf(arena, "%.6g..%.6g", lo, hi);
    return arena_printf(arena, "%.*f..%.*f", decimals, lo, decimals, hi);
}
