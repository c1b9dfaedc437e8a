/* Statistics of measurements. The independent sample is the median of one fresh process, in log
 * scale: iterations inside one process share its memory layout, clocks and caches, and an interval
 * over them says nothing about the next process.
 *
 * Functions that take values leave them in place; n = 0 gives NAN. */
#ifndef BENCH_STATS_H
#define BENCH_STATS_H

#include <stdbool.h>
#include <stddef.h>

struct interval_estimate {
    double estimate, lo, hi; /* lo and hi NAN when n is too small */
    size_t n;
};

/* Middle value, or mean of the middle two. */
double stats_median(const double *values, size_t n);
/* Quantile p in [0, 1], linear between order statistics: h = (n - 1) p (Hyndman and Fan 1996, type
 * 7; numpy's and R's default). */
double stats_quantile(const double *values, size_t n, double p);
double stats_mean(const double *values, size_t n);
/* Standard deviation with n - 1; NAN below n = 2. */
double stats_deviation(const double *values, size_t n);

/* Student's t: probability of a value <= t, and its inverse, for a whole number of degrees of
 * freedom. The finite sums of Abramowitz and Stegun 26.7.3 and 26.7.4. */
double stats_t_probability(double t, size_t freedom);
double stats_t_quantile(double p, size_t freedom);

/* mean +- t(1 - alpha, n - 1) s / sqrt(n): each side is missed with probability alpha. */
struct interval_estimate stats_mean_interval(const double *values, size_t n, double alpha);

/* Ranks (from 1) of order statistics between which the population's median lies with at least
 * `confidence`, whatever the distribution: the largest l with
 * sum over k = l .. n - l of C(n, k) / 2^n >= confidence, and n + 1 - l (David and Nagaraja, Order
 * Statistics, 7.1). False when n is too small: 95 % needs n >= 6. */
bool stats_median_ranks(size_t n, double confidence, size_t *lower, size_t *upper);
/* The median with the interval those ranks give. */
struct interval_estimate stats_median_interval(const double *values, size_t n, double confidence);

/* Probability that one more value of the same distribution lies in the range of n seen values:
 * (n - 1) / (n + 1). For claims about something that happens once a process. */
double stats_prediction_coverage(size_t n);

/* Confidence of each look when a measurement may stop at any of STATS_LOOKS sizes: one-sided 0.05
 * over all of them (Bonferroni). */
#define STATS_LOOKS 5
#define STATS_LOOK_ALPHA (0.05 / STATS_LOOKS)
extern const size_t stats_look_sizes[STATS_LOOKS]; /* processes: 3, 6, 9, 12, 18 */

/* ln(a/b) of paired values and its interval at alpha; pairs that are not both positive are left
 * out. */
struct interval_estimate stats_log_ratio(const double *a, const double *b, size_t n, double alpha);
/* What two names of the same thing differ by, relative: the largest |ln(a/b)| over the pairs (from
 * 20 pairs on their 95th percentile), but not below twice timer_step over the median of a, nor
 * below 0.2 %. NAN when there is no pair. */
double stats_noise_floor(const double *a, const double *b, size_t n, double timer_step);

#endif
