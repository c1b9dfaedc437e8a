/* A device: where a workload's arithmetic runs. Two kinds, `cpu` and `cuda`, behave alike:
 *
 * - Work is a list of commands. submit puts a command into a queue in order and returns; it blocks
 *   only when the queue is full. Commands run one after another, in the order submitted.
 * - Memory is handed out by a caching allocator in queue order: a block freed here may be reused by
 *   a later command at once, because that command runs after every earlier one.
 * - A failure of queued work is kept; from then on submitted work is dropped, and synchronize
 *   returns the first failure. So functions that only submit return nothing.
 *
 * All tensors are float32, row-major, without gaps; pointers are device pointers. One thread uses a
 * device at a time. */
#ifndef BENCH_DEVICE_H
#define BENCH_DEVICE_H

#include "core/error.h"
#include "schemas/plan.h"

#include <stdint.h>

enum memory_category {
    MEMORY_PARAMETERS,
    MEMORY_GRADIENTS,
    MEMORY_OPTIMIZER,
    MEMORY_ACTIVATIONS,
    MEMORY_DATA,
    MEMORY_WORKSPACE,
    MEMORY_CATEGORIES
};
extern const char *const memory_category_names[MEMORY_CATEGORIES];

struct memory_use {
    size_t now[MEMORY_CATEGORIES], peak[MEMORY_CATEGORIES]; /* bytes in use */
    size_t now_total, peak_total;
    size_t reserved;    /* bytes held from the system, cached free blocks included */
    size_t allocations; /* calls that went to the system */
};

/* What part of a step a command belongs to. */
enum phase {
    PHASE_COPIES,
    PHASE_FORWARD,
    PHASE_LOSS,
    PHASE_BACKWARD,
    PHASE_OPTIMIZER,
    PHASE_COUNT
};
extern const char *const phase_names[PHASE_COUNT];

/* Arithmetic and traffic of submitted commands, from their shapes: each operand counted once. */
struct work {
    double flops, bytes;
    size_t commands;
};

enum activation { ACTIVATION_NONE, ACTIVATION_RELU, ACTIVATION_GELU, ACTIVATION_GELU_TANH };

enum operation {
    OP_FILL,
    OP_COPY,
    OP_GEMM,
    OP_BIAS,
    OP_ACTIVATION,
    OP_ACTIVATION_GRADIENT,
    OP_COLUMN_SUM,
    OP_CROSS_ENTROPY,
    OP_CROSS_ENTROPY_GRADIENT,
    OP_SUM,
    OP_VECTOR,
    OP_SCHEDULE,
    OP_OPTIMIZER,
    OP_NOTHING, /* an empty kernel */
    OP_SPIN,    /* busy for size[0] ns */
    OPERATION_COUNT
};

/* One queued operation; what at, size and scalar mean is said at the function that submits it. */
struct command {
    enum operation operation;
    int variant, activation;
    void *at[6];
    int64_t size[4];
    float scalar[8];
};

struct device_options {
    int threads;          /* cpu: 0 = one a core this process may use */
    size_t queue_depth;   /* cpu: commands; 0 = DEVICE_QUEUE_DEPTH */
    bool tf32;            /* cuda: let GEMM round inputs to TF32 */
    size_t memory_budget; /* bytes; allocation beyond it fails; 0 = what there is */
    int index;            /* cuda: which GPU */
};
#define DEVICE_QUEUE_DEPTH 1024

/* Costs paid once, in ms, in the order paid: "context", "kernels", "library". NAN = not paid yet.
 */
struct startup_cost {
    const char *name;
    double ms;
};
#define STARTUP_COSTS 4

struct device {
    const struct device_kind *kind;
    struct device_options options; /* as they came out, defaults filled in */
    char name[128];                /* "NVIDIA H200", "AMD EPYC 9354" */
    char library[192];             /* what does GEMM, with version and thread count */
    struct memory_pool *memory;
    struct error error; /* first failure of submitted work; kind ERROR_NONE = none */
    enum phase phase;
    struct work work[PHASE_COUNT];
    struct phase_marks *marks; /* NULL unless phases are being timed */
    struct startup_cost startup[STARTUP_COSTS];
    bool recording;
};

struct device_event;
struct device_graph;

/* Opens "cpu" or "cuda". Without the hardware, driver or library: false, ERROR_UNAVAILABLE and the
 * reason. Close with device_close, which waits for queued work. */
bool device_open(const char *kind, const struct device_options *options, struct device **device,
                 struct error *error);
void device_close(struct device *device);
/* The names of the kinds built in, NULL at the end. */
const char *const *device_kinds(void);
const char *device_kind_name(const struct device *device);
/* Appends what a measurement contract records: device, name, library, threads, queue depth, TF32.
 */
void device_describe(const struct device *device, struct arena *arena, struct plan_fields *fields);

/* Memory, uninitialised, 64-byte aligned; NULL on failure, with the reason kept as a failure of
 * submitted work. device_free(NULL) does nothing. Blocks may be freed while queued work uses them.
 */
void *device_alloc(struct device *device, size_t bytes, enum memory_category category);
void device_free(struct device *device, void *block);
struct memory_use device_memory_use(const struct device *device);
void device_memory_reset_peak(struct device *device);
/* Gives cached free blocks back to the system (waits for queued work). */
void device_memory_trim(struct device *device);

bool device_synchronize(struct device *device, struct error *error);
/* Drops a kept failure, so that the device can be used again (after an allocation failed). */
void device_forget_failure(struct device *device);

/* Events: a moment in the queue. elapsed needs both to have passed (synchronize first). */
struct device_event *device_event_new(struct device *device);
void device_event_free(struct device *device, struct device_event *event);
void device_event_record(struct device *device, struct device_event *event);
double device_elapsed_ms(struct device *device, struct device_event *from, struct device_event *to);

/* Recording: between begin and end, commands are kept instead of run (cuda: a captured graph; cpu:
 * a list). replay submits them all as one operation. Memory they use must stay until graph_free. */
bool device_record_begin(struct device *device, struct error *error);
struct device_graph *device_record_end(struct device *device, struct error *error);
void device_replay(struct device *device, struct device_graph *graph);
void device_graph_free(struct device *device, struct device_graph *graph);

/* Phases: commands submitted after device_phase belong to it. With timing on, each change of phase
 * records an event; phase_times adds up, after a synchronize, the ms between the changes. idle_ms
 * is time inside the span in which the device had nothing to run (NAN where it cannot be known). */
void device_phase(struct device *device, enum phase phase);
bool device_phases_begin(struct device *device, size_t capacity);
void device_phases_end(struct device *device, double ms[PHASE_COUNT], double *idle_ms);
void device_work_reset(struct device *device);

/* --- Commands. n, rows, columns count elements. --- */

void device_submit(struct device *device, const struct command *command);
/* x[i] = value */
void device_fill(struct device *device, float *x, size_t n, float value);
/* One side may be host memory; host memory must stay until the copy has run. */
void device_copy(struct device *device, void *to, const void *from, size_t bytes);

enum epilogue {
    EPILOGUE_NONE,
    EPILOGUE_BIAS,                /* c += bias, by column */
    EPILOGUE_BIAS_ACTIVATION,     /* saved = c + bias (unless saved is NULL); c = act(c + bias) */
    EPILOGUE_ACTIVATION_GRADIENT, /* c *= act'(saved) */
};

/* c (m, n) = op(a) (m, k) times op(b) (k, n) + beta c; op transposes when asked to: a is then
 * stored (k, m), b (n, k). beta is 0 or 1, and with 0 c may hold anything, NaN too. */
struct gemm {
    const float *a, *b;
    float *c;
    int64_t m, n, k;
    bool transpose_a, transpose_b;
    float beta;
    enum epilogue epilogue;
    enum activation activation;
    const float *bias; /* (n) */
    float *saved;      /* (m, n) */
};
void device_gemm(struct device *device, const struct gemm *gemm);
/* z (rows, columns) += bias (columns) */
void device_bias(struct device *device, float *z, const float *bias, size_t rows, size_t columns);
/* y = act(z); y may be z */
void device_activation(struct device *device, enum activation activation, float *y, const float *z,
                       size_t n);
/* dz = dy * act'(z); dz may be dy */
void device_activation_gradient(struct device *device, enum activation activation, float *dz,
                                const float *dy, const float *z, size_t n);
/* out (columns) = beta out + sum over rows of x (rows, columns); beta 0 or 1 */
void device_column_sum(struct device *device, float *out, const float *x, size_t rows,
                       size_t columns, float beta);
/* loss (rows) = log sum exp(logits row) - logits[label] */
void device_cross_entropy(struct device *device, float *loss, const float *logits,
                          const int32_t *labels, size_t rows, size_t columns);
/* out (rows, columns) = scale (softmax(logits) - onehot(label)); out may be logits */
void device_cross_entropy_gradient(struct device *device, float *out, const float *logits,
                                   const int32_t *labels, size_t rows, size_t columns, float scale);
/* out[0] = scale * sum of x */
void device_sum(struct device *device, float *out, const float *x, size_t n, float scale);

/* The passes an optimizer makes when nothing is fused, named as PyTorch names them. */
enum vector_pass {
    VECTOR_SCALE,   /* x *= s */
    VECTOR_ADD,     /* x += s a */
    VECTOR_LERP,    /* x += s (a - x) */
    VECTOR_ADDCMUL, /* x += s a a */
    VECTOR_ROOT,    /* x = sqrt(a) */
    VECTOR_DIVIDE,  /* x /= schedule->root_bias2 */
    VECTOR_SHIFT,   /* x += s */
    VECTOR_ADDCDIV, /* x -= schedule->step_size * a / b */
    VECTOR_PASSES
};

/* Adam's step count and bias corrections, on the device so that a recorded step can be replayed.
 * The host fills the doubles in, powers with 1. */
struct schedule {
    double lr, beta1, beta2;
    double beta1_power, beta2_power; /* beta^t */
    float step_size;                 /* lr / (1 - beta1^t) */
    float root_bias2;                /* sqrt(1 - beta2^t) */
};
/* t += 1 */
void device_schedule(struct device *device, struct schedule *schedule);
void device_vector(struct device *device, enum vector_pass pass, float *x, const float *a,
                   const float *b, const struct schedule *schedule, float s, size_t n);

enum optimizer { OPTIMIZER_SGD, OPTIMIZER_ADAM, OPTIMIZER_ADAMW, OPTIMIZER_COUNT };
struct optimizer_settings {
    enum optimizer kind;
    double lr, momentum, beta1, beta2, epsilon, weight_decay;
};
/* One fused pass. m (and v) are NULL where the optimizer keeps none (SGD without momentum). */
void device_optimizer(struct device *device, const struct optimizer_settings *settings, float *p,
                      const float *g, float *m, float *v, const struct schedule *schedule,
                      size_t n);
/* An operation that does nothing, and one that keeps the device busy for ns. */
void device_nothing(struct device *device);
void device_spin(struct device *device, uint64_t ns);

#endif
