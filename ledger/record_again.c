/* Evidence looked at again: kept for the claim it is about now, or taken out of use. */
#include "ledger/quote.h"
#include "ledger/record.h"
#include "ledger/rules.h"

static bool load(struct ledger *ledger, struct span id, struct ledger_evidence *evidence,
                 struct error *error) {
    bool found;
    const char *name = arena_string(ledger->arena, id);
    if (!ledger_load_evidence(ledger, id, evidence, &found, error))
        return false;
    if (!found)
        return error_set(error, ERROR_INPUT, name, "`assay evidence list` shows the ids.",
                         "expected an evidence item of the ledger in %s", ledger->folder);
    return evidence->state != LEDGER_REMOVED ||
           error_set(error, ERROR_INPUT, name, "Record it anew with `assay evidence add`.",
                     "the item is no longer in use: %.*s", SPAN_ARG(evidence->state_reason));
}

/* The quote in the source's text of now; what may be said by its reading status of now. */
static bool anchor_again(struct ledger *ledger, struct ledger_evidence *e, struct error *error) {
    struct ledger_source source;
    struct span text;
    struct quote_match match;
    if (!ledger_find_source(ledger, e->source, &source, error))
        return false;
    const char *where = arena_printf(ledger->arena, "source %.*s", SPAN_ARG(source.id)).at;
    bool same = span_equal(source.text_sha256, e->anchor.sha256);
    if (!rule_permits(e->relation, e->class, source.reading, where, error) ||
        !ledger_load_text(ledger, source.text_sha256, &text, error) ||
        !quote_find(ledger->arena, text, e->anchor.quote, same ? e->anchor.start : SIZE_MAX, where,
                    &match, error))
        return false;
    e->anchor = ledger_anchor_of(text, source.text_sha256, match.start, match.end);
    e->reading = source.reading;
    return true;
}

bool ledger_keep_evidence(struct ledger *ledger, struct span id, const struct ledger_claim *claim,
                          struct span reason, struct ledger_evidence *evidence,
                          struct error *error) {
    if (!load(ledger, id, evidence, error))
        return false;
    struct ledger_evidence old = *evidence;
    if (claim)
        evidence->claim = *claim;
    else if (old.state == LEDGER_ORPHANED)
        return error_set(error, ERROR_USAGE, arena_string(ledger->arena, id),
                         "Say with --claim which claim it is about now.",
                         "the item is orphaned: %.*s", SPAN_ARG(old.state_reason));
    if (!anchor_again(ledger, evidence, error))
        return false;
    evidence->state = LEDGER_CURRENT;
    evidence->state_reason = SPAN("");
    evidence->id = ledger_evidence_id(ledger->arena, evidence);
    struct span what =
        arena_printf(ledger->arena, "looked at again: it holds for claim %.*s (was %s)%s%.*s",
                     SPAN_ARG(evidence->claim.label), word_of(&ledger_state_words, (int)old.state),
                     reason.len ? ": " : "", SPAN_ARG(reason));
    if (!ledger_save_evidence(ledger, evidence, what, error))
        return false;
    if (span_equal(evidence->id, old.id))
        return true;
    old.state = LEDGER_REMOVED;
    old.state_reason = arena_printf(ledger->arena, "kept as %.*s", SPAN_ARG(evidence->id));
    return ledger_save_evidence(ledger, &old, old.state_reason, error);
}

bool ledger_remove_evidence(struct ledger *ledger, struct span id, struct span reason,
                            struct ledger_evidence *evidence, struct error *error) {
    if (span_trim(reason).len == 0)
        return error_set(error, ERROR_USAGE, "--reason", "Say why, in one sentence.",
                         "taking evidence out of use needs a reason");
    if (!load(ledger, id, evidence, error))
        return false;
    evidence->state = LEDGER_REMOVED;
    evidence->state_reason = span_trim(reason);
    return ledger_save_evidence(
        ledger, evidence,
        arena_printf(ledger->arena, "taken out of use: %.*s", SPAN_ARG(evidence->state_reason)),
        error);
}
