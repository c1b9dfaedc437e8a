/* From commands to launches. */
#include "bench/device_cuda_kernels.cuh"

#define THREADS 256
/* Enough blocks to fill every multiprocessor; more elements than that are looped over. */
#define BLOCKS_EACH 8
/* The largest grid in y that every GPU takes. */
#define MOST_ROWS 65535

/* Every launch goes through here. A launch of nothing is left out, because a grid of 0 blocks is an
 * error. While the device is loading, the kernel is only loaded. */
template <class... P, class... A>
static cudaError_t launch(struct cuda_device *cuda, dim3 grid, dim3 block, void (*kernel)(P...),
                          A... arguments) {
    cudaLaunchConfig_t config = {};
    cudaFuncAttributes attributes;
    if (cuda->loading)
        return cudaFuncGetAttributes(&attributes, (const void *)kernel);
    if (grid.x == 0 || grid.y == 0)
        return cudaSuccess;
    config.gridDim = grid;
    config.blockDim = block;
    config.stream = cuda->stream;
    return cudaLaunchKernelEx(&config, kernel, P(arguments)...);
}

static unsigned blocks_for(const struct cuda_device *cuda, int64_t items, int64_t per_block,
                           int64_t most) {
    int64_t blocks = (items + per_block - 1) / per_block;
    int64_t full = most > 0 ? most : (int64_t)cuda->multiprocessors * BLOCKS_EACH;
    return (unsigned)(blocks < full ? blocks : full);
}

static bool aligned(const void *at) {
    return (uintptr_t)at % 16 == 0;
}

template <class Tensors> static bool all_aligned(const Tensors &tensors, int reads, int writes) {
    for (int k = 0; k < reads; k++)
        if (!aligned(tensors.in[k]))
            return false;
    for (int k = 0; k < writes; k++)
        if (!aligned(tensors.out[k]))
            return false;
    return true;
}

/* --- bodies --- */

template <int R, int W> struct body {
    enum { READS = R, WRITES = W };
    typedef tensors<R, W> operands;
    __device__ void begin() {
    }
};

struct fill_body : body<0, 1> {
    float value;
    __device__ void operator()(const float *, float *out) const {
        out[0] = value;
    }
};

/* Activations: value(), and gradient() by which dy is multiplied. */
struct no_activation {
    __device__ static float value(float z) {
        return z;
    }
    __device__ static float gradient(float) {
        return 1.0f;
    }
};
#define USE(name, forward, backward)                                                               \
    struct forward##_activation {                                                                  \
        __device__ static float value(float z) {                                                   \
            return forward(z);                                                                     \
        }                                                                                          \
        __device__ static float gradient(float z) {                                                \
            return backward(z);                                                                    \
        }                                                                                          \
    };
EACH_ACTIVATION(USE)
#undef USE

/* Calls use.run<Activation>() for the command's activation. */
template <class Use> static cudaError_t with_activation(int activation, const Use &use) {
    switch (activation) {
#define USE(name, forward, backward)                                                               \
    case name:                                                                                     \
        return use.template run<forward##_activation>();
        EACH_ACTIVATION(USE)
#undef USE
    default:
        return use.template run<no_activation>();
    }
}

template <class Activation> struct activation_body : body<1, 1> {
    __device__ void operator()(const float *in, float *out) const {
        out[0] = Activation::value(in[0]);
    }
};

/* in: dy, z */
template <class Activation> struct gradient_body : body<2, 1> {
    __device__ void operator()(const float *in, float *out) const {
        out[0] = in[0] * Activation::gradient(in[1]);
    }
};

/* After z + bias; WRITES 2 keeps it for backward. */
template <class Activation, int W> struct column_body : body<1, W> {
    __device__ void operator()(float before, float *out) const {
        out[0] = Activation::value(before);
        if (W > 1)
            out[W - 1] = before;
    }
};

/* in: x, a, b, as EACH_VECTOR_PASS names them. */
struct vector_body : body<3, 1> {
    const struct schedule *schedule;
    float s, step_size, root_bias2;
    __device__ void begin() {
        step_size = schedule ? schedule->step_size : 0.0f;
        root_bias2 = schedule ? schedule->root_bias2 : 1.0f;
    }
};
#define USE(name, expression)                                                                      \
    struct name##_body : vector_body {                                                             \
        __device__ void operator()(const float *x, float *out) const {                             \
            [[maybe_unused]] const float *a = x + 1, *b = x + 2;                                   \
            const int i = 0;                                                                       \
            out[0] = expression;                                                                   \
        }                                                                                          \
    };
EACH_VECTOR_PASS(USE)
#undef USE

/* in and out: p, g, m, v and p, m, v. */
template <int R, int W> struct optimizer_body : body<R, W> {
    struct command command;
    struct kernel_step step;
    __device__ void begin() {
        step = kernel_step_of(&command);
    }
};

struct sgd_body : optimizer_body<2, 1> {
    __device__ void operator()(const float *in, float *out) const {
        out[0] = in[0];
        kernel_sgd(&step, out, in[1]);
    }
};

struct momentum_body : optimizer_body<3, 2> {
    __device__ void operator()(const float *in, float *out) const {
        out[0] = in[0], out[1] = in[2];
        kernel_sgd_momentum(&step, out, in[1], out + 1);
    }
};

struct adam_body : optimizer_body<4, 3> {
    __device__ void operator()(const float *in, float *out) const {
        out[0] = in[0], out[1] = in[2], out[2] = in[3];
        kernel_adam(&step, out, in[1], out + 1, out + 2);
    }
};

struct adamw_body : optimizer_body<4, 3> {
    __device__ void operator()(const float *in, float *out) const {
        out[0] = in[0], out[1] = in[2], out[2] = in[3];
        kernel_adamw(&step, out, in[1], out + 1, out + 2);
    }
};

/* --- launches --- */

template <class Body>
static cudaError_t run_each(struct cuda_device *cuda, const Body &body,
                            const typename Body::operands &at, int64_t n) {
    bool wide = all_aligned(at, Body::READS, Body::WRITES);
    int64_t groups = wide ? (n + 3) / 4 : n;
    dim3 grid(blocks_for(cuda, groups, THREADS, 0));
    return wide ? launch(cuda, grid, dim3(THREADS), each<4, Body, typename Body::operands>, body,
                         at, n)
                : launch(cuda, grid, dim3(THREADS), each<1, Body, typename Body::operands>, body,
                         at, n);
}

template <class Body>
static cudaError_t run_by_column(struct cuda_device *cuda, const Body &body,
                                 const typename Body::operands &at, const float *by_column,
                                 int64_t rows, int64_t columns) {
    bool wide = columns % 4 == 0 && aligned(by_column) && all_aligned(at, 1, Body::WRITES);
    int64_t groups = wide ? columns / 4 : columns;
    dim3 block(128), grid(blocks_for(cuda, groups, 128, 0), blocks_for(cuda, rows, 1, MOST_ROWS));
    return wide ? launch(cuda, grid, block, each_by_column<4, Body, typename Body::operands>, body,
                         at, by_column, rows, columns)
                : launch(cuda, grid, block, each_by_column<1, Body, typename Body::operands>, body,
                         at, by_column, rows, columns);
}

static cudaError_t run_fill(struct cuda_device *cuda, const struct command *c) {
    fill_body body;
    body.value = c->scalar[0];
    return run_each(cuda, body, {{}, {(float *)c->at[0]}}, c->size[0]);
}

struct use_activation {
    struct cuda_device *cuda;
    const struct command *c;
    template <class Activation> cudaError_t run() const {
        return run_each(cuda, activation_body<Activation>(),
                        {{(const float *)c->at[1]}, {(float *)c->at[0]}}, c->size[0]);
    }
};

static cudaError_t run_activation(struct cuda_device *cuda, const struct command *c) {
    return with_activation(c->activation, use_activation{cuda, c});
}

struct use_gradient {
    struct cuda_device *cuda;
    float *dz;
    const float *dy, *z;
    int64_t n;
    template <class Activation> cudaError_t run() const {
        return run_each(cuda, gradient_body<Activation>(), {{dy, z}, {dz}}, n);
    }
};

static cudaError_t run_activation_gradient(struct cuda_device *cuda, const struct command *c) {
    return with_activation(c->activation,
                           use_gradient{cuda, (float *)c->at[0], (const float *)c->at[1],
                                        (const float *)c->at[2], c->size[0]});
}

static cudaError_t run_bias(struct cuda_device *cuda, const struct command *c) {
    float *z = (float *)c->at[0];
    return run_by_column(cuda, column_body<no_activation, 1>(), {{z}, {z}}, (const float *)c->at[1],
                         c->size[0], c->size[1]);
}

/* c = act(c + bias), and c + bias kept where there is a place for it. */
struct use_epilogue {
    struct cuda_device *cuda;
    const struct command *c;
    template <class Activation> cudaError_t run() const {
        float *z = (float *)c->at[2], *saved = (float *)c->at[4];
        const float *bias = (const float *)c->at[3];
        int64_t rows = c->size[0], columns = c->size[1];
        if (saved)
            return run_by_column(cuda, column_body<Activation, 2>(), {{z}, {z, saved}}, bias, rows,
                                 columns);
        return run_by_column(cuda, column_body<Activation, 1>(), {{z}, {z}}, bias, rows, columns);
    }
};

cudaError_t cuda_launch_epilogue(struct cuda_device *cuda, const struct command *c) {
    float *z = (float *)c->at[2];
    if (c->variant != EPILOGUE_ACTIVATION_GRADIENT)
        return with_activation(c->activation, use_epilogue{cuda, c});
    if (c->activation == ACTIVATION_NONE)
        return cudaSuccess;
    return with_activation(
        c->activation, use_gradient{cuda, z, z, (const float *)c->at[4], c->size[0] * c->size[1]});
}

static cudaError_t run_column_sum(struct cuda_device *cuda, const struct command *c) {
    int64_t blocks = (c->size[1] + COLUMN_SUM_WIDE - 1) / COLUMN_SUM_WIDE;
    return launch(cuda, dim3((unsigned)blocks), dim3(COLUMN_SUM_WIDE, COLUMN_SUM_TALL), column_sum,
                  (float *)c->at[0], (const float *)c->at[1], c->size[0], c->size[1], c->scalar[0]);
}

/* A power of two: as many threads as there are columns, within a warp and REDUCE_THREADS. */
static dim3 row_block(int64_t columns) {
    unsigned threads = 32;
    while (threads < REDUCE_THREADS && threads < columns)
        threads *= 2;
    return dim3(threads);
}

static cudaError_t run_cross_entropy(struct cuda_device *cuda, const struct command *c) {
    return launch(cuda, dim3(blocks_for(cuda, c->size[0], 1, MOST_ROWS)), row_block(c->size[1]),
                  cross_entropy, (float *)c->at[0], (const float *)c->at[1],
                  (const int32_t *)c->at[2], c->size[0], c->size[1]);
}

static cudaError_t run_cross_entropy_gradient(struct cuda_device *cuda, const struct command *c) {
    return launch(cuda, dim3(blocks_for(cuda, c->size[0], 1, MOST_ROWS)), row_block(c->size[1]),
                  cross_entropy_gradient, (float *)c->at[0], (const float *)c->at[1],
                  (const int32_t *)c->at[2], c->size[0], c->size[1], c->scalar[0]);
}

static cudaError_t run_sum(struct cuda_device *cuda, const struct command *c) {
    unsigned blocks = blocks_for(cuda, c->size[0], 4 * REDUCE_THREADS, CUDA_SUM_BLOCKS);
    return launch(cuda, dim3(blocks ? blocks : 1), dim3(REDUCE_THREADS), sum_all, (float *)c->at[0],
                  (const float *)c->at[1], c->size[0], c->scalar[0], cuda->sum);
}

template <class Body>
static cudaError_t run_pass(struct cuda_device *cuda, const struct command *c) {
    float *x = (float *)c->at[0];
    const float *a = c->at[1] ? (const float *)c->at[1] : x;
    const float *b = c->at[2] ? (const float *)c->at[2] : x;
    Body body;
    body.schedule = (const struct schedule *)c->at[3];
    body.s = c->scalar[0];
    return run_each(cuda, body, {{x, a, b}, {x}}, c->size[0]);
}

static cudaError_t run_vector(struct cuda_device *cuda, const struct command *c) {
    switch (c->variant) {
#define USE(name, expression)                                                                      \
    case name:                                                                                     \
        return run_pass<name##_body>(cuda, c);
        EACH_VECTOR_PASS(USE)
#undef USE
    default:
        return cudaErrorInvalidValue;
    }
}

template <class Body>
static cudaError_t run_update(struct cuda_device *cuda, const struct command *c,
                              const typename Body::operands &at) {
    Body body;
    body.command = *c;
    return run_each(cuda, body, at, c->size[0]);
}

static cudaError_t run_optimizer(struct cuda_device *cuda, const struct command *c) {
    float *p = (float *)c->at[0], *m = (float *)c->at[2], *v = (float *)c->at[3];
    const float *g = (const float *)c->at[1];
    if (c->variant == OPTIMIZER_ADAM)
        return run_update<adam_body>(cuda, c, {{p, g, m, v}, {p, m, v}});
    if (c->variant == OPTIMIZER_ADAMW)
        return run_update<adamw_body>(cuda, c, {{p, g, m, v}, {p, m, v}});
    if (m)
        return run_update<momentum_body>(cuda, c, {{p, g, m}, {p, m}});
    return run_update<sgd_body>(cuda, c, {{p, g}, {p}});
}

static cudaError_t run_schedule(struct cuda_device *cuda, const struct command *c) {
    return launch(cuda, dim3(1), dim3(1), count_step, (struct schedule *)c->at[0]);
}

static cudaError_t run_nothing(struct cuda_device *cuda, const struct command *) {
    return launch(cuda, dim3(1), dim3(1), nothing);
}

static cudaError_t run_spin(struct cuda_device *cuda, const struct command *c) {
    return launch(cuda, dim3(1), dim3(1), spin, (uint64_t)c->size[0]);
}

cudaError_t cuda_launch(struct cuda_device *cuda, const struct command *c) {
    switch (c->operation) {
    case OP_FILL:
        return run_fill(cuda, c);
    case OP_BIAS:
        return run_bias(cuda, c);
    case OP_ACTIVATION:
        return run_activation(cuda, c);
    case OP_ACTIVATION_GRADIENT:
        return run_activation_gradient(cuda, c);
    case OP_COLUMN_SUM:
        return run_column_sum(cuda, c);
    case OP_CROSS_ENTROPY:
        return run_cross_entropy(cuda, c);
    case OP_CROSS_ENTROPY_GRADIENT:
        return run_cross_entropy_gradient(cuda, c);
    case OP_SUM:
        return run_sum(cuda, c);
    case OP_VECTOR:
        return run_vector(cuda, c);
    case OP_SCHEDULE:
        return run_schedule(cuda, c);
    case OP_OPTIMIZER:
        return run_optimizer(cuda, c);
    case OP_NOTHING:
        return run_nothing(cuda, c);
    case OP_SPIN:
        return run_spin(cuda, c);
    default:
        return cudaErrorInvalidValue;
    }
}

/* --- loading --- */

static int variants_of(int operation) {
    switch (operation) {
    case OP_GEMM:
        return EPILOGUE_ACTIVATION_GRADIENT + 1;
    case OP_VECTOR:
        return VECTOR_PASSES;
    case OP_OPTIMIZER:
        return OPTIMIZER_COUNT;
    default:
        return 1;
    }
}

static cudaError_t load(struct cuda_device *cuda, const struct command *c) {
    return c->operation == OP_GEMM ? cuda_launch_epilogue(cuda, c) : cuda_launch(cuda, c);
}

/* With addresses (never followed) and columns that choose each width, and with and without the
 * optional operands at[2] and at[4]. */
static cudaError_t load_widths(struct cuda_device *cuda, struct command c) {
    cudaError_t status = cudaSuccess;
    for (int choice = 0; choice < 4 && status == cudaSuccess; choice++) {
        uintptr_t address = choice & 1 ? 16 : 4;
        for (int k = 0; k < 6; k++)
            c.at[k] = (void *)address;
        c.size[0] = c.size[1] = choice & 1 ? 4 : 3;
        if (choice & 2) {
            c.at[4] = NULL;
            if (c.operation == OP_OPTIMIZER)
                c.at[2] = NULL;
        }
        status = load(cuda, &c);
    }
    return status;
}

cudaError_t cuda_load_kernels(struct cuda_device *cuda) {
    cudaError_t status = cudaSuccess;
    cuda->loading = true;
    for (int operation = 0; operation < OPERATION_COUNT; operation++)
        for (int variant = 0; variant < variants_of(operation); variant++)
            for (int activation = 0; activation <= ACTIVATION_GELU_TANH; activation++) {
                struct command c = {};
                c.operation = (enum operation)operation;
                c.variant = variant;
                c.activation = activation;
                if (operation != OP_COPY && status == cudaSuccess)
                    status = load_widths(cuda, c);
            }
    cuda->loading = false;
    return status;
}
