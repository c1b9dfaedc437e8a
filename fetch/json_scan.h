/* Where the values of a JSON text stand. cJSON keeps no places; this walks the same bytes after
 * json_parse (core/json.h) accepted them, so it checks nothing again. */
#ifndef FETCH_JSON_SCAN_H
#define FETCH_JSON_SCAN_H

#include "core/memory.h"

#include <stdint.h>

/* A value's bytes in the text; start == end when there is none. */
struct json_range {
    size_t start, end;
};

/* The value that starts at or behind the white space at `at`. */
struct json_range json_value(struct span text, size_t at);
/* The member of that name (as it stands in the text, without escapes), or none. */
struct json_range json_find(struct span text, struct json_range object, const char *name);
/* Walks an array: *at starts at 0; false behind its last value. */
bool json_next(struct span text, struct json_range array, size_t *at, struct json_range *value);
bool json_is(struct span text, struct json_range value, char first);

/* Decoded text with the place of every byte: the k-th byte of a character stands for the k-th byte
 * of what it is written as. */
struct json_decoded {
    struct buffer text;
    uint32_t *places;
    size_t capacity;
};

/* Appends a string, or the strings of an array one behind the other. */
void json_decode(struct json_decoded *decoded, struct span text, struct json_range value);
void json_decoded_clear(struct json_decoded *decoded);
void json_decoded_free(struct json_decoded *decoded);
/* End, in the source, of what the character before decoded byte `end` is written as. */
size_t json_decoded_end(const struct json_decoded *decoded, struct span source, size_t end);

#endif
