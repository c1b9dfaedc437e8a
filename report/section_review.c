/* Section 7: the decisions that are the author's, each with what the evidence recommends. */
#include "report/sections.h"

static void decision(struct page *page, const struct proposal *proposal) {
    page_begin(page, PAGE_CHECK_ITEM);
    page_reference(page, proposal->label, proposal->label);
    page_print(page, " (%s, %s): recommended ", word_of(&response_words, (int)proposal->response),
               word_of(&severity_words, (int)proposal->priority));
    page_strong(page, proposal->decision);
    page_print(page, ", because %s.", proposal->reason);
    if (proposal->claim && proposal->claim->decision) {
        page_text(page, SPAN(" "));
        part_decision(page, proposal->claim->decision);
        page_text(page, SPAN("."));
    }
    if (proposal->claim) {
        page_text(page, SPAN(" Concerns "));
        part_claim(page, proposal->claim->claim);
        page_text(page, SPAN("."));
    }
    page_end(page, PAGE_CHECK_ITEM);
}

static void decided(struct page *page, const struct view *view, const struct finding *finding) {
    const struct view_claim *item = view_claim_of(view, finding->claim);
    page_begin(page, PAGE_ITEM);
    page_text(page, SPAN("Already decided by the author ("));
    page_quote(page, finding->suppression);
    page_text(page, SPAN("): "));
    part_finding(page, finding);
    if (item) {
        page_text(page, SPAN(", "));
        part_claim(page, item->claim);
    }
    page_end(page, PAGE_ITEM);
}

static bool has_proposal(const struct report_content *content, const struct view_claim *item) {
    for (size_t i = 0; i < content->proposals->count; i++)
        if (content->proposals->items[i].claim == item)
            return true;
    return false;
}

/* A decision on a claim that no proposal is about. */
static void decided_claim(struct page *page, const struct view_claim *item) {
    page_begin(page, PAGE_ITEM);
    part_claim(page, item->claim);
    page_text(page, SPAN(": "));
    part_decision(page, item->decision);
    page_end(page, PAGE_ITEM);
}

static void supply_chapter(struct page *page, const struct view *view) {
    if (span_equal(view->pass->scope, SPAN("full")))
        return;
    page_begin(page, PAGE_CHECK_ITEM);
    page_strong(page, "Supply the complete chapter");
    page_text(page, SPAN(": decisions about text that was not read are deferred until "));
    page_code(page, SPAN("assay run BRIEF --snapshot FILE"));
    page_text(page, SPAN(" has read it."));
    page_end(page, PAGE_CHECK_ITEM);
}

static void settle_mismatch(struct page *page, const struct view *view) {
    if (view->pass->fingerprint != FINGERPRINT_MISMATCH)
        return;
    page_begin(page, PAGE_CHECK_ITEM);
    page_strong(page, "Say which revision is meant");
    page_text(page,
              SPAN(": the text read is not the one the brief names; defer every other decision "
                   "until this one is made."));
    page_end(page, PAGE_CHECK_ITEM);
}

static void read_sources(struct page *page, const struct view *view) {
    size_t leads = view->counts.sources_in_status[READING_LEAD];
    if (leads == 0)
        return;
    page_begin(page, PAGE_CHECK_ITEM);
    page_print(page, "%zu %s never opened: defer whatever rests on %s until someone read %s.",
               leads, leads == 1 ? "source was" : "sources were", leads == 1 ? "it" : "them",
               leads == 1 ? "it" : "them");
    page_end(page, PAGE_CHECK_ITEM);
}

static void run_experiments(struct page *page, const struct view *view) {
    size_t unrun = view->counts.experiments_in_status[EXPERIMENT_UNRUN];
    if (unrun == 0)
        return;
    page_begin(page, PAGE_CHECK_ITEM);
    page_print(page, "%zu %s UNRUN: defer the verdict on the claims they name (section 6).", unrun,
               unrun == 1 ? "experiment is" : "experiments are");
    page_end(page, PAGE_CHECK_ITEM);
}

static void look_again(struct page *page, const struct view *view) {
    size_t open = part_carried_open(view);
    if (open == 0)
        return;
    page_begin(page, PAGE_CHECK_ITEM);
    page_print(page,
               "%zu earlier %s of the ledger no longer %s what %s (section 1): look again, then ",
               open, open == 1 ? "item" : "items", open == 1 ? "meets" : "meet",
               open == 1 ? "it was about" : "they were about");
    page_code(page, SPAN("assay evidence keep ID"));
    page_text(page, SPAN(" or "));
    page_code(page, SPAN("remove ID"));
    page_text(page, SPAN("."));
    page_end(page, PAGE_CHECK_ITEM);
}

static void keep(struct page *page, const struct view *view) {
    page_begin(page, PAGE_CHECK_ITEM);
    if (!part_was_checked(view)) {
        page_text(page, SPAN("Whether the chapter stays as it is: recommended "));
        page_strong(page, "defer");
        page_text(page, SPAN(", because no claim was checked in this pass."));
        page_end(page, PAGE_CHECK_ITEM);
        return;
    }
    page_text(page, SPAN("Keep the chapter as it is: recommended "));
    page_strong(page, "accept");
    page_text(page, SPAN(", because nothing that was checked asks for a change ("));
    part_checks_completed(page, view);
    page_text(page, SPAN(")."));
    page_end(page, PAGE_CHECK_ITEM);
}

void section_review(struct page *page, const struct report_content *content) {
    const struct view *view = content->view;
    page_paragraph(page, "Each line is one decision: accept, revise, defer or reject. The word in "
                         "bold is what the evidence recommends; the decision is the author's.");
    page_begin(page, PAGE_LIST);
    settle_mismatch(page, view);
    supply_chapter(page, view);
    for (size_t i = 0; i < content->proposals->count; i++)
        decision(page, &content->proposals->items[i]);
    if (content->proposals->count == 0)
        keep(page, view);
    read_sources(page, view);
    run_experiments(page, view);
    look_again(page, view);
    for (size_t i = 0; i < view->claims.count; i++)
        if (view->items[i].decision && !has_proposal(content, &view->items[i]))
            decided_claim(page, &view->items[i]);
    for (size_t i = 0; i < view->findings.count; i++)
        if (view->findings.findings[i].suppressed)
            decided(page, view, &view->findings.findings[i]);
    page_end(page, PAGE_LIST);
}
