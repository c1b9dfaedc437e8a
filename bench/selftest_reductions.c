/* GEMM with its epilogues, sums and cross-entropy. */
#include "bench/reference.h"
#include "bench/selftest.h"

#include <math.h>

/* Half a unit in the last place of float32; of TF32, which keeps 10 bits of each factor. */
#define UNIT 0x1p-24
#define UNIT_TF32 0x1p-11

static double *doubles_of(struct selftest_run *run, const float *values, size_t n) {
    double *to = arena_array(run->arena, n, sizeof *to);
    for (size_t i = 0; i < n; i++)
        to[i] = (double)values[i];
    return to;
}

struct matrices {
    size_t m, n, k;
    bool transpose_a, transpose_b;
    float beta;
    float *a, *b, *c, *bias, *saved; /* host */
    double *product, *magnitude;     /* op(a) op(b) + beta c; and with every factor made positive */
    double bound;
};

static double *absolutes(struct selftest_run *run, const float *values, size_t n) {
    double *to = doubles_of(run, values, n);
    for (size_t i = 0; i < n; i++)
        to[i] = fabs(to[i]);
    return to;
}

/* The bound of a sum of k products in any order: k roundings of sum |a||b| (Higham, Accuracy and
 * Stability of Numerical Algorithms, 3.5), and 4 more for what follows. */
static struct matrices make(struct selftest_run *run, size_t m, size_t n, size_t k, int transposes,
                            float beta) {
    struct matrices x = {m,
                         n,
                         k,
                         transposes & 1,
                         transposes & 2,
                         beta,
                         selftest_values(run, m * k, -1, 1),
                         selftest_values(run, k * n, -1, 1),
                         selftest_values(run, m * n, -1, 1),
                         selftest_values(run, n, -1, 1),
                         selftest_values(run, m * n, -3, 3),
                         NULL,
                         NULL,
                         0};
    x.product = doubles_of(run, x.c, m * n);
    x.magnitude = absolutes(run, x.c, m * n);
    reference_gemm(x.product, doubles_of(run, x.a, m * k), doubles_of(run, x.b, k * n), m, n, k,
                   x.transpose_a, x.transpose_b, (double)beta);
    reference_gemm(x.magnitude, absolutes(run, x.a, m * k), absolutes(run, x.b, k * n), m, n, k,
                   x.transpose_a, x.transpose_b, (double)beta);
    x.bound = (double)(k + 4) * UNIT + (run->device->options.tf32 ? 2 * UNIT_TF32 : 0);
    return x;
}

/* Runs it into c, with saved for EPILOGUE_BIAS_ACTIVATION where keeps; both found are fetched. */
static void multiply(struct selftest_run *run, const struct matrices *x, enum epilogue epilogue,
                     enum activation activation, bool keeps, float **c, float **saved) {
    float *a = selftest_upload(run, x->a, x->m * x->k);
    float *b = selftest_upload(run, x->b, x->k * x->n);
    float *out = x->beta != 0 ? selftest_upload(run, x->c, x->m * x->n)
                              : selftest_poisoned(run, x->m * x->n);
    float *bias = selftest_upload(run, x->bias, x->n);
    float *before = epilogue == EPILOGUE_ACTIVATION_GRADIENT
                        ? selftest_upload(run, x->saved, x->m * x->n)
                        : selftest_poisoned(run, x->m * x->n);
    if (run->running)
        device_gemm(run->device, &(struct gemm){
                                     .a = a,
                                     .b = b,
                                     .c = out,
                                     .m = (int64_t)x->m,
                                     .n = (int64_t)x->n,
                                     .k = (int64_t)x->k,
                                     .transpose_a = x->transpose_a,
                                     .transpose_b = x->transpose_b,
                                     .beta = x->beta,
                                     .epilogue = epilogue,
                                     .activation = activation,
                                     .bias = bias,
                                     .saved = keeps ? before : NULL,
                                 });
    *c = selftest_download(run, out, x->m * x->n);
    *saved = selftest_download(run, before, x->m * x->n);
    float *blocks[] = {a, b, out, bias, before};
    for (int i = 0; i < 5; i++)
        device_free(run->device, blocks[i]);
}

static struct span matrices_text(struct selftest_run *run, const struct matrices *x) {
    return arena_printf(run->arena, "%zu by %zu by %zu, a%s b%s, beta %g", x->m, x->n, x->k,
                        x->transpose_a ? "^T" : "", x->transpose_b ? "^T" : "", (double)x->beta);
}

static void test_gemm(struct selftest_run *run, size_t m, size_t n, size_t k, int transposes,
                      float beta) {
    struct matrices x = make(run, m, n, k, transposes, beta);
    float *c, *saved;
    multiply(run, &x, EPILOGUE_NONE, ACTIVATION_NONE, false, &c, &saved);
    selftest_compare(run, "GEMM", matrices_text(run, &x), c, x.product, x.magnitude, m * n,
                     x.bound);
}

static const char *const activation_names[] = {"none", "ReLU", "GELU", "GELU by tanh"};

/* An activation's slope is below 1.13, so it passes on what the product was off by; 4e-6 is its own
 * (bench/selftest_elements.c). */
static void test_forward_epilogue(struct selftest_run *run, size_t m, size_t n, int activation,
                                  bool keeps) {
    struct matrices x = make(run, m, n, 19, 2, 0);
    struct span shape = arena_printf(run->arena, "%zu by %zu, %s%s", m, n,
                                     activation_names[activation], keeps ? ", kept" : "");
    double *value = arena_array(run->arena, m * n, sizeof *value);
    double *before = arena_array(run->arena, m * n, sizeof *before);
    for (size_t i = 0; i < m * n; i++) {
        before[i] = x.product[i] + (double)x.bias[i % n];
        value[i] = reference_activation((enum activation)activation, before[i]);
        x.magnitude[i] = 1 + x.magnitude[i];
    }
    float *c, *saved;
    multiply(run, &x, EPILOGUE_BIAS_ACTIVATION, (enum activation)activation, keeps, &c, &saved);
    selftest_compare(run, "GEMM, bias, activation", shape, c, value, x.magnitude, m * n,
                     4e-6 + 1.13 * x.bound);
    if (keeps)
        selftest_compare(run, "GEMM, bias, activation: what is kept", shape, saved, before,
                         x.magnitude, m * n, x.bound);
}

static void test_backward_epilogue(struct selftest_run *run, size_t m, size_t n, int activation) {
    struct matrices x = make(run, m, n, 19, 0, 0);
    struct span shape =
        arena_printf(run->arena, "%zu by %zu, %s", m, n, activation_names[activation]);
    for (size_t i = 0; i < m * n; i++) {
        double slope =
            reference_activation_gradient((enum activation)activation, (double)x.saved[i]);
        x.product[i] *= slope;
        x.magnitude[i] = 1 + x.magnitude[i];
    }
    float *c, *saved;
    multiply(run, &x, EPILOGUE_ACTIVATION_GRADIENT, (enum activation)activation, true, &c, &saved);
    selftest_compare(run, "GEMM, activation's gradient", shape, c, x.product, x.magnitude, m * n,
                     4e-6 + 1.13 * x.bound);
}

void selftest_gemm(struct selftest_run *run) {
    static const size_t shapes[][3] = {{1, 1, 1}, {37, 29, 53}, {129, 65, 257}, {13, 260, 64}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (int transposes = 0; transposes < 4; transposes++)
            for (int beta = 0; beta < 2 && run->running; beta++)
                test_gemm(run, shapes[i][0], shapes[i][1], shapes[i][2], transposes, (float)beta);
    static const size_t tiles[][2] = {{37, 29}, {21, 132}};
    for (size_t i = 0; i < sizeof tiles / sizeof *tiles; i++)
        for (int activation = 0; activation < 4 && run->running; activation++) {
            test_forward_epilogue(run, tiles[i][0], tiles[i][1], activation, false);
            test_forward_epilogue(run, tiles[i][0], tiles[i][1], activation, true);
            test_backward_epilogue(run, tiles[i][0], tiles[i][1], activation);
        }
}

/* --- sums --- */

static void test_column_sum(struct selftest_run *run, size_t rows, size_t columns, float beta) {
    float *x = selftest_values(run, rows * columns, -1, 1),
          *out = selftest_values(run, columns, -1, 1);
    double *expected = arena_array(run->arena, columns, sizeof *expected);
    double *magnitude = arena_array(run->arena, columns, sizeof *magnitude);
    for (size_t j = 0; j < columns; j++) {
        expected[j] = beta != 0 ? (double)out[j] : 0;
        magnitude[j] = fabs(expected[j]);
        for (size_t i = 0; i < rows; i++) {
            expected[j] += (double)x[i * columns + j];
            magnitude[j] += fabs((double)x[i * columns + j]);
        }
    }
    float *in = selftest_upload(run, x, rows * columns);
    float *to = beta != 0 ? selftest_upload(run, out, columns) : selftest_poisoned(run, columns);
    device_column_sum(run->device, to, in, rows, columns, beta);
    device_free(run->device, in);
    selftest_check(run, "column sum",
                   arena_printf(run->arena, "%zu by %zu, beta %g", rows, columns, (double)beta), to,
                   expected, magnitude, columns, (double)(rows + 1) * UNIT);
}

/* Twice with the same operands: what the first leaves behind must not matter. Threads add at most
 * 256 in float32 and those in double. */
static void test_sum(struct selftest_run *run, size_t n) {
    float *x = selftest_values(run, n, -1, 1), *in = selftest_upload(run, x, n);
    double expected = 0, magnitude = 0;
    for (size_t i = 0; i < n; i++) {
        expected += 0.125 * (double)x[i];
        magnitude += 0.125 * fabs((double)x[i]);
    }
    for (int round = 0; round < 2; round++) {
        float *to = selftest_poisoned(run, 1);
        device_sum(run->device, to, in, n, 0.125f);
        selftest_check(run, "sum", arena_printf(run->arena, "%zu", n), to, &expected, &magnitude, 1,
                       257 * UNIT);
    }
    device_free(run->device, in);
}

/* --- cross-entropy --- */

/* Logits go far beyond what e^x can hold. The loss is a difference of numbers of the logits' size;
 * the gradient is scaled by 2^-3. */
static void test_cross_entropy(struct selftest_run *run, size_t rows, size_t columns,
                               double reach) {
    size_t n = rows * columns;
    float *x = selftest_values(run, n, -reach, reach);
    double *loss = arena_array(run->arena, rows, sizeof *loss), *wide = doubles_of(run, x, n);
    double *gradient = arena_array(run->arena, n, sizeof *gradient);
    int32_t *labels = arena_array(run->arena, rows, sizeof *labels);
    struct span shape = arena_printf(run->arena, "%zu by %zu, +-%g", rows, columns, reach);
    for (size_t i = 0; i < rows; i++) {
        labels[i] = (int32_t)selftest_uniform(run, 0, (double)columns);
        loss[i] =
            reference_cross_entropy(wide + i * columns, columns, labels[i], gradient + i * columns);
    }
    for (size_t i = 0; i < n; i++)
        gradient[i] *= 0.125;
    float *logits = selftest_upload(run, x, n), *to = selftest_poisoned(run, rows);
    int32_t *marks = device_alloc(run->device, rows * sizeof *marks, MEMORY_DATA);
    if (run->running) {
        device_copy(run->device, marks, labels, rows * sizeof *labels);
        device_cross_entropy(run->device, to, logits, marks, rows, columns);
    }
    selftest_check(run, "cross-entropy", shape, to, loss, NULL, rows, 4e-6);
    float *out = selftest_poisoned(run, n);
    if (run->running)
        device_cross_entropy_gradient(run->device, out, logits, marks, rows, columns, 0.125f);
    selftest_check(run, "cross-entropy, gradient", shape, out, gradient, NULL, n, 1e-6);
    if (run->running)
        device_cross_entropy_gradient(run->device, logits, logits, marks, rows, columns, 0.125f);
    selftest_check(run, "cross-entropy, gradient in place", shape, logits, gradient, NULL, n, 1e-6);
    device_free(run->device, marks);
}

void selftest_reductions(struct selftest_run *run) {
    static const size_t shapes[][2] = {{1, 1}, {37, 29}, {300, 65}, {13, 1003}, {257, 128}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes && run->running; i++) {
        test_column_sum(run, shapes[i][0], shapes[i][1], 0);
        test_column_sum(run, shapes[i][0], shapes[i][1], 1);
        test_cross_entropy(run, shapes[i][0], shapes[i][1], 4);
        test_cross_entropy(run, shapes[i][0], shapes[i][1], 400);
    }
    static const size_t lengths[] = {1, 31, 256, 1003, 70001, 1100003};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths && run->running; i++)
        test_sum(run, lengths[i]);
}
