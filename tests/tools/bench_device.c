/* Figures of the CPU device for `make bench-bench`: one line each, "name value unit". What is
 * compared runs in turns within this process, and the median of the turns' ratios is printed: the
 * machine may be shared.
 *
 *     bench_device clock | harness | gemm | optimizer | linear */
#include "bench/boundary.h"
#include "bench/localize.h"
#include "bench/stats.h"
#include "core/clock.h"

#include <cblas.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define TURNS 21

static struct arena arena;

static void must(bool fine, const struct error *error) {
    if (fine)
        return;
    fprintf(stderr, "bench_device: %s: %s\n", error->where, error->message);
    exit(1);
}

static struct device *open_cpu(void) {
    struct device *device;
    struct error error = {0};
    must(device_open("cpu", &(struct device_options){0}, &device, &error), &error);
    return device;
}

/* Median over the turns, and the ratio of the fastest turns: what others' load leaves alone. */
static void print_ratio(const char *name, const double *above, const double *below) {
    double ratios[TURNS];
    for (int i = 0; i < TURNS; i++)
        ratios[i] = above[i] / below[i];
    printf("%s %.3f ratio, quartiles %.3f to %.3f, of the fastest %.3f\n", name,
           stats_median(ratios, TURNS), stats_quantile(ratios, TURNS, 0.25),
           stats_quantile(ratios, TURNS, 0.75),
           stats_quantile(above, TURNS, 0) / stats_quantile(below, TURNS, 0));
    fflush(stdout);
}

/* --- clock: what reading it costs, and the least step it shows --- */

static void bench_clock(void) {
    enum { READINGS = 1000000 };
    uint64_t least = UINT64_MAX, from = clock_monotonic_ns(), before = from;
    for (int i = 0; i < READINGS; i++) {
        uint64_t now = clock_monotonic_ns();
        if (now > before && now - before < least)
            least = now - before;
        before = now;
    }
    printf("clock.reading %.1f ns\n", (double)(before - from) / READINGS);
    printf("clock.step %llu ns\n", (unsigned long long)least);
}

/* --- harness: time of a measurement beside what its samples say --- */

struct adding {
    double sum_ms;
    size_t count;
};

static bool add_sample(void *context, const struct boundary_sample *sample) {
    struct adding *all = context;
    all->sum_ms += sample->value;
    all->count++;
    return true;
}

static struct plan_fields settings_of(const char *text) {
    struct plan_fields fields = {0};
    struct span rest = span_of(text), word;
    while (span_next_field(&rest, ' ', &word)) {
        size_t equals = span_find_byte(word, '=', 0);
        plan_fields_set(&arena, &fields, span_slice(word, 0, equals),
                        span_slice(word, equals + 1, word.len));
    }
    return fields;
}

/* The samples of a step that submits nothing are harness alone: its clock, its calls, and what
 * handing the sample over costs. */
static void bench_harness(void) {
    struct device *device = open_cpu();
    struct error error = {0};
    struct workload_run run;
    struct plan_fields settings = settings_of("operations=0");
    must(workload_open(&arena, device, SPAN("null"), &settings, &run, &error), &error);
    double whole[TURNS], inside[TURNS];
    for (int i = 0; i < TURNS; i++) {
        struct boundary_options options = {.samples = 100000};
        struct adding all = {0};
        uint64_t from = clock_monotonic_ns();
        must(
            boundary_find(SPAN("per-iteration"))->measure(&run, &options, add_sample, &all, &error),
            &error);
        whole[i] = (double)(clock_monotonic_ns() - from) / (double)all.count;
        inside[i] = all.sum_ms * 1e6 / (double)all.count;
    }
    printf("harness.sample %.0f ns\n", stats_median(whole, TURNS));
    printf("harness.inside %.0f ns\n", stats_median(inside, TURNS));
    workload_close(&run);
    device_close(device);
}

/* --- gemm: the device beside the library called directly with as many threads --- */

struct shape {
    const char *name;
    int64_t m, n, k;
    bool transpose_a, transpose_b;
};

static const struct shape shapes[] = {{"forward", 256, 1536, 1536, false, true},
                                      {"input-gradient", 256, 1536, 1536, false, false},
                                      {"weight-gradient", 1536, 1536, 256, true, false},
                                      {"square", 1536, 1536, 1536, false, false}};

static double gemm_by_device(struct device *device, const struct gemm *gemm) {
    struct error error = {0};
    uint64_t from = clock_monotonic_ns();
    device_gemm(device, gemm);
    must(device_synchronize(device, &error), &error);
    return (double)(clock_monotonic_ns() - from);
}

static double gemm_by_library(const struct gemm *g, int threads) {
    openblas_set_num_threads(threads);
    uint64_t from = clock_monotonic_ns();
    cblas_sgemm(CblasRowMajor, g->transpose_a ? CblasTrans : CblasNoTrans,
                g->transpose_b ? CblasTrans : CblasNoTrans, (blasint)g->m, (blasint)g->n,
                (blasint)g->k, 1, g->a, (blasint)(g->transpose_a ? g->m : g->k), g->b,
                (blasint)(g->transpose_b ? g->k : g->n), 0, g->c, (blasint)g->n);
    double ns = (double)(clock_monotonic_ns() - from);
    openblas_set_num_threads(1);
    return ns;
}

static float *filled(struct device *device, size_t count) {
    float *at = device_alloc(device, count * sizeof *at, MEMORY_DATA);
    for (size_t i = 0; i < count; i++)
        at[i] = (float)(i % 251) / 251 - 0.5f;
    return at;
}

static void bench_gemm(void) {
    struct device *device = open_cpu();
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        const struct shape *x = &shapes[s];
        struct gemm gemm = {.m = x->m,
                            .n = x->n,
                            .k = x->k,
                            .transpose_a = x->transpose_a,
                            .transpose_b = x->transpose_b};
        gemm.a = filled(device, (size_t)(x->m * x->k));
        gemm.b = filled(device, (size_t)(x->k * x->n));
        gemm.c = filled(device, (size_t)(x->m * x->n));
        double ours[TURNS], library[TURNS];
        for (int i = -1; i < TURNS; i++) { /* the first warms up */
            int at = i < 0 ? 0 : i;
            ours[at] = gemm_by_device(device, &gemm);
            library[at] = gemm_by_library(&gemm, device->options.threads);
        }
        printf("gemm.%s %.0f GFLOP/s\n", x->name,
               2.0 * (double)x->m * (double)x->n * (double)x->k / stats_quantile(ours, TURNS, 0));
        print_ratio(arena_printf(&arena, "gemm.%s.library", x->name).at, ours, library);
    }
    device_close(device);
}

/* --- optimizer: one fused pass beside a copy of as many bytes, in turns --- */

static double optimizer_ns(struct device *device, float *const *at, struct schedule *schedule,
                           size_t n) {
    struct optimizer_settings adamw = {OPTIMIZER_ADAMW, 1e-3, 0, 0.9, 0.999, 1e-8, 0.01};
    struct error error = {0};
    uint64_t from = clock_monotonic_ns();
    device_optimizer(device, &adamw, at[0], at[1], at[2], at[3], schedule, n);
    must(device_synchronize(device, &error), &error);
    return (double)(clock_monotonic_ns() - from);
}

static double copy_ns(struct device *device, float *const *at, size_t n) {
    struct error error = {0};
    uint64_t from = clock_monotonic_ns();
    device_copy(device, at[4], at[5], n * sizeof(float));
    must(device_synchronize(device, &error), &error);
    return (double)(clock_monotonic_ns() - from);
}

static void bench_optimizer(void) {
    enum { FLOATS = 28329984 }; /* parameters of 12 layers of 1536 */
    struct device *device = open_cpu();
    struct error error = {0};
    float *at[6];
    struct schedule *schedule = device_alloc(device, sizeof *schedule, MEMORY_OPTIMIZER);
    *schedule = (struct schedule){1e-3, 0.9, 0.999, 0.9, 0.999, 1e-2f, 0.03f};
    for (int i = 0; i < 6; i++) {
        at[i] = device_alloc(device, FLOATS * sizeof(float), MEMORY_OPTIMIZER);
        device_fill(device, at[i], FLOATS, 0.01f);
    }
    must(device_synchronize(device, &error), &error);
    double ours[TURNS], copy[TURNS];
    for (int i = -1; i < TURNS; i++) {
        int turn = i < 0 ? 0 : i;
        /* per float moved: AdamW reads p, g, m, v and writes p, m, v; a copy reads and writes one
         */
        ours[turn] = optimizer_ns(device, at, schedule, FLOATS) / 7;
        copy[turn] = copy_ns(device, at, FLOATS) / 2;
    }
    printf("copy %.1f GB/s\n", FLOATS * sizeof(float) / stats_quantile(copy, TURNS, 0));
    print_ratio("optimizer.copy", copy, ours);
    device_close(device);
}

/* --- linear: twice the depth, twice the batch --- */

static double step_ns(struct device *device, const char *text) {
    struct error error = {0};
    struct workload_run run;
    struct plan_fields settings = settings_of(text);
    double ns[3];
    must(workload_open(&arena, device, SPAN("mlp"), &settings, &run, &error), &error);
    for (int i = -1; i < 3; i++) {
        uint64_t from = clock_monotonic_ns();
        workload_step(&run);
        must(device_synchronize(device, &error), &error);
        if (i >= 0)
            ns[i] = (double)(clock_monotonic_ns() - from);
    }
    workload_close(&run);
    return stats_median(ns, 3);
}

/* cost a layer (an example) at twice the size against the smaller one */
static void bench_growth(struct device *device, const char *name, const char *small,
                         const char *large) {
    double one[TURNS], two[TURNS];
    for (int i = 0; i < TURNS; i++) {
        one[i] = 2 * step_ns(device, small);
        two[i] = step_ns(device, large);
    }
    print_ratio(name, two, one);
}

static void bench_linear(void) {
    struct device *device = open_cpu();
    bench_growth(device, "linear.depth", "dim=512 depth=8 classes=0 batch=128",
                 "dim=512 depth=16 classes=0 batch=128");
    /* the optimizer's cost is not the batch's: forward and backward alone */
    bench_growth(device, "linear.batch", "dim=512 depth=8 batch=256 mode=forward-backward",
                 "dim=512 depth=8 batch=512 mode=forward-backward");
    device_close(device);
}

int main(int count, char **words) {
    static const struct {
        const char *name;
        void (*run)(void);
    } parts[] = {{"clock", bench_clock},
                 {"harness", bench_harness},
                 {"gemm", bench_gemm},
                 {"optimizer", bench_optimizer},
                 {"linear", bench_linear}};
    arena_init(&arena);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (count == 1 || strcmp(words[1], parts[i].name) == 0)
            parts[i].run();
    arena_free(&arena);
    return 0;
}
