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

static bool has_field(const struct plan_fields *fields, const struct plan_field *field) {
    for (size_t i = 0; i < fields->count; i++)
        if (span_equal(fields->items[i].name, field->name))
            return span_equal(fields->items[i].value, field->value);
    return false;
}

/* Contract fields with one value in every experiment that has a contract: said once. */
static struct plan_fields shared_fields(const struct view *view) {
    struct plan_fields shared = {0};
    const struct plan_fields *first = NULL;
    size_t contracts = 0;
    for (size_t i = 0; i < view->results.count; i++) {
        const struct plan_fields *fields = &view->results.results[i].contract;
        if (fields->count && !first)
            first = fields;
        contracts += fields->count > 0;
    }
    for (size_t k = 0; contracts > 1 && k < first->count; k++) {
        bool everywhere = true;
        for (size_t i = 0; i < view->results.count && everywhere; i++)
            everywhere = view->results.results[i].contract.count == 0 ||
                         has_field(&view->results.results[i].contract, &first->items[k]);
        if (everywhere)
            LIST_PUSH(view->arena, shared.items, shared.count, shared.capacity, first->items[k]);
    }
    return shared;
}

static void cell_contract(struct page *page, const struct plan_fields *fields,
                          const struct plan_fields *shared) {
    size_t parts = 0;
    page_cell(page);
    for (size_t i = 0; i < fields->count; i++) {
        if (has_field(shared, &fields->items[i]))
            continue;
        if (parts++)
            page_break(page);
        page_quote(page, fields->items[i].name);
        page_text(page, SPAN(": "));
        page_quote(page, fields->items[i].value);
    }
    if (fields->count && parts == 0)
        page_text(page, SPAN("as shared"));
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
    if (isfinite(measured->median))
        page_print(page, "%.4g", measured->median);
    else
        page_text(page, SPAN("UNVERIFIED"));
    page_text(page, SPAN(" "));
    page_quote(page, measured->unit);
    page_text(page, SPAN(", 95 % interval "));
    if (isfinite(measured->ci_lo) && isfinite(measured->ci_hi))
        page_print(page, "%.4g to %.4g", measured->ci_lo, measured->ci_hi);
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

static void experiment_row(struct page *page, const struct view *view, const struct result *result,
                           const struct plan_fields *shared) {
    struct page_row row = {.id = result->id,
                           .state = word_of(&experiment_words, (int)result->status)};
    page_row_begin(page, &row);
    cell_title(page, view, result);
    cell_contract(page, &result->contract, shared);
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

static void picture(struct page *page, const struct plot *plot) {
    if (plot->svg.len)
        page_figure(page, plot->file, plot->svg, plot->title, plot->alt);
    page_begin(page, PAGE_PARAGRAPH);
    page_text(page, SPAN("Its numbers: "));
    page_code(page, span_of(plot->table));
    page_text(page, SPAN(" beside this report."));
    page_end(page, PAGE_PARAGRAPH);
}

/* Comparisons are shown; single measurements, often many, are folded. */
static void pictures(struct page *page, const struct view *view, const struct plots *plots) {
    size_t single = 0;
    if (!plots || plots->count == 0)
        return;
    page_heading(page, 3, "pictures", "Samples and medians");
    if (plots->reason)
        page_paragraph(page, "No pictures: %s. The numbers are in plots/ as CSV.", plots->reason);
    for (size_t i = 0; i < plots->count; i++)
        if (view->results.results[plots->items[i].result].measured_count > 1)
            picture(page, &plots->items[i]);
        else
            single++;
    if (single == 0)
        return;
    page_details(page, "%zu with one variant", single);
    for (size_t i = 0; i < plots->count; i++)
        if (view->results.results[plots->items[i].result].measured_count <= 1)
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
    struct plan_fields shared = shared_fields(view);
    field_table(page, "Contract that all experiments share", &shared);
    page_table_begin(page, &table);
    for (size_t i = 0; i < view->results.count; i++)
        experiment_row(page, view, &view->results.results[i], &shared);
    page_table_end(page);
    pictures(page, view, content->plots);
    logs(page, view);
    field_table(page, "Environment of the measurements", &view->results.environment);
}
