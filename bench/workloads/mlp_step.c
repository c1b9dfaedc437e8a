/* Forward, loss and backward of the MLP as device commands. */
#include "bench/workloads/mlp.h"

float *mlp_logits(const struct mlp *mlp) {
    return mlp->layers[mlp->layer_count - 1].after;
}

static enum activation activation_of(const struct mlp *mlp, const struct mlp_layer *layer) {
    return layer->activates ? mlp->shape.activation : ACTIVATION_NONE;
}

/* z = x W^T + b, y = act(z): one command, or three. Inference saves nothing. */
static void layer_forward(struct device *device, struct mlp *mlp, struct mlp_layer *layer,
                          const float *x) {
    enum activation activation = activation_of(mlp, layer);
    const float *bias = mlp->parameters + layer->bias;
    struct gemm gemm = {
        .a = x,
        .b = mlp->parameters + layer->weight,
        .c = layer->before,
        .m = (int64_t)mlp->shape.batch,
        .n = (int64_t)layer->out,
        .k = (int64_t)layer->in,
        .transpose_b = true,
    };
    if (mlp->fused_epilogues) {
        gemm.c = layer->after;
        gemm.epilogue = EPILOGUE_BIAS_ACTIVATION;
        gemm.activation = activation;
        gemm.bias = bias;
        gemm.saved = layer->before == layer->after ? NULL : layer->before;
        device_gemm(device, &gemm);
        return;
    }
    device_gemm(device, &gemm);
    device_bias(device, layer->before, bias, mlp->shape.batch, layer->out);
    if (layer->activates)
        device_activation(device, activation, layer->after, layer->before,
                          mlp->shape.batch * layer->out);
}

void mlp_forward(struct device *device, struct mlp *mlp) {
    const float *x = mlp->inputs;
    device_phase(device, PHASE_FORWARD);
    for (size_t i = 0; i < mlp->layer_count; i++) {
        layer_forward(device, mlp, &mlp->layers[i], x);
        x = mlp->layers[i].after;
    }
}

void mlp_loss(struct device *device, struct mlp *mlp) {
    size_t batch = mlp->shape.batch;
    device_phase(device, PHASE_LOSS);
    device_cross_entropy(device, mlp->row_loss, mlp_logits(mlp), mlp->labels, batch,
                         mlp_columns(&mlp->shape));
    device_sum(device, mlp->loss, mlp->row_loss, batch, 1.0f / (float)batch);
}

/* From dz (batch, out): the layer's own gradients. */
static void layer_gradients(struct device *device, struct mlp *mlp, const struct mlp_layer *layer,
                            const float *x, const float *dz) {
    /* zeroed gradients are added to, absent ones are written: what PyTorch does */
    float beta = mlp->zeroes_gradients ? 1.0f : 0.0f;
    device_gemm(device, &(struct gemm){
                            .a = dz,
                            .b = x,
                            .c = mlp->gradients + layer->weight,
                            .m = (int64_t)layer->out,
                            .n = (int64_t)layer->in,
                            .k = (int64_t)mlp->shape.batch,
                            .transpose_a = true,
                            .beta = beta,
                        });
    device_column_sum(device, mlp->gradients + layer->bias, dz, mlp->shape.batch, layer->out, beta);
}

/* dz of the layer below, from dz of this one: (dz W) * act'(z below). */
static void layer_backward(struct device *device, struct mlp *mlp, const struct mlp_layer *layer,
                           const struct mlp_layer *below, const float *dz, float *dz_below) {
    enum activation activation = activation_of(mlp, below);
    struct gemm gemm = {
        .a = dz,
        .b = mlp->parameters + layer->weight,
        .c = dz_below,
        .m = (int64_t)mlp->shape.batch,
        .n = (int64_t)layer->in,
        .k = (int64_t)layer->out,
    };
    if (mlp->fused_epilogues) {
        gemm.epilogue = EPILOGUE_ACTIVATION_GRADIENT;
        gemm.activation = activation;
        gemm.saved = below->before;
    }
    device_gemm(device, &gemm);
    if (!mlp->fused_epilogues)
        device_activation_gradient(device, activation, dz_below, dz_below, below->before,
                                   mlp->shape.batch * below->out);
}

static void loss_backward(struct device *device, struct mlp *mlp, float *dz) {
    const struct mlp_layer *last = &mlp->layers[mlp->layer_count - 1];
    size_t batch = mlp->shape.batch, columns = mlp_columns(&mlp->shape);
    device_cross_entropy_gradient(device, dz, mlp_logits(mlp), mlp->labels, batch, columns,
                                  1.0f / (float)batch);
    if (last->activates)
        device_activation_gradient(device, mlp->shape.activation, dz, dz, last->before,
                                   batch * columns);
}

/* Gradients set to none come into being here, all in one block. The gaps between tensors are zero
 * for ever: what is added up over the block stays zero there. */
static void need_gradients(struct device *device, struct mlp *mlp) {
    if (mlp->gradients)
        return;
    mlp->gradients = device_alloc(device, mlp->floats * sizeof(float), MEMORY_GRADIENTS);
    for (size_t i = 0; i < mlp->layer_count; i++) {
        const struct mlp_layer *layer = &mlp->layers[i];
        size_t end = i + 1 < mlp->layer_count ? mlp->layers[i + 1].weight : mlp->floats;
        size_t weight_end = layer->weight + layer->out * layer->in;
        if (weight_end < layer->bias)
            device_fill(device, mlp->gradients + weight_end, layer->bias - weight_end, 0);
        if (layer->bias + layer->out < end)
            device_fill(device, mlp->gradients + layer->bias + layer->out,
                        end - layer->bias - layer->out, 0);
    }
    if (mlp->zeroes_gradients)
        device_fill(device, mlp->gradients, mlp->floats, 0);
}

void mlp_backward(struct device *device, struct mlp *mlp) {
    device_phase(device, PHASE_BACKWARD);
    need_gradients(device, mlp);
    float *dz = mlp->upstream[0], *dz_below = mlp->upstream[1];
    loss_backward(device, mlp, dz);
    for (size_t i = mlp->layer_count; i-- > 0;) {
        const float *x = i ? mlp->layers[i - 1].after : mlp->inputs;
        layer_gradients(device, mlp, &mlp->layers[i], x, dz);
        if (i == 0)
            break;
        layer_backward(device, mlp, &mlp->layers[i], &mlp->layers[i - 1], dz, dz_below);
        float *swap = dz;
        dz = dz_below;
        dz_below = swap;
    }
}

/* optimizer.zero_grad(). A recorded step keeps its gradients: the recording holds their address. */
void mlp_zero_gradients(struct device *device, struct mlp *mlp) {
    if (!mlp->gradients)
        return;
    device_phase(device, PHASE_OPTIMIZER);
    if (mlp->zeroes_gradients) {
        device_fill(device, mlp->gradients, mlp->floats, 0);
    } else if (!mlp->replays) {
        device_free(device, mlp->gradients);
        mlp->gradients = NULL;
    }
}
