/* Quotes in texts (split at the first line end), and files of the ledger. */
#include "core/utf8.h"
#include "ledger/passage.h"
#include "ledger/quote.h"
#include "ledger/word.h"
#include "schemas/evidence.h"

#include <stdint.h>
#include <stdlib.h>

static void read_items(struct arena *arena, struct span json) {
    struct ledger_source source;
    struct ledger_evidence evidence;
    struct ledger_decision decision;
    ledger_source_read(arena, json, "fuzz", &source, NULL);
    ledger_evidence_read(arena, json, "fuzz", &evidence, NULL);
    ledger_decision_read(arena, json, "fuzz", &decision, NULL);
}

static void must(bool holds) {
    if (!holds)
        abort();
}

/* What is found stands whole inside the text; what is found exactly is the quote. */
static void find(struct arena *arena, struct span text, struct span quote) {
    struct quote_match match = {0};
    struct error error = {0};
    struct span missing;
    if (!quote_find(arena, text, quote, SIZE_MAX, "fuzz", &match, &error)) {
        must(error.kind == ERROR_INPUT && error.message[0]);
        return;
    }
    struct span found = span_slice(text, match.start, match.end);
    must(match.start < match.end && match.end <= text.len);
    must(!word_joined(text, match.start) && !word_joined(text, match.end));
    must(match.normalization.len > 0 || span_equal(found, span_trim(quote)));
    must(word_numbers_stand(arena, found, found, &missing));
    struct passage around = passage_around(text, match.start, match.end);
    must(around.start <= match.start && around.end >= match.end && around.end <= text.len);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct span whole = {(const char *)data, size};
    struct arena arena;
    arena_init(&arena);
    size_t line = span_find_byte(whole, '\n', 0);
    if (line != SIZE_MAX && utf8_first_invalid(whole) == SIZE_MAX)
        find(&arena, span_slice(whole, line + 1, size), span_slice(whole, 0, line));
    read_items(&arena, whole);
    arena_free(&arena);
    return 0;
}
