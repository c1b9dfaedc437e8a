/* Included once by each device_cpu_loops_NAME.c, which sets the instruction set and defines LOOPS
 * (the table's name) and LOOPS_NAME (its text). Only loops the compiler vectorizes are here. */
#include "bench/device_cpu_loops.h"
#include "bench/kernels.h"

/* Sums and maxima run in this many lanes, so that they vectorize without reordering what the
 * language says, and give the same result with every instruction set. */
#define LANES 16

static void run_fill(const struct command *c, int64_t from, int64_t to) {
    float *x = c->at[0], value = c->scalar[0];
    for (int64_t i = from; i < to; i++)
        x[i] = value;
}

static void run_bias(const struct command *c, int64_t from, int64_t to) {
    int64_t columns = c->size[1];
    const float *restrict bias = c->at[1];
    for (int64_t row = from; row < to; row++) {
        float *restrict z = (float *)c->at[0] + row * columns;
        for (int64_t j = 0; j < columns; j++)
            z[j] += bias[j];
    }
}

/* y and z, and dz and dy, may be the same memory: no restrict, the compiler checks at run time. */
static void run_activation(const struct command *c, int64_t from, int64_t to) {
    float *y = c->at[0];
    const float *z = c->at[1];
    switch (c->activation) {
#define USE(name, value, gradient)                                                                 \
    case name:                                                                                     \
        for (int64_t i = from; i < to; i++)                                                        \
            y[i] = value(z[i]);                                                                    \
        break;
        EACH_ACTIVATION(USE)
#undef USE
    default:
        for (int64_t i = from; i < to; i++)
            y[i] = z[i];
    }
}

static void run_activation_gradient(const struct command *c, int64_t from, int64_t to) {
    float *dz = c->at[0];
    const float *dy = c->at[1], *z = c->at[2];
    switch (c->activation) {
#define USE(name, value, gradient)                                                                 \
    case name:                                                                                     \
        for (int64_t i = from; i < to; i++)                                                        \
            dz[i] = dy[i] * gradient(z[i]);                                                        \
        break;
        EACH_ACTIVATION(USE)
#undef USE
    default:
        for (int64_t i = from; i < to; i++)
            dz[i] = dy[i];
    }
}

/* [from, to) are columns. */
static void run_column_sum(const struct command *c, int64_t from, int64_t to) {
    float *restrict out = c->at[0];
    int64_t rows = c->size[0], columns = c->size[1];
    if (c->scalar[0] == 0)
        for (int64_t j = from; j < to; j++)
            out[j] = 0;
    for (int64_t row = 0; row < rows; row++) {
        const float *restrict x = (const float *)c->at[1] + row * columns;
        for (int64_t j = from; j < to; j++)
            out[j] += x[j];
    }
}

static float row_max(const float *restrict x, int64_t n) {
    float lanes[LANES], most = x[0];
    int64_t i = 0;
    for (int k = 0; k < LANES; k++)
        lanes[k] = x[0];
    for (; i + LANES <= n; i += LANES)
        for (int k = 0; k < LANES; k++)
            lanes[k] = kernel_max(x[i + k], lanes[k]);
    for (int k = 0; k < LANES; k++)
        most = kernel_max(lanes[k], most);
    for (; i < n; i++)
        most = kernel_max(x[i], most);
    return most;
}

/* Sum of e^(x - most). */
static float row_exp_sum(const float *restrict x, int64_t n, float most) {
    float lanes[LANES] = {0}, sum = 0;
    int64_t i = 0;
    for (; i + LANES <= n; i += LANES)
        for (int k = 0; k < LANES; k++)
            lanes[k] += kernel_exp(x[i + k] - most);
    for (int k = 0; k < LANES; k++)
        sum += lanes[k];
    for (; i < n; i++)
        sum += kernel_exp(x[i] - most);
    return sum;
}

static void run_cross_entropy(const struct command *c, int64_t from, int64_t to) {
    float *loss = c->at[0];
    const int32_t *labels = c->at[2];
    int64_t columns = c->size[1];
    for (int64_t row = from; row < to; row++) {
        const float *x = (const float *)c->at[1] + row * columns;
        float most = row_max(x, columns);
        loss[row] = most - x[labels[row]] + logf(row_exp_sum(x, columns, most));
    }
}

static void run_cross_entropy_gradient(const struct command *c, int64_t from, int64_t to) {
    const int32_t *labels = c->at[2];
    int64_t columns = c->size[1];
    for (int64_t row = from; row < to; row++) {
        const float *x = (const float *)c->at[1] + row * columns;
        float *out = (float *)c->at[0] + row * columns;
        float most = row_max(x, columns), scale = c->scalar[0];
        float each = scale / row_exp_sum(x, columns, most);
        for (int64_t j = 0; j < columns; j++)
            out[j] = each * kernel_exp(x[j] - most);
        out[labels[row]] -= scale;
    }
}

/* Lanes in float over 4096 elements at a time, those in double: the error does not grow with n. */
static double sum(const float *x, int64_t from, int64_t to) {
    double all = 0;
    while (from < to) {
        int64_t end = to - from > 4096 ? from + 4096 : to;
        float lanes[LANES] = {0};
        for (; from + LANES <= end; from += LANES)
            for (int k = 0; k < LANES; k++)
                lanes[k] += x[from + k];
        for (int k = 0; k < LANES; k++)
            all += (double)lanes[k];
        for (; from < end; from++)
            all += (double)x[from];
    }
    return all;
}

static void run_vector(const struct command *c, int64_t from, int64_t to) {
    float *restrict x = c->at[0], s = c->scalar[0];
    const float *restrict a = c->at[1], *restrict b = c->at[2];
    const struct schedule *schedule = c->at[3];
    float step_size = schedule ? schedule->step_size : 0;
    float root_bias2 = schedule ? schedule->root_bias2 : 1;
    switch (c->variant) {
#define USE(name, value)                                                                           \
    case name:                                                                                     \
        for (int64_t i = from; i < to; i++)                                                        \
            x[i] = value;                                                                          \
        break;
        EACH_VECTOR_PASS(USE)
#undef USE
    default:
        break;
    }
}

static void run_schedule(const struct command *c, int64_t from, int64_t to) {
    (void)from, (void)to;
    kernel_schedule(c->at[0]);
}

static void run_optimizer(const struct command *c, int64_t from, int64_t to) {
    const struct kernel_step step = kernel_step_of(c);
    float *restrict p = c->at[0], *restrict m = c->at[2], *restrict v = c->at[3];
    const float *restrict g = c->at[1];
    if (c->variant == OPTIMIZER_ADAM) {
        for (int64_t i = from; i < to; i++)
            kernel_adam(&step, &p[i], g[i], &m[i], &v[i]);
    } else if (c->variant == OPTIMIZER_ADAMW) {
        for (int64_t i = from; i < to; i++)
            kernel_adamw(&step, &p[i], g[i], &m[i], &v[i]);
    } else if (m) {
        for (int64_t i = from; i < to; i++)
            kernel_sgd_momentum(&step, &p[i], g[i], &m[i]);
    } else {
        for (int64_t i = from; i < to; i++)
            kernel_sgd(&step, &p[i], g[i]);
    }
}

/* One row of a tile; activation by activation, so that each loop vectorizes. */
static void finish_row(const struct command *c, float *restrict z, const float *restrict bias,
                       float *restrict saved, int64_t n) {
    switch (c->activation) {
#define USE(name, value, gradient)                                                                 \
    case name:                                                                                     \
        if (c->variant == EPILOGUE_ACTIVATION_GRADIENT)                                            \
            for (int64_t j = 0; j < n; j++)                                                        \
                z[j] *= gradient(saved[j]);                                                        \
        else if (saved)                                                                            \
            for (int64_t j = 0; j < n; j++) {                                                      \
                float before = z[j] + bias[j];                                                     \
                saved[j] = before;                                                                 \
                z[j] = value(before);                                                              \
            }                                                                                      \
        else                                                                                       \
            for (int64_t j = 0; j < n; j++)                                                        \
                z[j] = value(z[j] + bias[j]);                                                      \
        break;
        EACH_ACTIVATION(USE)
#undef USE
    default:
        for (int64_t j = 0; bias && j < n; j++)
            z[j] += bias[j];
        for (int64_t j = 0; saved && c->variant != EPILOGUE_ACTIVATION_GRADIENT && j < n; j++)
            saved[j] = z[j];
    }
}

static void epilogue(const struct command *c, int64_t row, int64_t row_end, int64_t column,
                     int64_t column_end) {
    int64_t columns = c->size[1];
    const float *bias = c->at[3];
    float *saved = c->at[4];
    for (; row < row_end; row++) {
        int64_t at = row * columns + column;
        finish_row(c, (float *)c->at[2] + at, bias ? bias + column : NULL,
                   saved ? saved + at : NULL, column_end - column);
    }
}

const struct cpu_loops LOOPS = {
    .name = LOOPS_NAME,
    .run =
        {
            [OP_FILL] = run_fill,
            [OP_BIAS] = run_bias,
            [OP_ACTIVATION] = run_activation,
            [OP_ACTIVATION_GRADIENT] = run_activation_gradient,
            [OP_COLUMN_SUM] = run_column_sum,
            [OP_CROSS_ENTROPY] = run_cross_entropy,
            [OP_CROSS_ENTROPY_GRADIENT] = run_cross_entropy_gradient,
            [OP_VECTOR] = run_vector,
            [OP_SCHEDULE] = run_schedule,
            [OP_OPTIMIZER] = run_optimizer,
        },
    .sum = sum,
    .epilogue = epilogue,
};
