/* Layout, first weights and data of the MLP, from a seed, the same on every device. */
#include "bench/workloads/mlp.h"

#include <math.h>
#include <stdlib.h>

/* Tensors begin at multiples of this many floats: one cache line, one AVX-512 register. */
#define ALIGN_FLOATS 16

size_t mlp_layer_count(const struct mlp_shape *shape) {
    return shape->depth + (shape->classes > 0);
}

size_t mlp_columns(const struct mlp_shape *shape) {
    return shape->classes ? shape->classes : shape->dim;
}

static size_t aligned(size_t floats) {
    return (floats + ALIGN_FLOATS - 1) / ALIGN_FLOATS * ALIGN_FLOATS;
}

size_t mlp_layout(const struct mlp_shape *shape, struct mlp_layer *layers) {
    size_t at = 0, count = mlp_layer_count(shape);
    for (size_t i = 0; i < count; i++) {
        bool head = i == shape->depth;
        size_t out = head ? shape->classes : shape->dim;
        layers[i] = (struct mlp_layer){.in = shape->dim, .out = out, .activates = !head};
        layers[i].weight = at;
        layers[i].bias = at + aligned(out * shape->dim);
        at = layers[i].bias + aligned(out);
    }
    return at;
}

/* SplitMix64 (Steele, Lea and Flood, OOPSLA 2014). */
static uint64_t next_random(uint64_t *state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* Uniform in [0, 1), 53 bits. */
static double uniform(uint64_t *state) {
    return (double)(next_random(state) >> 11) * 0x1p-53;
}

/* Standard normal, Box and Muller's way. */
static double normal(uint64_t *state) {
    double radius = sqrt(-2 * log(1 - uniform(state)));
    return radius * cos(6.283185307179586 * uniform(state));
}

static void fill_uniform(uint64_t *state, float *at, size_t count, double bound) {
    for (size_t i = 0; i < count; i++)
        at[i] = (float)(bound * (2 * uniform(state) - 1));
}

void mlp_initialize(const struct mlp_shape *shape, uint64_t seed, float *parameters) {
    struct mlp_layer *layers = memory_alloc(mlp_layer_count(shape) * sizeof *layers);
    size_t floats = mlp_layout(shape, layers);
    memset(parameters, 0, floats * sizeof *parameters);
    for (size_t i = 0; i < mlp_layer_count(shape); i++) {
        double bound = 1 / sqrt((double)layers[i].in);
        fill_uniform(&seed, parameters + layers[i].weight, layers[i].out * layers[i].in, bound);
        fill_uniform(&seed, parameters + layers[i].bias, layers[i].out, bound);
    }
    free(layers);
}

/* A stream of its own, so that weights and data do not depend on each other's number. */
#define DATA_STREAM 0x64617461u

void mlp_data(const struct mlp_shape *shape, uint64_t seed, float *inputs, int32_t *labels) {
    seed ^= (uint64_t)DATA_STREAM << 32;
    for (size_t i = 0; i < shape->batch * shape->dim; i++)
        inputs[i] = (float)normal(&seed);
    for (size_t i = 0; i < shape->batch; i++)
        labels[i] = (int32_t)(next_random(&seed) % mlp_columns(shape));
}
