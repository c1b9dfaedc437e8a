/* Section 6: what was rerun, what should be, and by which rule it counts. */
#include "report/experiments.h"
#include "report/sections.h"

static void logs(struct page *page, const struct view *view) {
    for (size_t i = 0; i < view->results.count; i++) {
        const struct result *result = &view->results.results[i];
        if (result->log.len == 0)
            continue;
        page_details(page, "%.*s: the last lines it wrote before it ended", SPAN_ARG(result->id));
        page_code_block(page, "text", result->log);
        page_details_end(page);
    }
}

/* Pictures of the pass and of experiments that decided something are shown; the others, often many,
 * are folded. */
static bool is_decided(const struct view *view, const struct plot *plot) {
    if (plot->result == PLOT_OF_PASS)
        return true;
    enum experiment_status status = view->results.results[plot->result].status;
    return status == EXPERIMENT_REPRODUCED || status == EXPERIMENT_NOT_REPRODUCED;
}

static void picture(struct page *page, const struct plot *plot) {
    page_figure(page, plot->file, plot->table, plot->svg, plot->title, plot->alt);
}

static void pictures(struct page *page, const struct view *view, const struct plots *plots) {
    size_t folded = 0;
    if (!plots || plots->count == 0)
        return;
    page_heading(page, 3, "pictures", "Pictures");
    if (plots->reason)
        page_paragraph(page, "No pictures: %s. The numbers are in plots/ as CSV.", plots->reason);
    for (size_t i = 0; i < plots->count; i++)
        if (is_decided(view, &plots->items[i]))
            picture(page, &plots->items[i]);
        else
            folded++;
    if (folded == 0)
        return;
    page_details(page, "%zu more, of experiments that decided nothing", folded);
    for (size_t i = 0; i < plots->count; i++)
        if (!is_decided(view, &plots->items[i]))
            picture(page, &plots->items[i]);
    page_details_end(page);
}

static void field_table(struct page *page, const char *title, const struct plan_fields *fields) {
    static const char *const names[] = {"Field", "Value"};
    struct page_table table = {title, names, 2, false};
    if (fields->count == 0)
        return;
    page_details(page, "%s", title);
    page_table_begin(page, &table);
    for (size_t i = 0; i < fields->count; i++) {
        page_row_begin(page, NULL);
        page_cell_text(page, fields->items[i].name);
        page_cell_text(page, fields->items[i].value);
        page_row_end(page);
    }
    page_table_end(page);
    page_details_end(page);
}

static void shared_drift(struct page *page, const struct experiments_shared *shared) {
    if (shared->drift_count == 0)
        return;
    page_details(page, "Drift from the claims that the experiments share: %zu %s",
                 shared->drift_count, shared->drift_count == 1 ? "field" : "fields");
    page_begin(page, PAGE_LIST);
    for (size_t i = 0; i < shared->drift_count; i++) {
        page_begin(page, PAGE_ITEM);
        part_drift(page, &shared->drift[i], 0);
        page_end(page, PAGE_ITEM);
    }
    page_end(page, PAGE_LIST);
    page_details_end(page);
}

static void methods(struct page *page, const struct experiments_shared *shared) {
    static const char *const names[] = {"Method", "What is done", "Success", "Failure"};
    static const struct page_table table = {"Methods and criteria", names, 4, false};
    page_heading(page, 3, "methods", "Methods and criteria");
    page_table_begin(page, &table);
    for (size_t i = 0; i < shared->method_count; i++) {
        const struct experiment_method *method = &shared->methods[i];
        struct page_row row = {.id = method->label};
        page_row_begin(page, &row);
        page_cell_text(page, method->label);
        page_cell_text(page, method->method);
        page_cell_text(page, method->success);
        page_cell_text(page, method->failure);
        page_row_end(page);
    }
    page_table_end(page);
}

static void counts(struct page *page, const struct view *view) {
    const size_t *in = view->counts.experiments_in_status;
    size_t shown = 0;
    page_begin(page, PAGE_PARAGRAPH);
    part_count(page, view->results.count, "experiment", "experiments");
    for (int status = 0; status <= EXPERIMENT_FAILED; status++)
        if (in[status])
            page_print(page, "%s %zu %s", shown++ ? "," : ":", in[status],
                       word_of(&experiment_words, status));
    page_text(page, SPAN("."));
    page_end(page, PAGE_PARAGRAPH);
}

static void table_of(struct page *page, const struct view *view,
                     const struct experiments_shared *shared, bool judged) {
    page_table_begin(page, &experiment_table);
    for (size_t i = 0; i < view->results.count; i++)
        if (experiment_was_judged(&view->results.results[i]) == judged)
            experiment_row(page, view, &view->results.results[i], shared);
    page_table_end(page);
}

/* What this machine could judge comes first; what waits for another one is folded beside it. */
static void tables(struct page *page, const struct view *view,
                   const struct experiments_shared *shared) {
    const size_t *in = view->counts.experiments_in_status;
    size_t waiting = in[EXPERIMENT_UNRUN] + in[EXPERIMENT_NOT_COMPARABLE];
    if (waiting < view->results.count)
        table_of(page, view, shared, true);
    if (waiting == 0)
        return;
    if (waiting < view->results.count)
        page_details(page, "%zu that this machine could not judge: %zu NOT COMPARABLE, %zu UNRUN",
                     waiting, in[EXPERIMENT_NOT_COMPARABLE], in[EXPERIMENT_UNRUN]);
    table_of(page, view, shared, false);
    if (waiting < view->results.count)
        page_details_end(page);
}

void section_experiments(struct page *page, const struct report_content *content) {
    const struct view *view = content->view;
    struct experiments_shared shared;
    if (!view->has[VIEW_PLAN] && !view->has[VIEW_RESULTS]) {
        page_paragraph(page,
                       "plan.json and results.json are missing: nothing was planned or run. "
                       "Every measurement claim of section 2 is UNRUN, because the bench stage "
                       "did not run on this pass (run it with: assay bench PASS).");
        return;
    }
    counts(page, view);
    if (view->results.count == 0) {
        page_paragraph(page,
                       "No claim of the text that was read can be rerun by a workload of this "
                       "program, so no experiment was planned.");
        return;
    }
    experiments_share(view, &shared);
    tables(page, view, &shared);
    field_table(page, "Contract that the experiments share", &shared.contract);
    shared_drift(page, &shared);
    methods(page, &shared);
    part_explorations(page, view);
    pictures(page, view, content->plots);
    logs(page, view);
    field_table(page, "Environment of the measurements", &view->results.environment);
}
