#include "bench/slurm.h"

#include "core/clock.h"
#include "core/file.h"
#include "core/interrupt.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define POLL_NS 300000000
#define COMMAND_MS 30000
/* Looks after a job's end before its missing status file means that it is lost: file systems that
 * nodes share show new files late. */
#define LOOKS_AFTER_END 10

struct job {
    struct arena *arena;
    const struct slurm_options *options;
    struct slurm_task *tasks;
    size_t count;
    char folder[512];
    struct span id;
    uint64_t started_ns;
    int *looks; /* a task: how often it was seen ended without its status */
    bool *done;
};

static const char *path(const struct job *j, size_t task, const char *end) {
    return arena_printf(j->arena, "%s/%zu.%s", j->folder, task, end).at;
}

static bool command(const struct job *j, const char *const *arguments, struct span input,
                    struct process_result *ran, struct error *error) {
    struct process_limits limits = {.time_ms = COMMAND_MS};
    return process_run(j->arena, arguments, NULL, input, &limits, NULL, NULL, ran, error);
}

/* A word for the shell, whatever is in it. */
static void put_word(struct buffer *out, const char *word) {
    buffer_printf(out, "'");
    for (; *word; word++)
        buffer_printf(out, *word == '\'' ? "'\\''" : "%c", *word);
    buffer_printf(out, "' ");
}

static void write_script(const struct job *j, struct buffer *out) {
    buffer_printf(out, "#!/bin/sh\nat=");
    put_word(out, j->folder);
    buffer_printf(out, "\nat=$at/$SLURM_ARRAY_TASK_ID\n");
    for (const char *const *a = j->options->arguments; *a; a++)
        put_word(out, *a);
    buffer_printf(out, "< \"$at.in\" > \"$at.out\" 2> \"$at.err\"\n"
                       "echo $? > \"$at.part\" && mv \"$at.part\" \"$at.status\"\n");
}

static bool write_inputs(const struct job *j, struct error *error) {
    for (size_t i = 0; i < j->count; i++)
        if (!file_write(path(j, i, "in"), j->tasks[i].input, error))
            return false;
    return true;
}

static bool submit(struct job *j, struct error *error) {
    struct buffer script = {0};
    struct process_result ran;
    int minutes = (int)ceil(j->options->limit_seconds / 60) + 1;
    const char *gres = j->options->gpu && !getenv("SBATCH_GRES") ? "--gres=gpu:1" : "--nice=0";
    const char *const arguments[] = {
        "sbatch",
        "--parsable",
        "--job-name=assay-bench",
        "--nodes=1",
        "--ntasks=1",
        arena_printf(j->arena, "--array=0-%zu", j->count - 1).at,
        arena_printf(j->arena, "--time=%d", minutes).at,
        gres,
        arena_printf(j->arena, "--output=%s/job-%%a.log", j->folder).at,
        NULL};
    write_script(j, &script);
    bool fine = command(j, arguments, buffer_span(&script), &ran, error);
    buffer_free(&script);
    if (!fine)
        return error_set(error, ERROR_UNAVAILABLE, "sbatch", "Install Slurm's client commands.",
                         "Slurm's sbatch could not be started");
    if (ran.end != PROCESS_EXITED || ran.status != 0)
        return error_set(error, ERROR_UNAVAILABLE, "sbatch",
                         "See sinfo, and SBATCH_PARTITION in sbatch(1).", "Slurm took no job: %.*s",
                         SPAN_ARG(span_trim(ran.err)));
    size_t end = span_find_byte(ran.out, ';', 0); /* "12;cluster" */
    j->id = span_trim(span_slice(ran.out, 0, end == SIZE_MAX ? ran.out.len : end));
    return true;
}

static void cancel(const struct job *j) {
    struct process_result ran;
    const char *const arguments[] = {"scancel", arena_string(j->arena, j->id), NULL};
    command(j, arguments, SPAN(""), &ran, NULL);
}

/* --- what became of them --- */

static bool read_text(const struct job *j, size_t task, const char *end, size_t most,
                      struct span *text) {
    *text = SPAN("");
    return file_exists(path(j, task, end)) &&
           file_read(j->arena, path(j, task, end), most, ERROR_SYSTEM, text, NULL);
}

/* True when the task has left its status. */
static bool collect(struct job *j, size_t task) {
    struct span status;
    size_t code;
    struct process_result *ran = &j->tasks[task].ran;
    if (!read_text(j, task, "status", 64, &status) || !span_to_size(span_trim(status), 255, &code))
        return false;
    *ran = (struct process_result){.end = PROCESS_EXITED,
                                   .status = (int)code,
                                   .wall_ns = clock_monotonic_ns() - j->started_ns};
    if (code > 128) { /* as a shell tells a signal */
        ran->end = PROCESS_SIGNALLED;
        ran->status = (int)code - 128;
    }
    read_text(j, task, "out", (size_t)256 << 20, &ran->out);
    read_text(j, task, "err", (size_t)16 << 20, &ran->err);
    j->done[task] = true;
    return true;
}

static void lose(struct job *j, size_t task, struct span why) {
    j->tasks[task].lost =
        arena_printf(j->arena, "job %.*s_%zu %.*s", SPAN_ARG(j->id), task, SPAN_ARG(why));
    j->tasks[task].timed_out = span_find(why, SPAN("TIMEOUT"), 0) != SIZE_MAX;
    j->done[task] = true;
}

static bool lives(struct span state) {
    static const char *const living[] = {"PENDING",   "RUNNING",   "CONFIGURING",  "COMPLETING",
                                         "SUSPENDED", "REQUEUED",  "REQUEUE_HOLD", "RESIZING",
                                         "SIGNALING", "STAGE_OUT", "STOPPED"};
    for (size_t i = 0; i < sizeof living / sizeof *living; i++)
        if (span_equal(state, span_of(living[i])))
            return true;
    return false;
}

/* state of each task as squeue says it; empty: Slurm knows it no more. */
static bool ask_states(const struct job *j, struct span *states, struct span *reasons) {
    struct process_result ran;
    struct span line;
    const char *const arguments[] = {"squeue",
                                     "--noheader",
                                     "--array",
                                     "--states=all",
                                     "--format=%K %T %r",
                                     "--jobs",
                                     arena_string(j->arena, j->id),
                                     NULL};
    if (!command(j, arguments, SPAN(""), &ran, NULL) || ran.end != PROCESS_EXITED)
        return false;
    for (size_t i = 0; i < j->count; i++)
        states[i] = reasons[i] = SPAN("");
    while (span_next_line(&ran.out, &line)) {
        struct span rest = span_trim(line), task, state;
        size_t index;
        if (span_next_field(&rest, ' ', &task) && span_to_size(task, j->count - 1, &index) &&
            span_next_field(&rest, ' ', &state)) {
            states[index] = state;
            reasons[index] = rest;
        }
    }
    /* a job long forgotten makes squeue fail; a controller that does not answer as well */
    return ran.status == 0 || span_find(ran.err, SPAN("Invalid job id"), 0) != SIZE_MAX;
}

static void look_at_ended(struct job *j) {
    struct span *states = arena_array(j->arena, j->count, sizeof *states);
    struct span *reasons = arena_array(j->arena, j->count, sizeof *reasons);
    if (!ask_states(j, states, reasons))
        return;
    for (size_t i = 0; i < j->count; i++) {
        if (j->done[i] || lives(states[i]) || ++j->looks[i] < LOOKS_AFTER_END)
            continue;
        if (states[i].len)
            lose(j, i,
                 arena_printf(j->arena, "ended as %.*s without a result", SPAN_ARG(states[i])));
        else
            lose(j, i, SPAN("is lost: Slurm knows nothing of it and it left no result"));
    }
}

static void give_up(struct job *j) {
    struct span *states = arena_array(j->arena, j->count, sizeof *states);
    struct span *reasons = arena_array(j->arena, j->count, sizeof *reasons);
    bool known = ask_states(j, states, reasons);
    cancel(j);
    for (size_t i = 0; i < j->count; i++)
        if (!j->done[i])
            lose(j, i,
                 known && states[i].len
                     ? arena_printf(j->arena,
                                    "was %.*s (%.*s) when the time budget was used up, and was "
                                    "cancelled",
                                    SPAN_ARG(states[i]), SPAN_ARG(reasons[i]))
                     : SPAN("had not ended when the time budget was used up, and was cancelled"));
}

static size_t open_tasks(struct job *j) {
    size_t open = 0;
    for (size_t i = 0; i < j->count; i++)
        open += !j->done[i] && !collect(j, i);
    return open;
}

static bool wait_for(struct job *j, struct error *error) {
    const struct timespec pause = {0, POLL_NS};
    while (open_tasks(j) > 0) {
        if (interrupt_signal() != 0) {
            cancel(j);
            return interrupt_check("slurm", error);
        }
        if (clock_monotonic_ns() > j->options->latest_ns) {
            give_up(j);
            return true;
        }
        nanosleep(&pause, NULL);
        look_at_ended(j);
    }
    return true;
}

static void clear_up(const struct job *j) {
    static const char *const ends[] = {"in", "out", "err", "part", "status"};
    for (size_t i = 0; i < j->count; i++) {
        for (size_t k = 0; k < sizeof ends / sizeof *ends; k++)
            unlink(path(j, i, ends[k]));
        unlink(arena_printf(j->arena, "%s/job-%zu.log", j->folder, i).at);
    }
    rmdir(j->folder);
}

bool slurm_run(struct arena *arena, const struct slurm_options *options, struct slurm_task *tasks,
               size_t count, struct error *error) {
    struct job j = {.arena = arena,
                    .options = options,
                    .tasks = tasks,
                    .count = count,
                    .started_ns = clock_monotonic_ns(),
                    .looks = arena_array(arena, count, sizeof(int)),
                    .done = arena_array(arena, count, sizeof(bool))};
    char *whole = realpath(options->folder, NULL);
    snprintf(j.folder, sizeof j.folder, "%s/slurm-XXXXXX", whole ? whole : options->folder);
    free(whole);
    if (!mkdtemp(j.folder))
        return error_system(error, errno, options->folder, "", "cannot make a folder for the jobs");
    bool fine = write_inputs(&j, error) && submit(&j, error) && wait_for(&j, error);
    clear_up(&j);
    return fine;
}
