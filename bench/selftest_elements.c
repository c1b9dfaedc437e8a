/* Copies, fills, biases, activations, vector passes, graphs and events. */
#include "bench/reference.h"
#include "bench/selftest.h"

#include <math.h>

/* Shapes that fill no vector, warp, block or tile; and one that fills them all. */
static const size_t lengths[] = {1, 3, 31, 1003, 4096, 70001};
#define LENGTHS (sizeof lengths / sizeof *lengths)

/* Of 1 or of the value, whichever is larger: erf within 4e-7 (bench/kernels.h), times |x| <= 8, and
 * a few roundings. */
#define BOUND_ACTIVATION 4e-6
#define BOUND_ROUNDINGS 4e-7 /* 6 of 2^-24 */

static struct span length_text(struct selftest_run *run, size_t n) {
    return arena_printf(run->arena, "%zu", n);
}

static double *doubles(struct selftest_run *run, size_t n) {
    return arena_array(run->arena, n, sizeof(double));
}

static void test_copy_and_fill(struct selftest_run *run, size_t n) {
    float *values = selftest_values(run, n, -1, 1);
    double *expected = doubles(run, n);
    float *from = selftest_upload(run, values, n), *to = selftest_poisoned(run, n);
    for (size_t i = 0; i < n; i++)
        expected[i] = (double)values[i];
    device_copy(run->device, to, from, n * sizeof *to);
    device_free(run->device, from);
    selftest_check(run, "copy", length_text(run, n), to, expected, NULL, n, 0);
    to = selftest_poisoned(run, n + 2); /* the last two must stay as they are */
    device_fill(run->device, to, n, -2.5f);
    const float *found = selftest_download(run, to, n + 2);
    for (size_t i = 0; i < n; i++)
        expected[i] = -2.5;
    selftest_compare(run, "fill", length_text(run, n), found, expected, NULL, n, 0);
    float beyond[2] = {isnan(found[n]), isnan(found[n + 1])};
    selftest_compare(run, "fill, not beyond the end", length_text(run, n), beyond, (double[]){1, 1},
                     NULL, 2, 0);
    device_free(run->device, to);
}

/* offset 1: addresses that are aligned to nothing but a float. */
static void test_activation(struct selftest_run *run, enum activation activation, size_t n,
                            size_t offset) {
    static const char *const names[][2] = {{"no activation", "no activation, gradient"},
                                           {"ReLU", "ReLU, gradient"},
                                           {"GELU", "GELU, gradient"},
                                           {"GELU by tanh", "GELU by tanh, gradient"}};
    float *z = selftest_values(run, n + offset, -8, 8);
    float *dy = selftest_values(run, n + offset, -1, 1);
    double *value = doubles(run, n), *gradient = doubles(run, n);
    struct span shape = arena_printf(run->arena, "%zu%s", n, offset ? ", unaligned" : "");
    for (size_t i = 0; i < n; i++) {
        double x = (double)z[i + offset];
        value[i] = reference_activation(activation, x);
        gradient[i] = (double)dy[i + offset] * reference_activation_gradient(activation, x);
    }
    float *in = selftest_upload(run, z, n + offset),
          *upstream = selftest_upload(run, dy, n + offset);
    float *out = selftest_poisoned(run, n + offset);
    if (run->running) {
        device_activation(run->device, activation, out + offset, in + offset, n);
        const float *found = selftest_download(run, out, n + offset);
        selftest_compare(run, names[activation][0], shape, found + offset, value, NULL, n,
                         BOUND_ACTIVATION);
        /* in place, as backward does it */
        device_activation_gradient(run->device, activation, upstream + offset, upstream + offset,
                                   in + offset, n);
        found = selftest_download(run, upstream, n + offset);
        selftest_compare(run, names[activation][1], shape, found + offset, gradient, NULL, n,
                         BOUND_ACTIVATION);
    }
    device_free(run->device, in);
    device_free(run->device, upstream);
    device_free(run->device, out);
}

static void test_bias(struct selftest_run *run, size_t rows, size_t columns) {
    size_t n = rows * columns;
    float *z = selftest_values(run, n, -1, 1), *bias = selftest_values(run, columns, -1, 1);
    double *expected = doubles(run, n);
    for (size_t i = 0; i < n; i++)
        expected[i] = (double)z[i] + (double)bias[i % columns];
    float *on_device = selftest_upload(run, z, n), *by = selftest_upload(run, bias, columns);
    device_bias(run->device, on_device, by, rows, columns);
    selftest_check(run, "bias", arena_printf(run->arena, "%zu by %zu", rows, columns), on_device,
                   expected, NULL, n, BOUND_ROUNDINGS);
    device_free(run->device, by);
}

/* What the passes of enum vector_pass say, in double. */
static double pass_value(enum vector_pass pass, double x, double a, double b, double s,
                         const struct schedule *schedule) {
    switch (pass) {
    case VECTOR_SCALE:
        return x * s;
    case VECTOR_ADD:
        return x + s * a;
    case VECTOR_LERP:
        return x + s * (a - x);
    case VECTOR_ADDCMUL:
        return x + s * a * a;
    case VECTOR_ROOT:
        return sqrt(a);
    case VECTOR_DIVIDE:
        return x / (double)schedule->root_bias2;
    case VECTOR_SHIFT:
        return x + s;
    case VECTOR_ADDCDIV:
        return x - (double)schedule->step_size * a / b;
    default:
        return NAN;
    }
}

static void test_vector(struct selftest_run *run, enum vector_pass pass, size_t n) {
    static const char *const names[VECTOR_PASSES] = {
        "vector scale", "vector add",    "vector lerp",  "vector addcmul",
        "vector root",  "vector divide", "vector shift", "vector addcdiv"};
    const struct schedule settings = {.step_size = 0.125f, .root_bias2 = 0.75f};
    const float s = 0.3f;
    float *x = selftest_values(run, n, -1, 1), *a = selftest_values(run, n, 0, 2);
    float *b = selftest_values(run, n, 0.5, 2);
    double *expected = doubles(run, n);
    for (size_t i = 0; i < n; i++)
        expected[i] =
            pass_value(pass, (double)x[i], (double)a[i], (double)b[i], (double)s, &settings);
    struct schedule *schedule = device_alloc(run->device, sizeof *schedule, MEMORY_OPTIMIZER);
    float *dx = selftest_upload(run, x, n), *da = selftest_upload(run, a, n);
    float *db = selftest_upload(run, b, n);
    if (run->running) {
        device_copy(run->device, schedule, &settings, sizeof settings);
        device_vector(run->device, pass, dx, da, db, schedule, s, n);
    }
    selftest_check(run, names[pass], length_text(run, n), dx, expected, NULL, n, BOUND_ROUNDINGS);
    device_free(run->device, da);
    device_free(run->device, db);
    device_free(run->device, schedule);
}

/* A recording runs when it is replayed, not before: x starts at 1 and is scaled three times. */
static void test_graph(struct selftest_run *run) {
    size_t n = 1003;
    double *expected = doubles(run, n);
    float *x = selftest_poisoned(run, n);
    device_fill(run->device, x, n, 1);
    if (!run->running || !device_record_begin(run->device, run->error)) {
        run->running = false;
        return;
    }
    device_vector(run->device, VECTOR_SCALE, x, NULL, NULL, NULL, 3, n);
    device_nothing(run->device);
    struct device_graph *graph = device_record_end(run->device, run->error);
    if (!graph) {
        run->running = false;
        return;
    }
    for (int i = 0; i < 3; i++)
        device_replay(run->device, graph);
    for (size_t i = 0; i < n; i++)
        expected[i] = 27;
    selftest_check(run, "graph replayed 3 times", length_text(run, n), x, expected, NULL, n, 0);
    device_graph_free(run->device, graph);
}

/* The time between two events is no less than what ran between them (half of it, for timers that
 * tick slowly). Longer is no error: others may use the machine. */
static void test_events(struct selftest_run *run) {
    struct device_event *from = device_event_new(run->device), *to = device_event_new(run->device);
    device_event_record(run->device, from);
    device_spin(run->device, 4000000);
    device_event_record(run->device, to);
    if (run->running && device_synchronize(run->device, run->error)) {
        float enough = device_elapsed_ms(run->device, from, to) >= 2.0;
        selftest_compare(run, "events around a spin", SPAN("4 ms"), &enough, (double[]){1}, NULL, 1,
                         0);
    } else {
        run->running = false;
    }
    device_event_free(run->device, from);
    device_event_free(run->device, to);
}

void selftest_elements(struct selftest_run *run) {
    for (size_t i = 0; i < LENGTHS && run->running; i++) {
        test_copy_and_fill(run, lengths[i]);
        for (int a = ACTIVATION_NONE; a <= ACTIVATION_GELU_TANH; a++)
            test_activation(run, (enum activation)a, lengths[i], 0);
        for (int pass = 0; pass < VECTOR_PASSES; pass++)
            test_vector(run, (enum vector_pass)pass, lengths[i]);
    }
    for (int a = ACTIVATION_NONE; a <= ACTIVATION_GELU_TANH && run->running; a++)
        test_activation(run, (enum activation)a, 1002, 1);
    static const size_t shapes[][2] = {{1, 1}, {37, 29}, {13, 1003}, {130, 64}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes && run->running; i++)
        test_bias(run, shapes[i][0], shapes[i][1]);
    if (run->running)
        test_graph(run);
    if (run->running)
        test_events(run);
}
