/* What changed since the last known snapshot, and which claims that touches. */
#include "report/sections.h"

static void before(struct page *page, const struct snapshot_change *change) {
    for (size_t i = 0; i < change->claim_count; i++) {
        const struct snapshot_claim *claim = &change->claims[i];
        page_print(page, i ? "; " : " Touches of the earlier pass: ");
        part_short(page, claim->label, 20);
        page_text(page, SPAN(" \xE2\x80\x9C"));
        part_short(page, claim->quote, 120);
        page_text(page, SPAN("\xE2\x80\x9D"));
    }
    if (change->claim_count)
        page_text(page, SPAN("."));
}

static void now(struct page *page, const struct view *view, const struct snapshot_change *change) {
    size_t shown = 0;
    for (size_t i = 0; i < view->claims.count; i++) {
        const struct claim *claim = &view->claims.claims[i];
        if (claim->start >= change->new_end)
            break; /* claims are in order of the text */
        if (claim->end <= change->new_start)
            continue;
        page_text(page, shown++ ? SPAN(", ") : SPAN(" Claims there now: "));
        part_claim(page, claim);
    }
    if (shown)
        page_text(page, SPAN("."));
}

void part_changes(struct page *page, const struct view *view) {
    const struct snapshot *snapshot = &view->snapshot;
    if (snapshot->change_count == 0)
        return;
    page_details(page, "%zu %s since the last known snapshot", snapshot->change_count,
                 snapshot->change_count == 1 ? "change" : "changes");
    page_begin(page, PAGE_LIST);
    for (size_t i = 0; i < snapshot->change_count; i++) {
        const struct snapshot_change *change = &snapshot->changes[i];
        page_begin(page, PAGE_ITEM);
        page_quote(page, change->kind);
        page_print(page,
                   ", line %zu, bytes %zu to %zu: ", view_position(view, change->new_start).line,
                   change->new_start, change->new_end);
        page_code(page, change->diff);
        page_text(page, SPAN("."));
        before(page, change);
        now(page, view, change);
        page_end(page, PAGE_ITEM);
    }
    page_end(page, PAGE_LIST);
    if (snapshot->changes_left_out)
        page_paragraph(page, "%zu further changes are not listed.", snapshot->changes_left_out);
    page_details_end(page);
}
