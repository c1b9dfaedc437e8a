/* Section 4: what supports, qualifies, contradicts, and what nothing settles. */
#include "report/evidence.h"
#include "report/sections.h"

/* Longer lists are folded. */
enum { FOLD_BEYOND = 12 };

static void cite(struct page *page, const struct view *view, struct span claim) {
    const struct view_claim *item = view_claim_of(view, claim);
    if (!item) {
        page_text(page, SPAN("the chapter as a whole"));
        return;
    }
    part_claim(page, item->claim);
    for (size_t i = 0; i < item->source_count; i++) {
        const struct source *source = &view->sources.sources[item->sources[i]];
        page_text(page, SPAN(", "));
        page_reference(page, source->label, source->label);
        page_print(page, " (%s)", word_of(&reading_words, (int)source->reading));
    }
}

static void cite_places(struct page *page, const struct finding *finding) {
    if (finding->url.len) {
        page_text(page, SPAN("; rule or fact: "));
        page_link(page, finding->url, finding->url);
        return;
    }
    page_text(page, SPAN("; source: the chapter itself"));
    for (size_t i = 0; i < finding->place_count; i++)
        page_print(page, "%s %zu to %zu", i ? "," : ", bytes", finding->places[i].start,
                   finding->places[i].end);
}

static void write_finding(struct page *page, const struct view *view,
                          const struct evidence_item *item) {
    cite(page, view, item->finding->claim);
    page_text(page, SPAN(": "));
    part_finding(page, item->finding);
    page_print(page, " [%s, %s, ", item->relation, item->class);
    page_quote(page, item->finding->id);
    cite_places(page, item->finding);
    page_text(page, SPAN("]"));
}

static void write_result(struct page *page, const struct view *view,
                         const struct evidence_item *item) {
    part_claim_list(page, view, item->result->claims, item->result->claim_count);
    page_text(page, SPAN(": "));
    page_reference(page, item->result->id, item->result->id);
    page_print(page, " %s: ", word_of(&experiment_words, (int)item->result->status));
    page_quote(page, item->result->reason);
    page_print(page, " [%s, %s; source: this pass's own measurement]", item->relation, item->class);
}

static size_t count_side(const struct evidence_items *list, enum evidence_side side) {
    size_t count = 0;
    for (size_t i = 0; i < list->count; i++)
        count += list->items[i].side == side;
    return count;
}

static void write_items(struct page *page, const struct view *view,
                        const struct evidence_items *list, enum evidence_side side) {
    page_begin(page, PAGE_LIST);
    for (size_t i = 0; i < list->count; i++) {
        const struct evidence_item *item = &list->items[i];
        if (item->side != side)
            continue;
        page_begin(page, PAGE_ITEM);
        if (item->finding)
            write_finding(page, view, item);
        else
            write_result(page, view, item);
        page_end(page, PAGE_ITEM);
    }
    page_end(page, PAGE_LIST);
}

static void write_side(struct page *page, const struct view *view,
                       const struct evidence_items *list, enum evidence_side side, const char *id,
                       const char *title) {
    size_t count = count_side(list, side);
    page_heading(page, 3, id, title);
    if (count == 0) {
        page_begin(page, PAGE_PARAGRAPH);
        page_text(page, SPAN("None in this pass ("));
        part_checks_completed(page, view);
        page_text(page, SPAN(")."));
        page_end(page, PAGE_PARAGRAPH);
        return;
    }
    if (count > FOLD_BEYOND)
        page_details(page, "%zu entries", count);
    write_items(page, view, list, side);
    if (count > FOLD_BEYOND)
        page_details_end(page);
}

/* Claims nothing was found about, and sources nobody read: open by silence. */
static void write_silence(struct page *page, const struct view *view) {
    size_t open = view->counts.claims_in_state[CLAIM_OPEN];
    size_t leads = view->counts.sources_in_status[READING_LEAD];
    if (open) {
        page_begin(page, PAGE_PARAGRAPH);
        page_text(page,
                  SPAN("UNVERIFIED, because nothing in this pass confirms or questions them: "));
        for (size_t i = 0, shown = 0; i < view->claims.count; i++)
            if (view->items[i].state == CLAIM_OPEN) {
                page_text(page, shown++ ? SPAN(", ") : SPAN(""));
                part_claim(page, view->items[i].claim);
            }
        page_text(page, SPAN("."));
        page_end(page, PAGE_PARAGRAPH);
    }
    if (leads) {
        page_begin(page, PAGE_PARAGRAPH);
        page_text(page, SPAN("Leads nobody has opened, which therefore say nothing yet: "));
        for (size_t i = 0, shown = 0; i < view->sources.count; i++)
            if (view->sources.sources[i].reading == READING_LEAD) {
                page_text(page, shown++ ? SPAN(", ") : SPAN(""));
                page_reference(page, view->sources.sources[i].label,
                               view->sources.sources[i].label);
            }
        page_text(page, SPAN("."));
        page_end(page, PAGE_PARAGRAPH);
    }
}

void section_findings(struct page *page, const struct report_content *content) {
    const struct view *view = content->view;
    struct evidence_items list;
    evidence_collect(view, &list);
    write_side(page, view, &list, EVIDENCE_SUPPORTING, "supporting", "Supporting");
    write_side(page, view, &list, EVIDENCE_QUALIFYING, "qualifying", "Qualifying");
    write_side(page, view, &list, EVIDENCE_CONTRADICTORY, "contradictory", "Contradictory");
    write_side(page, view, &list, EVIDENCE_UNRESOLVED, "unresolved", "Unresolved");
    write_silence(page, view);
}
