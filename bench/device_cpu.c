/* The CPU as a device: a worker thread runs queued commands in order, with a team of threads for
 * each command, so that submitting and computing overlap as they do with a GPU. */
#include "bench/device_cpu_gemm.h"
#include "bench/device_cpu_queue.h"
#include "bench/device_kind.h"
#include "core/clock.h"

#include <errno.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

struct cpu_device {
    struct device base;
    struct cpu_queue *queue;
    struct cpu_team *team;
    const struct cpu_loops *loops;
    struct command_list *list; /* not NULL while recording */
};

/* Written by the worker when its command runs, read after a wait. */
struct device_event {
    uint64_t at_ns, idle_ns;
};

struct command_list {
    struct command *items;
    size_t count, capacity;
};

/* Queue entries beside the operations: at[0] is the event or the list. */
enum { ENTRY_EVENT = OPERATION_COUNT, ENTRY_REPLAY };

static struct cpu_device *cpu_of(struct device *device) {
    return (struct cpu_device *)device;
}

/* --- running one command, on the worker --- */

/* Elements below which one thread does it all: dividing costs about 5 us, in which one core moves
 * some 64 kB (measured). */
#define LOOP_ALONE 16384

struct loop_job {
    const struct command *command;
    void (*run)(const struct command *, int64_t, int64_t);
    const struct cpu_loops *loops;
    int64_t count;
    double *sums; /* one a member, for OP_SUM */
};

static void bounds(int64_t count, int member, int members, int64_t *from, int64_t *to) {
    *from = count * member / members;
    *to = count * (member + 1) / members;
}

static void loop_part(void *context, int member, int members) {
    struct loop_job *job = context;
    int64_t from, to;
    bounds(job->count, member, members, &from, &to);
    job->run(job->command, from, to);
}

static void run_loop(struct cpu_device *cpu, const struct command *c) {
    struct loop_job job = {.command = c, .run = cpu->loops->run[c->operation], .count = 1};
    enum cpu_split split = cpu_splits[c->operation];
    if (split != CPU_SPLIT_NONE)
        job.count = c->size[split == CPU_SPLIT_SECOND];
    int64_t elements = c->size[0] * (c->size[1] ? c->size[1] : 1);
    if (split == CPU_SPLIT_NONE || elements < LOOP_ALONE)
        loop_part(&job, 0, 1);
    else
        cpu_team_run(cpu->team, loop_part, &job);
}

static void copy_part(void *context, int member, int members) {
    const struct command *c = context;
    int64_t from, to;
    bounds(c->size[0], member, members, &from, &to);
    memcpy((char *)c->at[0] + from, (const char *)c->at[1] + from, (size_t)(to - from));
}

static void run_copy(struct cpu_device *cpu, const struct command *c) {
    if (c->size[0] < (int64_t)(LOOP_ALONE * sizeof(float)))
        copy_part((void *)c, 0, 1);
    else
        cpu_team_run(cpu->team, copy_part, (void *)c);
}

static void run_gemm(struct cpu_device *cpu, const struct command *c) {
    cpu_gemm(cpu->team, cpu->loops, c);
}

static void sum_part(void *context, int member, int members) {
    struct loop_job *job = context;
    int64_t from, to;
    bounds(job->count, member, members, &from, &to);
    job->sums[member] = job->loops->sum(job->command->at[1], from, to);
}

#define TEAM_MOST 256

static void run_sum(struct cpu_device *cpu, const struct command *c) {
    double sums[TEAM_MOST] = {0}, all = 0;
    struct loop_job job = {.command = c, .loops = cpu->loops, .count = c->size[0], .sums = sums};
    if (c->size[0] < LOOP_ALONE)
        sum_part(&job, 0, 1);
    else
        cpu_team_run(cpu->team, sum_part, &job);
    for (int i = 0; i < TEAM_MOST; i++)
        all += sums[i];
    *(float *)c->at[0] = (float)((double)c->scalar[0] * all);
}

static void run_nothing(struct cpu_device *cpu, const struct command *c) {
    (void)cpu, (void)c;
}

static void run_spin(struct cpu_device *cpu, const struct command *c) {
    (void)cpu;
    for (uint64_t end = clock_monotonic_ns() + (uint64_t)c->size[0]; clock_monotonic_ns() < end;)
        continue;
}

static void run_event(struct cpu_device *cpu, const struct command *c) {
    struct device_event *event = c->at[0];
    event->idle_ns = cpu_queue_idle_ns(cpu->queue);
    event->at_ns = clock_monotonic_ns();
}

static void run_replay(struct cpu_device *cpu, const struct command *c);

static void (*const runs[])(struct cpu_device *, const struct command *) = {
    [OP_FILL] = run_loop,
    [OP_COPY] = run_copy,
    [OP_GEMM] = run_gemm,
    [OP_BIAS] = run_loop,
    [OP_ACTIVATION] = run_loop,
    [OP_ACTIVATION_GRADIENT] = run_loop,
    [OP_COLUMN_SUM] = run_loop,
    [OP_CROSS_ENTROPY] = run_loop,
    [OP_CROSS_ENTROPY_GRADIENT] = run_loop,
    [OP_SUM] = run_sum,
    [OP_VECTOR] = run_loop,
    [OP_SCHEDULE] = run_loop,
    [OP_OPTIMIZER] = run_loop,
    [OP_NOTHING] = run_nothing,
    [OP_SPIN] = run_spin,
    [ENTRY_EVENT] = run_event,
    [ENTRY_REPLAY] = run_replay,
};

static void run_command(void *context, const struct command *c) {
    runs[c->operation](context, c);
}

static void run_replay(struct cpu_device *cpu, const struct command *c) {
    const struct command_list *list = c->at[0];
    for (size_t i = 0; i < list->count; i++)
        run_command(cpu, &list->items[i]);
}

/* --- the kind --- */

static void submit(struct device *device, const struct command *command) {
    struct cpu_device *cpu = cpu_of(device);
    struct command_list *list = cpu->list;
    if (!list) {
        cpu_queue_push(cpu->queue, command);
        return;
    }
    if (list->count == list->capacity) {
        list->capacity = list->capacity ? 2 * list->capacity : 64;
        list->items = memory_resize(list->items, list->capacity * sizeof *list->items);
    }
    list->items[list->count++] = *command;
}

static void submit_entry(struct device *device, int entry, void *at) {
    struct command command = {.operation = (enum operation)entry, .at = {at}};
    submit(device, &command);
}

static void wait_empty(struct device *device) {
    cpu_queue_wait(cpu_of(device)->queue);
}

static void *allocate(struct device *device, size_t bytes) {
    (void)device;
    return aligned_alloc(64, (bytes + 63) / 64 * 64);
}

static void release(struct device *device, void *block) {
    (void)device;
    free(block);
}

static struct device_event *event_new(struct device *device) {
    (void)device;
    struct device_event *event = memory_alloc(sizeof *event);
    *event = (struct device_event){0};
    return event;
}

static void event_free(struct device *device, struct device_event *event) {
    wait_empty(device);
    free(event);
}

static void event_record(struct device *device, struct device_event *event) {
    submit_entry(device, ENTRY_EVENT, event);
}

static double elapsed(struct device *device, struct device_event *from, struct device_event *to,
                      double *idle_ms) {
    (void)device;
    *idle_ms = (double)(to->idle_ns - from->idle_ns) / 1e6;
    return (double)(to->at_ns - from->at_ns) / 1e6;
}

static bool record_begin(struct device *device, struct error *error) {
    (void)error;
    struct command_list *list = memory_alloc(sizeof *list);
    *list = (struct command_list){0};
    cpu_of(device)->list = list;
    return true;
}

static void *record_end(struct device *device, struct error *error) {
    (void)error;
    void *list = cpu_of(device)->list;
    cpu_of(device)->list = NULL;
    return list;
}

static void replay(struct device *device, void *recorded) {
    submit_entry(device, ENTRY_REPLAY, recorded);
}

static void recorded_free(struct device *device, void *recorded) {
    (void)device;
    struct command_list *list = recorded;
    free(list->items);
    free(list);
}

static void close_cpu(struct device *device) {
    struct cpu_device *cpu = cpu_of(device);
    if (cpu->queue)
        cpu_queue_free(cpu->queue);
    if (cpu->team)
        cpu_team_free(cpu->team);
    free(cpu);
}

static int usable_cores(void) {
    cpu_set_t set;
    int cores = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    return cores < 1 ? 1 : cores > TEAM_MOST ? TEAM_MOST : cores;
}

/* "model name : ..." of /proc/cpuinfo. */
static void read_name(char *name, size_t size) {
    char line[512];
    FILE *file = fopen("/proc/cpuinfo", "r");
    snprintf(name, size, "processor of unknown name");
    while (file && fgets(line, sizeof line, file)) {
        char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || !colon)
            continue;
        snprintf(name, size, "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
        break;
    }
    if (file)
        fclose(file);
}

static bool start(struct cpu_device *cpu, struct error *error) {
    struct device_options *o = &cpu->base.options;
    uint64_t begin = clock_monotonic_ns();
    cpu->team = cpu_team_new(o->threads);
    cpu->queue = cpu->team ? cpu_queue_new(o->queue_depth, run_command, cpu) : NULL;
    if (!cpu->queue)
        return error_system(error, errno, "device cpu", "set threads to a smaller number",
                            "could not start %d threads", o->threads + 1);
    uint64_t threads = clock_monotonic_ns();
    cpu->loops = cpu_loops_best();
    uint64_t kernels = clock_monotonic_ns();
    char blas[128];
    if (!cpu_gemm_open(blas, sizeof blas, o->threads, error))
        return false;
    snprintf(cpu->base.library, sizeof cpu->base.library, "%s, loops %s", blas, cpu->loops->name);
    struct startup_cost *costs = cpu->base.startup;
    costs[0] = (struct startup_cost){"context", (double)(threads - begin) / 1e6};
    costs[1] = (struct startup_cost){"kernels", (double)(kernels - threads) / 1e6};
    costs[2] = (struct startup_cost){"library", (double)(clock_monotonic_ns() - kernels) / 1e6};
    return true;
}

static bool open_cpu(const struct device_options *options, struct device **device,
                     struct error *error) {
    if (options->threads < 0 || options->threads > TEAM_MOST)
        return error_set(error, ERROR_INPUT, "device cpu", "use 0 for one a core",
                         "threads is %d, expected 0 to %d", options->threads, TEAM_MOST);
    struct cpu_device *cpu = memory_alloc(sizeof *cpu);
    memset(cpu, 0, sizeof *cpu);
    struct device_options *o = &cpu->base.options;
    *o = *options;
    o->threads = o->threads ? o->threads : usable_cores();
    o->queue_depth = o->queue_depth ? o->queue_depth : DEVICE_QUEUE_DEPTH;
    read_name(cpu->base.name, sizeof cpu->base.name);
    if (!start(cpu, error)) {
        close_cpu(&cpu->base);
        return false;
    }
    *device = &cpu->base;
    return true;
}

const struct device_kind device_cpu = {
    .name = "cpu",
    .open = open_cpu,
    .close = close_cpu,
    .allocate = allocate,
    .release = release,
    .submit = submit,
    .wait = wait_empty,
    .event_new = event_new,
    .event_free = event_free,
    .event_record = event_record,
    .elapsed = elapsed,
    .record_begin = record_begin,
    .record_end = record_end,
    .replay = replay,
    .recorded_free = recorded_free,
};
