#include "bench/session.h"

#include "bench/explore.h"
#include "core/clock.h"

#include <math.h>

#define RESERVE_MOST 0.25 /* of the time there is, whatever the plan says */

double session_reserve(const struct session *s) {
    double seconds = 0;
    for (size_t i = 0; i < s->plan->exploration_count; i++)
        if (session_reason_not_to_run(s, &s->plan->explorations[i]).len == 0)
            seconds += s->plan->explorations[i].budget_seconds;
    uint64_t now = clock_monotonic_ns();
    double most = now < s->latest_ns ? RESERVE_MOST * (double)(s->latest_ns - now) / 1e9 : 0;
    return seconds < most ? seconds : most;
}

static const struct exploration *previous_one(const struct session *s, struct span id) {
    for (size_t i = 0; i < s->previous.exploration_count; i++)
        if (span_equal(s->previous.explorations[i].id, id))
            return &s->previous.explorations[i];
    return NULL;
}

static size_t disturbed_of(const struct session *s, const struct experiment *e, struct span key) {
    size_t count = 0;
    for (size_t i = 0; i < s->journal.process_count; i++) {
        const struct process_record *p = &s->journal.processes[i];
        count += span_equal(p->experiment, e->id) && span_equal(p->key, key) &&
                 span_equal(p->end, SPAN("finished")) && p->disturbance_count > 0;
    }
    return count;
}

/* What the journal has of it, judged. */
static void judge(struct session *s, const struct experiment *e, struct span key,
                  struct exploration *x) {
    size_t *processes, count = journal_finished(s->arena, &s->journal, e->id, key, &processes);
    if (count == 0)
        return;
    struct series_set set =
        series_build(s->arena, e, s->journal.samples, s->journal.sample_count, processes, count);
    const struct plan_fields *contract = journal_contract(&s->journal, e, key);
    if (contract)
        x->contract = *contract;
    x->measured = true;
    size_t disturbed = disturbed_of(s, e, key);
    x->reason = arena_printf(s->arena, "medians of %zu fresh processes, %zu of them disturbed",
                             count, disturbed);
    explore_judge(s->arena, e, &set, disturbed, x);
}

static bool measure(struct session *s, const struct experiment *e, const struct runner *runner,
                    struct exploration *x, bool *interrupted, struct error *error) {
    struct result unused = {.id = e->id};
    struct runner_item item = {e, &unused, RUN_MEASURED};
    uint64_t now = clock_monotonic_ns();
    double left = now < s->latest_ns ? (double)(s->latest_ns - now) / 1e9 : 0;
    double seconds = e->budget_seconds > 0 && e->budget_seconds < left ? e->budget_seconds : left;
    if (!session_write_environment(s, error))
        return false;
    progress_step(s->options->progress, "bench", s->done, s->plan->count, 0,
                  arena_string(s->arena, e->title));
    if (!runner_run(s->arena, runner, &item, 1, seconds, s->latest_ns, error))
        return false;
    *interrupted |= item.end == RUN_INTERRUPTED;
    x->reason = unused.reason;
    return true;
}

static bool explore(struct session *s, const struct experiment *e, bool *interrupted,
                    struct error *error) {
    struct exploration x = {.id = e->id, .title = e->title, .noise_floor = NAN};
    struct runner runner = session_runner(s, e);
    struct span key = journal_key(s->arena, e, runner.device);
    const struct exploration *before = previous_one(s, e->id);
    struct span why_not = session_reason_not_to_run(s, e);
    if (why_not.len == 0 && *interrupted)
        why_not = SPAN("interrupted before it ran; run assay bench again");
    x.reason = why_not;
    size_t *processes;
    bool done = before && before->measured &&
                journal_finished(s->arena, &s->journal, e->id, key, &processes) > 0;
    if (why_not.len == 0 && !done && !measure(s, e, &runner, &x, interrupted, error))
        return false;
    judge(s, e, key, &x);
    LIST_PUSH(s->arena, s->results.explorations, s->results.exploration_count,
              s->results.exploration_capacity, x);
    return true;
}

bool session_explore(struct session *s, bool *interrupted, struct error *error) {
    for (size_t i = 0; i < s->plan->exploration_count; i++)
        if (!explore(s, &s->plan->explorations[i], interrupted, error))
            return false;
    return true;
}
