#include "bench/session.h"

#include "bench/drift.h"
#include "bench/family.h"
#include "core/clock.h"
#include "core/interrupt.h"

#include <math.h>

static struct result result_of(struct arena *arena, const struct experiment *e) {
    struct result r = {
        .id = e->id,
        .title = e->title,
        .kind = e->kind,
        .claims = e->claims,
        .claim_count = e->claim_count,
        .status = EXPERIMENT_UNRUN,
        .claimed = e->claimed,
        .unit = e->unit,
        .claimed_lo = e->claimed_lo,
        .claimed_hi = e->claimed_hi,
        .relation = e->relation,
        .method = e->method,
        .success = e->success,
        .failure = e->failure,
        .scaled = e->scaled,
        .noise_floor = NAN,
    };
    for (size_t i = 0; e->variant_count && i < e->variants[0].parameters.count; i++)
        plan_fields_set(arena, &r.contract, e->variants[0].parameters.items[i].name,
                        e->variants[0].parameters.items[i].value);
    return r;
}

/* --- why an experiment does not run --- */

static bool is_selected(const struct bench_options *options, struct span id) {
    for (size_t i = 0; options->only && options->only[i]; i++)
        if (span_equal(id, span_of(options->only[i])))
            return true;
    return options->only == NULL;
}

/* PyTorch brings devices of its own: it measures whatever has one. */
static bool device_fits(const char *backend, struct span device) {
    return strcmp(backend, "auto") == 0 || strcmp(backend, "torch") == 0 ||
           span_equal(device, span_of(backend));
}

struct span session_device(const struct session *s, const struct experiment *e) {
    return strcmp(s->options->backend, "torch") == 0 ? SPAN("torch") : e->device;
}

static bool executor_is_local(const struct bench_options *options) {
    return !options->executor || strcmp(options->executor, "local") == 0;
}

struct span session_reason_not_to_run(const struct session *s, const struct experiment *e) {
    const struct bench_options *o = s->options;
    if (e->skip_reason.len)
        return e->skip_reason;
    if (e->device.len == 0 || span_equal(e->device, SPAN("none")))
        return SPAN("no device of this machine can say anything about it");
    if (o->skip)
        return SPAN("measuring was switched off (--no-bench)");
    if (!is_selected(o, e->id))
        return SPAN("not selected (--only)");
    if (!device_fits(o->backend, e->device))
        return arena_printf(s->arena, "planned for device %.*s, and --backend %s was asked for",
                            SPAN_ARG(e->device), o->backend);
    if (!executor_is_local(o) && strcmp(o->executor, "slurm") != 0)
        return arena_printf(s->arena, "this build has no executor '%s'", o->executor);
    if (s->unavailable.len && span_equal(s->unavailable, session_device(s, e)))
        return s->why;
    return SPAN("");
}

/* --- what an earlier call has already done --- */

static const struct result *previous_result(const struct session *s, struct span id) {
    for (size_t i = 0; i < s->previous.count; i++)
        if (span_equal(s->previous.results[i].id, id))
            return &s->previous.results[i];
    return NULL;
}

/* Fills the result from measurements alone; false when they do not settle it. */
static bool settled(const struct session *s, const struct runner *runner,
                    const struct experiment *e, bool will_run, struct result *r) {
    struct span key = journal_key(s->arena, e, runner->device);
    const struct process_record *failure = journal_failure(&s->journal, e->id, key);
    bool asked_for = s->options->only && is_selected(s->options, e->id);
    if (failure && !(will_run && asked_for)) {
        r->status = EXPERIMENT_FAILED;
        r->reason =
            arena_printf(s->arena, "process %zu %.*s", failure->process, SPAN_ARG(failure->reason));
        r->log = failure->log;
        return true;
    }
    const struct result *before = previous_result(s, e->id);
    bool undecided = before && before->status == EXPERIMENT_INCONCLUSIVE;
    bool done = before && before->status != EXPERIMENT_UNRUN && !failure && !s->options->repeat &&
                !(undecided && asked_for);
    return (done || !will_run) && runner_judge(s->arena, runner, e, r);
}

/* --- running --- */

struct runner session_runner(struct session *s, const struct experiment *e) {
    return (struct runner){.journal = &s->journal,
                           .environment = s->environment_id,
                           .device = session_device(s, e),
                           .repeat = s->options->repeat > 0 ? (size_t)s->options->repeat : 0,
                           .slurm_folder = executor_is_local(s->options) ? NULL : s->folder};
}

bool session_write_environment(struct session *s, struct error *error) {
    if (s->environment_written)
        return true;
    struct buffer line = {0};
    environment_write(&line, s->environment_id, &s->results.environment);
    s->environment_written = journal_append(&s->journal, buffer_span(&line), error);
    buffer_free(&line);
    return s->environment_written;
}

static double seconds_left(const struct session *s) {
    uint64_t now = clock_monotonic_ns();
    return now < s->experiments_latest_ns ? (double)(s->experiments_latest_ns - now) / 1e9 : 0;
}

/* A fair part of the time left for those that may still run, or what the plan gives it. */
static double part_of_budget(const struct session *s, const struct experiment *e) {
    double left = seconds_left(s);
    size_t waiting = 0;
    for (size_t i = 0; i < s->plan->count; i++)
        waiting += s->results.results[i].id.len == 0 &&
                   session_reason_not_to_run(s, &s->plan->experiments[i]).len == 0;
    double part = left / (double)(waiting ? waiting : 1);
    return e->budget_seconds > 0 && e->budget_seconds < left ? e->budget_seconds : part;
}

static void find_drift(struct session *s, const struct experiment *e, struct span key,
                       struct result *r) {
    const struct plan_fields *ours = journal_contract(&s->journal, e, key);
    drift_find(s->arena, e, ours ? ours : &r->contract, &s->results.environment, e->device, r);
}

static void note(const struct session *s, const struct result *r) {
    struct span text =
        arena_printf(s->arena, "%.*s %s: %.*s", SPAN_ARG(r->id),
                     word_of(&experiment_words, (int)r->status), SPAN_ARG(r->reason));
    progress_note(s->options->progress, "bench", text.at);
}

/* An id says that the result is there. */
static void put_result(struct session *s, size_t at, const struct result *r) {
    note(s, r);
    s->results.results[at] = *r;
    s->done++;
}

/* A result that needs no running: true, and put. Else *r is what it begins with. */
static bool put_without_running(struct session *s, const struct runner *runner, size_t at,
                                bool interrupted, struct result *r) {
    const struct experiment *e = &s->plan->experiments[at];
    *r = result_of(s->arena, e);
    find_drift(s, e, journal_key(s->arena, e, runner->device), r);
    struct span why_not = session_reason_not_to_run(s, e);
    if (why_not.len == 0 && interrupted)
        why_not = SPAN("interrupted before it ran; run assay bench again");
    if (!settled(s, runner, e, why_not.len == 0, r)) {
        if (why_not.len == 0)
            return false;
        r->reason = why_not;
    }
    put_result(s, at, r);
    return true;
}

/* Those to run together. */
struct group {
    struct runner_item *items;
    size_t *at; /* in the plan */
    size_t count;
};

static bool related(const struct session *s, const struct group *g, size_t at) {
    const struct experiment *e = &s->plan->experiments[at];
    for (size_t i = 0; i < g->count; i++)
        if (span_equal(g->items[i].experiment->device, e->device) &&
            family_related(g->items[i].experiment, e))
            return true;
    return false;
}

static bool is_in(const struct group *g, size_t at) {
    size_t i = 0;
    while (i < g->count && g->at[i] != at)
        i++;
    return i < g->count;
}

static void add_to_group(const struct session *s, struct group *g, size_t at,
                         const struct result *r) {
    struct result *own = arena_alloc(s->arena, sizeof *own);
    *own = *r;
    g->items[g->count] = (struct runner_item){&s->plan->experiments[at], own, RUN_MEASURED};
    g->at[g->count++] = at;
}

/* The first, and whatever still has to run and is measured, wholly or in part, by what those in
 * the group are measured by. */
static struct group group_of(struct session *s, const struct runner *runner, size_t first,
                             const struct result *r) {
    size_t most = s->plan->count, before;
    struct group g = {arena_array(s->arena, most, sizeof *g.items),
                      arena_array(s->arena, most, sizeof *g.at), 0};
    add_to_group(s, &g, first, r);
    do {
        before = g.count;
        for (size_t i = 0; i < most; i++) {
            struct result other;
            if (s->results.results[i].id.len == 0 && !is_in(&g, i) && related(s, &g, i) &&
                !put_without_running(s, runner, i, false, &other))
                add_to_group(s, &g, i, &other);
        }
    } while (g.count > before);
    return g;
}

/* Only now the device's name and library are known. */
static void settle_drift(struct session *s, const struct runner *runner,
                         const struct runner_item *item) {
    struct result *r = item->result;
    struct span match = r->match;
    find_drift(s, item->experiment, journal_key(s->arena, item->experiment, runner->device), r);
    if (item->end == RUN_MEASURED && r->status != EXPERIMENT_UNRUN && !span_equal(match, r->match))
        runner_judge(s->arena, runner, item->experiment, r);
}

static bool run_group(struct session *s, const struct runner *runner, const struct group *g,
                      bool *interrupted, struct error *error) {
    double seconds = 0, left = seconds_left(s);
    const struct experiment *first = g->items[0].experiment;
    if (!session_write_environment(s, error))
        return false;
    for (size_t i = 0; i < g->count; i++)
        seconds += part_of_budget(s, g->items[i].experiment);
    progress_step(s->options->progress, "bench", s->done, s->plan->count, 0,
                  arena_string(s->arena, first->title.len ? first->title : first->id));
    if (!runner_run(s->arena, runner, g->items, g->count, seconds < left ? seconds : left,
                    s->experiments_latest_ns, error))
        return false;
    for (size_t i = 0; i < g->count; i++) {
        struct runner_item *item = &g->items[i];
        settle_drift(s, runner, item);
        if (item->end == RUN_UNAVAILABLE) {
            s->unavailable = runner->device;
            s->why = item->result->reason;
        }
        *interrupted |= item->end == RUN_INTERRUPTED;
        put_result(s, g->at[i], item->result);
    }
    return true;
}

static bool one(struct session *s, size_t at, bool *interrupted, struct error *error) {
    struct runner runner = session_runner(s, &s->plan->experiments[at]);
    struct result r;
    if (put_without_running(s, &runner, at, *interrupted, &r))
        return true;
    struct group g = group_of(s, &runner, at, &r);
    return run_group(s, &runner, &g, interrupted, error);
}

/* Relations before absolute values, and those first that take least: what they leave of their time
 * goes to the others. */
static bool runs_before(const struct experiment *a, const struct experiment *b) {
    bool absolute_a = span_equal(a->kind, SPAN("absolute"));
    bool absolute_b = span_equal(b->kind, SPAN("absolute"));
    if (absolute_a != absolute_b)
        return absolute_b;
    return experiment_steps(a) < experiment_steps(b);
}

/* Insertion: stable, and a plan has dozens of experiments at most. */
static size_t *running_order(const struct session *s) {
    size_t *order = arena_array(s->arena, s->plan->count, sizeof *order);
    const struct experiment *e = s->plan->experiments;
    for (size_t i = 0; i < s->plan->count; i++) {
        size_t at = i;
        for (; at > 0 && runs_before(&e[i], &e[order[at - 1]]); at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
    return order;
}

bool session_run(struct session *s, bool *interrupted, struct error *error) {
    *interrupted = false;
    s->results.results = arena_array(s->arena, s->plan->count, sizeof *s->results.results);
    s->results.count = s->plan->count;
    s->order = running_order(s);
    s->experiments_latest_ns = s->latest_ns - (uint64_t)(session_reserve(s) * 1e9);
    for (size_t i = 0; i < s->plan->count; i++) {
        *interrupted |= interrupt_signal() != 0;
        if (s->results.results[s->order[i]].id.len == 0 && !one(s, s->order[i], interrupted, error))
            return false;
    }
    if (!session_explore(s, interrupted, error))
        return false;
    progress_step(s->options->progress, "bench", s->plan->count, s->plan->count, 0, "done");
    return true;
}
