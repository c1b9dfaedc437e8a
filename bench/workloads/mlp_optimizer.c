/* The optimizer of the MLP three ways: `fused`, one pass over everything; `multi-tensor`, PyTorch's
 * foreach, each elementary pass over all tensors at once; `loop`, the passes tensor by tensor. The
 * passes and their traffic are those of torch/optim (20 reads and writes a value for AdamW).
 * Because the tensors lie in one block, a multi-tensor pass is one command; PyTorch needs one
 * launch for each few hundred chunks. */
#include "bench/workloads/mlp.h"

/* Part of the blocks: one tensor, or all. */
struct range {
    size_t at, count;
};

static void adam_passes(struct device *device, const struct mlp *mlp, struct range r) {
    const struct optimizer_settings *o = &mlp->optimizer;
    float *p = mlp->parameters + r.at, *g = mlp->gradients + r.at;
    float *m = mlp->m + r.at, *v = mlp->v + r.at, *root = mlp->scratch;
    if (o->kind == OPTIMIZER_ADAMW)
        device_vector(device, VECTOR_SCALE, p, NULL, NULL, NULL,
                      (float)(1 - o->lr * o->weight_decay), r.count);
    else if (o->weight_decay != 0)
        device_vector(device, VECTOR_ADD, g, p, NULL, NULL, (float)o->weight_decay, r.count);
    device_vector(device, VECTOR_LERP, m, g, NULL, NULL, (float)(1 - o->beta1), r.count);
    device_vector(device, VECTOR_SCALE, v, NULL, NULL, NULL, (float)o->beta2, r.count);
    device_vector(device, VECTOR_ADDCMUL, v, g, NULL, NULL, (float)(1 - o->beta2), r.count);
    device_vector(device, VECTOR_ROOT, root, v, NULL, NULL, 0, r.count);
    device_vector(device, VECTOR_DIVIDE, root, NULL, NULL, mlp->schedule, 0, r.count);
    device_vector(device, VECTOR_SHIFT, root, NULL, NULL, NULL, (float)o->epsilon, r.count);
    device_vector(device, VECTOR_ADDCDIV, p, m, root, mlp->schedule, 0, r.count);
}

static void sgd_passes(struct device *device, const struct mlp *mlp, struct range r) {
    const struct optimizer_settings *o = &mlp->optimizer;
    float *p = mlp->parameters + r.at, *g = mlp->gradients + r.at;
    if (o->weight_decay != 0)
        device_vector(device, VECTOR_ADD, g, p, NULL, NULL, (float)o->weight_decay, r.count);
    if (mlp->m) {
        float *m = mlp->m + r.at;
        device_vector(device, VECTOR_SCALE, m, NULL, NULL, NULL, (float)o->momentum, r.count);
        device_vector(device, VECTOR_ADD, m, g, NULL, NULL, 1, r.count);
        g = m;
    }
    device_vector(device, VECTOR_ADD, p, g, NULL, NULL, (float)-o->lr, r.count);
}

static void passes(struct device *device, const struct mlp *mlp, struct range r) {
    if (mlp->optimizer.kind == OPTIMIZER_SGD)
        sgd_passes(device, mlp, r);
    else
        adam_passes(device, mlp, r);
}

static void loop_over_tensors(struct device *device, const struct mlp *mlp) {
    for (size_t i = 0; i < mlp->layer_count; i++) {
        const struct mlp_layer *layer = &mlp->layers[i];
        passes(device, mlp, (struct range){layer->weight, layer->out * layer->in});
        passes(device, mlp, (struct range){layer->bias, layer->out});
    }
}

void mlp_optimize(struct device *device, struct mlp *mlp) {
    device_phase(device, PHASE_OPTIMIZER);
    if (mlp->schedule)
        device_schedule(device, mlp->schedule);
    if (mlp->implementation == MLP_FUSED)
        device_optimizer(device, &mlp->optimizer, mlp->parameters, mlp->gradients, mlp->m, mlp->v,
                         mlp->schedule, mlp->floats);
    else if (mlp->implementation == MLP_MULTI_TENSOR)
        passes(device, mlp, (struct range){0, mlp->floats});
    else
        loop_over_tensors(device, mlp);
}
