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
    size_t count, most;
    struct result *result;
    bool open; /* more processes could change the verdict */
};

static void look(struct course *c) {
    c->count =
        journal_finished(c->arena, c->runner->journal, c->experiment->id, c->key, &c->finished);
}

static struct course course_of(struct arena *arena, const struct runner *runner,
                               const struct experiment *e) {
    struct course c = {.runner = runner,
                       .experiment = e,
                       .key = journal_key(arena, e, runner->device),
                       .arena = arena};
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

/* All experiments of one call. */
struct outing {
    struct arena *arena;
    const struct runner *runner;
    struct course *courses;
    size_t count;
    double seconds, last_wall;
    uint64_t started, latest_ns;
};

static void begin_course(struct course *c, struct result *r) {
    c->result = r;
    c->open = !c->runner->repeat && is_look(c->count) ? judge(c, r) : true;
    /* A number that nothing here can be compared with is measured for what it is worth. */
    c->most = c->runner->repeat                                 ? c->runner->repeat
              : verdict_is_foregone(c->arena, c->experiment, r) ? VERDICT_PROCESSES
                                                                : PROCESSES_MOST;
}

/* Whether there is time for another process, as far as the last one tells. Fewer than
 * VERDICT_PROCESSES decide nothing, so those may use more than these experiments' part, but never
 * more than the whole stage's. */
static bool has_time(const struct outing *o, size_t fewest) {
    if (clock_monotonic_ns() + (uint64_t)(o->last_wall * 1e9) > o->latest_ns)
        return false;
    return fewest < VERDICT_PROCESSES || o->runner->repeat ||
           seconds_since(o->started) + o->last_wall <= o->seconds;
}

/* Those that another process is started for; none when there is no time for one. */
static size_t choose(const struct outing *o, struct course **chosen) {
    size_t count = 0, fewest = SIZE_MAX;
    for (size_t i = 0; i < o->count; i++) {
        struct course *c = &o->courses[i];
        if (!c->open || c->count >= c->most)
            continue;
        chosen[count++] = c;
        fewest = c->count < fewest ? c->count : fewest;
    }
    return count && has_time(o, fewest) ? count : 0;
}

static struct measured_family family_of_courses(const struct outing *o,
                                                struct course *const *chosen, size_t count) {
    const struct experiment **members = arena_array(o->arena, count, sizeof *members);
    struct span *keys = arena_array(o->arena, count, sizeof *keys);
    for (size_t i = 0; i < count; i++) {
        members[i] = chosen[i]->experiment;
        keys[i] = chosen[i]->key;
    }
    return (struct measured_family){family_of(o->arena, members, count), keys};
}

/* Loops have a number of samples, the rest a time: half of the time is theirs. */
#define PART_OF_TIMED_TURNS 0.5

static double turn_seconds(const struct outing *o, const struct family *f) {
    size_t rounds = o->runner->repeat ? o->runner->repeat : PROCESSES_PLANNED;
    size_t most = 2 * (f->merged.variant_count + f->sham_count);
    struct turn *turns = arena_array(o->arena, most, sizeof *turns);
    size_t count = experiment_turns(&f->merged, 0, f->shams, f->sham_count, turns);
    double part = f->count > 1 ? PART_OF_TIMED_TURNS : 1;
    return part * o->seconds / ((double)rounds * (double)count);
}

static struct experiment_request request_of(const struct outing *o,
                                            const struct measured_family *all) {
    const struct family *f = &all->family;
    struct experiment_request request = {.experiment = f->merged,
                                         .device = o->runner->device,
                                         .key = all->keys[0],
                                         .seconds = turn_seconds(o, f),
                                         .shams = f->shams,
                                         .sham_count = f->sham_count};
    for (size_t i = 0; i < f->count; i++) {
        size_t next = journal_next_process(o->runner->journal, f->members[i]->id);
        request.process = next > request.process ? next : request.process;
    }
    request.seed = seed_of(all->keys[0], request.process);
    return request;
}

static void stop(struct course *c, enum run_end end, const struct process_record *record) {
    struct result *r = c->result;
    r->status = end == RUN_FAILED ? EXPERIMENT_FAILED : EXPERIMENT_UNRUN;
    r->reason = record->reason;
    if (end == RUN_FAILED) {
        r->reason =
            arena_printf(c->arena, "process %zu %.*s", record->process, SPAN_ARG(record->reason));
        r->log = record->log;
    } else if (end == RUN_INTERRUPTED) {
        r->reason = arena_printf(c->arena,
                                 "interrupted after %zu processes, which are kept; run assay bench "
                                 "again to go on",
                                 c->count);
    }
}

static void after_process(struct course *c) {
    look(c);
    c->open = c->runner->repeat || !is_look(c->count) || judge(c, c->result);
}

/* Processes to start at once: one here; on a cluster as many as the next look takes. */
static size_t batch_of(const struct outing *o, struct course *const *chosen, size_t count) {
    size_t fewest = SIZE_MAX, next = 0;
    if (!o->runner->slurm_folder)
        return 1;
    for (size_t i = 0; i < count; i++)
        fewest = chosen[i]->count < fewest ? chosen[i]->count : fewest;
    while (next + 1 < STATS_LOOKS && stats_look_sizes[next] <= fewest)
        next++;
    size_t wanted = o->runner->repeat ? o->runner->repeat : stats_look_sizes[next];
    return wanted > fewest ? wanted - fewest : 1;
}

static bool start_batch(struct outing *o, const struct measured_family *all, size_t count,
                        struct outcome *outcomes, struct error *error) {
    struct experiment_request *requests = arena_array(o->arena, count, sizeof *requests);
    for (size_t i = 0; i < count; i++) {
        requests[i] = request_of(o, all);
        requests[i].process += i;
        requests[i].seed = seed_of(all->keys[0], requests[i].process);
    }
    return runner_processes(o->arena, o->runner, all, requests, count,
                            process_limit(o->seconds, o->latest_ns), o->latest_ns, outcomes, error);
}

/* Processes for the chosen ones until none wants another. last tells how they ended; what did not
 * measure is the caller's. */
static bool measure_together(struct outing *o, struct course **chosen, size_t *count,
                             struct outcome *last, struct error *error) {
    last->end = RUN_MEASURED;
    while (last->end == RUN_MEASURED && (*count = choose(o, chosen)) > 0) {
        struct measured_family all = family_of_courses(o, chosen, *count);
        size_t batch = batch_of(o, chosen, *count);
        struct outcome *outcomes = arena_array(o->arena, batch, sizeof *outcomes);
        if (!start_batch(o, &all, batch, outcomes, error))
            return false;
        for (size_t i = 0; i < batch && last->end == RUN_MEASURED; i++)
            *last = outcomes[i];
        o->last_wall = last->record.wall_seconds;
        for (size_t i = 0; last->end == RUN_MEASURED && i < *count; i++)
            after_process(chosen[i]);
        if (last->end == RUN_FAILED && *count == 1)
            return lines_append(o->arena, o->runner->journal, &all, &(struct lines){0},
                                &last->record, error);
    }
    return true;
}

/* The courses that broke together, each alone. */
static bool measure_apart(struct outing *o, struct course **broken, size_t count,
                          struct runner_item *items, struct error *error) {
    for (size_t i = 0; i < count; i++) {
        struct runner_item *item = &items[broken[i] - o->courses];
        if (!runner_run(o->arena, o->runner, item, 1, o->seconds / (double)o->count, o->latest_ns,
                        error))
            return false;
        broken[i]->result = NULL; /* it is judged */
    }
    return true;
}

static bool out_of_time(struct course *c) {
    struct result *r = c->result;
    if (c->count)
        return false;
    if (verdict_is_foregone(c->arena, c->experiment, r))
        return true;
    r->status = EXPERIMENT_UNRUN;
    r->reason = SPAN("the time budget was used up before it; give more with --budget, or run it "
                     "alone with --only");
    return true;
}

bool runner_run(struct arena *arena, const struct runner *runner, struct runner_item *items,
                size_t count, double seconds, uint64_t latest_ns, struct error *error) {
    struct outing o = {.arena = arena,
                       .runner = runner,
                       .courses = arena_array(arena, count, sizeof *o.courses),
                       .count = count,
                       .seconds = seconds,
                       .started = clock_monotonic_ns(),
                       .latest_ns = latest_ns};
    struct course **chosen = arena_array(arena, count, sizeof *chosen);
    struct outcome last = {0};
    size_t stopped = 0;
    for (size_t i = 0; i < count; i++) {
        o.courses[i] = course_of(arena, runner, items[i].experiment);
        begin_course(&o.courses[i], items[i].result);
        items[i].end = RUN_MEASURED;
    }
    if (!measure_together(&o, chosen, &stopped, &last, error))
        return false;
    bool apart = stopped > 1 && (last.end == RUN_FAILED || last.end == RUN_UNSUPPORTED);
    if (apart && !measure_apart(&o, chosen, stopped, items, error))
        return false;
    for (size_t i = 0; !apart && last.end != RUN_MEASURED && i < stopped; i++) {
        stop(chosen[i], last.end, &last.record);
        items[chosen[i] - o.courses].end = last.end;
        chosen[i]->result = NULL;
    }
    for (size_t i = 0; i < count; i++)
        if (o.courses[i].result && !out_of_time(&o.courses[i]))
            judge(&o.courses[i], items[i].result);
    return true;
}
