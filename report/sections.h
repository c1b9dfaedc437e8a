/* The seven sections of the report, each written once for every page format. */
#ifndef REPORT_SECTIONS_H
#define REPORT_SECTIONS_H

#include "report/page.h"
#include "report/plots.h"
#include "report/proposal.h"
#include "report/view.h"

/* What every section gets. plots may be NULL (none were drawn), previous too (this is the first
 * pass over the chapter in its workspace). */
struct report_content {
    const struct view *view;
    const struct proposals *proposals;
    const struct plots *plots;
    const struct view *previous;
};

void section_context(struct page *page, const struct report_content *content);
void section_claims(struct page *page, const struct report_content *content);
void section_sources(struct page *page, const struct report_content *content);
void section_findings(struct page *page, const struct report_content *content);
void section_proposal(struct page *page, const struct report_content *content);
void section_experiments(struct page *page, const struct report_content *content);
void section_review(struct page *page, const struct report_content *content);

struct section {
    const char *id, *title;
    void (*write)(struct page *page, const struct report_content *content);
};
extern const struct section sections[];
extern const size_t section_count;

/* Parts that several sections share. */

/* What a person would say of the whole: what holds, what does not, what is open, what was not
 * looked at. */
void part_summary(struct page *page, const struct report_content *content);
/* "full", "excerpt" or "none". */
bool part_scope_is(const struct view *view, const char *scope);

/* What changed since the last known snapshot; nothing when nothing did. */
void part_changes(struct page *page, const struct view *view);
/* What became of earlier evidence and decisions; nothing when there were none. */
void part_carried(struct page *page, const struct view *view);
/* How many of them a person has to look at again. */
size_t part_carried_open(const struct view *view);
/* "C3", linked to its row. */
void part_claim(struct page *page, const struct claim *claim);
/* "Heading > Sub-heading, line 12, bytes 1042 to 1131". */
void part_place(struct page *page, const struct view *view, const struct claim *claim);
/* "line 12" / "lines 12 and 14" of places in the text that was read, each line once. */
void part_lines(struct page *page, const struct view *view, const struct finding_place *places,
                size_t count);
/* "claims: C1, C2" as links; UNVERIFIED when there are none. */
void part_claim_list(struct page *page, const struct view *view, const struct span *ids,
                     size_t count);
/* "N of M checks completed", or that no checks ran. */
void part_checks_completed(struct page *page, const struct view *view);
/* True when the audit looked at claims, so that silence means something. */
bool part_was_checked(const struct view *view);
/* "3 claims" / "1 claim". */
void part_count(struct page *page, size_t count, const char *one, const char *many);
/* The message, its expression and the check's name. */
/* A recorded item: source, relation, quote, note, class. */
void part_evidence(struct page *page, const struct view *view, const struct ledger_evidence *item);
/* Who decided what, when and why. */
void part_decision(struct page *page, const struct ledger_decision *decision);
void part_finding(struct page *page, const struct finding *finding);
/* Outside text cut at limit bytes (0: PAGE_QUOTE_LIMIT) with "…". */
void part_short(struct page *page, struct span text, size_t limit);
/* section_explorations.c: where a workload's time goes, and what single changes do. */
void part_explorations(struct page *page, const struct view *view);
/* "cuda: 11.8 → none". */
void part_drift(struct page *page, const struct drift *drift, size_t limit);

#endif
