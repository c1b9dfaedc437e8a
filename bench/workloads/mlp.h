/* The MLP workload's inside, for its own files and its tests.
 *
 * depth layers Linear(dim, dim) with an activation, then Linear(dim, classes) (classes 0: no such
 * layer, the last activation's output is taken for the logits); mean cross-entropy over the batch.
 * Parameters, gradients and moments are one block each: layer by layer the weight (out, in), row-
 * major as in PyTorch, then the bias (out), each begun at a multiple of 16 floats; the gaps are 0.
 */
#ifndef BENCH_WORKLOADS_MLP_H
#define BENCH_WORKLOADS_MLP_H

#include "bench/workload.h"

struct mlp_shape {
    size_t batch, dim, depth, classes;
    enum activation activation;
};

struct mlp_layer {
    size_t in, out;
    size_t weight, bias; /* offsets into the blocks, in floats */
    bool activates;
    float *before; /* (batch, out), saved for backward; after itself for ReLU */
    float *after;  /* (batch, out), what the next layer reads */
};

size_t mlp_layer_count(const struct mlp_shape *shape);
/* Fills sizes and offsets of all layers; returns the floats in a block. */
size_t mlp_layout(const struct mlp_shape *shape, struct mlp_layer *layers);
/* PyTorch's default: weight and bias uniform in +-1/sqrt(in). parameters has mlp_layout's floats.
 */
void mlp_initialize(const struct mlp_shape *shape, uint64_t seed, float *parameters);
/* inputs (batch, dim) normal, labels (batch) uniform in [0, columns of the logits). */
void mlp_data(const struct mlp_shape *shape, uint64_t seed, float *inputs, int32_t *labels);

enum mlp_mode { MLP_STEP, MLP_FORWARD_BACKWARD, MLP_FORWARD, MLP_INFERENCE };
enum mlp_implementation { MLP_MULTI_TENSOR, MLP_LOOP, MLP_FUSED };

struct mlp {
    struct mlp_shape shape;
    enum mlp_mode mode;
    enum mlp_implementation implementation;
    struct optimizer_settings optimizer;
    bool fused_epilogues, replays, zeroes_gradients, copies_input;
    struct mlp_layer *layers;
    size_t layer_count, floats;
    float *parameters, *gradients, *m, *v; /* device; floats each; NULL where not needed */
    float *scratch;                        /* sqrt(v), where the optimizer is not fused */
    struct schedule *schedule;
    float *inputs, *row_loss, *loss; /* device; (batch, dim), (batch), (1) */
    int32_t *labels;
    float *upstream[2]; /* gradients between layers, (batch, widest) */
    float *host_inputs; /* what copies_input copies */
    int32_t *host_labels;
    struct device_graph *graph;
};

/* Device commands of the parts of a step. */
void mlp_forward(struct device *device, struct mlp *mlp);
void mlp_loss(struct device *device, struct mlp *mlp);
void mlp_backward(struct device *device, struct mlp *mlp);
void mlp_zero_gradients(struct device *device, struct mlp *mlp);
void mlp_optimize(struct device *device, struct mlp *mlp);
/* The logits (batch, columns) and their columns. */
float *mlp_logits(const struct mlp *mlp);
size_t mlp_columns(const struct mlp_shape *shape);

#endif
