#include "schemas/chapter.h"

#include <stdint.h>

static void put_index(struct json_writer *w, const char *key, size_t index) {
    if (index == SIZE_MAX)
        json_put_null(w, key);
    else
        json_put_size(w, key, index);
}

static void put_range(struct json_writer *w, size_t start, size_t end) {
    json_put_size(w, "start", start);
    json_put_size(w, "end", end);
}

static void put_text_facts(struct json_writer *w, const struct chapter *chapter) {
    json_begin_object(w, "text");
    json_put_text(w, "sha256", chapter->sha256);
    json_put_size(w, "bytes", chapter->text.len);
    json_end_object(w);
    json_put_size(w, "aligned_bytes", chapter->aligned_bytes);
    json_put_text(w, "masked", chapter->masked);
}

static void put_metadata(struct json_writer *w, const struct chapter *chapter) {
    json_begin_array(w, "metadata");
    for (size_t i = 0; i < chapter->metadata_count; i++) {
        json_begin_object(w, NULL);
        json_put_text(w, "key", chapter->metadata_keys[i]);
        json_put_text(w, "value", chapter->metadata_values[i]);
        json_end_object(w);
    }
    json_end_array(w);
}

static void put_headings(struct json_writer *w, const struct chapter *chapter) {
    json_begin_array(w, "headings");
    for (size_t i = 0; i < chapter->heading_count; i++) {
        const struct chapter_heading *heading = &chapter->headings[i];
        json_begin_object(w, NULL);
        json_put_size(w, "level", (size_t)heading->level);
        json_put_text(w, "text", heading->text);
        json_put_optional(w, "id", heading->id);
        put_index(w, "parent", heading->parent);
        put_index(w, "block", heading->block);
        json_end_object(w);
    }
    json_end_array(w);
}

static void put_row(struct json_writer *w, const struct chapter *chapter,
                    const struct chapter_row *row) {
    json_begin_array(w, NULL);
    for (size_t i = 0; i < row->cell_count; i++) {
        const struct chapter_cell *cell = &chapter->cells[row->first_cell + i];
        json_begin_object(w, NULL);
        put_range(w, cell->start, cell->end);
        if (cell->header)
            json_put_flag(w, "header", true);
        json_end_object(w);
    }
    json_end_array(w);
}

static void put_blocks(struct json_writer *w, const struct chapter *chapter) {
    json_begin_array(w, "blocks");
    for (size_t i = 0; i < chapter->block_count; i++) {
        const struct chapter_block *block = &chapter->blocks[i];
        json_begin_object(w, NULL);
        json_put_string(w, "kind", word_of(&block_words, (int)block->kind));
        put_range(w, block->start, block->end);
        put_index(w, "heading", block->heading);
        json_put_optional(w, "language", block->language);
        json_put_optional(w, "note", block->note);
        if (block->row_count > 0) {
            json_begin_array(w, "rows");
            for (size_t k = 0; k < block->row_count; k++)
                put_row(w, chapter, &chapter->rows[block->first_row + k]);
            json_end_array(w);
        }
        json_end_object(w);
    }
    json_end_array(w);
}

static void put_links(struct json_writer *w, const struct chapter *chapter) {
    json_begin_array(w, "links");
    for (size_t i = 0; i < chapter->link_count; i++) {
        const struct chapter_link *link = &chapter->links[i];
        json_begin_object(w, NULL);
        put_range(w, link->start, link->end);
        json_put_text(w, "url", link->url);
        json_put_optional(w, "text", link->text);
        json_end_object(w);
    }
    json_end_array(w);
}

void chapter_write(struct buffer *out, const struct chapter *chapter) {
    struct json_writer w = {.out = out};
    json_begin_object(&w, NULL);
    json_put_string(&w, "schema", CHAPTER_SCHEMA);
    json_put_text(&w, "format", chapter->format);
    put_text_facts(&w, chapter);
    put_metadata(&w, chapter);
    put_headings(&w, chapter);
    put_blocks(&w, chapter);
    put_links(&w, chapter);
    json_end_object(&w);
    json_finish(&w);
}

/* Reading. One fault makes the whole file unacceptable; `what` is the first one. */
struct reader {
    struct arena *arena;
    struct chapter *chapter;
    size_t bytes; /* of the text: no range may reach beyond */
    const char *fault;
};

static bool fault(struct reader *r, const char *what) {
    if (!r->fault)
        r->fault = what;
    return false;
}

static bool get_range(struct reader *r, const cJSON *item, size_t *start, size_t *end) {
    *start = json_size(item, "start", SIZE_MAX);
    *end = json_size(item, "end", SIZE_MAX);
    if (*start > *end || *end > r->bytes)
        return fault(r, "a range that does not lie in the text");
    return true;
}

/* null or an index below count. */
static bool get_index(struct reader *r, const cJSON *item, const char *key, size_t count,
                      size_t *index) {
    *index = json_size(item, key, SIZE_MAX);
    if (*index != SIZE_MAX && *index >= count)
        return fault(r, "an index beyond its list");
    return true;
}

static void read_metadata(struct reader *r, const cJSON *root) {
    size_t count;
    const cJSON *item, *list = json_array(root, "metadata", &count);
    struct chapter *chapter = r->chapter;
    chapter->metadata_keys = arena_array(r->arena, count, sizeof *chapter->metadata_keys);
    chapter->metadata_values = arena_array(r->arena, count, sizeof *chapter->metadata_values);
    cJSON_ArrayForEach(item, list) {
        chapter->metadata_keys[chapter->metadata_count] = json_text(r->arena, item, "key");
        chapter->metadata_values[chapter->metadata_count++] = json_text(r->arena, item, "value");
    }
}

static void read_headings(struct reader *r, const cJSON *root, size_t block_count) {
    size_t count;
    const cJSON *item, *list = json_array(root, "headings", &count);
    struct chapter *chapter = r->chapter;
    chapter->headings = arena_array(r->arena, count, sizeof *chapter->headings);
    chapter->heading_capacity = count;
    cJSON_ArrayForEach(item, list) {
        struct chapter_heading *heading = &chapter->headings[chapter->heading_count];
        heading->level = (int)json_size(item, "level", 0);
        heading->text = json_text(r->arena, item, "text");
        heading->id = json_text(r->arena, item, "id");
        if (heading->level < 1 || heading->level > 6)
            fault(r, "a heading level outside 1 to 6");
        /* A parent stands before its children, so that no path of headings is endless. */
        get_index(r, item, "parent", chapter->heading_count, &heading->parent);
        get_index(r, item, "block", block_count, &heading->block);
        chapter->heading_count++;
    }
}

static void read_row(struct reader *r, const cJSON *row) {
    struct chapter *chapter = r->chapter;
    struct chapter_row made = {.first_cell = chapter->cell_count};
    const cJSON *item;
    cJSON_ArrayForEach(item, row) {
        struct chapter_cell cell = {.header = json_flag(item, "header", false)};
        get_range(r, item, &cell.start, &cell.end);
        LIST_PUSH(r->arena, chapter->cells, chapter->cell_count, chapter->cell_capacity, cell);
        made.cell_count++;
    }
    LIST_PUSH(r->arena, chapter->rows, chapter->row_count, chapter->row_capacity, made);
}

static void read_block(struct reader *r, const cJSON *item, size_t heading_count, size_t *last) {
    struct chapter *chapter = r->chapter;
    struct chapter_block block = {.language = json_text(r->arena, item, "language"),
                                  .note = json_text(r->arena, item, "note"),
                                  .first_row = chapter->row_count};
    int kind = word_value(&block_words, json_text(r->arena, item, "kind"));
    if (kind < 0)
        fault(r, "a block of unknown kind");
    block.kind = kind < 0 ? BLOCK_TEXT : (enum block_kind)kind;
    if (get_range(r, item, &block.start, &block.end) && block.start < *last)
        fault(r, "blocks that overlap or are out of order");
    *last = block.end;
    get_index(r, item, "heading", heading_count, &block.heading);
    const cJSON *row, *rows = json_array(item, "rows", &block.row_count);
    cJSON_ArrayForEach(row, rows) read_row(r, row);
    LIST_PUSH(r->arena, chapter->blocks, chapter->block_count, chapter->block_capacity, block);
}

static void read_links(struct reader *r, const cJSON *root) {
    size_t count;
    const cJSON *item, *list = json_array(root, "links", &count);
    struct chapter *chapter = r->chapter;
    cJSON_ArrayForEach(item, list) {
        struct chapter_link link = {.url = json_text(r->arena, item, "url"),
                                    .text = json_text(r->arena, item, "text")};
        get_range(r, item, &link.start, &link.end);
        LIST_PUSH(r->arena, chapter->links, chapter->link_count, chapter->link_capacity, link);
    }
}

static void read_all(struct reader *r, const cJSON *root) {
    struct chapter *chapter = r->chapter;
    const cJSON *text = json_member(root, "text");
    chapter->format = json_text(r->arena, root, "format");
    chapter->sha256 = json_text(r->arena, text, "sha256");
    chapter->masked = json_text(r->arena, root, "masked");
    chapter->aligned_bytes = json_size(root, "aligned_bytes", 0);
    r->bytes = json_size(text, "bytes", SIZE_MAX);
    if (r->bytes == SIZE_MAX) {
        fault(r, "no text.bytes");
        return;
    }
    size_t block_count, last = 0;
    const cJSON *item, *blocks = json_array(root, "blocks", &block_count);
    read_metadata(r, root);
    read_headings(r, root, block_count);
    cJSON_ArrayForEach(item, blocks) read_block(r, item, chapter->heading_count, &last);
    read_links(r, root);
}

bool chapter_read(struct arena *arena, struct span json, const char *where, struct chapter *chapter,
                  struct error *error) {
    *chapter = (struct chapter){0};
    cJSON *root = json_parse_schema(json, where, CHAPTER_SCHEMA, error);
    if (!root)
        return false;
    struct reader r = {.arena = arena, .chapter = chapter};
    read_all(&r, root);
    cJSON_Delete(root);
    if (r.fault)
        return error_set(error, ERROR_INPUT, where, "Run the stage that writes this file again.",
                         "%s", r.fault);
    return true;
}

struct span *chapter_heading_path(struct arena *arena, const struct chapter *chapter,
                                  size_t heading, size_t *count) {
    *count = 0;
    for (size_t at = heading; at < chapter->heading_count; at = chapter->headings[at].parent)
        (*count)++;
    struct span *path = arena_array(arena, *count, sizeof *path);
    size_t place = *count;
    for (size_t at = heading; place > 0; at = chapter->headings[at].parent)
        path[--place] = chapter->headings[at].text;
    return path;
}
