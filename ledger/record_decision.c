/* Decisions: what the author does about a claim, and why. */
#include "core/utf8.h"
#include "ledger/record.h"
#include "ledger/rules.h"

enum { REASON_LONGEST_BYTES = 8000 };

static bool text_acceptable(const char *option, struct span text, struct error *error) {
    return (text.len <= REASON_LONGEST_BYTES && utf8_first_invalid(text) == SIZE_MAX) ||
           error_set(error, ERROR_INPUT, option, "Say it shorter, in UTF-8.",
                     "expected UTF-8 of at most %d bytes, got %zu bytes", REASON_LONGEST_BYTES,
                     text.len);
}

static bool acceptable(struct ledger *ledger, const struct decision_request *request,
                       struct error *error) {
    if (word_value(&decision_words, request->decision) < 0)
        return error_set(error, ERROR_USAGE, "decision", "Use one of the words.",
                         "expected %s, got \"%.*s\"", rule_words(ledger->arena, &decision_words).at,
                         SPAN_ARG(request->decision));
    if (span_trim(request->reason).len == 0)
        return error_set(error, ERROR_USAGE, "--reason", "Say why, in one sentence.",
                         "a decision needs a reason");
    if (request->replacement.len && !span_equal(request->decision, SPAN("revise")))
        return error_set(
            error, ERROR_USAGE, "--replacement", "Decide `revise`, or leave the replacement out.",
            "only `revise` proposes other words, not `%.*s`", SPAN_ARG(request->decision));
    if (span_equal(request->replacement, request->claim.anchor.quote))
        return error_set(error, ERROR_INPUT, "--replacement", "Give the new words.",
                         "the replacement is the claim as it stands");
    return text_acceptable("--reason", request->reason, error) &&
           text_acceptable("--replacement", request->replacement, error);
}

/* Every item named must be about this claim and still say something. */
static bool evidence_fits(struct ledger *ledger, const struct decision_request *request,
                          struct error *error) {
    for (size_t i = 0; i < request->evidence_count; i++) {
        struct ledger_evidence item;
        bool found;
        struct span id = arena_copy(ledger->arena, request->evidence[i]);
        if (!ledger_load_evidence(ledger, id, &item, &found, error))
            return false;
        if (!found || !span_equal(item.claim.id, request->claim.id) ||
            !span_equal(item.claim.book, request->claim.book) ||
            !span_equal(item.claim.chapter, request->claim.chapter))
            return error_set(
                error, ERROR_INPUT, id.at, "`assay evidence list --claim CLAIM` shows the ids.",
                "expected an evidence item about claim %.*s", SPAN_ARG(request->claim.label));
        if (item.state != LEDGER_CURRENT)
            return error_set(
                error, ERROR_INPUT, id.at, "Look at it again and record it anew, or leave it out.",
                "the evidence item is %s: %.*s", word_of(&ledger_state_words, (int)item.state),
                SPAN_ARG(item.state_reason));
    }
    return true;
}

static struct span sentence(struct ledger *ledger, const struct ledger_decision *decision,
                            const struct ledger_decision *before) {
    if (!before)
        return arena_printf(ledger->arena, "decided: %.*s", SPAN_ARG(decision->decision));
    return arena_printf(ledger->arena, "decided: %.*s; before: %.*s (%.*s)",
                        SPAN_ARG(decision->decision), SPAN_ARG(before->decision),
                        SPAN_ARG(before->reason));
}

bool ledger_decide(struct ledger *ledger, const struct decision_request *request,
                   struct ledger_decision *decision, struct error *error) {
    struct ledger_decision before;
    bool found;
    struct span id = ledger_decision_id(ledger->arena, &request->claim);
    if (!acceptable(ledger, request, error) || !evidence_fits(ledger, request, error) ||
        !ledger_load_decision(ledger, id, &before, &found, error))
        return false;
    *decision = (struct ledger_decision){
        .id = id,
        .claim = request->claim,
        .decision = request->decision,
        .reason = span_trim(request->reason),
        .replacement = request->replacement,
        .decided_at = ledger->now,
        .decided_by = ledger->who,
        .evidence_count = request->evidence_count,
    };
    decision->evidence =
        arena_array(ledger->arena, request->evidence_count, sizeof *decision->evidence);
    for (size_t i = 0; i < request->evidence_count; i++)
        decision->evidence[i] = request->evidence[i];
    if (found)
        decision->history = before.history;
    return ledger_save_decision(ledger, decision,
                                sentence(ledger, decision, found ? &before : NULL), error);
}
