#include "schemas/carry_over.h"

static const char *const outcomes[] = {"reused",   "revalidated", "re-evaluate",
                                       "orphaned", "removed",     "not looked at"};
const struct word_list carry_words = {outcomes, CARRY_OUTCOMES};

size_t carry_count(const struct carry_over *carry, enum carry_outcome outcome) {
    size_t count = 0;
    for (size_t i = 0; i < carry->item_count; i++)
        count += carry->items[i].outcome == outcome;
    return count;
}

static void put_claims(struct json_writer *w, const struct carry_over *carry) {
    json_begin_object(w, "claims");
    json_put_size(w, "kept", carry->claims_kept);
    json_put_size(w, "changed", carry->change_count);
    json_put_size(w, "added", carry->claims_added);
    json_put_size(w, "removed", carry->claims_removed);
    json_put_size(w, "not looked at", carry->claims_unread);
    json_end_object(w);
    json_begin_array(w, "changes");
    for (size_t i = 0; i < carry->change_count; i++) {
        const struct carry_change *change = &carry->changes[i];
        json_begin_object(w, NULL);
        json_put_text(w, "was", change->was);
        json_put_text(w, "is", change->is);
        json_put_text(w, "was_quote", change->was_quote);
        json_put_text(w, "is_quote", change->is_quote);
        json_end_object(w);
    }
    json_end_array(w);
}

static void put_item(struct json_writer *w, const struct carry_item *item) {
    json_begin_object(w, NULL);
    json_put_text(w, "id", item->id);
    json_put_text(w, "kind", item->kind);
    json_put_string(w, "outcome", word_of(&carry_words, (int)item->outcome));
    json_put_text(w, "reason", item->reason);
    json_put_text(w, "claim", item->claim);
    json_put_text(w, "proposed", item->proposed);
    json_put_text(w, "proposed_quote", item->proposed_quote);
    json_end_object(w);
}

void carry_over_write(struct buffer *out, const struct carry_over *carry) {
    struct json_writer w = {.out = out};
    json_begin_object(&w, NULL);
    json_put_string(&w, "schema", CARRY_OVER_SCHEMA);
    json_put_text(&w, "previous", carry->previous);
    put_claims(&w, carry);
    json_begin_object(&w, "counts");
    for (int outcome = 0; outcome < CARRY_OUTCOMES; outcome++)
        json_put_size(&w, outcomes[outcome], carry_count(carry, (enum carry_outcome)outcome));
    json_end_object(&w);
    json_begin_array(&w, "items");
    for (size_t i = 0; i < carry->item_count; i++)
        put_item(&w, &carry->items[i]);
    json_end_array(&w);
    json_end_object(&w);
    json_finish(&w);
}

static void read_changes(struct arena *arena, const cJSON *root, struct carry_over *carry) {
    size_t count;
    const cJSON *one, *list = json_array(root, "changes", &count);
    cJSON_ArrayForEach(one, list) {
        struct carry_change change = {json_text(arena, one, "was"), json_text(arena, one, "is"),
                                      json_text(arena, one, "was_quote"),
                                      json_text(arena, one, "is_quote")};
        LIST_PUSH(arena, carry->changes, carry->change_count, carry->change_capacity, change);
    }
}

static bool read_items(struct arena *arena, const cJSON *root, const char *where,
                       struct carry_over *carry, struct error *error) {
    size_t count;
    const cJSON *one, *list = json_array(root, "items", &count);
    cJSON_ArrayForEach(one, list) {
        struct span word = json_text(arena, one, "outcome");
        int outcome = word_value(&carry_words, word);
        if (outcome < 0)
            return error_set(error, ERROR_INPUT, where,
                             "Make it again: `assay ledger carry --pass PASS`.",
                             "items: \"%.*s\" is no outcome", SPAN_ARG(word));
        struct carry_item item = {
            .id = json_text(arena, one, "id"),
            .kind = json_text(arena, one, "kind"),
            .outcome = (enum carry_outcome)outcome,
            .reason = json_text(arena, one, "reason"),
            .claim = json_text(arena, one, "claim"),
            .proposed = json_text(arena, one, "proposed"),
            .proposed_quote = json_text(arena, one, "proposed_quote"),
        };
        LIST_PUSH(arena, carry->items, carry->item_count, carry->item_capacity, item);
    }
    return true;
}

bool carry_over_read(struct arena *arena, struct span json, const char *where,
                     struct carry_over *carry, struct error *error) {
    *carry = (struct carry_over){0};
    cJSON *root = json_parse_schema(json, where, CARRY_OVER_SCHEMA, error);
    if (!root)
        return false;
    const cJSON *claims = json_member(root, "claims");
    carry->previous = json_text(arena, root, "previous");
    carry->claims_kept = json_size(claims, "kept", 0);
    carry->claims_added = json_size(claims, "added", 0);
    carry->claims_removed = json_size(claims, "removed", 0);
    carry->claims_unread = json_size(claims, "not looked at", 0);
    read_changes(arena, root, carry);
    bool ok = read_items(arena, root, where, carry, error);
    cJSON_Delete(root);
    return ok;
}
