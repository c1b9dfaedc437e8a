/* Stage 3 from the pass's folder to the pass's folder. */
#include "bench/bench.h"

#include "bench/environment.h"
#include "bench/plan.h"
#include "bench/session.h"
#include "core/clock.h"
#include "core/interrupt.h"

#define BUDGET_SECONDS 60

/* --- plan.json --- */

static bool read_brief(struct arena *arena, const struct pass *pass, struct brief *brief,
                       const struct brief **found, struct error *error) {
    struct span json;
    *found = NULL;
    if (!pass_has(pass, "brief.json"))
        return true;
    *found = brief;
    return pass_read(arena, pass, "brief.json", &json, error) &&
           brief_read(arena, json, "brief.json", brief, error);
}

static bool make_plan(struct arena *arena, const struct pass *pass,
                      const struct bench_options *options, struct plan *plan, struct error *error) {
    struct span json;
    struct claims claims = {0};
    struct brief brief = {0};
    const struct brief *known;
    if (!pass_has(pass, "claims.json"))
        return error_set(error, ERROR_INPUT, "claims.json", "Run assay audit on this pass first.",
                         "this pass has no claims to plan experiments for");
    if (!pass_read(arena, pass, "claims.json", &json, error) ||
        !claims_read(arena, json, "claims.json", &claims, error) ||
        !read_brief(arena, pass, &brief, &known, error) ||
        !plan_build(arena, &claims, known, options->backend, options->budget_seconds, plan, error))
        return false;
    struct buffer text = {0};
    plan_write(&text, plan);
    bool fine = pass_write(pass, "plan.json", buffer_span(&text), error);
    buffer_free(&text);
    return fine;
}

static bool get_plan(struct arena *arena, const struct pass *pass,
                     const struct bench_options *options, struct plan *plan, struct error *error) {
    struct span json;
    *plan = (struct plan){0};
    if (!pass_has(pass, "plan.json"))
        return make_plan(arena, pass, options, plan, error);
    return pass_read(arena, pass, "plan.json", &json, error) &&
           plan_read(arena, json, "plan.json", plan, error);
}

static bool has_experiment(const struct plan *plan, struct span id) {
    for (size_t i = 0; i < plan->count; i++)
        if (span_equal(plan->experiments[i].id, id))
            return true;
    for (size_t i = 0; i < plan->exploration_count; i++)
        if (span_equal(plan->explorations[i].id, id))
            return true;
    return false;
}

/* --only with a name that is not there is a mistake, not an empty selection. */
static bool check_selection(const struct plan *plan, const struct bench_options *options,
                            struct error *error) {
    for (size_t i = 0; options->only && options->only[i]; i++) {
        if (!has_experiment(plan, span_of(options->only[i])))
            return error_set(error, ERROR_USAGE, "--only",
                             "`assay bench --list PASS` shows the experiments.",
                             "the plan has no experiment '%s'", options->only[i]);
    }
    return true;
}

/* --- the session --- */

static double budget_of(const struct bench_options *options, const struct plan *plan) {
    if (options->budget_seconds > 0)
        return options->budget_seconds;
    return plan->budget_seconds > 0 ? plan->budget_seconds : BUDGET_SECONDS;
}

static bool read_previous(struct arena *arena, const struct pass *pass, struct results *previous,
                          struct error *error) {
    struct span json;
    *previous = (struct results){0};
    return !pass_has(pass, "results.json") ||
           (pass_read(arena, pass, "results.json", &json, error) &&
            results_read(arena, json, "results.json", previous, error));
}

static bool write_results(const struct pass *pass, const struct results *results,
                          struct error *error) {
    struct buffer text = {0};
    results_write(&text, results);
    bool fine = pass_write(pass, "results.json", buffer_span(&text), error);
    buffer_free(&text);
    return fine;
}

/* "2 of 9 experiments did not run, 1 broke"; NULL when all have a verdict. */
static const char *what_is_missing(struct arena *arena, const struct results *results) {
    size_t unrun = 0, failed = 0;
    for (size_t i = 0; i < results->count; i++) {
        unrun += results->results[i].status == EXPERIMENT_UNRUN;
        failed += results->results[i].status == EXPERIMENT_FAILED;
    }
    if (unrun + failed == 0)
        return NULL;
    return arena_printf(arena, "of %zu experiments %zu did not run and %zu failed", results->count,
                        unrun, failed)
        .at;
}

static bool finish(struct session *s, struct pass *pass, bool interrupted, struct error *error) {
    const char *missing = what_is_missing(s->arena, &s->results);
    s->results.finished_at = clock_rfc3339(s->arena, clock_now());
    if (!write_results(pass, &s->results, error))
        return false;
    enum stage_state state = interrupted ? STAGE_INTERRUPTED
                             : missing   ? STAGE_PARTIAL
                                         : STAGE_COMPLETE;
    return pass_stage_end(s->arena, pass, STAGE_BENCH, state, missing, error) &&
           (!interrupted || interrupt_check("bench", error));
}

static bool measure(struct session *s, struct pass *pass, struct error *error) {
    bool interrupted;
    environment_describe(s->arena, &s->results.environment);
    if (!s->options->skip) /* without measurements equal input gives equal artifacts */
        environment_describe_now(s->arena, &s->results.environment);
    s->environment_id = environment_id(s->arena, &s->results.environment);
    s->folder = pass_path(s->arena, pass, ".");
    s->results.started_at = clock_rfc3339(s->arena, clock_now());
    return read_previous(s->arena, pass, &s->previous, error) &&
           journal_load(s->arena, pass_path(s->arena, pass, "measurements.jsonl"), &s->journal,
                        error) &&
           session_run(s, &interrupted, error) && finish(s, pass, interrupted, error);
}

bool bench_pass(struct arena *arena, struct pass *pass, const struct bench_options *options,
                struct error *error) {
    struct plan plan;
    uint64_t started = clock_monotonic_ns();
    if (options->list)
        return get_plan(arena, pass, options, &plan, error);
    if (!pass_stage_begin(arena, pass, STAGE_BENCH, error))
        return false;
    bool fine =
        get_plan(arena, pass, options, &plan, error) && check_selection(&plan, options, error);
    if (fine) {
        double budget = budget_of(options, &plan);
        struct session session = {.arena = arena,
                                  .options = options,
                                  .plan = &plan,
                                  .latest_ns = started + (uint64_t)(budget * 1e9)};
        fine = measure(&session, pass, error);
    }
    if (!fine && error->kind != ERROR_INTERRUPTED)
        pass_stage_end(arena, pass, STAGE_BENCH, STAGE_FAILED, error->message, NULL);
    return fine;
}
