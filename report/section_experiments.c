/* Section 6: what was rerun, what should be, and by which rule it counts. */
#include "report/sections.h"

#include <math.h>

static const char *const columns[] = {
    "Experiment", "Contract", "Method", "Criteria", "Status", "Claimed and measured", "Drift"};

static void cell_title(struct page *page, const struct view *view, const struct result *result) {
    page_cell(page);
    page_reference(page, result->id, result->id);
    page_text(page, SPAN(" "));
    page_quote(page, result->title);
    page_break(page);
    page_text(page, SPAN("claims "));
    part_claim_list(page, view, result->claims, result->claim_count);
    page_cell_end(page);
}

static void cell_fields(struct page *page, const struct plan_fields *fields) {
    page_cell(page);
    for (size_t i = 0; i < fields->count; i++) {
        if (i)
            page_break(page);
        page_quote(page, fields->items[i].name);
        page_text(page, SPAN(": "));
        page_quote(page, fields->items[i].value);
    }
    page_cell_end(page);
}

static void cell_criteria(struct page *page, const struct result *result) {
    page_cell(page);
    page_text(page, SPAN("success: "));
    page_quote(page, result->success);
    page_break(page);
    page_text(page, SPAN("failure: "));
    page_quote(page, result->failure);
    page_cell_end(page);
}

static void cell_status(struct page *page, const struct result *result) {
    page_cell(page);
    page_strong(page, word_of(&experiment_words, (int)result->status));
    page_text(page, SPAN(": "));
    page_quote(page, result->reason);
    page_cell_end(page);
}

static void write_measured(struct page *page, const struct measured *measured) {
    page_break(page);
    page_quote(page, measured->variant);
    page_text(page, SPAN(": "));
    part_number(page, measured->median);
    page_text(page, SPAN(" "));
    page_quote(page, measured->unit);
    page_text(page, SPAN(", 95 % interval "));
    if (isfinite(measured->ci_lo) && isfinite(measured->ci_hi))
        page_print(page, "%.6g to %.6g", measured->ci_lo, measured->ci_hi);
    else
        page_text(page, SPAN("UNVERIFIED (too few processes)"));
    page_print(page, ", %zu processes, %zu samples, %zu outliers", measured->n, measured->samples,
               measured->outliers);
}

static void cell_numbers(struct page *page, const struct result *result) {
    page_cell(page);
    page_text(page, SPAN("claimed: "));
    page_known(page, result->claimed.len ? result->claimed : result->relation);
    if (result->unit.len) {
        page_text(page, SPAN(" "));
        page_quote(page, result->unit);
    }
    if (isfinite(result->claimed_lo) && isfinite(result->claimed_hi))
        page_print(page, " (digits stand for %.9g to %.9g)", result->claimed_lo,
                   result->claimed_hi);
    for (size_t i = 0; i < result->measured_count; i++)
        write_measured(page, &result->measured[i]);
    if (result->measured_count == 0) {
        page_break(page);
        page_text(page, SPAN("measured: nothing"));
    }
    if (isfinite(result->noise_floor)) {
        page_break(page);
        page_print(page, "noise floor %.2g %%", 100 * result->noise_floor);
    }
    page_cell_end(page);
}

static void cell_drift(struct page *page, const struct result *result) {
    page_cell(page);
    for (size_t i = 0; i < result->drift_count; i++) {
        if (i)
            page_break(page);
        page_quote(page, result->drift[i].field);
        page_text(page, SPAN(": "));
        page_quote(page, result->drift[i].claimed);
        page_text(page, SPAN(" → "));
        page_quote(page, result->drift[i].ours);
    }
    if (result->drift_count == 0 && result->status != EXPERIMENT_UNRUN)
        page_text(page, SPAN("none"));
    if (result->status == EXPERIMENT_UNRUN && result->drift_count == 0)
        page_text(page, SPAN("UNRUN: not known"));
    page_cell_end(page);
}

static void experiment_row(struct page *page, const struct view *view,
                           const struct result *result) {
    struct page_row row = {.id = result->id,
                           .state = word_of(&experiment_words, (int)result->status)};
    page_row_begin(page, &row);
    cell_title(page, view, result);
    cell_fields(page, &result->contract);
    page_cell_text(page, result->method);
    cell_criteria(page, result);
    cell_status(page, result);
    cell_numbers(page, result);
    cell_drift(page, result);
    page_row_end(page);
}

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

static void pictures(struct page *page, const struct plots *plots) {
    if (!plots || plots->count == 0)
        return;
    page_heading(page, 3, "pictures", "Samples and medians");
    if (plots->reason)
        page_paragraph(page, "No pictures: %s. The numbers are in plots/ as CSV.", plots->reason);
    for (size_t i = 0; i < plots->count; i++) {
        const struct plot *plot = &plots->items[i];
        if (plot->svg.len)
            page_figure(page, plot->file, plot->svg, plot->title, plot->alt);
        page_begin(page, PAGE_PARAGRAPH);
        page_text(page, SPAN("Its numbers: "));
        page_code(page, span_of(plot->table));
        page_text(page, SPAN(" beside this report."));
        page_end(page, PAGE_PARAGRAPH);
    }
}

static void environment(struct page *page, const struct view *view) {
    static const char *const names[] = {"Field", "Value"};
    static const struct page_table table = {"Environment of the measurements", names, 2, false};
    if (view->results.environment.count == 0)
        return;
    page_details(page, "Environment of the measurements");
    page_table_begin(page, &table);
    for (size_t i = 0; i < view->results.environment.count; i++) {
        page_row_begin(page, NULL);
        page_cell_text(page, view->results.environment.items[i].name);
        page_cell_text(page, view->results.environment.items[i].value);
        page_row_end(page);
    }
    page_table_end(page);
    page_details_end(page);
}

static void counts(struct page *page, const struct view *view) {
    const size_t *in = view->counts.experiments_in_status;
    page_begin(page, PAGE_PARAGRAPH);
    part_count(page, view->results.count, "experiment", "experiments");
    for (int status = 0; status <= EXPERIMENT_FAILED; status++)
        page_print(page, "%s %zu %s", status ? "," : ":", in[status],
                   word_of(&experiment_words, status));
    page_text(page, SPAN("."));
    page_end(page, PAGE_PARAGRAPH);
}

void section_experiments(struct page *page, const struct report_content *content) {
    static const struct page_table table = {"Experiments", columns, 7, true};
    const struct view *view = content->view;
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
    page_table_begin(page, &table);
    for (size_t i = 0; i < view->results.count; i++)
        experiment_row(page, view, &view->results.results[i]);
    page_table_end(page);
    pictures(page, content->plots);
    logs(page, view);
    environment(page, view);
}
