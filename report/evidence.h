/* Everything that speaks for or against a claim as one list: findings, verdicts and what a person
 * recorded of a source. */
#ifndef REPORT_EVIDENCE_H
#define REPORT_EVIDENCE_H

#include "report/view.h"

enum evidence_side {
    EVIDENCE_SUPPORTING,
    EVIDENCE_QUALIFYING,
    EVIDENCE_CONTRADICTORY,
    EVIDENCE_UNRESOLVED,
    EVIDENCE_BACKGROUND, /* recorded items only: it neither supports nor questions */
    EVIDENCE_SIDE_COUNT
};

struct evidence_item {
    enum evidence_side side;
    const char *relation;          /* of relation_words */
    const char *class;             /* of evidence_class_words */
    const struct finding *finding; /* exactly one of these is set */
    const struct result *result;
    const struct ledger_evidence *quoted; /* what a person recorded of a source */
};

struct evidence_items {
    struct evidence_item *items;
    size_t count, capacity;
};

/* In the order of the findings, then of the experiments, then as recorded. Suppressed findings and
 * notes are left out: section 2 shows them. */
void evidence_collect(const struct view *view, struct evidence_items *list);

#endif
