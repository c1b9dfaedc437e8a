#include "schemas/ledger_evidence.h"

#include "schemas/fields.h"

static const struct text_field text_fields[] = {
    TEXT_FIELD(ledger_evidence, id),          TEXT_FIELD(ledger_evidence, source),
    TEXT_FIELD(ledger_evidence, relation),    TEXT_FIELD(ledger_evidence, class),
    TEXT_FIELD(ledger_evidence, quote_given), TEXT_FIELD(ledger_evidence, normalization),
    TEXT_FIELD(ledger_evidence, note),        TEXT_FIELD(ledger_evidence, state_reason),
};

void ledger_evidence_put(struct json_writer *w, const char *key,
                         const struct ledger_evidence *evidence) {
    json_begin_object(w, key);
    json_put_string(w, "schema", LEDGER_EVIDENCE_SCHEMA);
    fields_write(w, text_fields, FIELD_COUNT(text_fields), evidence);
    json_put_string(w, "reading", word_of(&reading_words, (int)evidence->reading));
    json_put_string(w, "state", word_of(&ledger_state_words, (int)evidence->state));
    ledger_claim_write(w, &evidence->claim);
    ledger_anchor_write(w, "anchor", &evidence->anchor);
    ledger_history_write(w, &evidence->history);
    json_end_object(w);
}

void ledger_evidence_write(struct buffer *out, const struct ledger_evidence *evidence) {
    struct json_writer w = {.out = out};
    ledger_evidence_put(&w, NULL, evidence);
    json_finish(&w);
}

struct span ledger_evidence_id(struct arena *arena, const struct ledger_evidence *evidence) {
    const struct ledger_claim *claim = &evidence->claim;
    return ledger_id_of(arena, 'e',
                        arena_printf(arena, "%.*s\n%.*s\n%.*s\n%.*s\n%.*s\n%zu\n%.*s",
                                     SPAN_ARG(claim->book), SPAN_ARG(claim->chapter),
                                     SPAN_ARG(claim->id), SPAN_ARG(evidence->source),
                                     SPAN_ARG(evidence->relation), evidence->anchor.start,
                                     SPAN_ARG(evidence->anchor.quote)));
}

static const char *read_words(const cJSON *root, struct arena *arena,
                              struct ledger_evidence *evidence) {
    int reading = word_value(&reading_words, json_text(arena, root, "reading"));
    int state = word_value(&ledger_state_words, json_text(arena, root, "state"));
    if (reading != READING_FULL_TEXT && reading != READING_ABSTRACT_ONLY)
        return "evidence from a source that nobody read";
    if (state < 0)
        return "a state that is none of current, re-evaluate, orphaned, removed";
    if (word_value(&relation_words, evidence->relation) < 0)
        return "an unknown relation";
    if (word_value(&evidence_class_words, evidence->class) < 0)
        return "an unknown class";
    evidence->reading = (enum reading_status)reading;
    evidence->state = (enum ledger_state)state;
    return NULL;
}

/* The id is not derived again here: carry-over moves the anchors and keeps the id. */
const char *ledger_evidence_get(struct arena *arena, const cJSON *root,
                                struct ledger_evidence *evidence) {
    fields_read(arena, root, text_fields, FIELD_COUNT(text_fields), evidence);
    if (!ledger_id_valid(evidence->id, 'e'))
        return "an id that is not e- and 12 hexadecimal digits";
    if (!ledger_id_valid(evidence->source, 's'))
        return "a source that is not s- and 12 hexadecimal digits";
    const char *fault = read_words(root, arena, evidence);
    if (!fault)
        fault = ledger_claim_read(arena, root, &evidence->claim);
    if (!fault)
        fault = ledger_anchor_read(arena, root, "anchor", &evidence->anchor);
    return fault ? fault : ledger_history_read(arena, root, &evidence->history);
}

bool ledger_evidence_read(struct arena *arena, struct span json, const char *where,
                          struct ledger_evidence *evidence, struct error *error) {
    *evidence = (struct ledger_evidence){0};
    cJSON *root = json_parse_schema(json, where, LEDGER_EVIDENCE_SCHEMA, error);
    if (!root)
        return false;
    const char *fault = ledger_evidence_get(arena, root, evidence);
    cJSON_Delete(root);
    if (fault)
        return error_set(error, ERROR_INPUT, where,
                         "Restore the file (git checkout), or remove it and add the item again.",
                         "expected an evidence item of the ledger, found %s", fault);
    return true;
}
