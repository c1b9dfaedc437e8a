/* The plain truth in double precision: what devices are tested against. Nothing here is fast,
 * shares code with the kernels, or knows devices. */
#ifndef BENCH_REFERENCE_H
#define BENCH_REFERENCE_H

#include "bench/workloads/mlp.h"

double reference_activation(enum activation activation, double z);
double reference_activation_gradient(enum activation activation, double z);
/* c (m, n) = op(a) op(b) + beta c */
void reference_gemm(double *c, const double *a, const double *b, size_t m, size_t n, size_t k,
                    bool transpose_a, bool transpose_b, double beta);
/* One row: log sum exp(x) - x[label]; gradient (n) unless NULL: softmax(x) - onehot(label). */
double reference_cross_entropy(const double *x, size_t n, int32_t label, double *gradient);
/* Step t (from 1) of the optimizer over n values. */
void reference_optimizer(const struct optimizer_settings *settings, size_t t, double *p,
                         const double *g, double *m, double *v, size_t n);
/* The MLP's mean loss; gradients (mlp_layout's size) unless NULL. */
double reference_mlp(const struct mlp_shape *shape, const double *parameters, const float *inputs,
                     const int32_t *labels, double *gradients);

#endif
