#include "bench/runner_process.h"

#include "bench/environment.h"
#include "bench/gpu_watch.h"
#include "bench/slurm.h"
#include "core/process.h"
#include "core/table.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* Sanitizers map far more address space than they use; so does CUDA. */
#if defined(__SANITIZE_ADDRESS__)
#define ADDRESS_SPACE_BOUNDED false
#else
#define ADDRESS_SPACE_BOUNDED true
#endif
#define OUTPUT_MOST ((size_t)256 << 20)
#define EXIT_UNAVAILABLE 3 /* of a child whose device cannot be had: ERROR_UNAVAILABLE */
#define EXIT_UNSUPPORTED 7 /* of an adapter that cannot measure this */

static struct process_limits limits_of(const struct runner *runner, double seconds) {
    bool cpu = span_equal(runner->device, SPAN("cpu"));
    return (struct process_limits){
        .time_ms = (uint64_t)(seconds * 1000),
        .memory_bytes = cpu && ADDRESS_SPACE_BOUNDED ? environment_memory_available() : 0,
        .output_bytes = OUTPUT_MOST,
    };
}

static struct span last_line(struct span text) {
    struct span line, last = SPAN("");
    while (span_next_line(&text, &line))
        if (span_trim(line).len && !span_starts(line, SPAN("  ")))
            last = span_trim(line);
    return last;
}

/* Why a process that ended badly did. */
static struct span reason_of(struct arena *arena, const struct process_result *ran, double limit) {
    struct span said = last_line(ran->err);
    switch (ran->end) {
    case PROCESS_TIMED_OUT:
        return arena_printf(arena, "ran past its limit of %.3g s and was stopped", limit);
    case PROCESS_SIGNALLED:
        return arena_printf(
            arena, "killed by signal %d (%s)%s", ran->status, strsignal(ran->status),
            ran->status == SIGKILL ? "; the system may have been out of memory" : "");
    default:
        return arena_printf(arena, "ended with exit status %d: %.*s", ran->status, SPAN_ARG(said));
    }
}

static void fail(struct process_record *record, struct span reason, struct span log) {
    record->end = SPAN("failed");
    record->reason = reason;
    record->log = log;
}

static enum run_end end_of_failure(const struct process_result *ran) {
    if (ran->end != PROCESS_EXITED)
        return RUN_FAILED;
    return ran->status == EXIT_UNAVAILABLE   ? RUN_UNAVAILABLE
           : ran->status == EXIT_UNSUPPORTED ? RUN_UNSUPPORTED
                                             : RUN_FAILED;
}

/* A process that watched its own machine tells what the record shall say of it. */
static bool take_watch(struct arena *arena, const struct runner *runner, const struct lines *lines,
                       struct process_record *record, struct error *error) {
    struct buffer line = {0};
    if (lines->environment.count == 0)
        return true;
    record->disturbances = lines->disturbances;
    record->disturbance_count = lines->disturbance_count;
    record->environment = environment_id(arena, &lines->environment);
    environment_write(&line, record->environment, &lines->environment);
    bool fine = journal_append(runner->journal, buffer_span(&line), error);
    buffer_free(&line);
    return fine;
}

static bool finish(struct arena *arena, const struct runner *runner,
                   const struct measured_family *all, const struct process_result *ran,
                   struct outcome *out, struct error *error) {
    struct lines lines = {0};
    struct error wrong = {0};
    out->end = RUN_MEASURED;
    out->record.end = SPAN("finished");
    if (lines_read(arena, &all->family, out->record.process, ran->out, &lines, &wrong))
        return take_watch(arena, runner, &lines, &out->record, error) &&
               lines_append(arena, runner->journal, all, &lines, &out->record, error);
    fail(&out->record, arena_copy(arena, span_of(wrong.message)), ran->err);
    out->end = RUN_FAILED;
    return true;
}

/* How a process ended, with what it measured in the journal. */
static bool conclude(struct arena *arena, const struct runner *runner,
                     const struct measured_family *all, const struct process_result *ran,
                     double limit_seconds, struct outcome *out, struct error *error) {
    if (ran->end == PROCESS_INTERRUPTED) {
        out->end = RUN_INTERRUPTED;
        return true;
    }
    if (ran->end == PROCESS_EXITED && ran->status == 0)
        return finish(arena, runner, all, ran, out, error);
    fail(&out->record, reason_of(arena, ran, limit_seconds), ran->err);
    out->end = end_of_failure(ran);
    return true;
}

/* What measures on this device: this program, or an adapter that speaks as it does. */
static void child_of(struct arena *arena, struct span device, const char *arguments[4]) {
    const char *python = getenv("ASSAY_PYTHON");
    if (!span_equal(device, SPAN("torch"))) {
        arguments[0] = process_self(arena);
        arguments[1] = "bench";
        arguments[2] = "--experiment-process";
        return;
    }
    arguments[0] = python && *python ? python : "python3";
    arguments[1] = "-c";
    arguments[2] = data_file("bench/adapters/torch_adapter.py").at; /* ends in 0: tools/embed */
}

static bool run_here(struct arena *arena, const struct runner *runner,
                     const struct measured_family *all, const struct experiment_request *request,
                     double limit_seconds, struct outcome *out, struct error *error) {
    const char *arguments[4] = {NULL};
    struct process_limits limits = limits_of(runner, limit_seconds);
    struct process_result ran;
    struct buffer input = {0};
    child_of(arena, runner->device, arguments);
    experiment_request_write(&input, request);
    bool on_cpu = span_equal(runner->device, SPAN("cpu"));
    struct gpu_watch *watch = on_cpu ? NULL : gpu_watch_begin();
    struct environment_counters before = environment_count();
    bool started =
        process_run(arena, arguments, NULL, buffer_span(&input), &limits, NULL, NULL, &ran, error);
    buffer_free(&input);
    struct environment_counters after = environment_count();
    struct span *disturbances =
        arena_array(arena, ENVIRONMENT_DISTURBANCES + GPU_DISTURBANCES, sizeof *disturbances);
    size_t disturbed = gpu_watch_end(watch, arena, disturbances);
    if (!started)
        return false;
    double cpu_seconds = (double)(ran.user_ns + ran.system_ns) / 1e9;
    out->record = (struct process_record){.process = request->process,
                                          .wall_seconds = (double)ran.wall_ns / 1e9,
                                          .cpu_seconds = cpu_seconds,
                                          .disturbances = disturbances,
                                          .environment = runner->environment};
    out->record.disturbance_count =
        disturbed +
        environment_disturbances(arena, &before, &after, cpu_seconds, disturbances + disturbed);
    return conclude(arena, runner, all, &ran, limit_seconds, out, error);
}

/* --- as Slurm jobs --- */

static bool take_task(struct arena *arena, const struct runner *runner,
                      const struct measured_family *all, const struct slurm_task *task,
                      double limit_seconds, struct outcome *out, struct error *error) {
    if (task->lost.len == 0)
        return conclude(arena, runner, all, &task->ran, limit_seconds, out, error);
    fail(&out->record, task->lost, SPAN(""));
    out->end = task->timed_out ? RUN_FAILED : RUN_UNAVAILABLE;
    return true;
}

static bool run_on_slurm(struct arena *arena, const struct runner *runner,
                         const struct measured_family *all,
                         const struct experiment_request *requests, size_t count,
                         double limit_seconds, uint64_t latest_ns, struct outcome *outcomes,
                         struct error *error) {
    const char *arguments[4] = {NULL};
    struct slurm_task *tasks = arena_array(arena, count, sizeof *tasks);
    struct error wrong = {0};
    child_of(arena, runner->device, arguments);
    for (size_t i = 0; i < count; i++) {
        struct buffer input = {0};
        struct experiment_request request = requests[i];
        request.watch = true;
        experiment_request_write(&input, &request);
        tasks[i].input = arena_copy(arena, buffer_span(&input));
        buffer_free(&input);
        outcomes[i] = (struct outcome){
            .record = {.process = request.process, .wall_seconds = 0, .cpu_seconds = NAN}};
    }
    struct slurm_options options = {.arguments = arguments,
                                    .folder = runner->slurm_folder,
                                    .gpu = span_equal(runner->device, SPAN("cuda")),
                                    .limit_seconds = limit_seconds,
                                    .latest_ns = latest_ns};
    bool ran = slurm_run(arena, &options, tasks, count, &wrong);
    for (size_t i = 0; i < count; i++) {
        outcomes[i].record.wall_seconds = (double)tasks[i].ran.wall_ns / 1e9;
        if (ran && !take_task(arena, runner, all, &tasks[i], limit_seconds, &outcomes[i], error))
            return false;
        if (ran)
            continue;
        fail(&outcomes[i].record, arena_copy(arena, span_of(wrong.message)), SPAN(""));
        outcomes[i].end = wrong.kind == ERROR_INTERRUPTED ? RUN_INTERRUPTED : RUN_UNAVAILABLE;
    }
    return true;
}

bool runner_processes(struct arena *arena, const struct runner *runner,
                      const struct measured_family *all, const struct experiment_request *requests,
                      size_t count, double limit_seconds, uint64_t latest_ns,
                      struct outcome *outcomes, struct error *error) {
    if (runner->slurm_folder)
        return run_on_slurm(arena, runner, all, requests, count, limit_seconds, latest_ns, outcomes,
                            error);
    for (size_t i = 0; i < count; i++) {
        outcomes[i] = (struct outcome){0};
        if (!run_here(arena, runner, all, &requests[i], limit_seconds, &outcomes[i], error))
            return false;
    }
    return true;
}
