/* What the boundary files share. */
#ifndef BENCH_BOUNDARY_KINDS_H
#define BENCH_BOUNDARY_KINDS_H

#include "bench/boundary.h"

/* One measurement's way of handing out samples. */
struct sampler {
    boundary_emit *emit;
    void *context;
    const struct boundary_options *options;
    uint64_t begin_ns;
    size_t iteration, first; /* first: where counting of samples began */
    bool warmup, stopped;
};

struct sampler sampler_begin(const struct boundary_options *options, boundary_emit *emit,
                             void *context);
/* Whether another of `wanted` samples shall be taken. */
bool sampler_more(const struct sampler *sampler, size_t wanted);
/* False once the receiver has asked to stop. */
bool emit_sample(struct sampler *sampler, const char *metric, const char *unit, double value);
double ms_since(uint64_t from_ns);

extern const struct boundary boundary_first_call, boundary_queue_depth, boundary_phases,
    boundary_memory, boundary_ceilings;

#endif
