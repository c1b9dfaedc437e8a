/* Section 5: the smallest changes that the evidence justifies. */
#include "report/sections.h"

/* Most bytes of unchanged text shown on either side of a replacement: its line, where that is
 * shorter. */
enum { PROPOSAL_CONTEXT = 200 };

static void title(struct page *page, const struct proposal *proposal) {
    struct buffer text = {0};
    buffer_printf(&text, "%.*s: %s", SPAN_ARG(proposal->label),
                  word_of(&response_words, (int)proposal->response));
    if (proposal->claim) {
        buffer_add(&text, SPAN(" of "));
        buffer_add(&text, proposal->claim->claim->label);
    }
    buffer_add_byte(&text, '\0');
    page_heading(page, 3, proposal->label.at, text.at);
    buffer_free(&text);
}

static void item_begin(struct page *page, const char *name) {
    page_begin(page, PAGE_ITEM);
    page_strong(page, name);
    page_text(page, SPAN(" "));
}

static void reason(struct page *page, const struct view *view, const struct proposal *proposal) {
    item_begin(page, "Reason:");
    if (proposal->finding)
        part_finding(page, proposal->finding);
    else if (proposal->result) {
        page_reference(page, proposal->result->id, proposal->result->id);
        page_text(page, SPAN(" NOT REPRODUCED: "));
        page_quote(page, proposal->result->reason);
    }
    if (proposal->claim && proposal->claim->decision) {
        page_text(page, proposal->finding || proposal->result ? SPAN("; ") : SPAN(""));
        part_decision(page, proposal->claim->decision);
    }
    for (size_t i = 0; i < proposal->more_count; i++) {
        page_text(page, SPAN("; "));
        part_finding(page, &view->findings.findings[proposal->more[i]]);
    }
    page_end(page, PAGE_ITEM);
}

static void dependencies(struct page *page, const struct view *view,
                         const struct proposal *proposal) {
    size_t count, parts = 0;
    size_t *same = proposal_same_figures(view, proposal, &count);
    item_begin(page, "Dependencies:");
    for (size_t i = 0; i < count; i++) {
        page_text(page, parts++ ? SPAN(", ") : SPAN("the same figure stands in "));
        part_claim(page, view->items[same[i]].claim);
    }
    for (size_t i = 0; i < view->brief.materials.count && proposal->claim; i++) {
        const struct brief_item *material = &view->brief.materials.items[i];
        page_text(page, parts++ ? SPAN("; ") : SPAN(""));
        page_quote(page, material->label.len ? material->label : material->text);
        page_text(page, SPAN(" may print it too: UNVERIFIED"));
    }
    if (proposal->response == RESPONSE_CITATION)
        page_text(page, parts++ ? SPAN("; the bibliography gets an entry")
                                : SPAN("the bibliography gets an entry"));
    if (proposal->after.len)
        page_text(page, parts++ ? SPAN("; neighbour chapters were not read: UNVERIFIED")
                                : SPAN("neighbour chapters were not read: UNVERIFIED"));
    if (parts == 0)
        page_text(page, SPAN("none found"));
    page_end(page, PAGE_ITEM);
}

static size_t line_before(struct span text, size_t at) {
    size_t least = at > PROPOSAL_CONTEXT ? at - PROPOSAL_CONTEXT : 0;
    while (at > least && text.at[at - 1] != '\n')
        at--;
    while (at > 0 && at < text.len && ((unsigned char)text.at[at] & 0xC0) == 0x80)
        at--;
    return at;
}

static size_t line_behind(struct span text, size_t at) {
    size_t most = text.len - at > PROPOSAL_CONTEXT ? at + PROPOSAL_CONTEXT : text.len;
    while (at < most && text.at[at] != '\n')
        at++;
    while (at < text.len && ((unsigned char)text.at[at] & 0xC0) == 0x80)
        at++;
    return at;
}

static void diff(struct page *page, const struct view *view, const struct proposal *proposal) {
    struct span text = view->text;
    size_t from = line_before(text, proposal->start), to = line_behind(text, proposal->end);
    struct span before = span_slice(text, from, proposal->start);
    struct span behind = span_slice(text, proposal->end, to);
    struct buffer old = {0}, new = {0};
    buffer_add(&old, before);
    buffer_add(&old, span_slice(text, proposal->start, proposal->end));
    buffer_add(&old, behind);
    buffer_add(&new, before);
    buffer_add(&new, proposal->after);
    buffer_add(&new, behind);
    page_paragraph(page, "Before (line %zu, bytes %zu to %zu):",
                   view_position(view, proposal->start).line, proposal->start, proposal->end);
    page_code_block(page, "text", buffer_span(&old));
    page_paragraph(page, "After:");
    page_code_block(page, "text", buffer_span(&new));
    buffer_free(&old);
    buffer_free(&new);
}

/* What the text is asked to add, where the words are the author's to find. */
static const char *blank_of(const struct proposal *proposal) {
    if (!proposal->finding || proposal->response == RESPONSE_NEW_EXPERIMENT)
        return NULL;
    switch (proposal->finding->class) {
    case FINDING_INCOMPLETE:
        return " [state: ____]";
    case FINDING_DATED:
        return " [as of: ____]";
    case FINDING_UNSUPPORTED:
        return proposal->response == RESPONSE_CITATION ? " [source or measurement: ____]"
                                                       : " [under which conditions: ____]";
    default:
        return NULL;
    }
}

static void with_blank(struct page *page, struct span quote, const char *blank) {
    struct buffer text = {0};
    buffer_add(&text, quote);
    buffer_add_string(&text, blank);
    page_paragraph(page, "After, with a blank that only the author can fill:");
    page_code_block(page, "text", buffer_span(&text));
    buffer_free(&text);
}

static void no_text(struct page *page, const struct view *view, const struct proposal *proposal) {
    const struct claim *claim = proposal->claim ? proposal->claim->claim : NULL;
    if (claim) {
        page_paragraph(page, "Before (line %zu, bytes %zu to %zu):",
                       view_position(view, claim->start).line, claim->start, claim->end);
        page_code_block(page, "text", claim->quote);
        if (blank_of(proposal)) {
            with_blank(page, claim->quote, blank_of(proposal));
            return;
        }
    }
    page_paragraph(page,
                   "After: UNVERIFIED. The evidence says that the text should change; it does "
                   "not determine the words, so none are invented.");
}

static void write(struct page *page, const struct view *view, const struct proposal *proposal) {
    title(page, proposal);
    page_begin(page, PAGE_LIST);
    item_begin(page, "Where:");
    if (proposal->claim) {
        part_claim(page, proposal->claim->claim);
        page_text(page, SPAN(", "));
        part_place(page, view, proposal->claim->claim);
    } else
        page_text(page, SPAN("the chapter as a whole"));
    page_end(page, PAGE_ITEM);
    reason(page, view, proposal);
    item_begin(page, "Tradeoff:");
    page_text(page, span_of(proposal->tradeoff));
    page_end(page, PAGE_ITEM);
    dependencies(page, view, proposal);
    page_end(page, PAGE_LIST);
    if (proposal->after.len)
        diff(page, view, proposal);
    else
        no_text(page, view, proposal);
}

void section_proposal(struct page *page, const struct report_content *content) {
    const struct view *view = content->view;
    if (content->proposals->count == 0) {
        page_begin(page, PAGE_PARAGRAPH);
        page_text(page, part_was_checked(view)
                            ? SPAN("No change: the evidence of this pass justifies none (")
                            : SPAN("No proposal: no claim was checked in this pass ("));
        part_checks_completed(page, view);
        page_text(page, SPAN(")."));
        page_end(page, PAGE_PARAGRAPH);
        return;
    }
    page_begin(page, PAGE_PARAGRAPH);
    page_print(page, "%zu %s. Changes with a text are also in proposal.patch, for ",
               content->proposals->count,
               content->proposals->count == 1 ? "proposal" : "proposals, gravest first");
    page_code(page, SPAN("git apply"));
    page_text(page, SPAN("."));
    page_end(page, PAGE_PARAGRAPH);
    for (size_t i = 0; i < content->proposals->count; i++)
        write(page, view, &content->proposals->items[i]);
}
