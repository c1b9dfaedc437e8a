#include "schemas/ledger_source.h"

#include "core/hash.h"

#include <stdint.h>

/* Members that are plain text, in the order they are written. */
static const struct member {
    const char *key;
    size_t offset;
    bool unverified; /* an empty one reads UNVERIFIED */
} members[] = {
#define MEMBER(name, unverified)                                                                   \
    { #name, offsetof(struct ledger_source, name), unverified }
    MEMBER(id, false),
    MEMBER(canonical, false),
    MEMBER(kind, false),
    MEMBER(url, false),
    MEMBER(title, true),
    MEMBER(authors, true),
    MEMBER(venue, true),
    MEMBER(year, true),
    MEMBER(version, true),
    MEMBER(metadata_status, true),
    MEMBER(reading_reason, false),
    MEMBER(read_at, false),
    MEMBER(text_sha256, false),
    MEMBER(text_form, false),
    MEMBER(text_from, false),
    MEMBER(original_sha256, false),
    MEMBER(archive, false),
#undef MEMBER
};
enum { MEMBERS = sizeof members / sizeof *members };

static struct span *member_of(const struct ledger_source *source, const struct member *member) {
    return (struct span *)((char *)(uintptr_t)source + member->offset);
}

void ledger_source_put(struct json_writer *w, const char *key, const struct ledger_source *source) {
    json_begin_object(w, key);
    json_put_string(w, "schema", LEDGER_SOURCE_SCHEMA);
    for (size_t i = 0; i < MEMBERS; i++) {
        struct span value = *member_of(source, &members[i]);
        if (value.len == 0 && members[i].unverified)
            value = SPAN("UNVERIFIED");
        json_put_text(w, members[i].key, value);
    }
    json_put_string(w, "reading", word_of(&reading_words, (int)source->reading));
    json_put_size(w, "text_bytes", source->text_bytes);
    ledger_history_write(w, &source->history);
    json_end_object(w);
}

void ledger_source_write(struct buffer *out, const struct ledger_source *source) {
    struct json_writer w = {.out = out};
    ledger_source_put(&w, NULL, source);
    json_finish(&w);
}

struct span ledger_source_id(struct arena *arena, struct span canonical) {
    return ledger_id_of(arena, 's', canonical);
}

const char *ledger_source_get(struct arena *arena, const cJSON *root,
                              struct ledger_source *source) {
    for (size_t i = 0; i < MEMBERS; i++) {
        struct span value = json_text(arena, root, members[i].key);
        bool unknown = members[i].unverified && span_equal(value, SPAN("UNVERIFIED"));
        *member_of(source, &members[i]) = unknown ? SPAN("") : value;
    }
    source->text_bytes = json_size(root, "text_bytes", 0);
    int reading = word_value(&reading_words, json_text(arena, root, "reading"));
    if (reading < 0)
        return "a source without a reading status";
    source->reading = (enum reading_status)reading;
    if (!source->canonical.len ||
        !span_equal(source->id, ledger_source_id(arena, source->canonical)))
        return "an id that is not the one of its canonical identity";
    if (source->text_sha256.len && !sha256_is_hex(source->text_sha256))
        return "a text_sha256 that is no SHA-256";
    bool readable =
        source->reading == READING_FULL_TEXT || source->reading == READING_ABSTRACT_ONLY;
    if (readable != (source->text_sha256.len > 0))
        return "a reading status that does not fit the stored text";
    return ledger_history_read(arena, root, &source->history);
}

bool ledger_source_read(struct arena *arena, struct span json, const char *where,
                        struct ledger_source *source, struct error *error) {
    *source = (struct ledger_source){0};
    cJSON *root = json_parse_schema(json, where, LEDGER_SOURCE_SCHEMA, error);
    if (!root)
        return false;
    const char *fault = ledger_source_get(arena, root, source);
    cJSON_Delete(root);
    if (fault)
        return error_set(error, ERROR_INPUT, where,
                         "Restore the file (git checkout), or remove it and add the source again.",
                         "expected a source of the ledger, found %s", fault);
    return true;
}
