/* Evidence: a relation is stored only when its quote, its numbers and its status check out. */
#include "core/utf8.h"
#include "ledger/passage.h"
#include "ledger/quote.h"
#include "ledger/record.h"
#include "ledger/rules.h"
#include "ledger/word.h"

enum { NOTE_LONGEST_BYTES = 8000 };

static bool note_acceptable(struct span note, struct error *error) {
    if (note.len > NOTE_LONGEST_BYTES || utf8_first_invalid(note) != SIZE_MAX)
        return error_set(error, ERROR_INPUT, "--note", "Say it shorter, in UTF-8.",
                         "expected UTF-8 of at most %d bytes, got %zu bytes", NOTE_LONGEST_BYTES,
                         note.len);
    return true;
}

static bool numbers_acceptable(struct ledger *ledger, struct span note, struct span text,
                               const struct quote_match *match, struct error *error) {
    struct passage passage = passage_around(text, match->start, match->end);
    struct span missing, held = span_slice(text, passage.start, passage.end);
    return word_numbers_stand(ledger->arena, note, held, &missing) ||
           error_set(error, ERROR_INPUT, "--note",
                     "A note says only what the quoted passage says: take the number out, or quote "
                     "the passage that has it.",
                     "\"%.*s\" does not stand in the passage around the quote (bytes %zu to %zu of "
                     "the stored text)",
                     SPAN_ARG(missing), passage.start, passage.end);
}

static struct span sentence(struct ledger *ledger, const struct ledger_evidence *evidence) {
    return arena_printf(ledger->arena, "added: %.*s %.*s for claim %.*s%s%.*s",
                        SPAN_ARG(evidence->source), SPAN_ARG(evidence->relation),
                        SPAN_ARG(evidence->claim.label),
                        evidence->normalization.len ? "; the quote was normalized: " : "",
                        SPAN_ARG(evidence->normalization));
}

static bool store(struct ledger *ledger, struct ledger_evidence *evidence, bool *already,
                  struct error *error) {
    struct ledger_evidence before;
    evidence->id = ledger_evidence_id(ledger->arena, evidence);
    if (!ledger_load_evidence(ledger, evidence->id, &before, already, error))
        return false;
    if (!*already)
        return ledger_save_evidence(ledger, evidence, sentence(ledger, evidence), error);
    bool same = span_equal(before.note, evidence->note) &&
                span_equal(before.class, evidence->class) && before.state == LEDGER_CURRENT;
    evidence->history = before.history;
    if (same) {
        *evidence = before;
        return true;
    }
    return ledger_save_evidence(ledger, evidence,
                                arena_printf(ledger->arena,
                                             "recorded again: was %s, class %.*s, note \"%.*s\"",
                                             word_of(&ledger_state_words, (int)before.state),
                                             SPAN_ARG(before.class), SPAN_ARG(before.note)),
                                error);
}

bool ledger_add_evidence(struct ledger *ledger, const struct evidence_request *request,
                         struct ledger_evidence *evidence, bool *already, struct error *error) {
    struct ledger_source source;
    struct span text, relation = request->relation;
    struct quote_match match;
    struct span class = request->class.len ? request->class : rule_class_of(relation);
    if (!ledger_find_source(ledger, request->source, &source, error))
        return false;
    const char *where = arena_printf(ledger->arena, "source %.*s", SPAN_ARG(source.id)).at;
    if (!rule_permits(relation, class.len ? class : SPAN("background"), source.reading, where,
                      error) ||
        !note_acceptable(request->note, error) ||
        !ledger_load_text(ledger, source.text_sha256, &text, error) ||
        !quote_find(ledger->arena, text, request->quote, request->at, where, &match, error) ||
        !numbers_acceptable(ledger, request->note, text, &match, error))
        return false;
    struct span given = span_trim(request->quote);
    *evidence = (struct ledger_evidence){
        .claim = request->claim,
        .source = source.id,
        .relation = relation,
        .class = class,
        .anchor = ledger_anchor_of(text, source.text_sha256, match.start, match.end),
        .note = span_trim(request->note),
        .reading = source.reading,
        .normalization = match.normalization,
    };
    if (!span_equal(given, evidence->anchor.quote))
        evidence->quote_given = given;
    return store(ledger, evidence, already, error);
}
