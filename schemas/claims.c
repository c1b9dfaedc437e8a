#include "schemas/claims.h"

#include <stdint.h>

static const char *const bound_spellings[] = {"",     "about", "at least", "at most",
                                              "over", "under", "exact"};
static const struct word_list bound_words = {bound_spellings, 7};

static void put_value(struct json_writer *w, const struct quantity *q) {
    if (q->value == q->value_high) {
        json_put_number(w, "value", q->value);
        return;
    }
    json_begin_array(w, "value");
    json_put_number(w, NULL, q->value);
    json_put_number(w, NULL, q->value_high);
    json_end_array(w);
}

static void put_quantity(struct json_writer *w, const struct quantity *q) {
    json_begin_object(w, NULL);
    put_value(w, q);
    json_put_number(w, "lo", q->lo);
    json_put_number(w, "hi", q->hi);
    json_put_text(w, "unit", q->unit);
    json_put_text(w, "per", q->per);
    json_put_size(w, "start", q->start);
    json_put_size(w, "end", q->end);
    json_put_string(w, "role", word_of(&role_words, (int)q->role));
    json_put_text(w, "printed", q->printed);
    json_put_optional(w, "subject", q->subject);
    if (q->bound != BOUND_NONE)
        json_put_string(w, "bound", word_of(&bound_words, (int)q->bound));
    if (q->in_words)
        json_put_flag(w, "in_words", true);
    if (q->malformed)
        json_put_flag(w, "malformed", true);
    json_end_object(w);
}

static bool named_before(const struct claim *claim, size_t field) {
    for (size_t i = 0; i < field; i++)
        if (span_equal(claim->contract[i].name, claim->contract[field].name))
            return true;
    return false;
}

/* "contract" has the first value of each name (docs/design.md 3); "contract_fields" all of them
 * with their places, and is what claims_read reads. */
static void put_contract(struct json_writer *w, const struct claim *claim) {
    struct buffer name = {0};
    json_begin_object(w, "contract");
    for (size_t i = 0; i < claim->contract_count; i++) {
        if (named_before(claim, i) || span_equal(claim->contract[i].name, SPAN("drifts")))
            continue;
        buffer_clear(&name);
        buffer_add(&name, claim->contract[i].name);
        buffer_add_byte(&name, 0);
        json_put_text(w, name.at, claim->contract[i].value);
    }
    json_begin_array(w, "drifts");
    json_end_array(w);
    json_end_object(w);
    buffer_free(&name);
    json_begin_array(w, "contract_fields");
    for (size_t i = 0; i < claim->contract_count; i++) {
        const struct contract_field *field = &claim->contract[i];
        json_begin_object(w, NULL);
        json_put_text(w, "name", field->name);
        json_put_text(w, "value", field->value);
        json_put_size(w, "start", field->start);
        json_put_size(w, "end", field->end);
        json_end_object(w);
    }
    json_end_array(w);
}

static void put_claim(struct json_writer *w, const struct claims *claims, const struct claim *c) {
    json_begin_object(w, NULL);
    json_put_text(w, "id", c->id);
    json_put_text(w, "label", c->label);
    json_put_string(w, "kind", word_of(&claim_kind_words, (int)c->kind));
    json_put_size(w, "start", c->start);
    json_put_size(w, "end", c->end);
    json_put_text(w, "quote", c->quote);
    json_begin_array(w, "heading");
    for (size_t i = 0; i < c->heading_count; i++)
        json_put_text(w, NULL, c->heading[i]);
    json_end_array(w);
    json_put_string(w, "block", word_of(&block_words, (int)c->block));
    json_put_text(w, "subject", c->subject);
    json_put_string(w, "priority", word_of(&severity_words, (int)c->priority));
    json_put_string(w, "response", word_of(&response_words, (int)c->response));
    put_contract(w, c);
    json_begin_array(w, "quantities");
    for (size_t i = 0; i < c->quantity_count; i++)
        put_quantity(w, &claims->quantities[c->first_quantity + i]);
    json_end_array(w);
    json_end_object(w);
}

void claims_write_members(struct json_writer *w, const struct claims *claims) {
    json_begin_object(w, "text");
    json_put_text(w, "file", claims->text_file);
    json_put_text(w, "sha256", claims->text_sha256);
    json_end_object(w);
    json_begin_array(w, "claims");
    for (size_t i = 0; i < claims->count; i++)
        put_claim(w, claims, &claims->claims[i]);
    json_end_array(w);
}

void claims_write(struct buffer *out, const struct claims *claims) {
    struct json_writer w = {.out = out};
    json_begin_object(&w, NULL);
    json_put_string(&w, "schema", CLAIMS_SCHEMA);
    claims_write_members(&w, claims);
    json_end_object(&w);
    json_finish(&w);
}

const struct claim *claims_find(const struct claims *claims, struct span id) {
    for (size_t i = 0; i < claims->count; i++)
        if (span_equal(claims->claims[i].id, id) || span_equal(claims->claims[i].label, id))
            return &claims->claims[i];
    return NULL;
}

static bool get_word(const struct word_list *words, struct arena *arena, const cJSON *item,
                     const char *key, int *value) {
    struct span word = json_text(arena, item, key);
    *value = word.len ? word_value(words, word) : 0;
    return *value >= 0;
}

static const char *get_quantity(struct arena *arena, const cJSON *item, size_t claim,
                                struct quantity *q) {
    const cJSON *value = json_member(item, "value");
    bool range = cJSON_IsArray(value) && cJSON_GetArraySize(value) == 2;
    const cJSON *low = range ? cJSON_GetArrayItem(value, 0) : value;
    const cJSON *high = range ? cJSON_GetArrayItem(value, 1) : value;
    int role, bound;
    if (!cJSON_IsNumber(low) || !cJSON_IsNumber(high))
        return "a quantity without a value";
    if (!get_word(&role_words, arena, item, "role", &role) ||
        !get_word(&bound_words, arena, item, "bound", &bound))
        return "a quantity with an unknown role or bound";
    *q = (struct quantity){.start = json_size(item, "start", 0),
                           .end = json_size(item, "end", 0),
                           .printed = json_text(arena, item, "printed"),
                           .value = low->valuedouble,
                           .value_high = high->valuedouble,
                           .lo = json_number(item, "lo", low->valuedouble),
                           .hi = json_number(item, "hi", high->valuedouble),
                           .unit = json_text(arena, item, "unit"),
                           .per = json_text(arena, item, "per"),
                           .subject = json_text(arena, item, "subject"),
                           .role = (enum quantity_role)role,
                           .bound = (enum bound)bound,
                           .block = SIZE_MAX,
                           .sentence = SIZE_MAX,
                           .claim = claim,
                           .in_words = json_flag(item, "in_words", false),
                           .malformed = json_flag(item, "malformed", false)};
    return q->start > q->end ? "a quantity whose place ends before it starts" : NULL;
}

static void get_lists(struct arena *arena, const cJSON *item, struct claim *c) {
    size_t count;
    const cJSON *entry, *list = json_array(item, "heading", &count);
    c->heading = arena_array(arena, count, sizeof *c->heading);
    cJSON_ArrayForEach(entry, list) if (cJSON_IsString(entry)) c->heading[c->heading_count++] =
        arena_copy(arena, span_of(entry->valuestring));
    list = json_array(item, "contract_fields", &count);
    c->contract = arena_array(arena, count, sizeof *c->contract);
    cJSON_ArrayForEach(entry, list) c->contract[c->contract_count++] =
        (struct contract_field){.name = json_text(arena, entry, "name"),
                                .value = json_text(arena, entry, "value"),
                                .start = json_size(entry, "start", 0),
                                .end = json_size(entry, "end", 0)};
}

static const char *get_claim(struct arena *arena, const cJSON *item, struct claims *claims,
                             struct claim *c) {
    int kind, block, priority, response;
    if (!get_word(&claim_kind_words, arena, item, "kind", &kind) ||
        !get_word(&block_words, arena, item, "block", &block) ||
        !get_word(&severity_words, arena, item, "priority", &priority) ||
        !get_word(&response_words, arena, item, "response", &response))
        return "a claim with an unknown kind, block, priority or response";
    *c = (struct claim){.id = json_text(arena, item, "id"),
                        .label = json_text(arena, item, "label"),
                        .kind = (enum claim_kind)kind,
                        .start = json_size(item, "start", 0),
                        .end = json_size(item, "end", 0),
                        .quote = json_text(arena, item, "quote"),
                        .block = (enum block_kind)block,
                        .subject = json_text(arena, item, "subject"),
                        .first_quantity = claims->quantity_count,
                        .priority = (enum severity)priority,
                        .response = (enum response)response};
    if (c->id.len == 0 || c->start > c->end)
        return "a claim without an id, or whose place ends before it starts";
    get_lists(arena, item, c);
    const char *fault = NULL;
    const cJSON *entry, *list = json_array(item, "quantities", &c->quantity_count);
    cJSON_ArrayForEach(entry, list) {
        struct quantity q = {0};
        const char *wrong = get_quantity(arena, entry, claims->count, &q);
        fault = fault ? fault : wrong;
        LIST_PUSH(arena, claims->quantities, claims->quantity_count, claims->quantity_capacity, q);
    }
    return fault;
}

bool claims_read(struct arena *arena, struct span json, const char *where, struct claims *claims,
                 struct error *error) {
    *claims = (struct claims){0};
    cJSON *root = json_parse_schema(json, where, CLAIMS_SCHEMA, error);
    if (!root)
        return false;
    const cJSON *text = json_member(root, "text");
    claims->text_file = json_text(arena, text, "file");
    claims->text_sha256 = json_text(arena, text, "sha256");
    const char *fault = NULL;
    size_t count;
    const cJSON *item, *list = json_array(root, "claims", &count);
    cJSON_ArrayForEach(item, list) {
        struct claim claim = {0};
        if (!fault)
            fault = get_claim(arena, item, claims, &claim);
        LIST_PUSH(arena, claims->claims, claims->count, claims->capacity, claim);
    }
    cJSON_Delete(root);
    if (fault)
        return error_set(error, ERROR_INPUT, where, "Run the stage that writes this file again.",
                         "%s", fault);
    return true;
}
