#include "schemas/ledger_decision.h"

#include "schemas/fields.h"

static const struct text_field text_fields[] = {
    TEXT_FIELD(ledger_decision, id),           TEXT_FIELD(ledger_decision, decision),
    TEXT_FIELD(ledger_decision, reason),       TEXT_FIELD(ledger_decision, replacement),
    TEXT_FIELD(ledger_decision, decided_at),   TEXT_FIELD(ledger_decision, decided_by),
    TEXT_FIELD(ledger_decision, state_reason),
};

void ledger_decision_put(struct json_writer *w, const char *key,
                         const struct ledger_decision *decision) {
    json_begin_object(w, key);
    json_put_string(w, "schema", LEDGER_DECISION_SCHEMA);
    fields_write(w, text_fields, FIELD_COUNT(text_fields), decision);
    json_put_string(w, "state", word_of(&ledger_state_words, (int)decision->state));
    ledger_claim_write(w, &decision->claim);
    json_begin_array(w, "evidence");
    for (size_t i = 0; i < decision->evidence_count; i++)
        json_put_text(w, NULL, decision->evidence[i]);
    json_end_array(w);
    ledger_history_write(w, &decision->history);
    json_end_object(w);
}

void ledger_decision_write(struct buffer *out, const struct ledger_decision *decision) {
    struct json_writer w = {.out = out};
    ledger_decision_put(&w, NULL, decision);
    json_finish(&w);
}

struct span ledger_decision_id(struct arena *arena, const struct ledger_claim *claim) {
    return ledger_id_of(arena, 'd',
                        arena_printf(arena, "%.*s\n%.*s\n%.*s", SPAN_ARG(claim->book),
                                     SPAN_ARG(claim->chapter), SPAN_ARG(claim->id)));
}

static const char *read_evidence(struct arena *arena, const cJSON *root,
                                 struct ledger_decision *decision) {
    size_t count;
    const cJSON *one, *list = json_array(root, "evidence", &count);
    decision->evidence = arena_array(arena, count, sizeof *decision->evidence);
    cJSON_ArrayForEach(one, list) {
        struct span id = span_of(cJSON_IsString(one) ? one->valuestring : "");
        if (!ledger_id_valid(id, 'e'))
            return "an evidence id that is not e- and 12 hexadecimal digits";
        decision->evidence[decision->evidence_count++] = arena_copy(arena, id);
    }
    return NULL;
}

const char *ledger_decision_get(struct arena *arena, const cJSON *root,
                                struct ledger_decision *decision) {
    fields_read(arena, root, text_fields, FIELD_COUNT(text_fields), decision);
    int state = word_value(&ledger_state_words, json_text(arena, root, "state"));
    if (!ledger_id_valid(decision->id, 'd'))
        return "an id that is not d- and 12 hexadecimal digits";
    if (word_value(&decision_words, decision->decision) < 0)
        return "a decision that is none of accept, revise, defer, reject";
    if (state < 0)
        return "a state that is none of current, re-evaluate, orphaned, removed";
    if (!decision->reason.len || !decision->decided_at.len || !decision->decided_by.len)
        return "a decision without reason, date or person";
    decision->state = (enum ledger_state)state;
    const char *fault = ledger_claim_read(arena, root, &decision->claim);
    if (!fault)
        fault = read_evidence(arena, root, decision);
    return fault ? fault : ledger_history_read(arena, root, &decision->history);
}

bool ledger_decision_read(struct arena *arena, struct span json, const char *where,
                          struct ledger_decision *decision, struct error *error) {
    *decision = (struct ledger_decision){0};
    cJSON *root = json_parse_schema(json, where, LEDGER_DECISION_SCHEMA, error);
    if (!root)
        return false;
    const char *fault = ledger_decision_get(arena, root, decision);
    cJSON_Delete(root);
    if (fault)
        return error_set(error, ERROR_INPUT, where,
                         "Restore the file (git checkout), or remove it and decide again.",
                         "expected a decision of the ledger, found %s", fault);
    return true;
}
