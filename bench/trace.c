#include "bench/trace.h"

#include "bench/stats.h"
#include "core/memory.h"

#include <math.h>
#include <stdlib.h>

/* Means of whole batches; returns how many. */
static size_t batch_means(const double *values, size_t n, size_t batch, double *means) {
    size_t count = n / batch;
    for (size_t i = 0; i < count; i++)
        means[i] = stats_mean(values + i * batch, batch);
    return count;
}

/* The cut with the smallest standard error squared; sums run from the end, so one pass is enough.
 */
static size_t best_cut(const double *values, size_t n) {
    double mean = 0, squares = 0, best = INFINITY;
    size_t cut = 0;
    for (size_t i = n, seen = 1; i-- > 0; seen++) { /* Welford's update, backwards */
        double delta = values[i] - mean;
        mean += delta / (double)seen;
        squares += delta * (values[i] - mean);
        double score = squares / ((double)seen * (double)seen);
        if (i <= n / 2 && seen >= 2 && score <= best) {
            best = score;
            cut = i;
        }
    }
    return cut;
}

#define BATCH 5
#define BATCH_FROM 20
#define FIRST_DROPPED_FROM 4

size_t trace_warmup(const double *values, size_t n) {
    if (n < FIRST_DROPPED_FROM)
        return 0;
    size_t batch = n < BATCH_FROM ? 1 : BATCH;
    double *means = memory_alloc(n * sizeof *means);
    size_t count = batch_means(values, n, batch, means);
    size_t cut = best_cut(means, count) * batch;
    free(means);
    return cut ? cut : 1;
}

static size_t thin(const double *values, size_t n, double *points) {
    if (n <= TRACE_POINTS) {
        memcpy(points, values, n * sizeof *points);
        return n;
    }
    for (size_t i = 0; i < TRACE_POINTS; i++) {
        size_t from = i * n / TRACE_POINTS, to = (i + 1) * n / TRACE_POINTS;
        points[i] = stats_median(values + from, to - from);
    }
    return TRACE_POINTS;
}

/* The median of the slopes of all pairs of points, and Mann and Kendall's count of rising less
 * falling pairs. */
static double pair_slopes(const double *points, size_t n, double *balance) {
    double *slopes = memory_alloc(n * (n - 1) / 2 * sizeof *slopes);
    size_t count = 0;
    *balance = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++) {
            slopes[count++] = (points[j] - points[i]) / (double)(j - i);
            *balance += (points[j] > points[i]) - (points[j] < points[i]);
        }
    double slope = stats_median(slopes, count);
    free(slopes);
    return slope;
}

static double drift_and_balance(const double *values, size_t n, double *balance, size_t *points) {
    double thinned[TRACE_POINTS];
    if (n < 3)
        return NAN;
    *points = thin(values, n, thinned);
    return pair_slopes(thinned, *points, balance) * (double)*points / stats_median(values, n);
}

double trace_drift(const double *values, size_t n) {
    double balance;
    size_t points;
    return drift_and_balance(values, n, &balance, &points);
}

#define STEADY_FROM 10
#define NORMAL_99 2.5758 /* two-sided 1 % */

bool trace_is_steady(const double *values, size_t n) {
    double balance;
    size_t points;
    if (n < STEADY_FROM)
        return true;
    double drift = drift_and_balance(values, n, &balance, &points);
    if (!(fabs(drift) > TRACE_DRIFT))
        return true;
    double p = (double)points;
    /* Variance of the balance without a trend (Kendall 1975); 1 is the continuity correction. */
    double deviation = sqrt(p * (p - 1) * (2 * p + 5) / 18);
    return fabs(balance) - 1 <= NORMAL_99 * deviation;
}

#define SPREAD_FROM 8

void trace_fences(const double *values, size_t n, double *low, double *high) {
    *low = -INFINITY;
    *high = INFINITY;
    if (n < SPREAD_FROM)
        return;
    double q1 = stats_quantile(values, n, 0.25), q3 = stats_quantile(values, n, 0.75);
    *low = q1 - 3 * (q3 - q1);
    *high = q3 + 3 * (q3 - q1);
}

double trace_autocorrelation(const double *values, size_t n) {
    if (n < SPREAD_FROM)
        return NAN;
    double mean = stats_mean(values, n), all = 0, neighbours = 0;
    for (size_t i = 0; i < n; i++) {
        all += (values[i] - mean) * (values[i] - mean);
        if (i + 1 < n)
            neighbours += (values[i] - mean) * (values[i + 1] - mean);
    }
    return all > 0 ? neighbours / all : NAN;
}
