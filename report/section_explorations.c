/* In section 6: where a workload's time goes on this machine, and what single changes of it do. */
#include "report/sections.h"

#include <math.h>

static void number(struct page *page, double value) {
    page_cell(page);
    if (isfinite(value))
        page_print(page, "%.3g", value);
    else
        page_text(page, SPAN("not measured"));
    page_cell_end(page);
}

static void share(struct page *page, double value) {
    page_cell(page);
    if (isfinite(value))
        page_print(page, "%.0f %%", 100 * value);
    else
        page_text(page, SPAN("not measured"));
    page_cell_end(page);
}

static void where_time_goes(struct page *page, const struct localization_result *l) {
    static const char *const columns[] = {
        "Part", "ms", "GFLOP/s", "of GEMM here", "GB/s", "of copying here", "Limited by"};
    static const struct page_table table = {"Where the time of a step goes", columns, 7, false};
    if (!l->known)
        return;
    page_begin(page, PAGE_PARAGRAPH);
    page_text(page, SPAN("Limited by "));
    page_quote(page, l->limit);
    page_text(page, SPAN(": "));
    page_quote(page, l->proof);
    page_print(
        page,
        ". Submitting a step takes %.3g ms, doing it %.3g ms in a loop and %.3g ms when it "
        "is waited for; measured beside it, GEMM reaches %.3g GFLOP/s and copying %.3g GB/s.",
        l->host_ms, l->step_ms, l->synchronized_ms, l->gemm_gflops, l->copy_gbs);
    page_end(page, PAGE_PARAGRAPH);
    page_table_begin(page, &table);
    for (size_t i = 0; i < l->phase_count; i++) {
        const struct phase_row *row = &l->phases[i];
        page_row_begin(page, NULL);
        page_cell_text(page, row->name);
        number(page, row->ms);
        number(page, row->gflops);
        share(page, row->of_gemm);
        number(page, row->gbs);
        share(page, row->of_copy);
        page_cell_text(page, row->limit);
        page_row_end(page);
    }
    page_table_end(page);
}

static void dimensions(struct page *page, const struct change_result *change) {
    page_cell(page);
    for (size_t i = 0; i < change->dimension_count; i++) {
        const struct dimension *d = &change->dimensions[i];
        if (i)
            page_break(page);
        page_quote(page, d->name);
        page_text(page, SPAN(": "));
        if (isfinite(d->before) && isfinite(d->after))
            page_print(page, "%.3g → %.3g ", d->before, d->after);
        else
            page_text(page, SPAN("not measured, "));
        page_quote(page, d->unit);
    }
    if (change->dimension_count == 0)
        page_text(page, SPAN("nothing"));
    page_cell_end(page);
}

static void what_changes_do(struct page *page, const struct exploration *x) {
    static const char *const columns[] = {"Change", "Verdict", "Measured, before and after"};
    static const struct page_table table = {"Single changes", columns, 3, false};
    if (x->change_count == 0)
        return;
    page_table_begin(page, &table);
    for (size_t i = 0; i < x->change_count; i++) {
        const struct change_result *change = &x->changes[i];
        page_row_begin(page, NULL);
        page_cell_text(page, change->name);
        page_cell(page);
        page_quote(page, change->verdict);
        page_text(page, SPAN(": "));
        page_quote(page, change->reason);
        page_cell_end(page);
        dimensions(page, change);
        page_row_end(page);
    }
    page_table_end(page);
}

void part_explorations(struct page *page, const struct view *view) {
    for (size_t i = 0; i < view->results.exploration_count; i++) {
        const struct exploration *x = &view->results.explorations[i];
        if (!x->measured) {
            page_begin(page, PAGE_PARAGRAPH);
            page_quote(page, x->title);
            page_text(page, SPAN(": not measured: "));
            page_quote(page, x->reason);
            page_end(page, PAGE_PARAGRAPH);
            continue;
        }
        page_details(page, "%.*s (%.*s; no claim is judged by it)", SPAN_ARG(x->title),
                     SPAN_ARG(x->reason));
        where_time_goes(page, &x->localization);
        what_changes_do(page, x);
        page_details_end(page);
    }
}
