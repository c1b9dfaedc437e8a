#include "report/sections.h"

bool part_scope_is(const struct view *view, const char *scope) {
    return span_equal(view->pass->scope, span_of(scope));
}

void part_claim(struct page *page, const struct claim *claim) {
    page_reference(page, claim->id, claim->label);
}

void part_place(struct page *page, const struct view *view, const struct claim *claim) {
    for (size_t i = 0; i < claim->heading_count; i++) {
        page_quote(page, claim->heading[i]);
        page_text(page, i + 1 < claim->heading_count ? SPAN(" › ") : SPAN(", "));
    }
    struct buffer id = {0}, text = {0};
    buffer_add(&id, SPAN("text-"));
    buffer_add(&id, claim->id);
    buffer_printf(&text, "line %zu, bytes %zu to %zu", view_position(view, claim->start).line,
                  claim->start, claim->end);
    if (page->format->nests)
        page_reference(page, buffer_span(&id), buffer_span(&text));
    else
        page_text(page, buffer_span(&text));
    buffer_free(&id);
    buffer_free(&text);
}

/* Beyond so many lines the rest is counted. */
enum { MOST_LINES = 8 };

void part_lines(struct page *page, const struct view *view, const struct finding_place *places,
                size_t count) {
    size_t seen[MOST_LINES], shown = 0, more = 0;
    for (size_t i = 0; i < count; i++) {
        size_t line = view_position(view, places[i].start).line, k = 0;
        while (k < shown && seen[k] != line)
            k++;
        if (k < shown)
            continue;
        if (shown == MOST_LINES) {
            more++;
            continue;
        }
        seen[shown++] = line;
    }
    for (size_t i = 0; i < shown; i++)
        page_print(page, "%s%zu", i ? ", " : shown == 1 ? "line " : "lines ", seen[i]);
    if (more)
        page_print(page, " and %zu more places", more);
}

void part_claim_list(struct page *page, const struct view *view, const struct span *ids,
                     size_t count) {
    for (size_t i = 0; i < count; i++) {
        const struct view_claim *item = view_claim_of(view, ids[i]);
        if (i)
            page_text(page, SPAN(", "));
        if (item)
            part_claim(page, item->claim);
        else
            page_quote(page, ids[i]);
    }
    if (count == 0)
        page_text(page, SPAN("UNVERIFIED"));
}

void part_checks_completed(struct page *page, const struct view *view) {
    if (!view->has[VIEW_FINDINGS])
        page_text(page, SPAN("no checks ran (findings.json is missing)"));
    else
        page_print(page, "%zu of %zu checks completed", view->findings.checks_completed,
                   view->findings.checks_total);
}

bool part_was_checked(const struct view *view) {
    return view->has[VIEW_FINDINGS] && view->claims.count > 0 &&
           view->findings.checks_completed > 0;
}

void part_count(struct page *page, size_t count, const char *one, const char *many) {
    page_print(page, "%zu %s", count, count == 1 ? one : many);
}

void part_finding(struct page *page, const struct finding *finding) {
    page_quote(page, finding->message);
    if (finding->expression.len) {
        page_text(page, SPAN(" "));
        page_code(page, finding->expression);
    }
    page_text(page, SPAN(" (check "));
    page_quote(page, finding->check);
    page_text(page, SPAN(")"));
}

void part_short(struct page *page, struct span text, size_t limit) {
    size_t cut;
    struct buffer visible = {0};
    page_visible(&visible, text, limit, &cut);
    if (cut)
        buffer_add(&visible, SPAN("…"));
    page_quote(page, buffer_span(&visible));
    buffer_free(&visible);
}

void part_drift(struct page *page, const struct drift *drift, size_t limit) {
    page_quote(page, drift->field);
    page_text(page, SPAN(": "));
    part_short(page, drift->claimed, limit);
    page_text(page, SPAN(" → "));
    part_short(page, drift->ours, limit);
}
