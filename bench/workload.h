/* A workload: one step of some program, written once against struct device. A new one is one file
 * in bench/workloads/ and one line in bench/workload.c. */
#ifndef BENCH_WORKLOAD_H
#define BENCH_WORKLOAD_H

#include "bench/device.h"

/* Settings come as text pairs (name, value), as plan.json has them. */
struct workload_parameter {
    const char *name, *meaning;
    const char *initial; /* value when not set */
    const char *choices; /* "sgd|adam|adamw"; NULL for a number */
    double lo, hi;       /* a number's bounds, both allowed */
    bool whole;          /* integers only */
};

union workload_value {
    double number;
    size_t choice; /* index into choices */
};

struct workload_run;

struct workload {
    const char *name, *summary;
    const struct workload_parameter *parameters;
    size_t parameter_count;
    /* Makes run->state from run->values (one a parameter, in order), and fills items and item. */
    bool (*open)(struct arena *arena, struct workload_run *run, struct error *error);
    void (*close)(struct workload_run *run);
    /* Submits one step and returns without waiting for it. */
    void (*step)(struct workload_run *run);
    /* The step's result, waits for it: a training loss; NAN when the mode has none. */
    bool (*result)(struct workload_run *run, double *value, struct error *error);
};

struct workload_run {
    const struct workload *workload;
    struct device *device;
    const union workload_value *values;
    void *state;
    double items;     /* what one step works through: 256 ... */
    const char *item; /* ... "examples" */
    double open_ms;   /* what making it took */
    size_t steps;     /* submitted so far */
};

/* All workloads, NULL at the end. */
const struct workload *const *workload_list(void);
const struct workload *workload_find(struct span name);
/* Whether a workload has a parameter of that name. */
bool workload_takes(const struct workload *workload, struct span name);

/* Opens a workload with settings; an unknown name or a value out of bounds is ERROR_INPUT and says
 * what is allowed. Names that boundary_takes or that configure a device (device_setting) are passed
 * over, so one list of settings can serve all three. Close with workload_close. */
bool workload_open(struct arena *arena, struct device *device, struct span name,
                   const struct plan_fields *settings, struct workload_run *run,
                   struct error *error);
void workload_close(struct workload_run *run);
void workload_step(struct workload_run *run);
bool workload_result(struct workload_run *run, double *value, struct error *error);
/* Every parameter with the value in force, defaults included. */
void workload_describe(const struct workload_run *run, struct arena *arena,
                       struct plan_fields *fields);

/* Settings that configure a device: threads, queue_depth, tf32 (on|off), memory_budget_mb, gpu. */
bool device_takes(struct span name);
bool device_settings(const struct plan_fields *settings, struct device_options *options,
                     struct error *error);

extern const struct workload workload_null, workload_mlp;

#endif
