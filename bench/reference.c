#include "bench/reference.h"

#include <math.h>
#include <stdlib.h>

static const double root_half = 0.70710678118654752440, root_2_over_pi = 0.79788456080286535588,
                    cubic = 0.044715;

static double phi(double z) {
    return exp(-0.5 * z * z) * 0.39894228040143267794;
}

static double normal_cdf(double z) {
    return 0.5 * erfc(-z * root_half);
}

double reference_activation(enum activation activation, double z) {
    switch (activation) {
    case ACTIVATION_RELU:
        return z > 0 ? z : 0;
    case ACTIVATION_GELU:
        return z * normal_cdf(z);
    case ACTIVATION_GELU_TANH:
        return 0.5 * z * (1 + tanh(root_2_over_pi * (z + cubic * z * z * z)));
    default:
        return z;
    }
}

double reference_activation_gradient(enum activation activation, double z) {
    double t = tanh(root_2_over_pi * (z + cubic * z * z * z));
    switch (activation) {
    case ACTIVATION_RELU:
        return z > 0;
    case ACTIVATION_GELU:
        return normal_cdf(z) + z * phi(z);
    case ACTIVATION_GELU_TANH:
        return 0.5 * (1 + t) + 0.5 * z * (1 - t * t) * root_2_over_pi * (1 + 3 * cubic * z * z);
    default:
        return 1;
    }
}

void reference_gemm(double *c, const double *a, const double *b, size_t m, size_t n, size_t k,
                    bool transpose_a, bool transpose_b, double beta) {
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < n; j++) {
            double sum = 0;
            for (size_t l = 0; l < k; l++)
                sum += (transpose_a ? a[l * m + i] : a[i * k + l]) *
                       (transpose_b ? b[j * k + l] : b[l * n + j]);
            c[i * n + j] = sum + (beta != 0 ? beta * c[i * n + j] : 0);
        }
}

double reference_cross_entropy(const double *x, size_t n, int32_t label, double *gradient) {
    double most = x[0], sum = 0;
    for (size_t i = 1; i < n; i++)
        most = fmax(most, x[i]);
    for (size_t i = 0; i < n; i++)
        sum += exp(x[i] - most);
    for (size_t i = 0; gradient && i < n; i++)
        gradient[i] = exp(x[i] - most) / sum - (i == (size_t)label);
    return most + log(sum) - x[label];
}

/* As torch.optim documents SGD, Adam and AdamW. */
void reference_optimizer(const struct optimizer_settings *o, size_t t, double *p, const double *g,
                         double *m, double *v, size_t n) {
    double bias1 = 1 - pow(o->beta1, (double)t), bias2 = 1 - pow(o->beta2, (double)t);
    for (size_t i = 0; i < n; i++) {
        double gradient = g[i];
        if (o->kind == OPTIMIZER_ADAMW)
            p[i] -= o->lr * o->weight_decay * p[i];
        else
            gradient += o->weight_decay * p[i];
        if (o->kind == OPTIMIZER_SGD) {
            if (m)
                gradient = m[i] = o->momentum * m[i] + gradient;
            p[i] -= o->lr * gradient;
            continue;
        }
        m[i] = o->beta1 * m[i] + (1 - o->beta1) * gradient;
        v[i] = o->beta2 * v[i] + (1 - o->beta2) * gradient * gradient;
        p[i] -= o->lr * (m[i] / bias1) / (sqrt(v[i] / bias2) + o->epsilon);
    }
}

/* --- the MLP --- */

/* z and y of all layers, (batch, out) each. */
struct trace {
    struct mlp_layer *layers;
    size_t count;
    double *inputs, **z, **y;
};

static double *doubles(size_t count) {
    double *at = memory_alloc((count ? count : 1) * sizeof *at);
    memset(at, 0, count * sizeof *at);
    return at;
}

static enum activation activation_of(const struct mlp_shape *shape, const struct mlp_layer *l) {
    return l->activates ? shape->activation : ACTIVATION_NONE;
}

static void forward(const struct mlp_shape *shape, const double *parameters, struct trace *trace) {
    const double *x = trace->inputs;
    for (size_t i = 0; i < trace->count; i++) {
        const struct mlp_layer *l = &trace->layers[i];
        reference_gemm(trace->z[i], x, parameters + l->weight, shape->batch, l->out, l->in, false,
                       true, 0);
        for (size_t k = 0; k < shape->batch * l->out; k++) {
            trace->z[i][k] += parameters[l->bias + k % l->out];
            trace->y[i][k] = reference_activation(activation_of(shape, l), trace->z[i][k]);
        }
        x = trace->y[i];
    }
}

/* dy becomes dz of the last layer; each round writes one layer's gradients and the dy below. */
static void backward(const struct mlp_shape *shape, const double *parameters,
                     const struct trace *trace, double *dy, double *gradients) {
    for (size_t i = trace->count; i-- > 0;) {
        const struct mlp_layer *l = &trace->layers[i];
        size_t batch = shape->batch;
        for (size_t k = 0; k < batch * l->out; k++)
            dy[k] *= reference_activation_gradient(activation_of(shape, l), trace->z[i][k]);
        reference_gemm(gradients + l->weight, dy, i ? trace->y[i - 1] : trace->inputs, l->out,
                       l->in, batch, true, false, 0);
        for (size_t k = 0; k < batch * l->out; k++)
            gradients[l->bias + k % l->out] += dy[k];
        double *below = doubles(batch * l->in);
        reference_gemm(below, dy, parameters + l->weight, batch, l->in, l->out, false, false, 0);
        memcpy(dy, below, batch * l->in * sizeof *dy);
        free(below);
    }
}

static double loss_of(const struct mlp_shape *shape, const struct trace *trace,
                      const int32_t *labels, double *dy) {
    size_t columns = mlp_columns(shape);
    double loss = 0;
    for (size_t row = 0; row < shape->batch; row++)
        loss += reference_cross_entropy(trace->y[trace->count - 1] + row * columns, columns,
                                        labels[row], dy + row * columns);
    for (size_t k = 0; k < shape->batch * columns; k++)
        dy[k] /= (double)shape->batch;
    return loss / (double)shape->batch;
}

double reference_mlp(const struct mlp_shape *shape, const double *parameters, const float *inputs,
                     const int32_t *labels, double *gradients) {
    struct trace trace = {.count = mlp_layer_count(shape)};
    size_t widest = shape->dim > shape->classes ? shape->dim : shape->classes;
    trace.layers = memory_alloc(trace.count * sizeof *trace.layers);
    trace.z = memory_alloc(trace.count * sizeof *trace.z);
    trace.y = memory_alloc(trace.count * sizeof *trace.y);
    trace.inputs = doubles(shape->batch * shape->dim);
    double *dy = doubles(shape->batch * widest);
    size_t floats = mlp_layout(shape, trace.layers);
    for (size_t i = 0; i < trace.count; i++) {
        trace.z[i] = doubles(shape->batch * trace.layers[i].out);
        trace.y[i] = doubles(shape->batch * trace.layers[i].out);
    }
    for (size_t k = 0; k < shape->batch * shape->dim; k++)
        trace.inputs[k] = (double)inputs[k];
    forward(shape, parameters, &trace);
    double loss = loss_of(shape, &trace, labels, dy);
    if (gradients) {
        memset(gradients, 0, floats * sizeof *gradients);
        backward(shape, parameters, &trace, dy, gradients);
    }
    for (size_t i = 0; i < trace.count; i++) {
        free(trace.z[i]);
        free(trace.y[i]);
    }
    free(trace.z);
    free(trace.y);
    free(trace.inputs);
    free(trace.layers);
    free(dy);
    return loss;
}
