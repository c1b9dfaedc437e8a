/* What each device can do here, for assay doctor. */
#include "bench/bench.h"

#include "bench/device.h"
#include "bench/environment.h"
#include "bench/localize.h"

#include <math.h>

struct examined {
    const char *kind;
    bool available;
    struct error why_not;
    struct plan_fields fields;
    struct ceilings ceilings;
};

static void examine(struct arena *arena, const char *kind, struct examined *found) {
    struct device *device;
    *found = (struct examined){.kind = kind, .ceilings = {NAN, NAN}};
    if (!device_open(kind, &(struct device_options){0}, &device, &found->why_not))
        return;
    found->available = ceilings_measure(device, 0, 0, &found->ceilings, &found->why_not);
    device_describe(device, arena, &found->fields);
    device_close(device);
}

static void put_json(struct json_writer *w, const struct examined *found) {
    json_begin_object(w, NULL);
    json_put_string(w, "device", found->kind);
    json_put_flag(w, "available", found->available);
    if (!found->available) {
        json_put_string(w, "reason", found->why_not.message);
        json_put_string(w, "hint", found->why_not.hint);
    }
    plan_fields_write(w, "fields", &found->fields);
    json_put_number(w, "gemm_gflops", found->ceilings.gemm_gflops);
    json_put_number(w, "copy_gbs", found->ceilings.copy_gbs);
    json_end_object(w);
}

static void put_fields(struct buffer *out, const struct plan_fields *fields) {
    for (size_t i = 0; i < fields->count; i++)
        buffer_printf(out, "  %-22.*s %.*s\n", SPAN_ARG(fields->items[i].name),
                      SPAN_ARG(fields->items[i].value));
}

static void put_text(struct buffer *out, const struct examined *found) {
    if (!found->available) {
        buffer_printf(out, "device %s: not available: %s\n", found->kind, found->why_not.message);
        if (found->why_not.hint[0])
            buffer_printf(out, "  %s\n", found->why_not.hint);
        return;
    }
    buffer_printf(out, "device %s\n", found->kind);
    put_fields(out, &found->fields);
    buffer_printf(out, "  %-22s %.1f GFLOP/s (float32)\n", "GEMM reaches",
                  found->ceilings.gemm_gflops);
    buffer_printf(out, "  %-22s %.1f GB/s (read and written)\n", "copy reaches",
                  found->ceilings.copy_gbs);
}

bool bench_doctor(struct arena *arena, struct buffer *out, bool json, struct error *error) {
    static const char *const kinds[] = {"cpu", "cuda"};
    struct plan_fields environment = {0};
    struct json_writer w = {.out = out};
    (void)error; /* a device that is not here is an answer */
    environment_describe(arena, &environment);
    environment_describe_now(arena, &environment);
    if (json) {
        json_begin_object(&w, NULL);
        plan_fields_write(&w, "environment", &environment);
        json_begin_array(&w, "devices");
    } else {
        buffer_add_string(out, "this machine\n");
        put_fields(out, &environment);
    }
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        struct examined found;
        examine(arena, kinds[i], &found);
        if (json)
            put_json(&w, &found);
        else
            put_text(out, &found);
    }
    if (json) {
        json_end_array(&w);
        json_end_object(&w);
        json_finish(&w);
    }
    return true;
}
