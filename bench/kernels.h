/* The arithmetic of one element, written once for both devices. Everything is branch-free, so that
 * a loop over it vectorizes, and uses no math library, so that both devices round alike. */
#ifndef BENCH_KERNELS_H
#define BENCH_KERNELS_H

#include "bench/device.h"

#include <math.h>

#ifdef __CUDACC__
#define HOST_DEVICE static __host__ __device__ __forceinline__
#else
#define HOST_DEVICE static inline __attribute__((always_inline))
#endif

HOST_DEVICE float kernel_bits(int32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

HOST_DEVICE float kernel_sqrt(float x) {
#ifdef __CUDA_ARCH__
    return sqrtf(x);
#else
    return __builtin_sqrtf(x);
#endif
}

HOST_DEVICE float kernel_min(float a, float b) {
    return a < b ? a : b;
}

HOST_DEVICE float kernel_max(float a, float b) {
    return a > b ? a : b;
}

/* e^x by n = round(x / ln 2), e^r as a polynomial on |r| <= ln 2 / 2 and 2^n put into the exponent
 * (coefficients: Cephes expf, Moshier). Within 2 ulp on [-87, 88]; cut off outside. NaN stays NaN:
 * the comparisons below keep their first operand when they are false. */
HOST_DEVICE float kernel_exp(float x) {
    const float magic = 12582912.0f; /* 1.5 * 2^23: adding it rounds to an integer */
    float cut = x < -87.0f ? -87.0f : x;
    cut = cut > 88.0f ? 88.0f : cut;
    float shifted = cut * 1.44269504088896341f + magic;
    float n = shifted - magic;
    float r = cut - n * 0.693359375f + n * 2.12194440e-4f;
    float p = 1.9875691500e-4f;
    p = p * r + 1.3981999507e-3f;
    p = p * r + 8.3334519073e-3f;
    p = p * r + 4.1665795894e-2f;
    p = p * r + 1.6666665459e-1f;
    p = p * r + 5.0000001201e-1f;
    p = p * r * r + r + 1.0f;
    int32_t bits;
    memcpy(&bits, &shifted, sizeof bits);
    return p * kernel_bits((bits - 0x4b400000 + 127) << 23);
}

/* erf as x P(x^2) / Q(x^2) on |x| <= 4, beyond which float32 cannot tell it from 1 (the rational
 * approximation of Eigen's generic_fast_erf). Absolute error below 4e-7. */
HOST_DEVICE float kernel_erf(float x) {
    float cut = x < -4.0f ? -4.0f : x;
    cut = cut > 4.0f ? 4.0f : cut;
    float s = cut * cut;
    float p = -2.72614225801306e-10f;
    p = p * s + 2.77068142495902e-08f;
    p = p * s + -2.10102402082508e-06f;
    p = p * s + -5.69250639462346e-05f;
    p = p * s + -7.34990630326855e-04f;
    p = p * s + -2.95459980854025e-03f;
    p = p * s + -1.60960333262415e-02f;
    float q = -1.45660718464996e-05f;
    q = q * s + -2.13374055278905e-04f;
    q = q * s + -1.68282697438203e-03f;
    q = q * s + -7.37332916720468e-03f;
    q = q * s + -1.42647390514189e-02f;
    return cut * p / q;
}

HOST_DEVICE float kernel_sigmoid(float x) {
    return 1.0f / (1.0f + kernel_exp(-x));
}

#define KERNEL_RSQRT2 0.70710678118654752f    /* 1 / sqrt 2 */
#define KERNEL_RSQRT2PI 0.39894228040143268f  /* 1 / sqrt(2 pi) */
#define KERNEL_2SQRT2_PI 1.59576912160573071f /* 2 sqrt(2 / pi) */
#define KERNEL_GELU_CUBIC 0.044715f           /* Hendrycks and Gimpel, arXiv:1606.08415 */

/* x Phi(x) */
HOST_DEVICE float kernel_gelu(float x) {
    return 0.5f * x * (1.0f + kernel_erf(x * KERNEL_RSQRT2));
}

/* Phi(x) + x phi(x) */
HOST_DEVICE float kernel_gelu_gradient(float x) {
    float density = KERNEL_RSQRT2PI * kernel_exp(-0.5f * x * x);
    return 0.5f * (1.0f + kernel_erf(x * KERNEL_RSQRT2)) + x * density;
}

/* 0.5 x (1 + tanh(u)) = x sigmoid(2 u), u = sqrt(2 / pi) (x + 0.044715 x^3) */
HOST_DEVICE float kernel_gelu_tanh(float x) {
    return x * kernel_sigmoid(KERNEL_2SQRT2_PI * (x + KERNEL_GELU_CUBIC * x * x * x));
}

HOST_DEVICE float kernel_gelu_tanh_gradient(float x) {
    float e = kernel_exp(-KERNEL_2SQRT2_PI * (x + KERNEL_GELU_CUBIC * x * x * x));
    float s = 1.0f / (1.0f + e); /* and 1 - s = e s, without cancellation */
    float slope = KERNEL_2SQRT2_PI * (1.0f + 3.0f * KERNEL_GELU_CUBIC * x * x);
    return s + x * s * e * s * slope;
}

/* max(x, 0); NaN stays NaN */
HOST_DEVICE float kernel_relu(float x) {
    return x <= 0.0f ? 0.0f : x;
}

HOST_DEVICE float kernel_relu_gradient(float x) {
    return x > 0.0f ? 1.0f : 0.0f;
}

/* EACH_ACTIVATION(use): one line per activation, for loops and launches that are chosen by it. */
#define EACH_ACTIVATION(use)                                                                       \
    use(ACTIVATION_RELU, kernel_relu, kernel_relu_gradient)                                        \
        use(ACTIVATION_GELU, kernel_gelu, kernel_gelu_gradient)                                    \
            use(ACTIVATION_GELU_TANH, kernel_gelu_tanh, kernel_gelu_tanh_gradient)

/* EACH_VECTOR_PASS(use): pass and the new value of x[i]; s is the command's scalar, step_size and
 * root_bias2 come from its schedule. */
#define EACH_VECTOR_PASS(use)                                                                      \
    use(VECTOR_SCALE, x[i] * s) use(VECTOR_ADD, x[i] + s * a[i])                                   \
        use(VECTOR_LERP, x[i] + s * (a[i] - x[i])) use(VECTOR_ADDCMUL, x[i] + s * a[i] * a[i])     \
            use(VECTOR_ROOT, kernel_sqrt(a[i])) use(VECTOR_DIVIDE, x[i] / root_bias2)              \
                use(VECTOR_SHIFT, x[i] + s) use(VECTOR_ADDCDIV, x[i] - step_size * a[i] / b[i])

/* What an optimizer step needs beside the tensors. */
struct kernel_step {
    float lr, momentum;
    float rest1;        /* 1 - beta1 */
    float beta2, rest2; /* rest2 = 1 - beta2 */
    float epsilon, weight_decay;
    float shrink; /* 1 - lr weight_decay */
    float step_size, root_bias2;
};

/* PyTorch's SGD: weight decay is added to the gradient; b starts at 0, which gives b = g first. */
HOST_DEVICE void kernel_sgd(const struct kernel_step *s, float *p, float g) {
    *p -= s->lr * (g + s->weight_decay * *p);
}

HOST_DEVICE void kernel_sgd_momentum(const struct kernel_step *s, float *p, float g, float *b) {
    float moved = s->momentum * *b + (g + s->weight_decay * *p);
    *b = moved;
    *p -= s->lr * moved;
}

HOST_DEVICE void kernel_moments(const struct kernel_step *s, float *p, float g, float *m,
                                float *v) {
    float first = *m + s->rest1 * (g - *m);
    float second = s->beta2 * *v + s->rest2 * g * g;
    *m = first;
    *v = second;
    *p -= s->step_size * first / (kernel_sqrt(second) / s->root_bias2 + s->epsilon);
}

/* Adam adds weight decay to the gradient; AdamW shrinks the parameter first (Loshchilov and Hutter,
 * arXiv:1711.05101). */
HOST_DEVICE void kernel_adam(const struct kernel_step *s, float *p, float g, float *m, float *v) {
    kernel_moments(s, p, g + s->weight_decay * *p, m, v);
}

HOST_DEVICE void kernel_adamw(const struct kernel_step *s, float *p, float g, float *m, float *v) {
    *p *= s->shrink;
    kernel_moments(s, p, g, m, v);
}

/* From an OP_OPTIMIZER command (layout: device_optimizer). SGD has no schedule. */
HOST_DEVICE struct kernel_step kernel_step_of(const struct command *c) {
    const struct schedule *schedule = (const struct schedule *)c->at[4];
    struct kernel_step s = {c->scalar[0], c->scalar[1], c->scalar[2], c->scalar[3], c->scalar[4],
                            c->scalar[5], c->scalar[6], c->scalar[7], 0.0f,         1.0f};
    if (schedule) {
        s.step_size = schedule->step_size;
        s.root_bias2 = schedule->root_bias2;
    }
    return s;
}

/* One optimizer step counted on the device. */
HOST_DEVICE void kernel_schedule(struct schedule *s) {
    s->beta1_power *= s->beta1;
    s->beta2_power *= s->beta2;
    s->step_size = (float)(s->lr / (1.0 - s->beta1_power));
    s->root_bias2 = (float)sqrt(1.0 - s->beta2_power);
}

#endif
