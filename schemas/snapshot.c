#include "schemas/snapshot.h"

#include "schemas/fields.h"

static const struct text_field text_fields[] = {
    TEXT_FIELD(snapshot, origin),          TEXT_FIELD(snapshot, scope),
    TEXT_FIELD(snapshot, requested_url),   TEXT_FIELD(snapshot, final_url),
    TEXT_FIELD(snapshot, file_name),       TEXT_FIELD(snapshot, received_at),
    TEXT_FIELD(snapshot, sha256),          TEXT_FIELD(snapshot, charset),
    TEXT_FIELD(snapshot, expected),        TEXT_FIELD(snapshot, profile),
    TEXT_FIELD(snapshot, profiles_tried),  TEXT_FIELD(snapshot, reason),
    TEXT_FIELD(snapshot, previous_sha256), TEXT_FIELD(snapshot, previous_pass),
    TEXT_FIELD(snapshot, pack_note),
};

static void write_headers(struct json_writer *w, const struct snapshot *snapshot) {
    json_begin_array(w, "headers");
    for (size_t i = 0; i < snapshot->header_count; i++) {
        json_begin_object(w, NULL);
        json_put_text(w, "name", snapshot->headers[i].name);
        json_put_text(w, "value", snapshot->headers[i].value);
        json_end_object(w);
    }
    json_end_array(w);
}

static void write_redirects(struct json_writer *w, const struct snapshot *snapshot) {
    json_begin_array(w, "redirects");
    for (size_t i = 0; i < snapshot->redirect_count; i++) {
        json_begin_object(w, NULL);
        json_put_text(w, "url", snapshot->redirects[i].url);
        json_put_size(w, "status", (size_t)snapshot->redirects[i].status);
        json_end_object(w);
    }
    json_end_array(w);
}

static void write_claims(struct json_writer *w, const struct snapshot_change *change) {
    json_begin_array(w, "claims");
    for (size_t i = 0; i < change->claim_count; i++) {
        json_begin_object(w, NULL);
        json_put_text(w, "id", change->claims[i].id);
        json_put_text(w, "label", change->claims[i].label);
        json_put_text(w, "quote", change->claims[i].quote);
        json_end_object(w);
    }
    json_end_array(w);
}

static void write_changes(struct json_writer *w, const struct snapshot *snapshot) {
    json_begin_array(w, "changes");
    for (size_t i = 0; i < snapshot->change_count; i++) {
        const struct snapshot_change *change = &snapshot->changes[i];
        json_begin_object(w, NULL);
        json_put_text(w, "kind", change->kind);
        json_put_size(w, "old_start", change->old_start);
        json_put_size(w, "old_end", change->old_end);
        json_put_size(w, "new_start", change->new_start);
        json_put_size(w, "new_end", change->new_end);
        json_put_text(w, "diff", change->diff);
        write_claims(w, change);
        json_end_object(w);
    }
    json_end_array(w);
}

void snapshot_write(struct buffer *out, const struct snapshot *snapshot) {
    struct json_writer w = {.out = out};
    json_begin_object(&w, NULL);
    json_put_string(&w, "schema", SNAPSHOT_SCHEMA);
    fields_write(&w, text_fields, FIELD_COUNT(text_fields), snapshot);
    json_put_string(&w, "verdict", word_of(&fingerprint_words, (int)snapshot->verdict));
    json_put_size(&w, "bytes", snapshot->bytes);
    json_put_size(&w, "replaced", snapshot->replaced);
    json_put_size(&w, "http_status", (size_t)snapshot->http_status);
    write_headers(&w, snapshot);
    write_redirects(&w, snapshot);
    write_changes(&w, snapshot);
    json_put_size(&w, "changes_left_out", snapshot->changes_left_out);
    json_end_object(&w);
    json_finish(&w);
}

static void read_headers(struct arena *arena, const cJSON *root, struct snapshot *snapshot) {
    const cJSON *item, *array = json_array(root, "headers", &snapshot->header_count);
    snapshot->headers = arena_array(arena, snapshot->header_count, sizeof *snapshot->headers);
    struct snapshot_header *next = snapshot->headers;
    cJSON_ArrayForEach(item, array) *next++ =
        (struct snapshot_header){json_text(arena, item, "name"), json_text(arena, item, "value")};
}

static void read_redirects(struct arena *arena, const cJSON *root, struct snapshot *snapshot) {
    const cJSON *item, *array = json_array(root, "redirects", &snapshot->redirect_count);
    snapshot->redirects = arena_array(arena, snapshot->redirect_count, sizeof *snapshot->redirects);
    struct snapshot_hop *next = snapshot->redirects;
    cJSON_ArrayForEach(item, array) *next++ =
        (struct snapshot_hop){json_text(arena, item, "url"), (int)json_size(item, "status", 0)};
}

static void read_claims(struct arena *arena, const cJSON *object, struct snapshot_change *change) {
    const cJSON *item, *array = json_array(object, "claims", &change->claim_count);
    change->claims = arena_array(arena, change->claim_count, sizeof *change->claims);
    struct snapshot_claim *next = change->claims;
    cJSON_ArrayForEach(item, array) *next++ =
        (struct snapshot_claim){json_text(arena, item, "id"), json_text(arena, item, "label"),
                                json_text(arena, item, "quote")};
}

static void read_changes(struct arena *arena, const cJSON *root, struct snapshot *snapshot) {
    const cJSON *item, *array = json_array(root, "changes", &snapshot->change_count);
    snapshot->changes = arena_array(arena, snapshot->change_count, sizeof *snapshot->changes);
    struct snapshot_change *next = snapshot->changes;
    cJSON_ArrayForEach(item, array) {
        *next = (struct snapshot_change){
            .kind = json_text(arena, item, "kind"),
            .old_start = json_size(item, "old_start", 0),
            .old_end = json_size(item, "old_end", 0),
            .new_start = json_size(item, "new_start", 0),
            .new_end = json_size(item, "new_end", 0),
            .diff = json_text(arena, item, "diff"),
        };
        read_claims(arena, item, next++);
    }
}

bool snapshot_read(struct arena *arena, struct span json, const char *where,
                   struct snapshot *snapshot, struct error *error) {
    cJSON *root = json_parse_schema(json, where, SNAPSHOT_SCHEMA, error);
    if (!root)
        return false;
    *snapshot = (struct snapshot){0};
    fields_read(arena, root, text_fields, FIELD_COUNT(text_fields), snapshot);
    int verdict = word_value(&fingerprint_words, json_text(arena, root, "verdict"));
    snapshot->verdict = verdict < 0 ? FINGERPRINT_UNVERIFIED : (enum fingerprint_verdict)verdict;
    snapshot->bytes = json_size(root, "bytes", 0);
    snapshot->replaced = json_size(root, "replaced", 0);
    snapshot->http_status = (int)json_size(root, "http_status", 0);
    read_headers(arena, root, snapshot);
    read_redirects(arena, root, snapshot);
    read_changes(arena, root, snapshot);
    snapshot->changes_left_out = json_size(root, "changes_left_out", 0);
    cJSON_Delete(root);
    return true;
}
