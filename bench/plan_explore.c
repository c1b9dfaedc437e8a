/* The exploration of a workload: its parts against ceilings of this machine, and single changes,
 * each measured in every dimension beside the unchanged workload in the same processes. */
#include "bench/plan.h"

#include <math.h>

/* Steps after which results are compared: enough to tell another computation, few enough that
 * rounding in another order has not grown. */
#define RESULT_STEPS "10"

static void add(struct arena *arena, struct experiment *e, const struct plan_variant *like,
                const char *config, const char *boundary, const char *metric) {
    struct plan_variant v = *like;
    v.parameters = (struct plan_fields){0};
    for (size_t i = 0; i < like->parameters.count; i++)
        plan_fields_set(arena, &v.parameters, like->parameters.items[i].name,
                        like->parameters.items[i].value);
    v.boundary = span_of(boundary);
    v.metric = span_of(metric);
    /* optimizer is a part of the step and a kind of memory */
    const char *kind = strcmp(boundary, "memory") == 0 ? "memory " : "";
    v.name = arena_printf(arena, "%s: %s%s", config, kind, metric);
    if (strcmp(boundary, "result") == 0)
        plan_fields_set(arena, &v.parameters, SPAN("count"), SPAN(RESULT_STEPS));
    LIST_PUSH(arena, e->variants, e->variant_count, e->variant_capacity, v);
}

static void add_config(struct arena *arena, struct experiment *e, const struct plan_variant *like,
                       const char *config) {
    static const char *const memory[] = {"peak",        "parameters", "gradients", "optimizer",
                                         "activations", "data",       "workspace"};
    add(arena, e, like, config, "host-return", "step");
    add(arena, e, like, config, "host-return", "host");
    add(arena, e, like, config, "result", "result");
    for (size_t i = 0; i < sizeof memory / sizeof *memory; i++)
        add(arena, e, like, config, "memory", memory[i]);
}

/* Phases need several steps to fill the queue, and a few loops of them. */
static void add_localization(struct arena *arena, struct experiment *e,
                             const struct plan_variant *like) {
    static const char *const metrics[] = {
        "forward",        "loss",           "backward",        "optimizer",
        "copies",         "idle",           "forward.flops",   "forward.bytes",
        "backward.flops", "backward.bytes", "optimizer.flops", "optimizer.bytes"};
    struct plan_variant loops = *like;
    for (size_t i = 0; i < sizeof metrics / sizeof *metrics; i++)
        add(arena, e, &loops, "baseline", "phases", metrics[i]);
    add(arena, e, &loops, "baseline", "ceilings", "gemm");
    add(arena, e, &loops, "baseline", "ceilings", "copy");
}

static struct plan_change *add_change(struct arena *arena, struct experiment *e, const char *name,
                                      const char *parameter, const char *value,
                                      const char *unavailable) {
    struct plan_change change = {.name = span_of(name),
                                 .unavailable = span_of(unavailable ? unavailable : "")};
    if (parameter)
        plan_fields_set(arena, &change.parameters, span_of(parameter), span_of(value));
    LIST_PUSH(arena, e->changes, e->change_count, e->change_capacity, change);
    return &e->changes[e->change_count - 1];
}

static void apply(struct arena *arena, struct experiment *e, const struct plan_variant *base,
                  const struct plan_change *change) {
    struct plan_variant v = *base;
    if (change->unavailable.len)
        return;
    v.parameters = (struct plan_fields){0};
    for (size_t i = 0; i < base->parameters.count; i++)
        plan_fields_set(arena, &v.parameters, base->parameters.items[i].name,
                        base->parameters.items[i].value);
    for (size_t i = 0; i < change->parameters.count; i++)
        plan_fields_set(arena, &v.parameters, change->parameters.items[i].name,
                        change->parameters.items[i].value);
    add_config(arena, e, &v, arena_string(arena, change->name));
}

static const char *twice(struct arena *arena, struct span batch) {
    size_t value;
    if (!span_to_size(batch, 1u << 19, &value))
        return NULL;
    return arena_printf(arena, "%zu", 2 * value).at;
}

static void add_changes(struct arena *arena, struct experiment *e, const struct plan_variant *base,
                        bool cuda) {
    const char *batch = twice(arena, plan_fields_get(&base->parameters, "batch"));
    add_change(arena, e, "fused optimizer", "implementation", "fused", NULL);
    add_change(arena, e, "fused epilogues", "execution", "fused", NULL);
    add_change(arena, e, "graph replay", "execution", "graph", NULL);
    add_change(arena, e, "gradients filled with zero instead of set to none", "zero_grad", "zero",
               NULL);
    add_change(arena, e, "twice the batch", "batch", batch,
               batch ? NULL : "the plan states no batch to double");
    add_change(arena, e, "input copied each step", "input", "copied", NULL);
    add_change(arena, e, "TF32", "tf32", "on",
               cuda ? NULL : "the CPU device computes in float32; TF32 is a format of NVIDIA GPUs");
    add_change(arena, e, "pinned input", NULL, NULL,
               cuda ? "this program copies from pageable host memory only"
                    : "the CPU device computes where host memory is: there is no bus to copy over");
    for (size_t i = 0; i < e->change_count; i++)
        apply(arena, e, base, &e->changes[i]);
    /* It changes when the clock stops, not what is computed: timed at a boundary of its own. */
    add_change(arena, e, "synchronize once, after a loop", NULL, NULL, NULL);
    struct plan_variant loop = *base;
    plan_fields_set(arena, &loop.parameters, SPAN("samples"), SPAN("6"));
    add(arena, e, &loop, "synchronize once, after a loop", "loop-synchronized", "step");
}

void plan_exploration(struct arena *arena, const struct planned_workload *workload, bool cuda,
                      double budget_seconds, struct plan *plan) {
    struct experiment e = {
        .id = SPAN("X1"),
        .title = SPAN("Where the time of a training step goes, and what single changes do"),
        .kind = span_of(word_of(&experiment_kinds, KIND_INTERVENTION)),
        .judged = 1,
        .tolerance = 1e-4,
        .claimed_lo = NAN,
        .claimed_hi = NAN,
        .relation = SPAN("each change against the baseline"),
        .method =
            SPAN("Measure each part of the step and the ceilings of this machine; then change "
                 "one thing at a time, compare the results first, and measure again in the "
                 "same processes."),
        .scaled = workload->scaled,
        .device = cuda ? SPAN("cuda") : SPAN("cpu"),
        .budget_seconds = budget_seconds,
    };
    struct plan_variant base = plan_variant_of(arena, workload, TIMING_HOST_RETURN, 0);
    base.unit = SPAN("");
    add_config(arena, &e, &base, "baseline");
    add_localization(arena, &e, &base);
    add_changes(arena, &e, &base, cuda);
    LIST_PUSH(arena, plan->explorations, plan->exploration_count, plan->exploration_capacity, e);
}
