/* Commands from their named arguments. The layout of each is stated here and read by both kinds. */
#include "bench/device_kind.h"

void device_submit(struct device *device, const struct command *command) {
    if (device->error.kind != ERROR_NONE)
        return;
    struct work work = command_work(command);
    work_add(&device->work[device->phase], &work);
    device->kind->submit(device, command);
}

/* at: x; size: n; scalar: value */
void device_fill(struct device *device, float *x, size_t n, float value) {
    device_submit(device, &(struct command){
                              .operation = OP_FILL,
                              .at = {x},
                              .size = {(int64_t)n},
                              .scalar = {value},
                          });
}

/* at: to, from; size: bytes */
void device_copy(struct device *device, void *to, const void *from, size_t bytes) {
    device_submit(device, &(struct command){
                              .operation = OP_COPY,
                              .at = {to, (void *)from},
                              .size = {(int64_t)bytes},
                          });
}

/* at: a, b, c, bias, saved; size: m, n, k, transposes (1 = a, 2 = b); scalar: beta; variant:
 * epilogue */
void device_gemm(struct device *device, const struct gemm *g) {
    bool activates = g->epilogue >= EPILOGUE_BIAS_ACTIVATION;
    bool adds = g->epilogue == EPILOGUE_BIAS || g->epilogue == EPILOGUE_BIAS_ACTIVATION;
    device_submit(device, &(struct command){
                              .operation = OP_GEMM,
                              .variant = g->epilogue,
                              .activation = activates ? g->activation : ACTIVATION_NONE,
                              .at = {(void *)g->a, (void *)g->b, g->c,
                                     adds ? (void *)g->bias : NULL, activates ? g->saved : NULL},
                              .size = {g->m, g->n, g->k, g->transpose_a + 2 * g->transpose_b},
                              .scalar = {g->beta},
                          });
}

/* at: z, bias; size: rows, columns */
void device_bias(struct device *device, float *z, const float *bias, size_t rows, size_t columns) {
    device_submit(device, &(struct command){
                              .operation = OP_BIAS,
                              .at = {z, (void *)bias},
                              .size = {(int64_t)rows, (int64_t)columns},
                          });
}

/* at: y, z; size: n */
void device_activation(struct device *device, enum activation activation, float *y, const float *z,
                       size_t n) {
    device_submit(device, &(struct command){
                              .operation = OP_ACTIVATION,
                              .activation = activation,
                              .at = {y, (void *)z},
                              .size = {(int64_t)n},
                          });
}

/* at: dz, dy, z; size: n */
void device_activation_gradient(struct device *device, enum activation activation, float *dz,
                                const float *dy, const float *z, size_t n) {
    device_submit(device, &(struct command){
                              .operation = OP_ACTIVATION_GRADIENT,
                              .activation = activation,
                              .at = {dz, (void *)dy, (void *)z},
                              .size = {(int64_t)n},
                          });
}

/* at: out, x; size: rows, columns; scalar: beta */
void device_column_sum(struct device *device, float *out, const float *x, size_t rows,
                       size_t columns, float beta) {
    device_submit(device, &(struct command){
                              .operation = OP_COLUMN_SUM,
                              .at = {out, (void *)x},
                              .size = {(int64_t)rows, (int64_t)columns},
                              .scalar = {beta},
                          });
}

/* at: loss, logits, labels; size: rows, columns */
void device_cross_entropy(struct device *device, float *loss, const float *logits,
                          const int32_t *labels, size_t rows, size_t columns) {
    device_submit(device, &(struct command){
                              .operation = OP_CROSS_ENTROPY,
                              .at = {loss, (void *)logits, (void *)labels},
                              .size = {(int64_t)rows, (int64_t)columns},
                          });
}

/* at: out, logits, labels; size: rows, columns; scalar: scale */
void device_cross_entropy_gradient(struct device *device, float *out, const float *logits,
                                   const int32_t *labels, size_t rows, size_t columns,
                                   float scale) {
    device_submit(device, &(struct command){
                              .operation = OP_CROSS_ENTROPY_GRADIENT,
                              .at = {out, (void *)logits, (void *)labels},
                              .size = {(int64_t)rows, (int64_t)columns},
                              .scalar = {scale},
                          });
}

/* at: out, x; size: n; scalar: scale */
void device_sum(struct device *device, float *out, const float *x, size_t n, float scale) {
    device_submit(device, &(struct command){
                              .operation = OP_SUM,
                              .at = {out, (void *)x},
                              .size = {(int64_t)n},
                              .scalar = {scale},
                          });
}

/* at: schedule; size: 1 */
void device_schedule(struct device *device, struct schedule *schedule) {
    device_submit(device, &(struct command){
                              .operation = OP_SCHEDULE,
                              .at = {schedule},
                              .size = {1},
                          });
}

/* at: x, a, b, schedule; size: n; scalar: s; variant: pass */
void device_vector(struct device *device, enum vector_pass pass, float *x, const float *a,
                   const float *b, const struct schedule *schedule, float s, size_t n) {
    device_submit(device, &(struct command){
                              .operation = OP_VECTOR,
                              .variant = pass,
                              .at = {x, (void *)a, (void *)b, (void *)schedule},
                              .size = {(int64_t)n},
                              .scalar = {s},
                          });
}

/* at: p, g, m, v, schedule; size: n; scalar: as struct kernel_step begins; variant: optimizer. What
 * is left of 1 is taken in double: 1 - 0.999f is off by 5e-5 of itself. */
void device_optimizer(struct device *device, const struct optimizer_settings *o, float *p,
                      const float *g, float *m, float *v, const struct schedule *schedule,
                      size_t n) {
    device_submit(device,
                  &(struct command){
                      .operation = OP_OPTIMIZER,
                      .variant = (int)o->kind,
                      .at = {p, (void *)g, m, v, (void *)schedule},
                      .size = {(int64_t)n},
                      .scalar = {(float)o->lr, (float)o->momentum, (float)(1 - o->beta1),
                                 (float)o->beta2, (float)(1 - o->beta2), (float)o->epsilon,
                                 (float)o->weight_decay, (float)(1 - o->lr * o->weight_decay)},
                  });
}

void device_nothing(struct device *device) {
    device_submit(device, &(struct command){.operation = OP_NOTHING});
}

/* size: ns */
void device_spin(struct device *device, uint64_t ns) {
    device_submit(device, &(struct command){.operation = OP_SPIN, .size = {(int64_t)ns}});
}
