/* What became of earlier evidence and decisions when the chapter or a source changed. */
#include "report/sections.h"

static bool needs_a_look(const struct carry_item *item) {
    return item->outcome == CARRY_REEVALUATE || item->outcome == CARRY_ORPHANED;
}

static void show(struct page *page, const struct view *view, const struct carry_item *item) {
    const struct view_claim *claim = view_claim_of(view, item->claim);
    const struct view_claim *proposed = view_claim_of(view, item->proposed);
    page_begin(page, PAGE_ITEM);
    page_quote(page, item->kind);
    page_text(page, SPAN(" "));
    page_code(page, item->id);
    if (claim) {
        page_text(page, SPAN(" about "));
        part_claim(page, claim->claim);
    }
    page_print(page, ": %s, ", word_of(&carry_words, (int)item->outcome));
    page_quote(page, item->reason);
    page_text(page, SPAN("."));
    if (proposed) {
        page_text(page, SPAN(" Proposed: "));
        part_claim(page, proposed->claim);
        page_text(page, SPAN("."));
    }
    page_end(page, PAGE_ITEM);
}

void part_carried(struct page *page, const struct view *view) {
    const struct carry_over *carry = &view->carry;
    if (carry->item_count == 0)
        return;
    page_begin(page, PAGE_PARAGRAPH);
    page_print(page, "Of %zu earlier %s of the ledger: ", carry->item_count,
               carry->item_count == 1 ? "item" : "items");
    size_t shown = 0;
    for (int outcome = 0; outcome < CARRY_OUTCOMES; outcome++) {
        size_t count = carry_count(carry, (enum carry_outcome)outcome);
        if (count)
            page_print(page, "%s%zu %s", shown++ ? ", " : "", count,
                       word_of(&carry_words, outcome));
    }
    page_text(page, SPAN("."));
    page_end(page, PAGE_PARAGRAPH);
    if (carry_count(carry, CARRY_REUSED) == carry->item_count)
        return;
    page_begin(page, PAGE_LIST);
    for (size_t i = 0; i < carry->item_count; i++)
        if (carry->items[i].outcome != CARRY_REUSED)
            show(page, view, &carry->items[i]);
    page_end(page, PAGE_LIST);
}

size_t part_carried_open(const struct view *view) {
    size_t open = 0;
    for (size_t i = 0; i < view->carry.item_count; i++)
        open += needs_a_look(&view->carry.items[i]);
    return open;
}
