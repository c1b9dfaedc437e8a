/* What a kind of device implements; device.c and its neighbours do the rest. Only they include it.
 */
#ifndef BENCH_DEVICE_KIND_H
#define BENCH_DEVICE_KIND_H

#include "bench/device.h"

struct device_kind {
    const char *name;
    bool (*open)(const struct device_options *options, struct device **device, struct error *error);
    void (*close)(struct device *device); /* the queue is empty; frees device */
    /* Memory from the system, 64-byte aligned; NULL when there is none. release comes with an empty
     * queue. */
    void *(*allocate)(struct device *device, size_t bytes);
    void (*release)(struct device *device, void *block);
    void (*submit)(struct device *device, const struct command *command);
    /* Waits until the queue is empty. A failure goes to device->error. */
    void (*wait)(struct device *device);
    struct device_event *(*event_new)(struct device *device);
    void (*event_free)(struct device *device, struct device_event *event);
    void (*event_record)(struct device *device, struct device_event *event);
    /* ms between two events that have passed, and how much of that the device waited for work (NAN:
     * unknown). */
    double (*elapsed)(struct device *device, struct device_event *from, struct device_event *to,
                      double *idle_ms);
    bool (*record_begin)(struct device *device, struct error *error);
    void *(*record_end)(struct device *device, struct error *error); /* NULL: failed */
    void (*replay)(struct device *device, void *recorded);
    void (*recorded_free)(struct device *device, void *recorded);
};

extern const struct device_kind device_cpu;
#ifdef ASSAY_CUDA
extern const struct device_kind device_cuda;
#endif

/* device_memory.c */
struct memory_pool *memory_pool_new(void);
void memory_pool_free(struct device *device);

/* device_work.c: arithmetic and traffic of one command. */
struct work command_work(const struct command *command);
void work_add(struct work *sum, const struct work *more);

/* Keeps the first failure of submitted work. */
void device_fail(struct device *device, enum error_kind kind, const char *hint, const char *format,
                 ...) __attribute__((format(printf, 4, 5)));

#endif
