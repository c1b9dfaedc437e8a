/* What each device can do here, for assay doctor. */
#include "bench/bench.h"

#include "bench/device.h"
#include "bench/environment.h"
#include "bench/localize.h"
#include "bench/selftest.h"

#include <math.h>

struct examined {
    const char *kind;
    bool available;
    struct error why_not;
    struct plan_fields fields;
    struct ceilings ceilings;
    bool tested; /* the self-test ran to its end */
    struct selftest selftest;
    struct error untested;
};

static void examine(struct arena *arena, const char *kind, struct examined *found) {
    struct device *device;
    *found = (struct examined){.kind = kind, .ceilings = {NAN, NAN}};
    if (!device_open(kind, &(struct device_options){0}, &device, &found->why_not))
        return;
    found->available = ceilings_measure(device, 0, 0, &found->ceilings, &found->why_not);
    device_describe(device, arena, &found->fields);
    if (found->available)
        found->tested = device_selftest(arena, device, &found->selftest, &found->untested);
    device_close(device);
}

static void put_selftest_json(struct json_writer *w, const struct examined *found) {
    const struct selftest *test = &found->selftest;
    json_begin_object(w, "selftest");
    json_put_flag(w, "finished", found->tested);
    if (!found->tested)
        json_put_string(w, "reason", found->untested.message);
    json_put_size(w, "cases", test->count);
    json_put_size(w, "failed", test->failed);
    json_begin_array(w, "failures");
    for (size_t i = 0; i < test->count; i++) {
        const struct selftest_case *c = &test->cases[i];
        if (c->passed)
            continue;
        json_begin_object(w, NULL);
        json_put_string(w, "operation", c->operation);
        json_put_text(w, "shape", c->shape);
        json_put_text(w, "at", c->failed_at);
        json_put_number(w, "error", c->error);
        json_put_number(w, "bound", c->bound);
        json_end_object(w);
    }
    json_end_array(w);
    json_end_object(w);
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
    if (found->available)
        put_selftest_json(w, found);
    json_end_object(w);
}

static void put_fields(struct buffer *out, const struct plan_fields *fields) {
    for (size_t i = 0; i < fields->count; i++)
        buffer_printf(out, "  %-22.*s %.*s\n", SPAN_ARG(fields->items[i].name),
                      SPAN_ARG(fields->items[i].value));
}

static void put_selftest_text(struct buffer *out, const struct examined *found) {
    const struct selftest *test = &found->selftest;
    if (!found->tested)
        buffer_printf(out, "  %-22s stopped: %s\n", "self-test", found->untested.message);
    buffer_printf(out, "  %-22s %zu of %zu comparisons with float64 passed\n", "self-test",
                  test->count - test->failed, test->count);
    for (size_t i = 0; i < test->count; i++) {
        const struct selftest_case *c = &test->cases[i];
        if (!c->passed)
            buffer_printf(out, "    WRONG: %s (%.*s): %.*s; error %.3g, bound %.3g\n", c->operation,
                          SPAN_ARG(c->shape), SPAN_ARG(c->failed_at), c->error, c->bound);
    }
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
    put_selftest_text(out, found);
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
