/* The smallest workload: a step submits `operations` commands that each keep the device busy for
 * `microseconds`. It measures the harness itself (0 us), and, because its true time is known, it
 * tests every boundary. Start a new workload from this file. */
#include "bench/workload.h"

#include <math.h>

static const struct workload_parameter parameters[] = {
    {"operations", "commands a step", "1", NULL, 0, 100000, true},
    {"microseconds", "device time of each command", "0", NULL, 0, 1e6, false},
};
enum { OPERATIONS, MICROSECONDS };

static bool open_null(struct arena *arena, struct workload_run *run, struct error *error) {
    (void)arena, (void)error;
    run->items = 1;
    run->item = "steps";
    return true;
}

static void close_null(struct workload_run *run) {
    (void)run;
}

static void step(struct workload_run *run) {
    uint64_t ns = (uint64_t)(run->values[MICROSECONDS].number * 1e3);
    size_t operations = (size_t)run->values[OPERATIONS].number;
    device_phase(run->device, PHASE_FORWARD);
    for (size_t i = 0; i < operations; i++)
        if (ns)
            device_spin(run->device, ns);
        else
            device_nothing(run->device);
}

static bool result(struct workload_run *run, double *value, struct error *error) {
    *value = NAN;
    return device_synchronize(run->device, error);
}

const struct workload workload_null = {
    .name = "null",
    .summary = "commands that do nothing, or nothing for a known time",
    .parameters = parameters,
    .parameter_count = sizeof parameters / sizeof *parameters,
    .open = open_null,
    .close = close_null,
    .step = step,
    .result = result,
};
