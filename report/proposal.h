/* What the author is asked to change, derived from the findings and verdicts: one proposal for a
 * claim and kind of response, the fewest that answer every finding. */
#ifndef REPORT_PROPOSAL_H
#define REPORT_PROPOSAL_H

#include "report/view.h"

struct proposal {
    struct span label;              /* "P1" in order of gravity */
    const struct view_claim *claim; /* NULL: the chapter as a whole */
    const struct finding *finding;  /* the gravest; NULL when a verdict alone asks */
    const struct result *result;    /* the verdict that asks, or NULL */
    bool authored; /* the words proposed are the author's decision; both above may be NULL then */
    const size_t *more; /* further findings answered by it: indices into findings.findings */
    size_t more_count;
    enum response response;
    enum severity priority;
    size_t start, end;    /* the text it replaces; equal when it replaces none */
    struct span after;    /* the text proposed, or empty */
    const char *decision; /* of decision_words: what the evidence recommends */
    const char *reason;   /* why that decision */
    const char *tradeoff; /* what the change costs */
};

struct proposals {
    struct proposal *items;
    size_t count, capacity;
};

void proposals_build(const struct view *view, struct proposals *proposals);

/* Other claims that print the same figure as the text to be replaced: they must change with it.
 * Indices into view->items in the arena; *count of them. */
size_t *proposal_same_figures(const struct view *view, const struct proposal *proposal,
                              size_t *count);

#endif
