#include "bench/runner.h"

#include "bench/runner_process.h"
#include "bench/stats.h"
#include "core/clock.h"

#include <math.h>

/* How many the time for one experiment is divided by: enough for a rank interval. */
#define PROCESSES_PLANNED 6
#define PROCESSES_MOST stats_look_sizes[STATS_LOOKS - 1]

/* One experiment on its way. */
struct course {
    const struct runner *runner;
    const struct experiment *experiment;
    struct span key;
    struct arena *arena;
    size_t *finished; /* process numbers */
    size_t count;
};

static void look(struct course *c) {
    c->count =
        journal_finished(c->arena, c->runner->journal, c->experiment->id, c->key, &c->finished);
}

static struct course course_of(struct arena *arena, const struct runner *runner,
                               const struct experiment *e) {
    struct course c = {runner, e, journal_key(arena, e, runner->device), arena, NULL, 0};
    look(&c);
    return c;
}

/* --- judging --- */

static void collect_disturbances(const struct course *c, struct evidence *v, struct result *r) {
    const struct journal *j = c->runner->journal;
    for (size_t i = 0; i < j->process_count; i++) {
        const struct process_record *p = &j->processes[i];
        if (!span_equal(p->experiment, c->experiment->id) || !span_equal(p->key, c->key) ||
            !span_equal(p->end, SPAN("finished")))
            continue;
        v->disturbed += p->disturbance_count > 0;
        for (size_t k = 0; k < p->disturbance_count; k++) {
            struct span text = arena_printf(c->arena, "process %zu: %.*s", p->process,
                                            SPAN_ARG(p->disturbances[k]));
            if (r->disturbance_count == r->disturbance_capacity)
                r->disturbances = arena_grow(c->arena, r->disturbances, r->disturbance_count,
                                             &r->disturbance_capacity, sizeof *r->disturbances);
            r->disturbances[r->disturbance_count++] = text;
        }
    }
}

static void clear_verdict(struct result *r) {
    r->measured_count = r->effect_count = r->condition_count = r->disturbance_count = 0;
}

/* True when more processes could change it. */
static bool judge(struct course *c, struct result *r) {
    const struct journal *j = c->runner->journal;
    clear_verdict(r);
    struct series_set set =
        series_build(c->arena, c->experiment, j->samples, j->sample_count, c->finished, c->count);
    struct evidence v = {
        .experiment = c->experiment,
        .series = &set,
        .alpha = c->runner->repeat ? 0.025 : STATS_LOOK_ALPHA,
        .match = (enum match_level)word_value(&match_words, r->match),
    };
    v.unsteady = series_unsteady(c->experiment, j->samples, j->sample_count, &v.runs);
    collect_disturbances(c, &v, r);
    const struct plan_fields *contract = journal_contract(j, c->experiment, c->key);
    if (contract)
        r->contract = *contract;
    verdict_judge(c->arena, &v, r);
    return verdict_is_open(&v, r);
}

bool runner_judge(struct arena *arena, const struct runner *runner, const struct experiment *e,
                  struct result *r) {
    struct course c = course_of(arena, runner, e);
    if (c.count)
        judge(&c, r);
    return c.count > 0;
}

/* --- running --- */

static size_t turn_count(struct arena *arena, const struct experiment *e) {
    struct turn *turns = arena_array(arena, 2 * (e->variant_count + 1), sizeof *turns);
    return experiment_turns(e, 0, true, turns);
}

/* The order of each process is random but the same in every rerun of this experiment. */
static uint64_t seed_of(struct span key, size_t process) {
    uint64_t hash = 1469598103934665603u; /* FNV-1a */
    for (size_t i = 0; i < key.len; i++)
        hash = (hash ^ (unsigned char)key.at[i]) * 1099511628211u;
    return (hash + process) & (((uint64_t)1 << 53) - 1);
}

static bool is_look(size_t count) {
    for (size_t i = 0; i < STATS_LOOKS; i++)
        if (stats_look_sizes[i] == count)
            return true;
    return false;
}

/* A hang costs at most this: far more than a process needs, and bounded by the budget. */
static double process_limit(double seconds, uint64_t latest_ns) {
    uint64_t now = clock_monotonic_ns();
    double left = now < latest_ns ? (double)(latest_ns - now) / 1e9 : 0;
    double limit = 10 + 2 * seconds;
    return 5 + (limit < left + 5 ? limit - 5 : left);
}

static double seconds_since(uint64_t from) {
    return (double)(clock_monotonic_ns() - from) / 1e9;
}

/* Whether to start another: the wanted number is not reached and, as far as the last one tells,
 * there is time for it. Fewer than VERDICT_PROCESSES decide nothing, so those may use more than
 * this experiment's part, but never more than the whole stage's. */
static bool wants_more(const struct course *c, size_t most_processes, double spent, double seconds,
                       double last_wall, uint64_t latest_ns) {
    size_t most = c->runner->repeat ? c->runner->repeat : most_processes;
    if (c->count >= most)
        return false;
    if (clock_monotonic_ns() + (uint64_t)(last_wall * 1e9) > latest_ns)
        return false;
    return c->count < VERDICT_PROCESSES || c->runner->repeat || spent + last_wall <= seconds;
}

static void stopped(struct course *c, struct result *r, enum run_end end,
                    const struct process_record *record) {
    if (end == RUN_FAILED) {
        r->status = EXPERIMENT_FAILED;
        r->reason =
            arena_printf(c->arena, "process %zu %.*s", record->process, SPAN_ARG(record->reason));
        r->log = record->log;
    } else if (end == RUN_UNAVAILABLE || end == RUN_UNSUPPORTED) {
        r->status = EXPERIMENT_UNRUN;
        r->reason = record->reason;
    } else {
        r->status = EXPERIMENT_UNRUN;
        r->reason = arena_printf(c->arena,
                                 "interrupted after %zu processes, which are kept; run assay bench "
                                 "again to go on",
                                 c->count);
    }
}

static struct experiment_request request_of(const struct course *c, double turn_seconds) {
    const struct runner *runner = c->runner;
    struct experiment_request request = {.experiment = *c->experiment,
                                         .device = runner->device,
                                         .key = c->key,
                                         .seconds = turn_seconds,
                                         .sham = true};
    request.process = journal_next_process(runner->journal, c->experiment->id);
    request.seed = seed_of(c->key, request.process);
    return request;
}

static bool out_of_time(struct course *c, struct result *r) {
    if (c->count)
        return false;
    if (verdict_is_foregone(c->arena, c->experiment, r))
        return true;
    r->status = EXPERIMENT_UNRUN;
    r->reason = SPAN("the time budget was used up before it; give more with --budget, or run it "
                     "alone with --only");
    return true;
}

bool runner_run(struct arena *arena, const struct runner *runner, const struct experiment *e,
                double seconds, uint64_t latest_ns, struct result *r, enum run_end *end,
                struct error *error) {
    struct course c = course_of(arena, runner, e);
    struct process_record record = {0};
    uint64_t started = clock_monotonic_ns();
    size_t rounds = runner->repeat ? runner->repeat : PROCESSES_PLANNED;
    double turn_seconds = seconds / ((double)rounds * (double)turn_count(arena, e));
    *end = RUN_MEASURED;
    bool open = !runner->repeat && is_look(c.count) ? judge(&c, r) : true;
    /* A number that nothing here can be compared with is measured for what it is worth. */
    size_t most = verdict_is_foregone(arena, e, r) ? VERDICT_PROCESSES : PROCESSES_MOST;
    while (open &&
           wants_more(&c, most, seconds_since(started), seconds, record.wall_seconds, latest_ns)) {
        struct experiment_request request = request_of(&c, turn_seconds);
        if (!runner_process(arena, runner, &request, process_limit(seconds, latest_ns), &record,
                            end, error))
            return false;
        if (*end != RUN_MEASURED) {
            stopped(&c, r, *end, &record);
            return true;
        }
        look(&c);
        open = runner->repeat || !is_look(c.count) || judge(&c, r);
    }
    if (!out_of_time(&c, r))
        judge(&c, r);
    return true;
}
