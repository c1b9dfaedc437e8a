/* The iterations of one run, in order: where its warm-up ends, whether it settles, what sticks out.
 */
#ifndef BENCH_TRACE_H
#define BENCH_TRACE_H

#include <stdbool.h>
#include <stddef.h>

/* How many iterations at the start belong to the warm-up: MSER-5 (White 1997; Franklin and White
 * 2008), the cut d that makes sum (b_i - mean)^2 / (n - d)^2 over the means of batches of 5 behind
 * it smallest, with d at most n/2. Below 20 iterations a batch is one iteration. The first
 * iteration is always dropped from 4 on: it pays for memory and code that the others find. */
size_t trace_warmup(const double *values, size_t n);

/* Theil-Sen slope times n, relative to the median: how far the run drifts from end to end. Longer
 * runs are looked at in TRACE_POINTS medians. NAN below 3 values. */
double trace_drift(const double *values, size_t n);
#define TRACE_POINTS 200
/* Whether a run has a steady state: drift within TRACE_DRIFT, or not distinguishable from chance
 * (Mann-Kendall, two-sided 1 %). Below 10 iterations nothing can be said: true. */
bool trace_is_steady(const double *values, size_t n);
#define TRACE_DRIFT 0.01

/* Values beyond Tukey's outer fences, 3 interquartile ranges from the quartiles. Below 8 values
 * there are none. */
void trace_fences(const double *values, size_t n, double *low, double *high);

/* Correlation of neighbouring iterations; NAN below 8 values or without variance. */
double trace_autocorrelation(const double *values, size_t n);

#endif
