/* The GPU's part of the environment: what it is, and what it does now. */
#include "bench/environment.h"

#include "bench/nvml.h"
#include "core/hash.h"

#include <stdio.h>

static void put(struct arena *arena, struct plan_fields *fields, const char *name,
                struct span value) {
    if (value.len)
        plan_fields_set(arena, fields, span_of(name), value);
}

static struct span text_of(struct arena *arena, int (*get)(nvml_device, char *, unsigned),
                           nvml_device device) {
    char text[128] = "";
    if (!get || get(device, text, sizeof text) != 0)
        return SPAN("");
    text[sizeof text - 1] = '\0';
    return arena_copy(arena, span_of(text));
}

/* The same GPU can be told again, but not found in the world. */
static struct span hashed(struct arena *arena, struct span uuid) {
    return uuid.len ? span_slice(sha256_hex(arena, uuid), 0, 12) : uuid;
}

/* got: what the library returned after it wrote value. */
static void put_number(struct arena *arena, struct plan_fields *fields, const char *name, int got,
                       const unsigned *value, double scale, const char *unit) {
    if (got == 0)
        put(arena, fields, name, arena_printf(arena, "%.6g %s", *value * scale, unit));
}

static void put_flag(struct arena *arena, struct plan_fields *fields, const char *name, int got,
                     const int *on) {
    if (got == 0)
        put(arena, fields, name, *on ? SPAN("on") : SPAN("off"));
}

static void describe_driver(struct arena *arena, const struct nvml *n, struct plan_fields *fields) {
    char driver[128] = "";
    int cuda = 0;
    if (n->driver && n->driver(driver, sizeof driver) == 0)
        put(arena, fields, "gpu_driver", arena_copy(arena, span_of(driver)));
    if (n->cuda_version && n->cuda_version(&cuda) == 0)
        put(arena, fields, "gpu_driver_cuda",
            arena_printf(arena, "%d.%d", cuda / 1000, cuda % 1000 / 10));
}

static void describe_model(struct arena *arena, const struct nvml *n, nvml_device d,
                           struct plan_fields *fields) {
    int major, minor;
    unsigned cores, mhz;
    struct nvml_memory memory;
    put(arena, fields, "gpu", text_of(arena, n->name, d));
    put(arena, fields, "gpu_id", hashed(arena, text_of(arena, n->uuid, d)));
    if (n->capability && n->capability(d, &major, &minor) == 0)
        put(arena, fields, "gpu_capability", arena_printf(arena, "%d.%d", major, minor));
    if (n->cores && n->cores(d, &cores) == 0)
        put(arena, fields, "gpu_cores", arena_printf(arena, "%u", cores));
    if (n->memory && n->memory(d, &memory) == 0)
        put(arena, fields, "gpu_memory",
            arena_printf(arena, "%.1f GiB", (double)memory.total / (1 << 30)));
    if (n->max_clock) {
        put_number(arena, fields, "gpu_clock_most", n->max_clock(d, NVML_CLOCK_SM, &mhz), &mhz, 1,
                   "MHz");
        put_number(arena, fields, "gpu_memory_clock_most", n->max_clock(d, NVML_CLOCK_MEMORY, &mhz),
                   &mhz, 1, "MHz");
    }
}

static void describe_modes(struct arena *arena, const struct nvml *n, nvml_device d,
                           struct plan_fields *fields) {
    int a, b;
    unsigned now, later;
    if (n->ecc)
        put_flag(arena, fields, "gpu_ecc", n->ecc(d, &a, &b), &a);
    if (n->mig && n->mig(d, &now, &later) == 0)
        put(arena, fields, "gpu_mig", now ? SPAN("on") : SPAN("off"));
    if (n->persistence)
        put_flag(arena, fields, "gpu_persistence", n->persistence(d, &a), &a);
    if (n->display)
        put_flag(arena, fields, "gpu_display", n->display(d, &a), &a);
    if (n->power_limit)
        put_number(arena, fields, "gpu_power_limit", n->power_limit(d, &now), &now, 1e-3, "W");
}

void environment_describe_gpu(struct arena *arena, struct plan_fields *fields) {
    struct nvml nvml;
    nvml_device device;
    if (!nvml_open(&nvml, &device))
        return;
    describe_driver(arena, &nvml, fields);
    describe_model(arena, &nvml, device, fields);
    describe_modes(arena, &nvml, device, fields);
    nvml_close(&nvml);
}

void environment_describe_gpu_now(struct arena *arena, struct plan_fields *fields) {
    struct nvml n;
    nvml_device d;
    unsigned value;
    struct nvml_memory memory;
    struct nvml_utilization use;
    if (!nvml_open(&n, &d))
        return;
    if (n.clock) {
        put_number(arena, fields, "gpu_clock", n.clock(d, NVML_CLOCK_SM, &value), &value, 1, "MHz");
        put_number(arena, fields, "gpu_memory_clock", n.clock(d, NVML_CLOCK_MEMORY, &value), &value,
                   1, "MHz");
    }
    if (n.power)
        put_number(arena, fields, "gpu_power", n.power(d, &value), &value, 1e-3, "W");
    if (n.temperature)
        put_number(arena, fields, "gpu_temperature", n.temperature(d, 0, &value), &value, 1, "C");
    if (n.memory && n.memory(d, &memory) == 0)
        put(arena, fields, "gpu_memory_used",
            arena_printf(arena, "%.2f GiB", (double)memory.used / (1 << 30)));
    if (n.utilization)
        put_number(arena, fields, "gpu_load", n.utilization(d, &use), &use.gpu, 1, "%");
    nvml_close(&n);
}
