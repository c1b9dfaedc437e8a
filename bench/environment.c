#include "bench/environment.h"

#include "bench/blas.h"
#include "core/hash.h"

#include <gnu/libc-version.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/utsname.h>
#include <unistd.h>

#define FILE_MOST (1u << 20)

/* A small file of the kernel's, whole; the empty span when it cannot be read. file_read refuses
 * files whose size the kernel does not tell, so this one reads until the end. */
static struct span read_small(struct arena *arena, const char *path) {
    FILE *file = fopen(path, "re");
    if (!file)
        return SPAN("");
    char *text = arena_alloc(arena, FILE_MOST / 16);
    size_t len = fread(text, 1, FILE_MOST / 16, file);
    fclose(file);
    return span_trim(span_make(text, len));
}

static void put(struct arena *arena, struct plan_fields *fields, const char *name,
                struct span value) {
    if (value.len)
        plan_fields_set(arena, fields, span_of(name), arena_copy(arena, value));
}

/* The value behind "name<spaces>:" or "name " at the start of a line. */
static struct span line_value(struct span text, const char *name) {
    struct span line;
    while (span_next_line(&text, &line)) {
        if (!span_starts(line, span_of(name)))
            continue;
        struct span rest = span_slice(line, strlen(name), line.len);
        rest = span_trim(rest);
        if (span_starts(rest, SPAN(":")))
            rest = span_trim(span_slice(rest, 1, rest.len));
        return rest;
    }
    return SPAN("");
}

/* --- limits --- */

static bool parse_u64(struct span text, uint64_t *value) {
    size_t found;
    struct span digits = text;
    size_t space = span_find_byte(text, ' ', 0);
    if (space != SIZE_MAX)
        digits = span_slice(text, 0, space);
    if (!span_to_size(digits, SIZE_MAX, &found))
        return false;
    *value = found;
    return true;
}

static uint64_t meminfo_bytes(struct arena *arena, const char *name) {
    uint64_t kib;
    struct span text = read_small(arena, "/proc/meminfo");
    return parse_u64(line_value(text, name), &kib) ? kib * 1024 : 0;
}

/* What the container leaves; UINT64_MAX without a limit. */
static uint64_t cgroup_memory_left(struct arena *arena) {
    uint64_t most, used;
    if (!parse_u64(read_small(arena, "/sys/fs/cgroup/memory.max"), &most) ||
        !parse_u64(read_small(arena, "/sys/fs/cgroup/memory.current"), &used))
        return UINT64_MAX;
    return most > used ? most - used : 0;
}

uint64_t environment_memory_available(void) {
    struct arena arena;
    arena_init(&arena);
    uint64_t machine = meminfo_bytes(&arena, "MemAvailable");
    uint64_t container = cgroup_memory_left(&arena);
    arena_free(&arena);
    return machine && machine < container ? machine : container == UINT64_MAX ? 0 : container;
}

/* CPUs the container may use at once, from cpu.max "quota period"; 0 without a limit. */
static double cgroup_cpus(struct arena *arena) {
    uint64_t quota, period;
    struct span text = read_small(arena, "/sys/fs/cgroup/cpu.max");
    size_t space = span_find_byte(text, ' ', 0);
    if (space == SIZE_MAX || !parse_u64(text, &quota) ||
        !parse_u64(span_slice(text, space + 1, text.len), &period) || period == 0)
        return 0;
    return (double)quota / (double)period;
}

static size_t affinity_cpus(void) {
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? (size_t)CPU_COUNT(&set) : 1;
}

size_t environment_cpus(void) {
    struct arena arena;
    arena_init(&arena);
    double quota = cgroup_cpus(&arena);
    arena_free(&arena);
    size_t allowed = affinity_cpus(), limit = (size_t)(quota + 0.999);
    return limit && limit < allowed ? limit : allowed;
}

/* --- description --- */

static void describe_cpu(struct arena *arena, struct plan_fields *fields) {
    struct span info = read_small(arena, "/proc/cpuinfo");
    double quota = cgroup_cpus(arena);
    put(arena, fields, "cpu", line_value(info, "model name"));
    put(arena, fields, "cpu_cores",
        arena_printf(arena, "%ld online, %zu usable", sysconf(_SC_NPROCESSORS_ONLN),
                     affinity_cpus()));
    put(arena, fields, "cpu_threads_per_core",
        line_value(info, "siblings").len && line_value(info, "cpu cores").len
            ? arena_printf(arena, "%.*s threads on %.*s cores a socket",
                           SPAN_ARG(line_value(info, "siblings")),
                           SPAN_ARG(line_value(info, "cpu cores")))
            : SPAN(""));
    if (quota > 0)
        put(arena, fields, "cpu_quota", arena_printf(arena, "%.3g CPUs", quota));
    const char *policy = "/sys/devices/system/cpu/cpu0/cpufreq/";
    put(arena, fields, "governor",
        read_small(arena, arena_printf(arena, "%sscaling_governor", policy).at));
    put(arena, fields, "frequency_driver",
        read_small(arena, arena_printf(arena, "%sscaling_driver", policy).at));
    put(arena, fields, "turbo_off",
        read_small(arena, "/sys/devices/system/cpu/intel_pstate/no_turbo"));
    put(arena, fields, "smt", read_small(arena, "/sys/devices/system/cpu/smt/control"));
    put(arena, fields, "numa_nodes", read_small(arena, "/sys/devices/system/node/online"));
    put(arena, fields, "hypervisor", read_small(arena, "/sys/hypervisor/type"));
}

static void describe_memory(struct arena *arena, struct plan_fields *fields) {
    uint64_t limit;
    put(arena, fields, "memory",
        arena_printf(arena, "%.1f GiB", (double)meminfo_bytes(arena, "MemTotal") / (1 << 30)));
    if (parse_u64(read_small(arena, "/sys/fs/cgroup/memory.max"), &limit))
        put(arena, fields, "memory_limit",
            arena_printf(arena, "%.1f GiB", (double)limit / (1 << 30)));
    put(arena, fields, "huge_pages",
        read_small(arena, "/sys/kernel/mm/transparent_hugepage/enabled"));
}

static void describe_software(struct arena *arena, struct plan_fields *fields) {
    struct utsname system;
    if (uname(&system) == 0)
        put(arena, fields, "kernel",
            arena_printf(arena, "%s %s %s", system.sysname, system.release, system.machine));
    put(arena, fields, "libc", arena_printf(arena, "glibc %s", gnu_get_libc_version()));
    const struct blas *blas = blas_open(NULL);
    if (blas) {
        put(arena, fields, "blas", span_trim(span_of(blas->config())));
        put(arena, fields, "blas_threads", arena_printf(arena, "%d", blas->threads()));
    }
    put(arena, fields, "compiler", SPAN(__VERSION__));
    struct span random = read_small(arena, "/proc/sys/kernel/randomize_va_space");
    put(arena, fields, "address_randomization", random);
}

static const char *const variables[] = {
    "OMP_NUM_THREADS",
    "OMP_PROC_BIND",
    "OMP_PLACES",
    "OPENBLAS_NUM_THREADS",
    "OPENBLAS_CORETYPE",
    "MKL_NUM_THREADS",
    "GOTO_NUM_THREADS",
    "KMP_AFFINITY",
    "MALLOC_ARENA_MAX",
    "CUDA_VISIBLE_DEVICES",
    "CUDA_LAUNCH_BLOCKING",
    "CUDA_MODULE_LOADING",
    "NVIDIA_TF32_OVERRIDE",
    "CUDA_DEVICE_MAX_CONNECTIONS",
    "PYTORCH_CUDA_ALLOC_CONF",
    "CUBLAS_WORKSPACE_CONFIG",
    "SLURM_JOB_PARTITION",
};

static void describe_variables(struct arena *arena, struct plan_fields *fields) {
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        const char *value = getenv(variables[i]);
        if (value)
            put(arena, fields, variables[i],
                value[0] ? span_slice(span_of(value), 0, 200) : SPAN("(empty)"));
    }
}

void environment_describe_now(struct arena *arena, struct plan_fields *fields) {
    struct span load = read_small(arena, "/proc/loadavg"), part, rest = load;
    size_t len = 0;
    for (int i = 0; i < 3 && span_next_field(&rest, ' ', &part); i++)
        len = (size_t)(part.at + part.len - load.at);
    put(arena, fields, "load", span_slice(load, 0, len));
    put(arena, fields, "memory_available",
        arena_printf(arena, "%.1f GiB", (double)meminfo_bytes(arena, "MemAvailable") / (1 << 30)));
    uint64_t khz;
    if (parse_u64(read_small(arena, "/sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq"), &khz))
        put(arena, fields, "cpu_clock", arena_printf(arena, "%.0f MHz", (double)khz / 1e3));
    environment_describe_gpu_now(arena, fields);
}

void environment_describe(struct arena *arena, struct plan_fields *fields) {
    describe_cpu(arena, fields);
    describe_memory(arena, fields);
    describe_software(arena, fields);
    describe_variables(arena, fields);
    environment_describe_gpu(arena, fields);
}

struct span environment_id(struct arena *arena, const struct plan_fields *fields) {
    struct buffer text = {0};
    struct json_writer w = {.out = &text, .compact = true};
    plan_fields_write(&w, NULL, fields);
    struct span hex = sha256_hex(arena, buffer_span(&text));
    buffer_free(&text);
    return span_slice(hex, 0, 12);
}
