#include "schemas/sources.h"

#include <stdint.h>

/* Members that are plain text, in the order they are written. `always` members are never left out:
 * an empty one reads UNVERIFIED where `unverified` says so. */
static const struct member {
    const char *key;
    size_t offset;
    bool always, unverified;
} members[] = {
    {"id", offsetof(struct source, id), true, false},
    {"label", offsetof(struct source, label), true, false},
    {"kind", offsetof(struct source, kind), true, false},
    {"url", offsetof(struct source, url), true, false},
    {"title", offsetof(struct source, title), true, true},
    {"authors", offsetof(struct source, authors), true, true},
    {"venue", offsetof(struct source, venue), true, true},
    {"year", offsetof(struct source, year), true, true},
    {"version", offsetof(struct source, version), true, true},
    {"metadata_status", offsetof(struct source, metadata_status), true, true},
    {"found_in", offsetof(struct source, found_in), true, false},
    {"context", offsetof(struct source, context), false, false},
    {"limitation", offsetof(struct source, limitation), false, false},
    {"accessed_at", offsetof(struct source, accessed_at), false, false},
};
enum { MEMBERS = sizeof members / sizeof *members };

static struct span *member_of(const struct source *source, const struct member *member) {
    return (struct span *)((char *)(uintptr_t)source + member->offset);
}

static void put_places(struct json_writer *w, const struct source *source) {
    json_put_size(w, "mentions", source->mentions);
    json_begin_array(w, "places");
    for (size_t i = 0; i < source->place_count; i++) {
        const struct source_place *place = &source->places[i];
        json_begin_object(w, NULL);
        json_put_text(w, "in", place->in);
        json_put_optional(w, "part", place->part);
        json_put_size(w, "start", place->start);
        json_put_size(w, "end", place->end);
        json_end_object(w);
    }
    json_end_array(w);
}

static void put_source(struct json_writer *w, const struct source *source) {
    json_begin_object(w, NULL);
    for (size_t i = 0; i < MEMBERS; i++) {
        struct span value = *member_of(source, &members[i]);
        if (value.len == 0 && members[i].unverified)
            value = SPAN("UNVERIFIED");
        if (value.len > 0 || members[i].always)
            json_put_text(w, members[i].key, value);
    }
    json_put_string(w, "reading", word_of(&reading_words, (int)source->reading));
    json_put_size(w, "start", source->start);
    json_put_size(w, "end", source->end);
    put_places(w, source);
    if (source->http_status > 0)
        json_put_size(w, "http_status", (size_t)source->http_status);
    json_begin_array(w, "claims");
    for (size_t i = 0; i < source->claim_count; i++)
        json_put_text(w, NULL, source->claims[i]);
    json_end_array(w);
    source_metadata_write(w, &source->metadata);
    json_end_object(w);
}

void sources_write(struct buffer *out, const struct sources *sources) {
    struct json_writer w = {.out = out};
    json_begin_object(&w, NULL);
    json_put_string(&w, "schema", SOURCES_SCHEMA);
    json_begin_array(&w, "sources");
    for (size_t i = 0; i < sources->count; i++)
        put_source(&w, &sources->sources[i]);
    json_end_array(&w);
    json_put_size(&w, "omitted", sources->omitted);
    json_end_object(&w);
    json_finish(&w);
}

static void get_claims(struct arena *arena, const cJSON *item, struct source *source) {
    size_t count;
    const cJSON *claim, *list = json_array(item, "claims", &count);
    source->claims = arena_array(arena, count, sizeof *source->claims);
    cJSON_ArrayForEach(claim, list) if (cJSON_IsString(claim))
        source->claims[source->claim_count++] = arena_copy(arena, span_of(claim->valuestring));
}

static bool get_places(struct arena *arena, const cJSON *item, struct source *source) {
    size_t count;
    const cJSON *one, *list = json_array(item, "places", &count);
    source->mentions = json_size(item, "mentions", count);
    source->places = arena_array(arena, count, sizeof *source->places);
    source->place_capacity = count;
    cJSON_ArrayForEach(one, list) {
        struct source_place place = {.in = json_text(arena, one, "in"),
                                     .part = json_text(arena, one, "part"),
                                     .start = json_size(one, "start", 0),
                                     .end = json_size(one, "end", 0)};
        if (place.start > place.end)
            return false;
        source->places[source->place_count++] = place;
    }
    return true;
}

static const char *get_source(struct arena *arena, const cJSON *item, struct source *source) {
    for (size_t i = 0; i < MEMBERS; i++) {
        struct span value = json_text(arena, item, members[i].key);
        bool unknown = members[i].unverified && span_equal(value, SPAN("UNVERIFIED")) &&
                       members[i].offset != offsetof(struct source, metadata_status);
        *member_of(source, &members[i]) = unknown ? SPAN("") : value;
    }
    int reading = word_value(&reading_words, json_text(arena, item, "reading"));
    if (source->id.len == 0)
        return "a source without an id";
    if (reading < 0)
        return "a source without a reading status";
    source->reading = (enum reading_status)reading;
    source->start = json_size(item, "start", 0);
    source->end = json_size(item, "end", 0);
    if (source->start > source->end || !get_places(arena, item, source))
        return "a source whose place ends before it starts";
    size_t status = json_size(item, "http_status", 0);
    source->http_status = status <= 999 ? (int)status : 0;
    get_claims(arena, item, source);
    return source_metadata_read(arena, item, &source->metadata);
}

bool sources_read(struct arena *arena, struct span json, const char *where, struct sources *sources,
                  struct error *error) {
    *sources = (struct sources){0};
    cJSON *root = json_parse_schema(json, where, SOURCES_SCHEMA, error);
    if (!root)
        return false;
    const char *fault = NULL;
    size_t count;
    sources->omitted = json_size(root, "omitted", 0);
    const cJSON *item, *list = json_array(root, "sources", &count);
    cJSON_ArrayForEach(item, list) {
        struct source source = {0};
        if (!fault)
            fault = get_source(arena, item, &source);
        LIST_PUSH(arena, sources->sources, sources->count, sources->capacity, source);
    }
    cJSON_Delete(root);
    if (fault)
        return error_set(error, ERROR_INPUT, where, "Run the stage that writes this file again.",
                         "%s", fault);
    return true;
}
