/* From a request in words to samples. */
#include "bench/boundary.h"

#include <stdlib.h>

struct filter {
    struct span metric;
    boundary_emit *emit;
    void *context;
};

static bool pass_metric(void *context, const struct boundary_sample *sample) {
    const struct filter *filter = context;
    if (filter->metric.len && !span_equal(filter->metric, span_of(sample->metric)))
        return true;
    return filter->emit(filter->context, sample);
}

static void describe_options(struct arena *arena, const struct boundary_options *o,
                             const struct boundary *boundary, struct plan_fields *fields) {
    const struct plan_field all[] = {
        {SPAN("boundary"), span_of(boundary->name)},
        {SPAN("count"), arena_printf(arena, "%zu", o->count)},
        {SPAN("samples"), arena_printf(arena, "%zu", o->samples)},
        {SPAN("warmup"), arena_printf(arena, "%zu", o->warmup)},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        LIST_PUSH(arena, fields->items, fields->count, fields->capacity, all[i]);
}

static bool measure(struct arena *arena, struct device *device, const struct boundary *boundary,
                    const struct boundary_request *request, const struct boundary_options *options,
                    struct filter *filter, struct plan_fields *contract, struct error *error) {
    struct workload_run run = {0};
    if (!workload_open(arena, device, request->workload, request->settings, &run, error)) {
        workload_close(&run);
        return false;
    }
    bool fine = boundary->measure(&run, options, pass_metric, filter, error);
    if (contract) {
        workload_describe(&run, arena, contract);
        device_describe(device, arena, contract);
        describe_options(arena, options, boundary, contract);
    }
    workload_close(&run);
    return fine;
}

bool boundary_run(struct arena *arena, const struct boundary_request *request, boundary_emit *emit,
                  void *context, struct plan_fields *contract, struct error *error) {
    struct boundary_options options;
    struct device_options device_options;
    struct device *device;
    const struct boundary *boundary = boundary_find(request->boundary);
    if (!boundary)
        return error_set(error, ERROR_INPUT, "boundary", "see bench/boundary.h for the names",
                         "no boundary is called '%.*s'", SPAN_ARG(request->boundary));
    if (!boundary_settings(request->settings, &options, error) ||
        !device_settings(request->settings, &device_options, error) ||
        !device_open(request->device, &device_options, &device, error))
        return false;
    struct filter filter = {request->metric, emit, context};
    bool fine = measure(arena, device, boundary, request, &options, &filter, contract, error);
    device_close(device);
    return fine;
}
