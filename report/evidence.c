#include "report/evidence.h"

struct kind {
    enum evidence_side side;
    const char *relation, *class;
};

/* A check sets the chapter's own numbers against each other (source-reported: a sum that is right
 * reproduces no measurement), or holds the text against a rule (hypothesis until someone looks). */
static const struct kind by_finding[] = {
    [FINDING_CONTRADICTION] = {EVIDENCE_CONTRADICTORY, "CONTRADICTS", "source-reported"},
    [FINDING_INCONSISTENCY] = {EVIDENCE_CONTRADICTORY, "CONTRADICTS", "source-reported"},
    [FINDING_UNSUPPORTED] = {EVIDENCE_UNRESOLVED, "UNCERTAIN", "hypothesis"},
    [FINDING_DATED] = {EVIDENCE_QUALIFYING, "QUALIFIES", "background"},
    [FINDING_INCOMPLETE] = {EVIDENCE_QUALIFYING, "LIMITATION", "hypothesis"},
    [FINDING_IMPLAUSIBLE] = {EVIDENCE_QUALIFYING, "QUALIFIES", "background"},
    [FINDING_CONFIRMED] = {EVIDENCE_SUPPORTING, "SUPPORTS", "source-reported"},
};

static const struct kind by_verdict[] = {
    [EXPERIMENT_UNRUN] = {EVIDENCE_UNRESOLVED, "UNCERTAIN", "proposed-experiment"},
    [EXPERIMENT_REPRODUCED] = {EVIDENCE_SUPPORTING, "EMPIRICAL_EVIDENCE", "reproduced-locally"},
    [EXPERIMENT_NOT_REPRODUCED] = {EVIDENCE_CONTRADICTORY, "CONTRADICTS", "reproduced-locally"},
    [EXPERIMENT_INCONCLUSIVE] = {EVIDENCE_UNRESOLVED, "UNCERTAIN", "reproduced-locally"},
    [EXPERIMENT_NOT_COMPARABLE] = {EVIDENCE_UNRESOLVED, "UNCERTAIN", "proposed-experiment"},
    [EXPERIMENT_FAILED] = {EVIDENCE_UNRESOLVED, "UNCERTAIN", "proposed-experiment"},
};

static void add(const struct view *view, struct evidence_items *list, const struct kind *kind,
                const struct finding *finding, const struct result *result) {
    struct evidence_item item = {kind->side, kind->relation, kind->class, finding, result, NULL};
    LIST_PUSH(view->arena, list->items, list->count, list->capacity, item);
}

/* In the order of relation_words. */
static const enum evidence_side by_relation[] = {
    EVIDENCE_SUPPORTING,    /* SUPPORTS */
    EVIDENCE_SUPPORTING,    /* EXTENDS */
    EVIDENCE_QUALIFYING,    /* QUALIFIES */
    EVIDENCE_CONTRADICTORY, /* CONTRADICTS */
    EVIDENCE_QUALIFYING,    /* ALTERNATIVE */
    EVIDENCE_BACKGROUND,    /* BACKGROUND */
    EVIDENCE_BACKGROUND,    /* METHOD */
    EVIDENCE_SUPPORTING,    /* EMPIRICAL_EVIDENCE */
    EVIDENCE_QUALIFYING,    /* LIMITATION */
    EVIDENCE_QUALIFYING,    /* SUPERSEDES */
    EVIDENCE_UNRESOLVED,    /* UNCERTAIN */
};

/* What must be looked at again says nothing for now. */
static void add_quoted(const struct view *view, struct evidence_items *list,
                       const struct ledger_evidence *quoted) {
    int relation = word_value(&relation_words, quoted->relation);
    struct evidence_item item = {.side = EVIDENCE_UNRESOLVED, .quoted = quoted};
    if (quoted->state == LEDGER_CURRENT && relation >= 0)
        item.side = by_relation[relation];
    item.relation = word_of(&relation_words, relation);
    item.class = word_of(&evidence_class_words, word_value(&evidence_class_words, quoted->class));
    LIST_PUSH(view->arena, list->items, list->count, list->capacity, item);
}

void evidence_collect(const struct view *view, struct evidence_items *list) {
    *list = (struct evidence_items){0};
    for (size_t i = 0; i < view->findings.count; i++) {
        const struct finding *finding = &view->findings.findings[i];
        if (!finding->suppressed && finding->class != FINDING_NOTE)
            add(view, list, &by_finding[finding->class], finding, NULL);
    }
    for (size_t i = 0; i < view->results.count; i++)
        add(view, list, &by_verdict[view->results.results[i].status], NULL,
            &view->results.results[i]);
    for (size_t i = 0; i < view->evidence.count; i++)
        if (view_claim_of(view, view->evidence.items[i].claim.id))
            add_quoted(view, list, &view->evidence.items[i]);
}
