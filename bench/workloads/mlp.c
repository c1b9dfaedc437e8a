/* Workload `mlp`: training or running a multi-layer perceptron. */
#include "bench/workloads/mlp.h"

#include <math.h>
#include <stdlib.h>

static const struct workload_parameter parameters[] = {
    {"dim", "width of the layers", "1536", NULL, 1, 65536, true},
    {"depth", "layers with an activation", "12", NULL, 1, 1000, true},
    {"batch", "examples a step", "256", NULL, 1, 1048576, true},
    {"classes", "width of the last layer; 0 = none", "10", NULL, 0, 65536, true},
    {"activation", "gelu is exact, by erf", "gelu", "gelu|gelu-tanh|relu", 0, 0, false},
    {"mode", "inference saves no activations", "step", "step|forward-backward|forward|inference", 0,
     0, false},
    {"optimizer", "", "adamw", "adamw|adam|sgd", 0, 0, false},
    {"lr", "learning rate", "0.001", NULL, 0, 1000, false},
    {"momentum", "of SGD", "0", NULL, 0, 1, false},
    {"beta1", "of Adam and AdamW", "0.9", NULL, 0, 0.999999, false},
    {"beta2", "of Adam and AdamW", "0.999", NULL, 0, 0.99999999, false},
    {"epsilon", "of Adam and AdamW", "1e-8", NULL, 0, 1, false},
    {"weight_decay", "-1 = PyTorch's default: 0.01 for AdamW, else 0", "-1", NULL, -1, 10, false},
    {"implementation", "of the optimizer", "multi-tensor", "multi-tensor|loop|fused", 0, 0, false},
    {"execution", "fused: bias and activation in the GEMM's epilogue; graph: recorded and replayed",
     "eager", "eager|fused|graph|graph-fused", 0, 0, false},
    {"zero_grad", "none: gradients are freed; zero: they are filled and added to", "none",
     "none|zero", 0, 0, false},
    {"input", "copied: from the host, each step", "resident", "resident|copied", 0, 0, false},
    {"seed", "of weights and data", "1", NULL, 0, 4294967295.0, true},
};
enum {
    DIM,
    DEPTH,
    BATCH,
    CLASSES,
    ACTIVATION,
    MODE,
    OPTIMIZER,
    LR,
    MOMENTUM,
    BETA1,
    BETA2,
    EPSILON,
    WEIGHT_DECAY,
    IMPLEMENTATION,
    EXECUTION,
    ZERO_GRAD,
    INPUT,
    SEED
};

/* Choices as the table lists them. */
static const enum activation activations[] = {ACTIVATION_GELU, ACTIVATION_GELU_TANH,
                                              ACTIVATION_RELU};
static const enum optimizer optimizers[] = {OPTIMIZER_ADAMW, OPTIMIZER_ADAM, OPTIMIZER_SGD};

static struct optimizer_settings optimizer_of(const union workload_value *v) {
    struct optimizer_settings o = {
        .kind = optimizers[v[OPTIMIZER].choice],
        .lr = v[LR].number,
        .momentum = v[MOMENTUM].number,
        .beta1 = v[BETA1].number,
        .beta2 = v[BETA2].number,
        .epsilon = v[EPSILON].number,
        .weight_decay = v[WEIGHT_DECAY].number,
    };
    if (o.weight_decay < 0)
        o.weight_decay = o.kind == OPTIMIZER_ADAMW ? 0.01 : 0;
    return o;
}

static struct mlp mlp_of(const union workload_value *v) {
    return (struct mlp){
        .shape = {.batch = (size_t)v[BATCH].number,
                  .dim = (size_t)v[DIM].number,
                  .depth = (size_t)v[DEPTH].number,
                  .classes = (size_t)v[CLASSES].number,
                  .activation = activations[v[ACTIVATION].choice]},
        .mode = (enum mlp_mode)v[MODE].choice,
        .implementation = (enum mlp_implementation)v[IMPLEMENTATION].choice,
        .optimizer = optimizer_of(v),
        .fused_epilogues = v[EXECUTION].choice % 2 == 1,
        .replays = v[EXECUTION].choice >= 2,
        .zeroes_gradients = v[ZERO_GRAD].choice == 1,
        .copies_input = v[INPUT].choice == 1,
    };
}

static float *alloc_floats(struct device *device, size_t count, enum memory_category category) {
    return device_alloc(device, count * sizeof(float), category);
}

/* --- memory --- */

/* Two buffers that layers take turns with: what inference needs, and it needs no upstream. */
static void alloc_inference(struct device *device, struct mlp *mlp) {
    size_t widest = mlp->shape.batch * mlp->shape.dim;
    float **turns = mlp->upstream;
    for (int i = 0; i < 2; i++)
        turns[i] = alloc_floats(device, widest, MEMORY_ACTIVATIONS);
    for (size_t i = 0; i < mlp->layer_count; i++) {
        struct mlp_layer *layer = &mlp->layers[i];
        /* unfused, the activation goes back to the buffer that the GEMM has read */
        layer->before = turns[mlp->fused_epilogues ? i % 2 : 1];
        layer->after = turns[mlp->fused_epilogues ? i % 2 : 0];
        if (!layer->activates)
            layer->before = layer->after =
                alloc_floats(device, mlp->shape.batch * layer->out, MEMORY_ACTIVATIONS);
    }
}

static void alloc_activations(struct device *device, struct mlp *mlp) {
    bool in_place = mlp->shape.activation == ACTIVATION_RELU; /* relu' can be told from relu */
    for (size_t i = 0; i < mlp->layer_count; i++) {
        struct mlp_layer *layer = &mlp->layers[i];
        size_t count = mlp->shape.batch * layer->out;
        layer->after = alloc_floats(device, count, MEMORY_ACTIVATIONS);
        layer->before = layer->activates && !in_place
                            ? alloc_floats(device, count, MEMORY_ACTIVATIONS)
                            : layer->after;
    }
}

static void alloc_training(struct device *device, struct mlp *mlp) {
    size_t widest = mlp->shape.dim > mlp->shape.classes ? mlp->shape.dim : mlp->shape.classes;
    for (int i = 0; i < 2; i++)
        mlp->upstream[i] = alloc_floats(device, mlp->shape.batch * widest, MEMORY_ACTIVATIONS);
}

static size_t largest_tensor(const struct mlp *mlp) {
    size_t largest = 0;
    for (size_t i = 0; i < mlp->layer_count; i++) {
        size_t weight = mlp->layers[i].out * mlp->layers[i].in;
        largest = weight > largest ? weight : largest;
    }
    return largest;
}

static float *alloc_zeros(struct device *device, const struct mlp *mlp) {
    float *at = alloc_floats(device, mlp->floats, MEMORY_OPTIMIZER);
    device_fill(device, at, mlp->floats, 0);
    return at;
}

static bool alloc_optimizer(struct device *device, struct mlp *mlp, struct error *error) {
    const struct optimizer_settings *o = &mlp->optimizer;
    if (o->kind == OPTIMIZER_SGD) {
        if (o->momentum != 0)
            mlp->m = alloc_zeros(device, mlp);
        return true;
    }
    mlp->m = alloc_zeros(device, mlp);
    mlp->v = alloc_zeros(device, mlp);
    if (mlp->implementation != MLP_FUSED)
        mlp->scratch = alloc_floats(
            device, mlp->implementation == MLP_LOOP ? largest_tensor(mlp) : mlp->floats,
            MEMORY_WORKSPACE);
    struct schedule first = {
        .lr = o->lr, .beta1 = o->beta1, .beta2 = o->beta2, .beta1_power = 1, .beta2_power = 1};
    mlp->schedule = device_alloc(device, sizeof first, MEMORY_OPTIMIZER);
    device_copy(device, mlp->schedule, &first, sizeof first);
    return device_synchronize(device, error); /* first goes */
}

static void alloc_common(struct device *device, struct mlp *mlp) {
    const struct mlp_shape *shape = &mlp->shape;
    mlp->parameters = alloc_floats(device, mlp->floats, MEMORY_PARAMETERS);
    mlp->inputs = alloc_floats(device, shape->batch * shape->dim, MEMORY_DATA);
    mlp->labels = device_alloc(device, shape->batch * sizeof(int32_t), MEMORY_DATA);
    mlp->row_loss = alloc_floats(device, shape->batch, MEMORY_ACTIVATIONS);
    mlp->loss = alloc_floats(device, 1, MEMORY_ACTIVATIONS);
}

/* --- opening --- */

static bool upload(struct device *device, struct mlp *mlp, uint64_t seed, struct error *error) {
    const struct mlp_shape *shape = &mlp->shape;
    float *first = memory_alloc(mlp->floats * sizeof *first);
    mlp->host_inputs = memory_alloc(shape->batch * shape->dim * sizeof *mlp->host_inputs);
    mlp->host_labels = memory_alloc(shape->batch * sizeof *mlp->host_labels);
    mlp_initialize(shape, seed, first);
    mlp_data(shape, seed, mlp->host_inputs, mlp->host_labels);
    device_copy(device, mlp->parameters, first, mlp->floats * sizeof *first);
    device_copy(device, mlp->inputs, mlp->host_inputs, shape->batch * shape->dim * sizeof(float));
    device_copy(device, mlp->labels, mlp->host_labels, shape->batch * sizeof(int32_t));
    bool fine = device_synchronize(device, error);
    free(first);
    return fine;
}

static void submit_step(struct device *device, struct mlp *mlp) {
    const struct mlp_shape *shape = &mlp->shape;
    if (mlp->copies_input) {
        device_phase(device, PHASE_COPIES);
        device_copy(device, mlp->inputs, mlp->host_inputs,
                    shape->batch * shape->dim * sizeof(float));
        device_copy(device, mlp->labels, mlp->host_labels, shape->batch * sizeof(int32_t));
    }
    if (mlp->mode <= MLP_FORWARD_BACKWARD)
        mlp_zero_gradients(device, mlp);
    mlp_forward(device, mlp);
    if (mlp->mode >= MLP_FORWARD)
        return;
    mlp_loss(device, mlp);
    mlp_backward(device, mlp);
    if (mlp->mode == MLP_STEP)
        mlp_optimize(device, mlp);
}

/* One run of everything that leaves the parameters alone, so that libraries and kernels are loaded
 * and gradients exist before the recording begins. */
static bool record(struct device *device, struct mlp *mlp, struct error *error) {
    mlp_forward(device, mlp);
    if (mlp->mode <= MLP_FORWARD_BACKWARD) {
        mlp_loss(device, mlp);
        mlp_backward(device, mlp);
    }
    if (!device_record_begin(device, error))
        return false;
    submit_step(device, mlp);
    mlp->graph = device_record_end(device, error);
    return mlp->graph != NULL;
}

static bool open_mlp(struct arena *arena, struct workload_run *run, struct error *error) {
    struct device *device = run->device;
    struct mlp *mlp = arena_alloc(arena, sizeof *mlp);
    *mlp = mlp_of(run->values);
    run->state = mlp;
    run->items = (double)mlp->shape.batch;
    run->item = "examples";
    mlp->layer_count = mlp_layer_count(&mlp->shape);
    mlp->layers = arena_array(arena, mlp->layer_count, sizeof *mlp->layers);
    mlp->floats = mlp_layout(&mlp->shape, mlp->layers);
    alloc_common(device, mlp);
    if (mlp->mode == MLP_INFERENCE)
        alloc_inference(device, mlp);
    else
        alloc_activations(device, mlp);
    if (mlp->mode <= MLP_FORWARD_BACKWARD)
        alloc_training(device, mlp);
    if (mlp->mode == MLP_STEP && !alloc_optimizer(device, mlp, error))
        return false;
    if (!device_synchronize(device, error) || /* enough memory? */
        !upload(device, mlp, (uint64_t)run->values[SEED].number, error))
        return false;
    return !mlp->replays || record(device, mlp, error);
}

static void step(struct workload_run *run) {
    struct mlp *mlp = run->state;
    if (mlp->graph)
        device_replay(run->device, mlp->graph);
    else
        submit_step(run->device, mlp);
}

static bool result(struct workload_run *run, double *value, struct error *error) {
    struct mlp *mlp = run->state;
    float loss = NAN;
    if (mlp->mode >= MLP_FORWARD)
        mlp_loss(run->device, mlp);
    device_copy(run->device, &loss, mlp->loss, sizeof loss);
    bool fine = device_synchronize(run->device, error);
    *value = (double)loss;
    return fine;
}

static void close_mlp(struct workload_run *run) {
    struct mlp *mlp = run->state;
    struct device *device = run->device;
    if (!mlp)
        return;
    device_synchronize(device, NULL); /* a failure was reported by whoever synchronized before */
    device_graph_free(device, mlp->graph);
    for (size_t i = 0; i < mlp->layer_count; i++) {
        device_free(device, mlp->layers[i].after);
        device_free(device, mlp->layers[i].before); /* does nothing where both are one block */
    }
    void *const blocks[] = {mlp->parameters, mlp->gradients, mlp->m,           mlp->v,
                            mlp->scratch,    mlp->schedule,  mlp->inputs,      mlp->labels,
                            mlp->row_loss,   mlp->loss,      mlp->upstream[0], mlp->upstream[1]};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        device_free(device, blocks[i]);
    free(mlp->host_inputs);
    free(mlp->host_labels);
}

const struct workload workload_mlp = {
    .name = "mlp",
    .summary = "a multi-layer perceptron: depth x (Linear, activation), Linear to classes, "
               "cross-entropy",
    .parameters = parameters,
    .parameter_count = sizeof parameters / sizeof *parameters,
    .open = open_mlp,
    .close = close_mlp,
    .step = step,
    .result = result,
};
