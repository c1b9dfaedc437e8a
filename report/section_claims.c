/* Section 2: one row a claim; those that hold are folded, not hidden. */
#include "report/sections.h"

#include <math.h>

static const char *const claim_columns[] = {"Claim", "Evidence", "Concern", "Priority", "Response"};

static void quantity(struct page *page, const struct quantity *q) {
    page_begin(page, PAGE_ITEM);
    page_code(page, q->printed);
    page_print(page, " %.*s%s%.*s (%s): ", SPAN_ARG(q->unit), q->per.len ? "/" : "",
               SPAN_ARG(q->per), word_of(&role_words, (int)q->role));
    if (isfinite(q->lo) && isfinite(q->hi))
        page_print(page, "the printed digits stand for %.9g to %.9g", q->lo, q->hi);
    else
        page_text(page, SPAN("interval UNVERIFIED"));
    if (q->subject.len) {
        page_text(page, SPAN("; of "));
        page_quote(page, q->subject);
    }
    page_end(page, PAGE_ITEM);
}

/* Each number with the interval its digits stand for, where the format can fold it. */
static void quantities(struct page *page, const struct view *view, const struct claim *claim) {
    if (!page->format->nests || claim->quantity_count == 0)
        return;
    page_details(page, "%zu %s", claim->quantity_count,
                 claim->quantity_count == 1 ? "number" : "numbers");
    page_begin(page, PAGE_LIST);
    for (size_t i = 0; i < claim->quantity_count; i++)
        quantity(page, &view->claims.quantities[claim->first_quantity + i]);
    page_end(page, PAGE_LIST);
    page_details_end(page);
}

/* The measurement contract that governs the claim, field by field. */
static void contract(struct page *page, const struct claim *claim) {
    if (!page->format->nests || claim->contract_count == 0)
        return;
    page_details(page, "measurement contract");
    page_begin(page, PAGE_LIST);
    for (size_t i = 0; i < claim->contract_count; i++) {
        page_begin(page, PAGE_ITEM);
        page_quote(page, claim->contract[i].name);
        page_text(page, SPAN(": "));
        page_quote(page, claim->contract[i].value);
        page_end(page, PAGE_ITEM);
    }
    page_end(page, PAGE_LIST);
    page_details_end(page);
}

static void cell_claim(struct page *page, const struct view *view, const struct claim *claim) {
    page_cell(page);
    part_claim(page, claim);
    page_print(page, " (%s) ", word_of(&claim_kind_words, (int)claim->kind));
    page_text(page, SPAN("“"));
    page_quote(page, claim->quote);
    page_text(page, SPAN("”"));
    page_break(page);
    part_place(page, view, claim);
    quantities(page, view, claim);
    contract(page, claim);
    page_cell_end(page);
}

/* One message is told once, however many numbers of the claim it was found for. */
static bool is_told(const struct view *view, const struct view_claim *item, size_t nth) {
    const struct finding *finding = &view->findings.findings[item->findings[nth]];
    for (size_t i = 0; i < nth; i++) {
        const struct finding *before = &view->findings.findings[item->findings[i]];
        if (before->class == finding->class && span_equal(before->message, finding->message))
            return true;
    }
    return false;
}

static void separate(struct page *page, size_t *parts) {
    if ((*parts)++)
        page_break(page);
}

/* "REPRODUCED E2, E6": one line a status. */
static void evidence_results(struct page *page, const struct view *view,
                             const struct view_claim *item, size_t *parts) {
    for (int status = EXPERIMENT_FAILED; status >= 0; status--) {
        size_t shown = 0;
        for (size_t i = 0; i < item->result_count; i++) {
            const struct result *result = &view->results.results[item->results[i]];
            if ((int)result->status != status)
                continue;
            if (shown++ == 0) {
                separate(page, parts);
                page_print(page, "%s: ", word_of(&experiment_words, status));
            } else
                page_text(page, SPAN(", "));
            page_reference(page, result->id, result->id);
        }
    }
}

static void cell_evidence(struct page *page, const struct view *view,
                          const struct view_claim *item) {
    size_t parts = 0;
    page_cell(page);
    for (size_t i = 0; i < item->finding_count; i++) {
        const struct finding *finding = &view->findings.findings[item->findings[i]];
        if (finding->class != FINDING_CONFIRMED || is_told(view, item, i))
            continue;
        separate(page, &parts);
        page_text(page, SPAN("confirmed: "));
        part_finding(page, finding);
    }
    evidence_results(page, view, item, &parts);
    for (size_t i = 0; i < item->source_count; i++) {
        const struct source *source = &view->sources.sources[item->sources[i]];
        separate(page, &parts);
        page_reference(page, source->label, source->label);
        page_print(page, " stands near it (%s)", word_of(&reading_words, (int)source->reading));
    }
    for (size_t i = 0; i < item->evidence_count; i++) {
        separate(page, &parts);
        part_evidence(page, view, &view->evidence.items[item->evidence[i]]);
    }
    if (item->decision) {
        separate(page, &parts);
        part_decision(page, item->decision);
    }
    page_cell_end(page);
}

static void concern_suppressed(struct page *page, const struct finding *finding) {
    page_text(page, SPAN("suppressed: "));
    part_finding(page, finding);
    page_text(page, SPAN(": "));
    page_quote(page, finding->suppression);
}

static void concern_verdict(struct page *page, const struct result *result) {
    page_strong(page, "NOT REPRODUCED");
    page_text(page, SPAN(": "));
    page_quote(page, result->reason);
}

static void concern_none(struct page *page, const struct view_claim *item) {
    if (item->checks_ran)
        page_print(page, "none found by %zu %s", item->checks_ran,
                   item->checks_ran == 1 ? "check" : "checks");
    else
        page_text(page, SPAN("UNVERIFIED: no check applies"));
    if (item->checks_not_run)
        page_print(page, "; %zu not run", item->checks_not_run);
}

static void cell_concern(struct page *page, const struct view *view,
                         const struct view_claim *item) {
    size_t parts = 0;
    page_cell(page);
    for (size_t i = 0; i < item->finding_count; i++) {
        const struct finding *finding = &view->findings.findings[item->findings[i]];
        if ((!finding_asks(finding) && !finding->suppressed) || is_told(view, item, i))
            continue;
        separate(page, &parts);
        if (finding->suppressed) {
            concern_suppressed(page, finding);
            continue;
        }
        page_strong(page, word_of(&finding_words, (int)finding->class));
        page_text(page, SPAN(": "));
        part_finding(page, finding);
    }
    for (size_t i = 0; i < item->result_count; i++)
        if (view->results.results[item->results[i]].status == EXPERIMENT_NOT_REPRODUCED) {
            separate(page, &parts);
            concern_verdict(page, &view->results.results[item->results[i]]);
        }
    if (parts == 0)
        concern_none(page, item);
    page_cell_end(page);
}

static void claim_row(struct page *page, const struct view *view, const struct view_claim *item) {
    struct page_row row = {
        .id = item->claim->id,
        .state = word_of(&claim_state_words, (int)item->state),
        .priority = word_of(&severity_words, (int)item->priority),
        .kind = word_of(&claim_kind_words, (int)item->claim->kind),
    };
    page_row_begin(page, &row);
    cell_claim(page, view, item->claim);
    cell_evidence(page, view, item);
    cell_concern(page, view, item);
    page_cell_word(page, row.priority);
    page_cell_word(page, word_of(&response_words, (int)item->response));
    page_row_end(page);
}

static void claim_table(struct page *page, const struct view *view, const char *caption,
                        enum claim_state from, enum claim_state to) {
    struct page_table table = {caption, claim_columns, 5, true};
    page_table_begin(page, &table);
    for (size_t i = 0; i < view->claims.count; i++) {
        const struct view_claim *item = &view->items[view->by_priority[i]];
        if (item->state >= from && item->state <= to)
            claim_row(page, view, item);
    }
    page_table_end(page);
}

/* Claims that ask for nothing are folded, not hidden. */
static void folded(struct page *page, const struct view *view, enum claim_state state,
                   const char *summary, const char *caption) {
    size_t count = view->counts.claims_in_state[state];
    if (count == 0)
        return;
    page_details(page, "%zu %s %s", count, count == 1 ? "claim" : "claims", summary);
    claim_table(page, view, caption, state, state);
    page_details_end(page);
}

static void counts(struct page *page, const struct view *view) {
    const size_t *in = view->counts.claims_in_state;
    page_begin(page, PAGE_PARAGRAPH);
    part_count(page, view->claims.count, "claim", "claims");
    page_print(page, ": %zu contradicted, %zu with a concern, %zu UNVERIFIED, %zu hold. ",
               in[CLAIM_CONTRADICTED], in[CLAIM_CONCERN], in[CLAIM_OPEN], in[CLAIM_HOLDS]);
    part_count(page, view->counts.findings, "finding", "findings");
    page_text(page, SPAN("; "));
    part_checks_completed(page, view);
    page_text(page, SPAN("."));
    page_end(page, PAGE_PARAGRAPH);
}

static void whole(struct page *page, const struct view *view) {
    if (view->whole_count == 0)
        return;
    page_heading(page, 3, "whole-chapter", "On the chapter as a whole");
    page_begin(page, PAGE_LIST);
    for (size_t i = 0; i < view->whole_count; i++) {
        const struct finding *finding = &view->findings.findings[view->whole[i]];
        page_begin(page, PAGE_ITEM);
        page_strong(page, word_of(&finding_words, (int)finding->class));
        page_print(page, " (%s%s): ", word_of(&severity_words, (int)finding->severity),
                   finding->suppressed ? ", suppressed" : "");
        part_finding(page, finding);
        page_end(page, PAGE_ITEM);
    }
    page_end(page, PAGE_LIST);
}

struct check_coverage {
    struct span check, why;
    size_t outcomes[COVERAGE_NOT_RUN + 1];
};

static size_t coverage_by_check(const struct view *view, struct check_coverage **rows) {
    size_t count = 0, capacity = 0;
    for (size_t i = 0; i < view->findings.coverage_count; i++) {
        const struct coverage *coverage = &view->findings.coverage[i];
        size_t k = 0;
        while (k < count && !span_equal((*rows)[k].check, coverage->check))
            k++;
        if (k == count) {
            struct check_coverage fresh = {.check = coverage->check};
            LIST_PUSH(view->arena, *rows, count, capacity, fresh);
        }
        (*rows)[k].outcomes[coverage->outcome]++;
        if (coverage->outcome == COVERAGE_NOT_RUN && (*rows)[k].why.len == 0)
            (*rows)[k].why = coverage->why;
    }
    return count;
}

static void coverage(struct page *page, const struct view *view) {
    static const char *const columns[] = {"Check", "Ran", "Not applicable", "Not run",
                                          "Why not run"};
    static const struct page_table table = {"Coverage of the checks", columns, 5, false};
    struct check_coverage *rows = NULL;
    size_t count = coverage_by_check(view, &rows);
    if (count == 0)
        return;
    page_details(page, "Coverage: which check looked at how many claims");
    page_table_begin(page, &table);
    for (size_t i = 0; i < count; i++) {
        page_row_begin(page, NULL);
        page_cell_text(page, rows[i].check);
        for (int outcome = COVERAGE_RAN; outcome <= COVERAGE_NOT_RUN; outcome++) {
            page_cell(page);
            page_print(page, "%zu", rows[i].outcomes[outcome]);
            page_cell_end(page);
        }
        page_cell_text(page, rows[i].outcomes[COVERAGE_NOT_RUN] ? rows[i].why : SPAN("all ran"));
        page_row_end(page);
    }
    page_table_end(page);
    page_details_end(page);
}

void section_claims(struct page *page, const struct report_content *content) {
    const struct view *view = content->view;
    const size_t *in = view->counts.claims_in_state;
    if (!view->has[VIEW_CLAIMS]) {
        page_paragraph(page,
                       "claims.json is missing: the audit stage left no claims, so none can be "
                       "listed.");
        return;
    }
    counts(page, view);
    if (view->claims.count == 0)
        page_paragraph(page, "No claim was found in the text that was read.");
    if (in[CLAIM_CONTRADICTED] + in[CLAIM_CONCERN])
        claim_table(page, view, "Claims to look at, gravest first", CLAIM_CONTRADICTED,
                    CLAIM_CONCERN);
    folded(page, view, CLAIM_OPEN, "UNVERIFIED: nothing here confirms or questions the value",
           "Claims that are UNVERIFIED");
    folded(page, view, CLAIM_HOLDS, "confirmed and not questioned", "Claims that hold");
    whole(page, view);
    coverage(page, view);
}
