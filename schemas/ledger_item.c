#include "schemas/ledger_item.h"

#include "core/hash.h"
#include "schemas/fields.h"

enum { ID_DIGITS = 12 };

static const char *const state_list[] = {"current", "re-evaluate", "orphaned", "removed"};
const struct word_list ledger_state_words = {state_list, sizeof state_list / sizeof *state_list};

static const struct text_field event_fields[] = {
    TEXT_FIELD(ledger_event, at),
    TEXT_FIELD(ledger_event, who),
    TEXT_FIELD(ledger_event, command),
    TEXT_FIELD(ledger_event, what),
};
static const struct text_field anchor_fields[] = {
    TEXT_FIELD(ledger_anchor, sha256),
    TEXT_FIELD(ledger_anchor, quote),
    TEXT_FIELD(ledger_anchor, prefix),
    TEXT_FIELD(ledger_anchor, suffix),
};
static const struct text_field claim_fields[] = {
    TEXT_FIELD(ledger_claim, book),  TEXT_FIELD(ledger_claim, chapter),
    TEXT_FIELD(ledger_claim, pass),  TEXT_FIELD(ledger_claim, id),
    TEXT_FIELD(ledger_claim, label),
};

static bool continues_code_point(char byte) {
    return ((unsigned char)byte & 0xC0) == 0x80;
}

struct ledger_anchor ledger_anchor_of(struct span text, struct span sha256, size_t start,
                                      size_t end) {
    size_t from = start > LEDGER_CONTEXT_BYTES ? start - LEDGER_CONTEXT_BYTES : 0;
    size_t to = text.len - end > LEDGER_CONTEXT_BYTES ? end + LEDGER_CONTEXT_BYTES : text.len;
    while (from < start && continues_code_point(text.at[from]))
        from++;
    while (to > end && to < text.len && continues_code_point(text.at[to]))
        to--;
    return (struct ledger_anchor){
        .sha256 = sha256,
        .start = start,
        .end = end,
        .quote = span_slice(text, start, end),
        .prefix = span_slice(text, from, start),
        .suffix = span_slice(text, end, to),
    };
}

void ledger_history_write(struct json_writer *w, const struct ledger_history *history) {
    json_begin_array(w, "history");
    for (size_t i = 0; i < history->count; i++) {
        json_begin_object(w, NULL);
        fields_write(w, event_fields, FIELD_COUNT(event_fields), &history->events[i]);
        json_end_object(w);
    }
    json_end_array(w);
}

void ledger_anchor_write(struct json_writer *w, const char *key,
                         const struct ledger_anchor *anchor) {
    json_begin_object(w, key);
    json_put_size(w, "start", anchor->start);
    json_put_size(w, "end", anchor->end);
    fields_write(w, anchor_fields, FIELD_COUNT(anchor_fields), anchor);
    json_end_object(w);
}

void ledger_claim_write(struct json_writer *w, const struct ledger_claim *claim) {
    json_begin_object(w, "claim");
    fields_write(w, claim_fields, FIELD_COUNT(claim_fields), claim);
    ledger_anchor_write(w, "anchor", &claim->anchor);
    json_end_object(w);
}

const char *ledger_history_read(struct arena *arena, const cJSON *item,
                                struct ledger_history *history) {
    size_t count;
    const cJSON *one, *list = json_array(item, "history", &count);
    if (count == 0)
        return "no history: every item says who recorded it";
    history->events = arena_array(arena, count, sizeof *history->events);
    history->capacity = count;
    cJSON_ArrayForEach(one, list) {
        struct ledger_event *event = &history->events[history->count++];
        fields_read(arena, one, event_fields, FIELD_COUNT(event_fields), event);
        if (!event->at.len || !event->who.len || !event->what.len)
            return "a history entry without at, who or what";
    }
    return NULL;
}

const char *ledger_anchor_read(struct arena *arena, const cJSON *item, const char *key,
                               struct ledger_anchor *anchor) {
    const cJSON *object = json_member(item, key);
    fields_read(arena, object, anchor_fields, FIELD_COUNT(anchor_fields), anchor);
    anchor->start = json_size(object, "start", SIZE_MAX);
    anchor->end = json_size(object, "end", 0);
    if (!sha256_is_hex(anchor->sha256))
        return "an anchor without the SHA-256 of its text";
    if (anchor->quote.len == 0 || anchor->start > anchor->end ||
        anchor->end - anchor->start != anchor->quote.len)
        return "an anchor whose start and end do not fit its quote";
    return NULL;
}

const char *ledger_claim_read(struct arena *arena, const cJSON *item, struct ledger_claim *claim) {
    const cJSON *object = json_member(item, "claim");
    fields_read(arena, object, claim_fields, FIELD_COUNT(claim_fields), claim);
    if (!claim->id.len || !claim->pass.len)
        return "no claim, or one without id or pass";
    return ledger_anchor_read(arena, object, "anchor", &claim->anchor);
}

bool ledger_id_valid(struct span id, char letter) {
    if (id.len != 2 + ID_DIGITS || id.at[0] != letter || id.at[1] != '-')
        return false;
    for (size_t i = 2; i < id.len; i++)
        if (!memchr("0123456789abcdef", id.at[i], 16))
            return false;
    return true;
}

struct span ledger_id_of(struct arena *arena, char letter, struct span identity) {
    return arena_printf(arena, "%c-%.*s", letter, ID_DIGITS, sha256_hex(arena, identity).at);
}
