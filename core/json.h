/* JSON in and out.
 *
 * In: cJSON behind one gate, which refuses what cJSON would let through: trailing text, nesting
 * beyond 100, \u0000 (it would cut a string short), repeated keys (the same member could be read
 * two ways), numbers that are not finite, bytes that are not UTF-8.
 *
 * Out: a streaming writer over a buffer, because an audit of 10^6 quantities must not build a tree;
 * two-space indentation, members in the order written, doubles in the shortest form that reads back
 * the same, so that equal data gives equal bytes. */
#ifndef CORE_JSON_H
#define CORE_JSON_H

#include "core/error.h"
#include "core/memory.h"

#include <cjson/cJSON.h>
#include <stdint.h>

/* Parses text; where names it in errors (kind ERROR_INPUT). Caller frees with cJSON_Delete. */
cJSON *json_parse(struct span text, const char *where, struct error *error);
/* json_parse plus a check of the "schema" member. */
cJSON *json_parse_schema(struct span text, const char *where, const char *schema,
                         struct error *error);

/* Members by exact name. Text is copied into the arena; absent or of another type gives the empty
 * span, fallback, or false. */
struct span json_text(struct arena *arena, const cJSON *object, const char *key);
double json_number(const cJSON *object, const char *key, double fallback);
size_t json_size(const cJSON *object, const char *key, size_t fallback);
bool json_flag(const cJSON *object, const char *key, bool fallback);
const cJSON *json_member(const cJSON *object, const char *key);
/* The array member and its length; NULL and 0 when absent. Walk it with cJSON_ArrayForEach. */
const cJSON *json_array(const cJSON *object, const char *key, size_t *count);

struct json_writer {
    struct buffer *out;
    int depth;
    bool need_comma;
    bool compact; /* one line, for JSON lines */
    /* May empty out; called now and then between members. NULL: all of it stays in out. */
    void (*drain)(struct buffer *out);
};

/* A NULL key writes an element of an array (or the top value). */
void json_begin_object(struct json_writer *w, const char *key);
void json_end_object(struct json_writer *w);
void json_begin_array(struct json_writer *w, const char *key);
void json_end_array(struct json_writer *w);
/* Bytes that are not UTF-8 are written as U+FFFD. */
void json_put_text(struct json_writer *w, const char *key, struct span text);
void json_put_string(struct json_writer *w, const char *key, const char *text);
/* NaN and infinities are written as null. */
void json_put_number(struct json_writer *w, const char *key, double value);
void json_put_size(struct json_writer *w, const char *key, size_t value);
void json_put_flag(struct json_writer *w, const char *key, bool value);
void json_put_null(struct json_writer *w, const char *key);
/* Only written when text is not empty. */
void json_put_optional(struct json_writer *w, const char *key, struct span text);
/* A finished JSON value as it stands. */
void json_put_raw(struct json_writer *w, const char *key, struct span json);
/* Ends the document with a newline. */
void json_finish(struct json_writer *w);

/* Shortest decimal form of a finite double that reads back the same. */
void json_format_number(struct buffer *out, double value);

#endif
