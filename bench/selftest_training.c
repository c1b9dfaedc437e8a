/* The fused optimizers, and a small MLP: loss, gradients and ten steps. */
#include "bench/reference.h"
#include "bench/selftest.h"

#include <math.h>

struct twin {
    double *p, *m, *v;
};

static double *doubles_of(struct selftest_run *run, const float *values, size_t n) {
    double *to = arena_array(run->arena, n, sizeof *to);
    for (size_t i = 0; values && i < n; i++)
        to[i] = (double)values[i];
    return to;
}

static struct schedule schedule_of(const struct optimizer_settings *o) {
    return (struct schedule){
        .lr = o->lr, .beta1 = o->beta1, .beta2 = o->beta2, .beta1_power = 1, .beta2_power = 1};
}

#define OPTIMIZER_STEPS 5

/* Gradients change from step to step; moments start at 0. Bounds: some 10 roundings a step of
 * values near 1; Adam's update divides by a root as small as 1e-2 here. */
static void test_optimizer(struct selftest_run *run, const char *name,
                           const struct optimizer_settings *o, size_t n) {
    bool keeps_m = o->kind != OPTIMIZER_SGD || o->momentum != 0, keeps_v = o->kind != OPTIMIZER_SGD;
    float *p = selftest_values(run, n, -1, 1), *zero = arena_array(run->arena, n, sizeof *zero);
    struct twin twin = {doubles_of(run, p, n), keeps_m ? doubles_of(run, NULL, n) : NULL,
                        keeps_v ? doubles_of(run, NULL, n) : NULL};
    struct schedule first = schedule_of(o);
    struct schedule *schedule = device_alloc(run->device, sizeof *schedule, MEMORY_OPTIMIZER);
    float *dp = selftest_upload(run, p, n), *dg = selftest_poisoned(run, n);
    float *dm = keeps_m ? selftest_upload(run, zero, n) : NULL;
    float *dv = keeps_v ? selftest_upload(run, zero, n) : NULL;
    if (run->running)
        device_copy(run->device, schedule, &first, sizeof first);
    for (size_t t = 1; t <= OPTIMIZER_STEPS && run->running; t++) {
        float *g = selftest_values(run, n, -1, 1);
        reference_optimizer(o, t, twin.p, doubles_of(run, g, n), twin.m, twin.v, n);
        device_copy(run->device, dg, g, n * sizeof *g);
        device_schedule(run->device, schedule);
        device_optimizer(run->device, o, dp, dg, dm, dv, schedule, n);
    }
    struct span shape = arena_printf(run->arena, "%zu, %d steps", n, OPTIMIZER_STEPS);
    selftest_check(run, name, shape, dp, twin.p, NULL, n, 1e-5);
    if (keeps_m)
        selftest_check(run, name, arena_printf(run->arena, "%zu, first moment", n), dm, twin.m,
                       NULL, n, 1e-6);
    if (keeps_v)
        selftest_check(run, name, arena_printf(run->arena, "%zu, second moment", n), dv, twin.v,
                       NULL, n, 1e-6);
    device_free(run->device, dg);
    device_free(run->device, schedule);
}

void selftest_optimizers(struct selftest_run *run) {
    static const struct {
        const char *name;
        struct optimizer_settings settings;
    } all[] = {
        {"SGD", {OPTIMIZER_SGD, 0.1, 0, 0, 0, 0, 0.01}},
        {"SGD, momentum", {OPTIMIZER_SGD, 0.1, 0.9, 0, 0, 0, 0.01}},
        {"Adam", {OPTIMIZER_ADAM, 0.01, 0, 0.9, 0.999, 1e-8, 0.01}},
        {"AdamW", {OPTIMIZER_ADAMW, 0.01, 0, 0.9, 0.999, 1e-8, 0.01}},
    };
    static const size_t lengths[] = {1, 1003, 70001};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        for (size_t k = 0; k < sizeof lengths / sizeof *lengths && run->running; k++)
            test_optimizer(run, all[i].name, &all[i].settings, lengths[k]);
}

/* --- the MLP --- */

#define NET "dim=21 depth=3 batch=13 classes=5"
#define TRAINED_STEPS 10

static bool open_net(struct selftest_run *run, struct span text, struct workload_run *net) {
    struct plan_fields settings = {0};
    struct span rest = text, word;
    while (span_next_field(&rest, ' ', &word)) {
        size_t equals = span_find_byte(word, '=', 0);
        LIST_PUSH(run->arena, settings.items, settings.count, settings.capacity,
                  (struct plan_field){span_slice(word, 0, equals),
                                      span_slice(word, equals + 1, word.len)});
    }
    run->running = workload_open(run->arena, run->device, SPAN("mlp"), &settings, net, run->error);
    return run->running;
}

/* TF32 keeps 2^-11 of each factor. */
static double widened(const struct selftest_run *run, double bound) {
    return run->device->options.tf32 ? bound + 0.02 : bound;
}

/* The first loss and gradients. */
static void test_gradients(struct selftest_run *run, const char *how) {
    struct span shape = arena_printf(run->arena, NET " mode=forward-backward %s", how);
    struct workload_run net = {0};
    double loss, scale = 0;
    if (open_net(run, shape, &net)) {
        struct mlp *mlp = net.state;
        size_t n = mlp->floats;
        double *gradient = doubles_of(run, NULL, n), *scales = doubles_of(run, NULL, n);
        double *p = doubles_of(run, selftest_download(run, mlp->parameters, n), n);
        double expected =
            reference_mlp(&mlp->shape, p, mlp->host_inputs, mlp->host_labels, gradient);
        workload_step(&net);
        workload_step(&net); /* gradients of the second step replace those of the first */
        run->running = run->running && workload_result(&net, &loss, run->error);
        for (size_t i = 0; i < n; i++)
            scale = fmax(scale, fabs(gradient[i]));
        for (size_t i = 0; i < n; i++)
            scales[i] = scale;
        if (run->running) {
            float found = (float)loss;
            selftest_compare(run, "MLP, loss", shape, &found, &expected, NULL, 1,
                             widened(run, 2e-6));
            const float *g = selftest_download(run, mlp->gradients, n);
            selftest_compare(run, "MLP, gradients", shape, g, gradient, scales, n,
                             widened(run, 4e-6));
        }
    }
    workload_close(&net);
}

static void test_training(struct selftest_run *run, const char *how) {
    struct span shape = arena_printf(run->arena, NET " %s", how);
    struct workload_run net = {0};
    double expected = 0, loss;
    if (open_net(run, shape, &net)) {
        struct mlp *mlp = net.state;
        size_t n = mlp->floats;
        double *p = doubles_of(run, selftest_download(run, mlp->parameters, n), n);
        double *g = doubles_of(run, NULL, n), *m = doubles_of(run, NULL, n);
        double *v = doubles_of(run, NULL, n);
        for (size_t t = 1; t <= TRAINED_STEPS; t++) {
            expected = reference_mlp(&mlp->shape, p, mlp->host_inputs, mlp->host_labels, g);
            reference_optimizer(&mlp->optimizer, t, p, g, m, v, n);
            workload_step(&net);
        }
        run->running = run->running && workload_result(&net, &loss, run->error);
        float found = run->running ? (float)loss : NAN;
        selftest_compare(run, "MLP, loss of step 10", shape, &found, &expected, NULL, 1,
                         widened(run, 1e-4));
    }
    workload_close(&net);
}

void selftest_mlp(struct selftest_run *run) {
    static const char *const gradients[] = {
        "activation=gelu execution=eager",
        "activation=gelu-tanh execution=fused",
        "activation=relu execution=fused zero_grad=zero",
        "activation=gelu execution=graph",
        "activation=relu execution=graph-fused",
    };
    static const char *const trainings[] = {
        "optimizer=adamw lr=0.01 implementation=multi-tensor execution=eager",
        "optimizer=adamw lr=0.01 implementation=loop execution=fused zero_grad=zero",
        "optimizer=adamw lr=0.01 implementation=fused execution=graph",
        "optimizer=adam lr=0.01 implementation=fused execution=graph-fused input=copied",
        "optimizer=sgd lr=0.05 momentum=0.9 implementation=fused execution=fused",
        "optimizer=sgd lr=0.5 implementation=multi-tensor execution=eager",
    };
    for (size_t i = 0; i < sizeof gradients / sizeof *gradients && run->running; i++)
        test_gradients(run, gradients[i]);
    for (size_t i = 0; i < sizeof trainings / sizeof *trainings && run->running; i++)
        test_training(run, trainings[i]);
}
