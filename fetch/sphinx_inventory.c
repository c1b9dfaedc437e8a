#include "fetch/sphinx_inventory.h"

#include <stdint.h>
#include <zlib.h>

enum { LARGEST_BYTES = 64 << 20, STEP_BYTES = 64 << 10 };

static const char *inflate_lines(struct arena *arena, struct span bytes, struct span *lines) {
    struct buffer out = {0};
    z_stream stream = {.next_in = (Bytef *)(uintptr_t)bytes.at, .avail_in = (uInt)bytes.len};
    if (inflateInit(&stream) != Z_OK)
        return "zlib could not be started";
    int state = Z_OK;
    while (state == Z_OK && out.len <= LARGEST_BYTES) {
        stream.next_out = (Bytef *)buffer_reserve(&out, STEP_BYTES);
        stream.avail_out = STEP_BYTES;
        state = inflate(&stream, Z_NO_FLUSH);
        out.len += STEP_BYTES - stream.avail_out;
    }
    inflateEnd(&stream);
    *lines = arena_copy(arena, buffer_span(&out));
    buffer_free(&out);
    if (lines->len > LARGEST_BYTES)
        return "the inventory is larger than 64 MiB when decompressed";
    return state == Z_STREAM_END ? NULL : "the inventory's zlib stream is damaged";
}

static bool cut_header(struct span *rest, const char *start, struct span *value) {
    struct span line;
    if (!span_next_line(rest, &line) || !span_starts(line, span_of(start)))
        return false;
    *value = span_trim(span_slice(line, strlen(start), line.len));
    return true;
}

const char *sphinx_inventory_read(struct arena *arena, struct span bytes,
                                  struct sphinx_inventory *inventory) {
    struct span rest = bytes, ignored;
    *inventory = (struct sphinx_inventory){0};
    if (!cut_header(&rest, "# Sphinx inventory version 2", &ignored) ||
        !cut_header(&rest, "# Project:", &inventory->project) ||
        !cut_header(&rest, "# Version:", &inventory->version) ||
        !cut_header(&rest, "# The remainder of this file is compressed", &ignored))
        return "the answer is no Sphinx inventory of version 2";
    return inflate_lines(arena, rest, &inventory->lines);
}

static bool is_number(struct span text) {
    size_t value;
    if (text.len > 1 && text.at[0] == '-')
        text = span_slice(text, 1, text.len);
    return span_to_size(text, INT32_MAX, &value);
}

/* Cuts the word behind the last space off *rest. */
static size_t word_end(struct span line, size_t at) {
    size_t end = span_find_byte(line, ' ', at);
    return end == SIZE_MAX ? line.len : end;
}

/* A name may hold spaces: the role is the first word behind it that holds a colon and is followed
 * by a number. */
static bool read_line(struct span line, struct sphinx_object *object) {
    for (size_t space = span_find_byte(line, ' ', 0); space != SIZE_MAX;
         space = span_find_byte(line, ' ', space + 1)) {
        size_t role_end = word_end(line, space + 1);
        struct span role = span_slice(line, space + 1, role_end);
        size_t priority_end = word_end(line, role_end + 1);
        if (space == 0 || span_find_byte(role, ':', 0) == SIZE_MAX ||
            !is_number(span_slice(line, role_end + 1, priority_end)))
            continue;
        size_t uri_end = word_end(line, priority_end + 1);
        *object = (struct sphinx_object){
            .name = span_slice(line, 0, space),
            .role = role,
            .uri = span_slice(line, priority_end + 1, uri_end),
            .shown = span_trim(span_slice(line, uri_end, line.len)),
        };
        object->ends_in_name = span_ends(object->uri, SPAN("$"));
        object->uri.len -= object->ends_in_name;
        if (span_equal(object->shown, SPAN("-")))
            object->shown = object->name;
        return true;
    }
    return false;
}

bool sphinx_next(struct span *rest, struct sphinx_object *object) {
    struct span line;
    while (span_next_line(rest, &line))
        if (read_line(line, object))
            return true;
    return false;
}

bool sphinx_find(const struct sphinx_inventory *inventory, struct span name,
                 struct sphinx_object *object) {
    struct span rest = inventory->lines;
    while (sphinx_next(&rest, object))
        if (span_equal(object->name, name))
            return true;
    return false;
}
