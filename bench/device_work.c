/* Arithmetic and traffic of commands, from their shapes. Each operand is counted once, as if caches
 * kept it during one command and nothing between two (PyTorch's passes are counted the same way).
 */
#include "bench/device_kind.h"

void work_add(struct work *sum, const struct work *more) {
    sum->flops += more->flops;
    sum->bytes += more->bytes;
    sum->commands += more->commands;
}

static struct work gemm_work(const struct command *c) {
    double m = (double)c->size[0], n = (double)c->size[1], k = (double)c->size[2];
    double values = m * k + k * n + m * n * (c->scalar[0] != 0 ? 2 : 1);
    if (c->at[4])
        values += m * n;
    return (struct work){2 * m * n * k, sizeof(float) * values, 1};
}

/* Tensors read or written by each vector pass, as the table in docs/measurements.md has them. */
static const double vector_passes[VECTOR_PASSES] = {
    [VECTOR_SCALE] = 2, [VECTOR_ADD] = 3,    [VECTOR_LERP] = 3,  [VECTOR_ADDCMUL] = 3,
    [VECTOR_ROOT] = 2,  [VECTOR_DIVIDE] = 2, [VECTOR_SHIFT] = 2, [VECTOR_ADDCDIV] = 4,
};

/* p read and written, g read, and each moment kept read and written. */
static double optimizer_passes(const struct command *c) {
    return 3 + (c->at[2] ? 2 : 0) + (c->at[3] ? 2 : 0);
}

/* flops and tensors an element of everything else: flops counts an exponential, root or division
 * as one operation. */
static const struct {
    double flops, passes;
    bool matrix; /* size[0] rows by size[1] columns */
} per_element[OPERATION_COUNT] = {
    [OP_FILL] = {0, 1, false},
    [OP_BIAS] = {1, 2, true},
    [OP_ACTIVATION] = {10, 2, false},
    [OP_ACTIVATION_GRADIENT] = {12, 3, false},
    [OP_COLUMN_SUM] = {1, 1, true},
    [OP_CROSS_ENTROPY] = {4, 1, true},
    [OP_CROSS_ENTROPY_GRADIENT] = {5, 2, true},
    [OP_SUM] = {1, 1, false},
};

struct work command_work(const struct command *c) {
    double n = (double)c->size[0];
    switch (c->operation) {
    case OP_GEMM:
        return gemm_work(c);
    case OP_COPY: /* bytes are read once and written once */
        return (struct work){0, 2 * n, 1};
    case OP_VECTOR:
        return (struct work){n, sizeof(float) * n * vector_passes[c->variant], 1};
    case OP_OPTIMIZER:
        return (struct work){12 * n, sizeof(float) * n * optimizer_passes(c), 1};
    default:
        break;
    }
    double elements = per_element[c->operation].matrix ? n * (double)c->size[1] : n;
    return (struct work){per_element[c->operation].flops * elements,
                         sizeof(float) * per_element[c->operation].passes * elements, 1};
}
