#include "bench/gpu_watch.h"

#include "bench/nvml.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

/* Reasons that make a GPU slower than its clocks promise (nvmlClocksThrottleReasons). Idle (0x1),
 * clocks set by the user (0x2) and sync boost (0x10) do not disturb. */
static const struct {
    unsigned long long bit;
    const char *name;
} throttles[] = {{0x4, "power cap"},
                 {0x8, "hardware slowdown"},
                 {0x20, "heat, by software"},
                 {0x40, "heat, by hardware"},
                 {0x80, "power brake"}};

/* Fall of the SM clock under load that counts as a change, and load of others before we begin. */
#define CLOCK_FALL 0.10
#define LOAD_LEAST 50 /* percent: the clock of an idle GPU says nothing */
#define FOREIGN_LOAD 10
#define INTERVAL_NS 100000000

struct gpu_watch {
    struct nvml nvml;
    nvml_device device;
    pthread_t thread;
    atomic_bool stop;
    unsigned load_before;
    unsigned long long reasons;
    unsigned clock_least, clock_most; /* MHz, under load; 0 = not seen */
};

static void look(struct gpu_watch *w) {
    struct nvml_utilization use = {0};
    unsigned long long reasons = 0;
    unsigned mhz = 0;
    if (w->nvml.reasons && w->nvml.reasons(w->device, &reasons) == 0)
        w->reasons |= reasons;
    if (!w->nvml.utilization || w->nvml.utilization(w->device, &use) != 0 || use.gpu < LOAD_LEAST)
        return;
    if (!w->nvml.clock || w->nvml.clock(w->device, NVML_CLOCK_SM, &mhz) != 0 || mhz == 0)
        return;
    w->clock_least = w->clock_least && w->clock_least < mhz ? w->clock_least : mhz;
    w->clock_most = w->clock_most > mhz ? w->clock_most : mhz;
}

static void *watch(void *at) {
    struct gpu_watch *w = at;
    const struct timespec pause = {0, INTERVAL_NS};
    while (!atomic_load(&w->stop)) {
        look(w);
        nanosleep(&pause, NULL);
    }
    return NULL;
}

struct gpu_watch *gpu_watch_begin(void) {
    struct gpu_watch *w = memory_alloc(sizeof *w);
    struct nvml_utilization use = {0};
    *w = (struct gpu_watch){0};
    if (!nvml_open(&w->nvml, &w->device)) {
        free(w);
        return NULL;
    }
    if (w->nvml.utilization && w->nvml.utilization(w->device, &use) == 0)
        w->load_before = use.gpu;
    if (pthread_create(&w->thread, NULL, watch, w) == 0)
        return w;
    nvml_close(&w->nvml);
    free(w);
    return NULL;
}

static struct span throttle_text(struct arena *arena, unsigned long long reasons) {
    struct span names = SPAN("");
    for (size_t i = 0; i < sizeof throttles / sizeof *throttles; i++)
        if (reasons & throttles[i].bit)
            names = arena_printf(arena, "%.*s%s%s", SPAN_ARG(names), names.len ? ", " : "",
                                 throttles[i].name);
    return names.len ? arena_printf(arena, "the GPU was throttled: %.*s", SPAN_ARG(names)) : names;
}

static size_t add(struct span *list, size_t count, struct span text) {
    list[count] = text;
    return count + (text.len > 0);
}

size_t gpu_watch_end(struct gpu_watch *w, struct arena *arena, struct span *list) {
    size_t count = 0;
    if (!w)
        return 0;
    atomic_store(&w->stop, true);
    pthread_join(w->thread, NULL);
    look(w);
    count = add(list, count, throttle_text(arena, w->reasons));
    if (w->load_before > FOREIGN_LOAD)
        count = add(list, count,
                    arena_printf(arena, "the GPU was %u %% busy with others' work before it",
                                 w->load_before));
    if (w->clock_least < (1 - CLOCK_FALL) * w->clock_most)
        count = add(list, count,
                    arena_printf(arena, "the GPU's clock fell from %u to %u MHz under load",
                                 w->clock_most, w->clock_least));
    nvml_close(&w->nvml);
    free(w);
    return count;
}
