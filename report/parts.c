#include "report/sections.h"

void part_claim(struct page *page, const struct claim *claim) {
    page_reference(page, claim->id, claim->label);
}

void part_place(struct page *page, const struct claim *claim) {
    for (size_t i = 0; i < claim->heading_count; i++) {
        page_quote(page, claim->heading[i]);
        page_text(page, i + 1 < claim->heading_count ? SPAN(" › ") : SPAN(", "));
    }
    if (!page->format->nests) {
        page_print(page, "bytes %zu to %zu", claim->start, claim->end);
        return;
    }
    struct buffer id = {0}, text = {0};
    buffer_add(&id, SPAN("text-"));
    buffer_add(&id, claim->id);
    buffer_printf(&text, "bytes %zu to %zu", claim->start, claim->end);
    page_reference(page, buffer_span(&id), buffer_span(&text));
    buffer_free(&id);
    buffer_free(&text);
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
