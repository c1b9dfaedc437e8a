/* What went on around a process while it ran. */
#include "bench/environment.h"

#include "core/clock.h"

#include <glob.h>
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

/* Sum of the first number in each file. */
static uint64_t sum_files(const char *pattern, bool *known) {
    glob_t found;
    uint64_t sum = 0;
    *known = false;
    if (glob(pattern, 0, NULL, &found) != 0)
        return 0;
    for (size_t i = 0; i < found.gl_pathc; i++) {
        uint64_t value;
        FILE *file = fopen(found.gl_pathv[i], "re");
        if (file && fscanf(file, "%" SCNu64, &value) == 1) {
            sum += value;
            *known = true;
        }
        if (file)
            fclose(file);
    }
    globfree(&found);
    return sum;
}

/* Sum of the values that a file of "name value" lines gives two names. */
static uint64_t sum_lines(const char *path, const char *one, const char *other, bool *known) {
    char name[64];
    uint64_t value, sum = 0;
    FILE *file = fopen(path, "re");
    *known = file != NULL;
    while (file && fscanf(file, "%63s %" SCNu64, name, &value) == 2)
        if (strcmp(name, one) == 0 || strcmp(name, other) == 0)
            sum += value;
    if (file)
        fclose(file);
    return sum;
}

/* First line of /proc/stat: user nice system idle iowait irq softirq steal, in ticks (proc(5)). */
static bool cpu_seconds(double *busy, double *stolen) {
    uint64_t t[8];
    FILE *file = fopen("/proc/stat", "re");
    if (!file)
        return false;
    int got = fscanf(file,
                     "cpu %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64
                     " %" SCNu64 " %" SCNu64,
                     &t[0], &t[1], &t[2], &t[3], &t[4], &t[5], &t[6], &t[7]);
    fclose(file);
    double ticks = (double)sysconf(_SC_CLK_TCK);
    *busy = (double)(t[0] + t[1] + t[2] + t[5] + t[6]) / ticks;
    *stolen = (double)t[7] / ticks;
    return got == 8 && ticks > 0;
}

struct environment_counters environment_count(void) {
    struct environment_counters c = {.elapsed = (double)clock_monotonic_ns() / 1e9};
    c.throttles = sum_files("/sys/devices/system/cpu/cpu*/thermal_throttle/core_throttle_count",
                            &c.throttles_known);
    c.swapped = sum_lines("/proc/vmstat", "pswpin", "pswpout", &c.swap_known);
    c.held = sum_lines("/sys/fs/cgroup/cpu.stat", "nr_throttled", "", &c.held_known);
    c.cpu_known = cpu_seconds(&c.busy, &c.stolen);
    return c;
}

/* Others' share of all CPUs that counts as a disturbance, and how full the machine must be with it:
 * a load that leaves CPUs free does not get in the way. */
#define FOREIGN_SHARE 0.15
#define FULL_SHARE 0.9
#define STOLEN_SHARE 0.05
/* Ticks are 10 ms: nothing can be said of shorter processes. */
#define WATCH_LEAST_S 0.2

static struct span foreign_load(struct arena *arena, const struct environment_counters *before,
                                const struct environment_counters *after, double own) {
    double capacity = (after->elapsed - before->elapsed) * (double)sysconf(_SC_NPROCESSORS_ONLN);
    double busy = after->busy - before->busy, foreign = (busy - own) / capacity;
    if (foreign > FOREIGN_SHARE && busy / capacity > FULL_SHARE)
        return arena_printf(arena, "other programs used %.0f %% of all CPUs, which were full",
                            100 * foreign);
    return SPAN("");
}

static size_t add(struct span *list, size_t count, struct span text) {
    list[count] = text;
    return count + (text.len > 0);
}

size_t environment_disturbances(struct arena *arena, const struct environment_counters *before,
                                const struct environment_counters *after, double own,
                                struct span *list) {
    size_t count = 0;
    double wall = after->elapsed - before->elapsed;
    if (before->throttles_known && after->throttles > before->throttles)
        count = add(list, count,
                    arena_printf(arena, "the CPU was throttled %" PRIu64 " times",
                                 after->throttles - before->throttles));
    if (before->swap_known && after->swapped > before->swapped)
        count = add(list, count,
                    arena_printf(arena, "%" PRIu64 " pages were swapped",
                                 after->swapped - before->swapped));
    if (before->held_known && after->held > before->held)
        count = add(list, count,
                    arena_printf(arena, "the container's CPU quota was used up %" PRIu64 " times",
                                 after->held - before->held));
    if (!before->cpu_known || !after->cpu_known || wall < WATCH_LEAST_S)
        return count;
    count = add(list, count, foreign_load(arena, before, after, own));
    double stolen = (after->stolen - before->stolen) / wall;
    if (stolen > STOLEN_SHARE)
        count = add(list, count,
                    arena_printf(arena, "the hypervisor took %.0f %% of a CPU", 100 * stolen));
    return count;
}
