#include "bench/localize.h"
#include "bench/boundary_kinds.h"
#include "core/clock.h"

#include <math.h>

/* --- ceilings --- */

#define CEILING_REPEATS 5

/* Sizes: large enough that starting costs nothing, and beyond the last-level cache. */
static void default_sizes(const struct device *device, size_t *edge, size_t *bytes) {
    bool cpu = strcmp(device_kind_name(device), "cpu") == 0;
    if (*edge == 0)
        *edge = cpu ? 1536 : 8192;
    if (*bytes == 0)
        *bytes = cpu ? 512u << 20 : 2048u << 20;
}

static double best_ms(struct device *device, void (*submit)(struct device *, void *), void *job,
                      struct error *error) {
    struct device_event *from = device_event_new(device), *to = device_event_new(device);
    double best = NAN;
    for (int i = 0; i <= CEILING_REPEATS; i++) { /* the first warms up */
        device_event_record(device, from);
        submit(device, job);
        device_event_record(device, to);
        if (!device_synchronize(device, error)) {
            best = NAN;
            break;
        }
        double ms = device_elapsed_ms(device, from, to);
        if (i > 0 && !(best <= ms))
            best = ms;
    }
    device_event_free(device, from);
    device_event_free(device, to);
    return best;
}

static void submit_gemm(struct device *device, void *job) {
    device_gemm(device, job);
}

struct copy_job {
    void *to, *from;
    size_t bytes;
};

static void submit_copy(struct device *device, void *at) {
    struct copy_job *job = at;
    device_copy(device, job->to, job->from, job->bytes);
}

static bool measure_gemm(struct device *device, size_t edge, double *gflops, struct error *error) {
    size_t bytes = edge * edge * sizeof(float);
    float *a = device_alloc(device, bytes, MEMORY_WORKSPACE);
    float *b = device_alloc(device, bytes, MEMORY_WORKSPACE);
    float *c = device_alloc(device, bytes, MEMORY_WORKSPACE);
    int64_t n = (int64_t)edge;
    device_fill(device, a, edge * edge, 1.0f);
    device_fill(device, b, edge * edge, 0.5f);
    struct gemm job = {.a = a, .b = b, .c = c, .m = n, .n = n, .k = n};
    double ms = best_ms(device, submit_gemm, &job, error);
    device_free(device, a);
    device_free(device, b);
    device_free(device, c);
    *gflops = 2 * (double)edge * (double)edge * (double)edge / (ms * 1e6);
    return !isnan(ms);
}

static bool measure_copy(struct device *device, size_t bytes, double *gbs, struct error *error) {
    struct copy_job job = {.to = device_alloc(device, bytes, MEMORY_WORKSPACE),
                           .from = device_alloc(device, bytes, MEMORY_WORKSPACE),
                           .bytes = bytes};
    device_fill(device, job.from, bytes / sizeof(float), 1.0f);
    device_fill(device, job.to, bytes / sizeof(float), 0.0f);
    double ms = best_ms(device, submit_copy, &job, error);
    device_free(device, job.to);
    device_free(device, job.from);
    *gbs = 2 * (double)bytes / (ms * 1e6);
    return !isnan(ms);
}

bool ceilings_measure(struct device *device, size_t edge, size_t bytes, struct ceilings *ceilings,
                      struct error *error) {
    default_sizes(device, &edge, &bytes);
    bool fine = measure_gemm(device, edge, &ceilings->gemm_gflops, error) &&
                measure_copy(device, bytes, &ceilings->copy_gbs, error);
    device_memory_trim(device);
    return fine;
}

/* --- one loop --- */

/* Room for the phase changes of one step. */
#define MARKS_A_STEP 16

bool localize(struct workload_run *run, size_t count, struct localization *found,
              struct error *error) {
    struct device *device = run->device;
    if (!device_synchronize(device, error))
        return false;
    device_phases_begin(device, MARKS_A_STEP * count + 2);
    uint64_t from = clock_monotonic_ns();
    for (size_t i = 0; i < count; i++)
        workload_step(run);
    double host = ms_since(from), each = 1 / (double)count;
    *found = (struct localization){.host_ms = host * each};
    device_phases_end(device, found->ms, &found->idle_ms);
    if (!device_synchronize(device, error))
        return false;
    found->idle_ms *= each;
    found->step_ms = isnan(found->idle_ms) ? 0 : found->idle_ms;
    for (int i = 0; i < PHASE_COUNT; i++) {
        found->ms[i] *= each;
        found->step_ms += found->ms[i];
        found->work[i] = device->work[i];
        found->work[i].flops *= each;
        found->work[i].bytes *= each;
        found->work[i].commands /= count;
    }
    return true;
}

/* --- what limits --- */

static struct work total_work(const struct localization *found, int phase, double *ms) {
    struct work all = {0};
    *ms = 0;
    for (int i = 0; i < PHASE_COUNT; i++) {
        if (phase != PHASE_COUNT && phase != i)
            continue;
        all.flops += found->work[i].flops;
        all.bytes += found->work[i].bytes;
        *ms += found->ms[i];
    }
    return all;
}

const char *localization_limit(const struct localization *found, const struct ceilings *ceilings,
                               int phase) {
    double ms;
    struct work work = total_work(found, phase, &ms);
    if (phase == PHASE_COUNT && found->idle_ms > IDLE_FRACTION * found->step_ms)
        return "host";
    if (!(ms > 0))
        return "neither";
    double compute = work.flops / (ms * 1e6) / ceilings->gemm_gflops;
    double memory = work.bytes / (ms * 1e6) / ceilings->copy_gbs;
    if (compute < LIMIT_FRACTION && memory < LIMIT_FRACTION)
        return "neither";
    return compute >= memory ? "compute" : "memory";
}
