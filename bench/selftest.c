#include "bench/selftest.h"

#include <math.h>
#include <string.h>

/* splitmix64 (Steele, Lea and Flood, 2014). */
double selftest_uniform(struct selftest_run *run, double lo, double hi) {
    uint64_t z = run->random += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return lo + (hi - lo) * (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}

float *selftest_values(struct selftest_run *run, size_t n, double lo, double hi) {
    float *values = arena_array(run->arena, n, sizeof *values);
    for (size_t i = 0; i < n; i++)
        values[i] = (float)selftest_uniform(run, lo, hi);
    return values;
}

static bool finished(struct selftest_run *run) {
    if (run->running && !device_synchronize(run->device, run->error))
        run->running = false;
    return run->running;
}

float *selftest_upload(struct selftest_run *run, const float *values, size_t n) {
    float *at = device_alloc(run->device, n * sizeof *at, MEMORY_DATA);
    if (at)
        device_copy(run->device, at, values, n * sizeof *at);
    finished(run);
    return at;
}

float *selftest_poisoned(struct selftest_run *run, size_t n) {
    float *nans = arena_array(run->arena, n, sizeof *nans);
    for (size_t i = 0; i < n; i++)
        nans[i] = NAN;
    return selftest_upload(run, nans, n);
}

float *selftest_download(struct selftest_run *run, const float *from, size_t n) {
    float *to = arena_array(run->arena, n, sizeof *to);
    if (run->running && from)
        device_copy(run->device, to, from, n * sizeof *to);
    finished(run);
    return to;
}

void selftest_compare(struct selftest_run *run, const char *operation, struct span shape,
                      const float *found, const double *expected, const double *magnitudes,
                      size_t n, double bound) {
    struct selftest_case result = {operation, shape, 0, bound, true, SPAN("")};
    struct selftest *all = run->result;
    if (!run->running)
        return;
    for (size_t i = 0; i < n; i++) {
        double magnitude = magnitudes ? magnitudes[i] : fmax(1, fabs(expected[i]));
        double error = fabs((double)found[i] - expected[i]) / magnitude;
        if (!(error <= bound) && result.passed) {
            result.passed = false;
            result.failed_at = arena_printf(run->arena, "element %zu is %.9g, expected %.9g", i,
                                            (double)found[i], expected[i]);
        }
        if (isnan(error) || error > result.error)
            result.error = error;
        if (isnan(error))
            break;
    }
    all->failed += !result.passed;
    LIST_PUSH(run->arena, all->cases, all->count, all->capacity, result);
}

void selftest_check(struct selftest_run *run, const char *operation, struct span shape,
                    float *found, const double *expected, const double *magnitudes, size_t n,
                    double bound) {
    const float *values = selftest_download(run, found, n);
    selftest_compare(run, operation, shape, values, expected, magnitudes, n, bound);
    device_free(run->device, found);
}

bool device_selftest(struct arena *arena, struct device *device, struct selftest *result,
                     struct error *error) {
    static void (*const parts[])(struct selftest_run *) = {
        selftest_elements, selftest_reductions, selftest_gemm, selftest_optimizers, selftest_mlp};
    struct selftest_run run = {.arena = arena,
                               .device = device,
                               .result = result,
                               .error = error,
                               .running = true,
                               .random = 2026};
    *result = (struct selftest){0};
    for (size_t i = 0; run.running && i < sizeof parts / sizeof *parts; i++)
        parts[i](&run);
    return run.running;
}
