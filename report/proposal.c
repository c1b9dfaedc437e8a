#include "report/proposal.h"

#include <stdlib.h>

/* Figures shorter than this ("2", "20") repeat by accident and say nothing of each other. */
enum { FEWEST_TELLING_DIGITS = 3 };

struct recommendation {
    const char *decision, *reason;
};

static const struct recommendation by_class[] = {
    [FINDING_CONTRADICTION] = {"revise", "the chapter's own numbers refute the sentence, but they "
                                         "do not say which of them is wrong; the author knows"},
    [FINDING_INCONSISTENCY] = {"revise", "two places of the chapter disagree; the author knows "
                                         "which one is meant"},
    [FINDING_UNSUPPORTED] = {"defer", "nothing read in this pass supports or refutes it; decide "
                                      "when a source was read or an experiment ran"},
    [FINDING_DATED] = {"revise", "true when written is not true today; a date or a version beside "
                                 "it settles the matter"},
    [FINDING_INCOMPLETE] = {"revise", "the missing facts are the author's; nobody else can supply "
                                      "them"},
    [FINDING_IMPLAUSIBLE] = {"revise", "the figure lies outside what the stated machine allows; "
                                       "check unit, digits and conditions before anything else"},
    [FINDING_CONFIRMED] = {"accept", "confirmed"},
    [FINDING_NOTE] = {"accept", "a note"},
};

static const char *const tradeoffs[] = {
    [RESPONSE_NO_CHANGE] = "none: nothing changes",
    [RESPONSE_CORRECTION] =
        ("readers who quoted the old figure find another one; a dated note would "
         "tell them why"),
    [RESPONSE_CLARIFICATION] = "a longer sentence, for a statement that can be checked",
    [RESPONSE_CITATION] = "one link more to keep alive",
    [RESPONSE_NEW_EXAMPLE] = "more text to maintain with every release of the tools",
    [RESPONSE_NEW_EXPERIMENT] = "machine time, and a result that may ask for a further change",
    [RESPONSE_NEW_SECTION] = "the largest change; only where a sentence cannot say it",
};

static void recommend(struct proposal *proposal) {
    const struct finding *finding = proposal->finding;
    proposal->tradeoff = tradeoffs[proposal->response];
    if (!finding) {
        proposal->decision = "revise";
        proposal->reason = "the rerun under the same contract gave another result";
    } else if (proposal->response == RESPONSE_NEW_EXPERIMENT) {
        proposal->decision = "defer";
        proposal->reason = "decide when the experiment ran";
    } else if (proposal->after.len) {
        proposal->decision = "accept";
        proposal->reason = "the text follows from the numbers printed in the chapter";
    } else {
        proposal->decision = by_class[finding->class].decision;
        proposal->reason = by_class[finding->class].reason;
    }
}

static void place(const struct view *view, struct proposal *proposal,
                  const struct finding *finding) {
    if (proposal->after.len || finding->replacement.len == 0 || finding->place_count == 0 ||
        finding->places[0].end > view->text.len ||
        finding->places[0].start > finding->places[0].end)
        return;
    proposal->start = finding->places[0].start;
    proposal->end = finding->places[0].end;
    proposal->after = finding->replacement;
}

static bool wants_change(const struct finding *finding) {
    return finding_asks(finding) && finding->response != RESPONSE_NO_CHANGE;
}

static void add_for_claim(const struct view *view, const struct view_claim *item,
                          enum response response, struct proposals *proposals) {
    struct proposal proposal = {.claim = item, .response = response};
    size_t *more = arena_array(view->arena, item->finding_count, sizeof *more);
    for (size_t i = 0; i < item->finding_count; i++) {
        const struct finding *finding = &view->findings.findings[item->findings[i]];
        if (!wants_change(finding) || finding->response != response)
            continue;
        if (proposal.finding)
            more[proposal.more_count++] = item->findings[i];
        else
            proposal.finding = finding;
        if (proposal.priority < finding->severity)
            proposal.priority = finding->severity;
        place(view, &proposal, finding);
    }
    proposal.more = more;
    if (!proposal.finding)
        return;
    recommend(&proposal);
    LIST_PUSH(view->arena, proposals->items, proposals->count, proposals->capacity, proposal);
}

static void add_for_verdicts(const struct view *view, const struct view_claim *item,
                             struct proposals *proposals) {
    for (size_t i = 0; i < item->finding_count; i++)
        if (wants_change(&view->findings.findings[item->findings[i]]))
            return; /* the finding's proposal covers the claim */
    for (size_t i = 0; i < item->result_count; i++) {
        const struct result *result = &view->results.results[item->results[i]];
        if (result->status != EXPERIMENT_NOT_REPRODUCED)
            continue;
        struct proposal proposal = {.claim = item,
                                    .result = result,
                                    .response = RESPONSE_CLARIFICATION,
                                    .priority = SEVERITY_MEDIUM};
        recommend(&proposal);
        LIST_PUSH(view->arena, proposals->items, proposals->count, proposals->capacity, proposal);
        return;
    }
}

static void set_words(struct proposal *proposal, const struct ledger_decision *decision) {
    proposal->start = proposal->claim->claim->start;
    proposal->end = proposal->claim->claim->end;
    proposal->after = decision->replacement;
    proposal->authored = true;
}

/* What the author decided about a claim goes before what its findings propose: `revise` with words
 * of his own replaces the words proposed, `defer` and `reject` leave the text as it is. */
static void apply_decision(const struct view *view, const struct view_claim *item, size_t first,
                           struct proposals *proposals) {
    const struct ledger_decision *decision = item->decision;
    if (!decision || decision->state != LEDGER_CURRENT ||
        span_equal(decision->decision, SPAN("accept")))
        return;
    bool leaves = !span_equal(decision->decision, SPAN("revise"));
    if (!leaves && decision->replacement.len == 0)
        return;
    for (size_t i = first; i < proposals->count; i++) {
        proposals->items[i].after = SPAN("");
        proposals->items[i].start = proposals->items[i].end = 0;
    }
    if (leaves)
        return;
    if (proposals->count == first) {
        struct proposal proposal = {.claim = item,
                                    .response = RESPONSE_CORRECTION,
                                    .priority = item->priority,
                                    .decision = "revise",
                                    .reason = "the author decided so"};
        proposal.tradeoff = tradeoffs[proposal.response];
        LIST_PUSH(view->arena, proposals->items, proposals->count, proposals->capacity, proposal);
    }
    set_words(&proposals->items[first], decision);
}

static void add_for_whole(const struct view *view, struct proposals *proposals) {
    for (size_t i = 0; i < view->whole_count; i++) {
        const struct finding *finding = &view->findings.findings[view->whole[i]];
        if (!wants_change(finding))
            continue;
        struct proposal proposal = {
            .finding = finding, .response = finding->response, .priority = finding->severity};
        place(view, &proposal, finding);
        recommend(&proposal);
        LIST_PUSH(view->arena, proposals->items, proposals->count, proposals->capacity, proposal);
    }
}

void proposals_build(const struct view *view, struct proposals *proposals) {
    *proposals = (struct proposals){0};
    for (size_t i = 0; i < view->claims.count; i++) {
        const struct view_claim *item = &view->items[view->by_priority[i]];
        size_t first = proposals->count;
        for (int response = RESPONSE_CORRECTION; response <= RESPONSE_NEW_SECTION; response++)
            add_for_claim(view, item, (enum response)response, proposals);
        add_for_verdicts(view, item, proposals);
        apply_decision(view, item, first, proposals);
    }
    add_for_whole(view, proposals);
    for (size_t i = 0; i < proposals->count; i++)
        proposals->items[i].label = arena_printf(view->arena, "P%zu", i + 1);
}

static size_t digit_count(struct span printed) {
    size_t digits = 0;
    for (size_t i = 0; i < printed.len; i++)
        digits += printed.at[i] >= '0' && printed.at[i] <= '9';
    return digits;
}

static bool same_figure(const struct quantity *a, const struct quantity *b) {
    return span_equal(a->printed, b->printed) && span_equal(a->unit, b->unit);
}

static bool prints_any(const struct view *view, const struct claim *claim,
                       const struct quantity *const *figures, size_t count) {
    for (size_t i = 0; i < claim->quantity_count; i++)
        for (size_t k = 0; k < count; k++)
            if (same_figure(&view->claims.quantities[claim->first_quantity + i], figures[k]))
                return true;
    return false;
}

size_t *proposal_same_figures(const struct view *view, const struct proposal *proposal,
                              size_t *count) {
    *count = 0;
    size_t *found = arena_array(view->arena, view->claims.count, sizeof *found);
    if (!proposal->claim || proposal->start == proposal->end)
        return found;
    const struct claim *claim = proposal->claim->claim;
    const struct quantity **figures =
        arena_array(view->arena, claim->quantity_count, sizeof *figures);
    size_t figure_count = 0;
    for (size_t i = 0; i < claim->quantity_count; i++) {
        const struct quantity *q = &view->claims.quantities[claim->first_quantity + i];
        if (q->start >= proposal->start && q->end <= proposal->end &&
            digit_count(q->printed) >= FEWEST_TELLING_DIGITS)
            figures[figure_count++] = q;
    }
    for (size_t i = 0; figure_count && i < view->claims.count; i++)
        if (&view->claims.claims[i] != claim &&
            prints_any(view, &view->claims.claims[i], figures, figure_count))
            found[(*count)++] = i;
    return found;
}
