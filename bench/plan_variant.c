/* Which boundary and metric measure a stated time. */
#include "bench/plan.h"

static const struct way {
    enum timing_kind kind;
    const char *boundary, *metric, *unit, *mode, *name;
} ways[] = {
    {TIMING_REPORTED, "loop-unsynchronized", "reported", "ms/step", "step", "loop"},
    {TIMING_QUEUED, "loop-unsynchronized", "queued", "ms", "step", "loop"},
    {TIMING_REAL, "loop-unsynchronized", "real", "ms/step", "step", "loop"},
    {TIMING_SYNCHRONIZED, "warmed-median", "step", "ms", "step", "synchronized and warmed"},
    {TIMING_HOST_RETURN, "host-return", "host", "ms", "step", "host return"},
    {TIMING_FIRST, "first-call", "first", "ms", "step", "first step"},
    {TIMING_INFERENCE, "warmed-median", "step", "ms", "inference", "inference"},
    {TIMING_FORWARD, "warmed-median", "step", "ms", "forward", "forward"},
    {TIMING_FORWARD_BACKWARD, "warmed-median", "step", "ms", "forward-backward",
     "forward and backward"},
    {TIMING_STEP, "per-iteration", "step", "ms", "step", "full step"},
};

size_t plan_loop_samples(size_t loop) {
    enum { STEPS = 300, MOST = 20, FEWEST = 2 };
    size_t samples = STEPS / (loop ? loop : 1);
    return samples > MOST ? MOST : samples < FEWEST ? FEWEST : samples;
}

struct plan_variant plan_variant_of(struct arena *arena, const struct planned_workload *workload,
                                    enum timing_kind kind, size_t loop) {
    struct plan_variant v = {.workload = workload->name};
    for (size_t i = 0; i < workload->parameters.count; i++)
        plan_fields_set(arena, &v.parameters, workload->parameters.items[i].name,
                        workload->parameters.items[i].value);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        const struct way *way = &ways[i];
        if (way->kind != kind)
            continue;
        v.boundary = span_of(way->boundary);
        v.metric = span_of(way->metric);
        v.unit = span_of(way->unit);
        v.name = span_of(way->name);
        plan_fields_set(arena, &v.parameters, SPAN("mode"), span_of(way->mode));
    }
    if (loop) {
        const char *part = kind == TIMING_REPORTED ? "reported"
                           : kind == TIMING_QUEUED ? "left in the queue"
                                                   : "with the queue";
        v.name = arena_printf(arena, "loop of %zu, %s", loop, part);
        plan_fields_set(arena, &v.parameters, SPAN("count"), arena_printf(arena, "%zu", loop));
        plan_fields_set(arena, &v.parameters, SPAN("samples"),
                        arena_printf(arena, "%zu", plan_loop_samples(loop)));
    }
    return v;
}
