#include "bench/stats.h"

#include "core/memory.h"

#include <math.h>
#include <stdlib.h>

const size_t stats_look_sizes[STATS_LOOKS] = {3, 6, 9, 12, 18};

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* A sorted copy; the caller frees it. */
static double *sorted_copy(const double *values, size_t n) {
    double *copy = memory_alloc((n ? n : 1) * sizeof *copy);
    if (n)
        memcpy(copy, values, n * sizeof *copy);
    qsort(copy, n, sizeof *copy, compare);
    return copy;
}

double stats_quantile(const double *values, size_t n, double p) {
    if (n == 0)
        return NAN;
    double *sorted = sorted_copy(values, n);
    double h = (double)(n - 1) * p;
    size_t below = (size_t)h;
    double value = sorted[below];
    if (below + 1 < n)
        value += (h - (double)below) * (sorted[below + 1] - value);
    free(sorted);
    return value;
}

double stats_median(const double *values, size_t n) {
    return stats_quantile(values, n, 0.5);
}

double stats_mean(const double *values, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += values[i];
    return n ? sum / (double)n : NAN;
}

double stats_deviation(const double *values, size_t n) {
    double mean = stats_mean(values, n), sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (values[i] - mean) * (values[i] - mean);
    return n > 1 ? sqrt(sum / (double)(n - 1)) : NAN;
}

/* A(t): probability of a value in [-t, t]. */
static double t_inside(double t, size_t freedom) {
    double angle = atan(t / sqrt((double)freedom));
    double cosine2 = pow(cos(angle), 2), sum = 0, term;
    if (freedom == 1)
        return 2 * angle / M_PI;
    if (freedom % 2 == 1) {
        term = cos(angle);
        for (size_t k = 1; k <= freedom - 2; k += 2) {
            sum += term;
            term *= cosine2 * (double)(k + 1) / (double)(k + 2);
        }
        return 2 / M_PI * (angle + sin(angle) * sum);
    }
    term = 1;
    for (size_t k = 0; k <= freedom - 2; k += 2) {
        sum += term;
        term *= cosine2 * (double)(k + 1) / (double)(k + 2);
    }
    return sin(angle) * sum;
}

double stats_t_probability(double t, size_t freedom) {
    if (freedom == 0 || isnan(t))
        return NAN;
    double inside = t_inside(fabs(t), freedom);
    return t >= 0 ? 0.5 + inside / 2 : 0.5 - inside / 2;
}

double stats_t_quantile(double p, size_t freedom) {
    if (freedom == 0 || !(p > 0 && p < 1))
        return NAN;
    if (p < 0.5)
        return -stats_t_quantile(1 - p, freedom);
    double lo = 0, hi = 1;
    while (stats_t_probability(hi, freedom) < p && hi < 1e12)
        hi *= 2;
    for (int i = 0; i < 200 && hi - lo > 1e-13 * hi; i++) {
        double middle = lo + (hi - lo) / 2;
        if (stats_t_probability(middle, freedom) < p)
            lo = middle;
        else
            hi = middle;
    }
    return lo + (hi - lo) / 2;
}

struct interval_estimate stats_mean_interval(const double *values, size_t n, double alpha) {
    struct interval_estimate found = {stats_mean(values, n), NAN, NAN, n};
    if (n < 2)
        return found;
    double half = stats_t_quantile(1 - alpha, n - 1) * stats_deviation(values, n) / sqrt((double)n);
    found.lo = found.estimate - half;
    found.hi = found.estimate + half;
    return found;
}

/* C(n, k) / 2^n, through logarithms so that a large n does not overflow. */
static double half_binomial(size_t n, size_t k) {
    return exp(lgamma((double)n + 1) - lgamma((double)k + 1) - lgamma((double)(n - k) + 1) -
               (double)n * M_LN2);
}

bool stats_median_ranks(size_t n, double confidence, size_t *lower, size_t *upper) {
    double tail = 0; /* probability of fewer than `rank` values below the median */
    *lower = *upper = 0;
    for (size_t rank = 1; rank <= (n + 1) / 2; rank++) {
        tail += half_binomial(n, rank - 1);
        if (1 - 2 * tail < confidence)
            break;
        *lower = rank;
        *upper = n + 1 - rank;
    }
    return *lower > 0;
}

struct interval_estimate stats_median_interval(const double *values, size_t n, double confidence) {
    struct interval_estimate found = {stats_median(values, n), NAN, NAN, n};
    size_t lower, upper;
    if (!stats_median_ranks(n, confidence, &lower, &upper))
        return found;
    double *sorted = sorted_copy(values, n);
    found.lo = sorted[lower - 1];
    found.hi = sorted[upper - 1];
    free(sorted);
    return found;
}

double stats_prediction_coverage(size_t n) {
    return n ? ((double)n - 1) / ((double)n + 1) : NAN;
}

/* ln(a/b) of the usable pairs; the caller frees it. */
static double *log_ratios(const double *a, const double *b, size_t n, size_t *kept) {
    double *ratios = memory_alloc((n ? n : 1) * sizeof *ratios);
    *kept = 0;
    for (size_t i = 0; i < n; i++)
        if (a[i] > 0 && b[i] > 0 && isfinite(a[i]) && isfinite(b[i]))
            ratios[(*kept)++] = log(a[i] / b[i]);
    return ratios;
}

struct interval_estimate stats_log_ratio(const double *a, const double *b, size_t n, double alpha) {
    size_t kept;
    double *ratios = log_ratios(a, b, n, &kept);
    struct interval_estimate found = stats_mean_interval(ratios, kept, alpha);
    free(ratios);
    return found;
}

#define NOISE_LEAST 0.002
#define NOISE_MANY 20 /* pairs from which a percentile stands for the largest */

double stats_noise_floor(const double *a, const double *b, size_t n, double timer_step) {
    size_t kept;
    double *ratios = log_ratios(a, b, n, &kept);
    for (size_t i = 0; i < kept; i++)
        ratios[i] = fabs(ratios[i]);
    double floor = stats_quantile(ratios, kept, kept < NOISE_MANY ? 1 : 0.95);
    free(ratios);
    if (isnan(floor))
        return NAN;
    return fmax(floor, fmax(NOISE_LEAST, 2 * timer_step / stats_median(a, n)));
}
