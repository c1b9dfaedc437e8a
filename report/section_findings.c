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

/* The chapter's own row of the ledger: the page that was read, else the first that is the chapter.
 */
static const struct source *chapter_source(const struct view *view) {
    const struct source *found = NULL;
    for (size_t i = 0; i < view->sources.count; i++) {
        const struct source *source = &view->sources.sources[i];
        if (!span_equal(source->kind, SPAN("chapter")))
            continue;
        if (span_equal(source->url, view->snapshot.requested_url))
            return source;
        found = found ? found : source;
    }
    return found;
}

static void cite_chapter(struct page *page, const struct view *view) {
    const struct source *source = chapter_source(view);
    if (source) {
        page_reference(page, source->label, source->label);
        page_text(page, SPAN(", "));
    }
    page_text(page, SPAN("the chapter itself"));
}

static void cite_places(struct page *page, const struct view *view, const struct finding *finding) {
    if (finding->url.len) {
        page_text(page, SPAN("; rule or fact: "));
        page_link(page, finding->url, finding->url);
        return;
    }
    page_text(page, SPAN("; source: "));
    cite_chapter(page, view);
    if (finding->place_count == 0)
        return;
    page_text(page, SPAN(", "));
    part_lines(page, view, finding->places, finding->place_count);
}

static void write_finding(struct page *page, const struct view *view,
                          const struct evidence_item *item) {
    cite(page, view, item->finding->claim);
    page_text(page, SPAN(": "));
    part_finding(page, item->finding);
    page_print(page, " [%s, %s, ", item->relation, item->class);
    page_quote(page, item->finding->id);
    cite_places(page, view, item->finding);
    page_text(page, SPAN("]"));
}

static bool same_verdict(const struct result *a, const struct result *b) {
    return a->status == b->status && span_equal(a->reason, b->reason);
}

/* "C1, C2 (E11); C3 (E12)": whom the verdicts that share one reason speak of. */
static void cite_results(struct page *page, const struct view *view,
                         const struct evidence_items *list, size_t first) {
    const struct result *told = list->items[first].result;
    for (size_t i = first; i < list->count; i++) {
        const struct result *result = list->items[i].result;
        if (!result || !same_verdict(told, result))
            continue;
        if (i > first)
            page_text(page, SPAN("; "));
        part_claim_list(page, view, result->claims, result->claim_count);
        page_text(page, SPAN(" ("));
        page_reference(page, result->id, result->id);
        page_text(page, SPAN(")"));
    }
}

static void write_result(struct page *page, const struct view *view,
                         const struct evidence_items *list, size_t index) {
    const struct evidence_item *item = &list->items[index];
    cite_results(page, view, list, index);
    page_print(page, ": %s: ", word_of(&experiment_words, (int)item->result->status));
    page_quote(page, item->result->reason);
    page_print(page, " [%s, %s; source: this pass's own %s]", item->relation, item->class,
               item->result->measured_count ? "measurement" : "plan");
}

static void write_quoted(struct page *page, const struct view *view,
                         const struct ledger_evidence *quoted) {
    part_claim(page, view_claim_of(view, quoted->claim.id)->claim);
    page_text(page, SPAN(": "));
    part_evidence(page, view, quoted);
}

/* An earlier finding of the same claim says the same. */
static bool finding_is_told(const struct view *view, const struct finding *finding) {
    const struct view_claim *item = view_claim_of(view, finding->claim);
    for (size_t i = 0; item && i < item->finding_count; i++) {
        const struct finding *other = &view->findings.findings[item->findings[i]];
        if (other < finding && !other->suppressed && other->class == finding->class &&
            span_equal(other->message, finding->message))
            return true;
    }
    return false;
}

static bool result_is_told(const struct evidence_items *list, size_t index) {
    for (size_t i = 0; i < index; i++)
        if (list->items[i].result && same_verdict(list->items[i].result, list->items[index].result))
            return true;
    return false;
}

/* told gets true for what an earlier item says already. */
static size_t count_side(const struct evidence_items *list, const bool *told,
                         enum evidence_side side) {
    size_t count = 0;
    for (size_t i = 0; i < list->count; i++)
        count += list->items[i].side == side && !told[i];
    return count;
}

static void write_items(struct page *page, const struct view *view,
                        const struct evidence_items *list, const bool *told,
                        enum evidence_side side) {
    page_begin(page, PAGE_LIST);
    for (size_t i = 0; i < list->count; i++) {
        const struct evidence_item *item = &list->items[i];
        if (item->side != side || told[i])
            continue;
        page_begin(page, PAGE_ITEM);
        if (item->finding)
            write_finding(page, view, item);
        else if (item->quoted)
            write_quoted(page, view, item->quoted);
        else
            write_result(page, view, list, i);
        page_end(page, PAGE_ITEM);
    }
    page_end(page, PAGE_LIST);
}

static void write_side(struct page *page, const struct view *view,
                       const struct evidence_items *list, const bool *told, enum evidence_side side,
                       const char *id, const char *title) {
    size_t count = count_side(list, told, side);
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
    write_items(page, view, list, told, side);
    if (count > FOLD_BEYOND)
        page_details_end(page);
}

static bool is_silent(const struct view_claim *item) {
    return item->state == CLAIM_OPEN && item->evidence_count == 0;
}

/* Claims nothing was found about, and sources nobody read: open by silence. */
static void write_silence(struct page *page, const struct view *view) {
    size_t open = 0;
    for (size_t i = 0; i < view->claims.count; i++)
        open += is_silent(&view->items[i]);
    size_t leads = view->counts.sources_in_status[READING_LEAD];
    if (open) {
        page_begin(page, PAGE_PARAGRAPH);
        page_text(page,
                  SPAN("UNVERIFIED, because nothing in this pass confirms or questions them: "));
        for (size_t i = 0, shown = 0; i < view->claims.count; i++)
            if (is_silent(&view->items[i])) {
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
    static const struct {
        const char *id, *title;
    } sides[EVIDENCE_SIDE_COUNT] = {
        [EVIDENCE_SUPPORTING] = {"supporting", "Supporting"},
        [EVIDENCE_QUALIFYING] = {"qualifying", "Qualifying"},
        [EVIDENCE_CONTRADICTORY] = {"contradictory", "Contradictory"},
        [EVIDENCE_UNRESOLVED] = {"unresolved", "Unresolved"},
        [EVIDENCE_BACKGROUND] = {"background", "Background"},
    };
    const struct view *view = content->view;
    struct evidence_items list;
    evidence_collect(view, &list);
    bool *told = arena_array(view->arena, list.count, sizeof *told);
    for (size_t i = 0; i < list.count; i++)
        told[i] = list.items[i].finding  ? finding_is_told(view, list.items[i].finding)
                  : list.items[i].result ? result_is_told(&list, i)
                                         : false;
    for (int side = 0; side < EVIDENCE_SIDE_COUNT; side++)
        if (side != EVIDENCE_BACKGROUND || count_side(&list, told, EVIDENCE_BACKGROUND))
            write_side(page, view, &list, told, (enum evidence_side)side, sides[side].id,
                       sides[side].title);
    write_silence(page, view);
}
