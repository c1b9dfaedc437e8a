/* Every operation of a device against float64, on random data, with outputs poisoned first. */
#ifndef BENCH_SELFTEST_H
#define BENCH_SELFTEST_H

#include "bench/device.h"

/* One comparison. error is the largest of |found - expected| / magnitude over the elements, where
 * magnitude is what the operation's rounding errors scale with (sum |a||b| for a GEMM). */
struct selftest_case {
    const char *operation;
    struct span shape;
    double error, bound;
    bool passed;
    struct span failed_at; /* the first element beyond the bound; empty when passed */
};

struct selftest {
    struct selftest_case *cases;
    size_t count, capacity, failed;
};

/* Tests the device and a small MLP on it. False when it could not be carried through; cases that
 * ran are in result. */
bool device_selftest(struct arena *arena, struct device *device, struct selftest *result,
                     struct error *error);

/* --- for the files that hold the cases --- */

struct selftest_run {
    struct arena *arena;
    struct device *device;
    struct selftest *result;
    struct error *error;
    bool running; /* false: something could not run, error says what */
    uint64_t random;
};

/* Uniform in [lo, hi). */
double selftest_uniform(struct selftest_run *run, double lo, double hi);
float *selftest_values(struct selftest_run *run, size_t n, double lo, double hi);
/* Device memory with a copy of n floats, or with NAN in all of them. */
float *selftest_upload(struct selftest_run *run, const float *values, size_t n);
float *selftest_poisoned(struct selftest_run *run, size_t n);
/* Waits and fetches. */
float *selftest_download(struct selftest_run *run, const float *from, size_t n);
/* Records one case from n floats found; magnitudes NULL = max(1, |expected|). */
void selftest_compare(struct selftest_run *run, const char *operation, struct span shape,
                      const float *found, const double *expected, const double *magnitudes,
                      size_t n, double bound);
/* The same with found fetched from the device and freed there. */
void selftest_check(struct selftest_run *run, const char *operation, struct span shape,
                    float *found, const double *expected, const double *magnitudes, size_t n,
                    double bound);

void selftest_gemm(struct selftest_run *run);
void selftest_elements(struct selftest_run *run);
void selftest_reductions(struct selftest_run *run);
void selftest_optimizers(struct selftest_run *run);
void selftest_mlp(struct selftest_run *run);

#endif
