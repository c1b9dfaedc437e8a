/* What every kind of device shares: opening by name, phases, recording, failures. */
#include "bench/device_kind.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

const char *const phase_names[PHASE_COUNT] = {"copies", "forward", "loss", "backward", "optimizer"};

static const struct device_kind *const kinds[] = {
    &device_cpu,
#ifdef ASSAY_CUDA
    &device_cuda,
#endif
};
#define KINDS (sizeof kinds / sizeof *kinds)

const char *const *device_kinds(void) {
    static const char *names[KINDS + 1];
    for (size_t i = 0; i < KINDS; i++)
        names[i] = kinds[i]->name;
    return names;
}

const char *device_kind_name(const struct device *device) {
    return device->kind->name;
}

static bool say_unknown(const char *kind, struct error *error) {
    if (strcmp(kind, "cuda") == 0)
        return error_set(error, ERROR_UNAVAILABLE, "device cuda",
                         "build where nvcc is installed, or set NVCC=/path/to/nvcc",
                         "this program was built without the CUDA device");
    return error_set(error, ERROR_INPUT, "device", "use cpu or cuda", "no device is called '%s'",
                     kind);
}

bool device_open(const char *kind, const struct device_options *options, struct device **device,
                 struct error *error) {
    for (size_t i = 0; i < KINDS; i++) {
        if (strcmp(kinds[i]->name, kind) != 0)
            continue;
        if (!kinds[i]->open(options, device, error))
            return false;
        (*device)->kind = kinds[i];
        (*device)->memory = memory_pool_new();
        return true;
    }
    return say_unknown(kind, error);
}

void device_close(struct device *device) {
    if (!device)
        return;
    device->kind->wait(device);
    if (device->marks)
        device_phases_end(device, (double[PHASE_COUNT]){0}, &(double){0});
    memory_pool_free(device);
    device->kind->close(device);
}

void device_fail(struct device *device, enum error_kind kind, const char *hint, const char *format,
                 ...) {
    if (device->error.kind != ERROR_NONE)
        return;
    char message[sizeof device->error.message];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    error_set(&device->error, kind, device->kind->name, hint, "%s", message);
}

void device_forget_failure(struct device *device) {
    device->error = (struct error){.kind = ERROR_NONE};
}

bool device_synchronize(struct device *device, struct error *error) {
    device->kind->wait(device);
    if (device->error.kind == ERROR_NONE)
        return true;
    if (error)
        *error = device->error;
    return false;
}

struct device_event *device_event_new(struct device *device) {
    return device->kind->event_new(device);
}

void device_event_free(struct device *device, struct device_event *event) {
    if (event)
        device->kind->event_free(device, event);
}

void device_event_record(struct device *device, struct device_event *event) {
    if (device->error.kind == ERROR_NONE)
        device->kind->event_record(device, event);
}

double device_elapsed_ms(struct device *device, struct device_event *from,
                         struct device_event *to) {
    double idle_ms;
    return device->kind->elapsed(device, from, to, &idle_ms);
}

/* --- recording --- */

struct device_graph {
    void *recorded;
    struct work work[PHASE_COUNT];
};

bool device_record_begin(struct device *device, struct error *error) {
    if (!device_synchronize(device, error))
        return false;
    device_work_reset(device);
    device->recording = true;
    if (device->kind->record_begin(device, error))
        return true;
    device->recording = false;
    return false;
}

struct device_graph *device_record_end(struct device *device, struct error *error) {
    void *recorded = device->kind->record_end(device, error);
    device->recording = false;
    if (recorded && device->error.kind != ERROR_NONE) {
        if (error)
            *error = device->error;
        device->kind->recorded_free(device, recorded);
        recorded = NULL;
    }
    struct device_graph *graph = NULL;
    if (recorded) {
        graph = memory_alloc(sizeof *graph);
        graph->recorded = recorded;
        memcpy(graph->work, device->work, sizeof graph->work);
    }
    device_work_reset(device);
    return graph;
}

void device_replay(struct device *device, struct device_graph *graph) {
    if (device->error.kind != ERROR_NONE)
        return;
    for (int i = 0; i < PHASE_COUNT; i++)
        work_add(&device->work[i], &graph->work[i]);
    device->kind->replay(device, graph->recorded);
}

void device_graph_free(struct device *device, struct device_graph *graph) {
    if (!graph)
        return;
    device->kind->wait(device);
    device->kind->recorded_free(device, graph->recorded);
    free(graph);
}

/* --- phases --- */

struct phase_marks {
    struct device_event **events;
    enum phase *phases; /* what begins at each event */
    size_t count, capacity;
};

static void mark(struct device *device) {
    struct phase_marks *marks = device->marks;
    if (!marks || marks->count == marks->capacity || device->recording)
        return;
    marks->phases[marks->count] = device->phase;
    device_event_record(device, marks->events[marks->count++]);
}

void device_phase(struct device *device, enum phase phase) {
    device->phase = phase;
    mark(device);
}

bool device_phases_begin(struct device *device, size_t capacity) {
    if (device->marks || capacity < 2)
        return false;
    struct phase_marks *marks = memory_alloc(sizeof *marks);
    *marks = (struct phase_marks){.capacity = capacity};
    marks->events = memory_alloc(capacity * sizeof *marks->events);
    marks->phases = memory_alloc(capacity * sizeof *marks->phases);
    for (size_t i = 0; i < capacity; i++)
        marks->events[i] = device_event_new(device);
    device->marks = marks;
    device_work_reset(device);
    return true;
}

static void add_phases(struct device *device, double ms[PHASE_COUNT], double *idle_ms) {
    const struct phase_marks *marks = device->marks;
    for (size_t i = 0; i + 1 < marks->count; i++) {
        double idle;
        double all = device->kind->elapsed(device, marks->events[i], marks->events[i + 1], &idle);
        ms[marks->phases[i]] += isnan(idle) ? all : all - idle;
        *idle_ms += idle;
    }
}

void device_phases_end(struct device *device, double ms[PHASE_COUNT], double *idle_ms) {
    struct phase_marks *marks = device->marks;
    memset(ms, 0, PHASE_COUNT * sizeof *ms);
    *idle_ms = 0;
    if (!marks)
        return;
    mark(device); /* ends the last phase */
    device->kind->wait(device);
    if (device->error.kind == ERROR_NONE)
        add_phases(device, ms, idle_ms);
    for (size_t i = 0; i < marks->capacity; i++)
        device_event_free(device, marks->events[i]);
    free(marks->events);
    free(marks->phases);
    free(marks);
    device->marks = NULL;
}

void device_work_reset(struct device *device) {
    memset(device->work, 0, sizeof device->work);
}

/* --- what a contract records --- */

static void describe(struct arena *arena, struct plan_fields *fields, const char *name,
                     struct span value) {
    LIST_PUSH(arena, fields->items, fields->count, fields->capacity,
              (struct plan_field){span_of(name), value});
}

void device_describe(const struct device *device, struct arena *arena, struct plan_fields *fields) {
    const struct device_options *o = &device->options;
    bool cpu = device->kind == &device_cpu;
    describe(arena, fields, "device", span_of(device->kind->name));
    describe(arena, fields, "device_name", arena_copy(arena, span_of(device->name)));
    describe(arena, fields, "library", arena_copy(arena, span_of(device->library)));
    if (cpu) {
        describe(arena, fields, "threads", arena_printf(arena, "%d", o->threads));
        describe(arena, fields, "queue_depth", arena_printf(arena, "%zu", o->queue_depth));
    } else {
        describe(arena, fields, "gpu", arena_printf(arena, "%d", o->index));
        describe(arena, fields, "tf32", o->tf32 ? SPAN("on") : SPAN("off"));
    }
    if (o->memory_budget)
        describe(arena, fields, "memory_budget_mb",
                 arena_printf(arena, "%zu", o->memory_budget / 1000000));
}
