/* One experiment as a row of section 6. */
#include "report/experiments.h"
#include "report/sections.h"

#include <math.h>

/* Longest value of a contract or drift in a cell, in bytes: results.json has the whole. */
enum { VALUE_LIMIT = 90 };

static const char *const columns[] = {"Experiment", "Contract", "Method", "Status",
                                      "Claimed",    "Measured", "Drift"};
const struct page_table experiment_table = {"Experiments", columns, 7, true};

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

static bool has_field(const struct plan_fields *fields, struct span name) {
    for (size_t i = 0; i < fields->count; i++)
        if (span_equal(fields->items[i].name, name))
            return true;
    return false;
}

static bool has_drift(const struct experiments_shared *shared, struct span field) {
    for (size_t i = 0; i < shared->drift_count; i++)
        if (span_equal(shared->drift[i].field, field))
            return true;
    return false;
}

static void cell_contract(struct page *page, const struct plan_fields *fields,
                          const struct experiments_shared *shared) {
    size_t parts = 0;
    page_cell(page);
    for (size_t i = 0; i < fields->count; i++) {
        if (has_field(&shared->contract, fields->items[i].name))
            continue;
        if (parts++)
            page_break(page);
        page_quote(page, fields->items[i].name);
        page_text(page, SPAN(": "));
        part_short(page, fields->items[i].value, VALUE_LIMIT);
    }
    if (fields->count && parts == 0)
        page_text(page, SPAN("as shared"));
    page_cell_end(page);
}

static void cell_method(struct page *page, const struct result *result,
                        const struct experiments_shared *shared) {
    page_cell(page);
    for (size_t i = 0; i < shared->method_count; i++) {
        const struct experiment_method *method = &shared->methods[i];
        if (span_equal(method->method, result->method) &&
            span_equal(method->success, result->success) &&
            span_equal(method->failure, result->failure))
            page_reference(page, method->label, method->label);
    }
    page_cell_end(page);
}

static void cell_status(struct page *page, const struct result *result) {
    page_cell(page);
    page_strong(page, word_of(&experiment_words, (int)result->status));
    page_text(page, SPAN(": "));
    page_quote(page, result->reason);
    page_cell_end(page);
}

static void cell_claimed(struct page *page, const struct result *result) {
    page_cell(page);
    page_quote(page, result->claimed.len ? result->claimed : result->relation);
    if (result->unit.len) {
        page_text(page, SPAN(" "));
        page_quote(page, result->unit);
    }
    if (isfinite(result->claimed_lo) && isfinite(result->claimed_hi))
        page_print(page, " (digits stand for %.9g to %.9g)", result->claimed_lo,
                   result->claimed_hi);
    page_cell_end(page);
}

static void write_measured(struct page *page, const struct measured *measured) {
    page_quote(page, measured->variant);
    page_text(page, SPAN(": "));
    if (isfinite(measured->median))
        page_print(page, "%.4g", measured->median);
    else
        page_text(page, SPAN("UNVERIFIED"));
    page_text(page, SPAN(" "));
    page_quote(page, measured->unit);
    if (isfinite(measured->ci_lo) && isfinite(measured->ci_hi))
        page_print(page, " (95 %% %.4g to %.4g; ", measured->ci_lo, measured->ci_hi);
    else
        page_text(page, SPAN(" (interval UNVERIFIED; "));
    part_count(page, measured->n, "process", "processes");
    page_text(page, SPAN(", "));
    part_count(page, measured->samples, "sample", "samples");
    if (measured->outliers) {
        page_text(page, SPAN(", "));
        part_count(page, measured->outliers, "outlier", "outliers");
    }
    page_text(page, SPAN(")"));
}

static void cell_measured(struct page *page, const struct result *result) {
    page_cell(page);
    for (size_t i = 0; i < result->measured_count; i++) {
        if (i)
            page_break(page);
        write_measured(page, &result->measured[i]);
    }
    if (result->measured_count == 0)
        page_text(page, SPAN("nothing"));
    if (isfinite(result->noise_floor)) {
        page_break(page);
        page_print(page, "noise floor %.2g %%", 100 * result->noise_floor);
    }
    page_cell_end(page);
}

static void cell_drift(struct page *page, const struct result *result,
                       const struct experiments_shared *shared) {
    size_t in_shared = 0, parts = 0;
    page_cell(page);
    for (size_t i = 0; i < result->drift_count; i++) {
        if (has_drift(shared, result->drift[i].field)) {
            in_shared++;
            continue;
        }
        if (parts++)
            page_break(page);
        part_drift(page, &result->drift[i], VALUE_LIMIT);
    }
    if (in_shared && parts)
        page_break(page);
    if (in_shared == shared->drift_count && in_shared)
        page_text(page, parts ? SPAN("and as shared") : SPAN("as shared"));
    else if (in_shared)
        page_print(page, "%s%zu of the %zu shared", parts ? "and " : "", in_shared,
                   shared->drift_count);
    if (result->drift_count == 0)
        page_text(page,
                  result->status == EXPERIMENT_UNRUN ? SPAN("UNRUN: not known") : SPAN("none"));
    page_cell_end(page);
}

void experiment_row(struct page *page, const struct view *view, const struct result *result,
                    const struct experiments_shared *shared) {
    struct page_row row = {.id = result->id,
                           .state = word_of(&experiment_words, (int)result->status)};
    page_row_begin(page, &row);
    cell_title(page, view, result);
    cell_contract(page, &result->contract, shared);
    cell_method(page, result, shared);
    cell_status(page, result);
    cell_claimed(page, result);
    cell_measured(page, result);
    cell_drift(page, result, shared);
    page_row_end(page);
}
