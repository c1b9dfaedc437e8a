/* What a workload must do and what a device can do: parameters, FLOPs and bytes of a stack of
 * linear layers, and the roofs of a GPU. */
#ifndef AUDIT_PHYSICS_H
#define AUDIT_PHYSICS_H

#include "audit/contract.h"
#include "audit/hardware.h"

enum precision {
    PRECISION_FP64,
    PRECISION_FP32,
    PRECISION_TF32,
    PRECISION_FP16,
    PRECISION_BF16,
    PRECISION_FP8,
    PRECISION_INT8,
    PRECISION_COUNT,
    PRECISION_UNKNOWN = PRECISION_COUNT
};

/* A stack of linear layers as a contract states it. Counts are exact integers held in doubles. */
struct layer_stack {
    bool known;
    double batch;      /* rows of the input; 0: not stated */
    double weights;    /* sum of in * out */
    double parameters; /* weights and one bias for each output */
    double first;      /* in * out of the first layer */
    double outputs;    /* sum of out: activations kept for the backward pass, for one row */
    size_t layers;
};

/* From the fields "model" ("MLP, dim 1536, depth 12"; "Linear(1536, 4096) -> ReLU -> ...") and
 * "input" ("[256, 1536]"). known is false when either is stated otherwise. */
struct layer_stack physics_stack(const struct contract *contract);

/* FLOPs of one pass over the batch: 2 for each weight and row (a multiply and an add). */
double physics_forward_flops(const struct layer_stack *stack);
/* Twice the forward pass (gradients of weights and of inputs), less the input gradient of the first
 * layer, which nobody needs. After Kaplan et al., arXiv:2001.08361, section 2.1. */
double physics_backward_flops(const struct layer_stack *stack);
/* Bytes an optimizer step must move at least: it reads parameters and gradients and writes
 * parameters, and reads and writes each state once. states: 0 SGD, 1 momentum, 2 Adam. */
double physics_optimizer_bytes(const struct layer_stack *stack, double element_bytes,
                               unsigned states);

enum precision precision_of(struct span text);
const char *precision_name(enum precision precision);
double precision_bytes(enum precision precision);
/* FLOP/s at boost clock; 0 or NAN when the table has none. fp32 and fp64 have no sparse mode. */
double physics_peak(const struct gpu *gpu, enum precision precision, bool sparse);
/* The highest dense peak of any precision that may stand behind unnamed FLOPs. */
double physics_highest_peak(const struct gpu *gpu);

#endif
