#include "fetch/outline.h"

#include "fetch/align.h"

#include <stdint.h>

void outline_init(struct outline *outline, struct arena *arena, struct chapter *chapter) {
    *outline = (struct outline){.arena = arena, .chapter = chapter, .latest = SIZE_MAX};
    for (int level = 0; level <= 6; level++)
        outline->open_heads[level] = SIZE_MAX;
}

static bool continues(const struct chapter_block *block, const struct outline_context *context) {
    return block->kind == context->kind && span_equal(block->language, context->language) &&
           span_equal(block->note, context->note);
}

void outline_add(struct outline *outline, const struct outline_context *context, size_t start,
                 size_t end) {
    struct chapter *chapter = outline->chapter;
    struct chapter_block *last =
        chapter->block_count > 0 ? &chapter->blocks[chapter->block_count - 1] : NULL;
    if (outline->open && last && continues(last, context)) {
        last->end = end;
        return;
    }
    struct chapter_block block = {.kind = context->kind,
                                  .start = start,
                                  .end = end,
                                  .heading = outline->latest,
                                  .language = context->language,
                                  .note = context->note,
                                  .first_row = chapter->row_count};
    if (context->kind == BLOCK_HEADING && outline->latest != SIZE_MAX &&
        chapter->headings[outline->latest].block == SIZE_MAX)
        chapter->headings[outline->latest].block = chapter->block_count;
    LIST_PUSH(outline->arena, chapter->blocks, chapter->block_count, chapter->block_capacity,
              block);
    outline->open = true;
}

void outline_close(struct outline *outline) {
    outline->open = false;
}

void outline_heading(struct outline *outline, int level) {
    struct chapter *chapter = outline->chapter;
    struct chapter_heading heading = {.parent = SIZE_MAX, .level = level, .block = SIZE_MAX};
    for (int above = level - 1; above >= 1 && heading.parent == SIZE_MAX; above--)
        heading.parent = outline->open_heads[above];
    outline_close(outline);
    outline->latest = chapter->heading_count;
    outline->open_heads[level] = outline->latest;
    for (int below = level + 1; below <= 6; below++)
        outline->open_heads[below] = SIZE_MAX;
    LIST_PUSH(outline->arena, chapter->headings, chapter->heading_count, chapter->heading_capacity,
              heading);
}

void outline_heading_text(struct outline *outline, struct span text, struct span id) {
    struct chapter_heading *heading = &outline->chapter->headings[outline->latest];
    heading->text = outline_collapse(outline->arena, text);
    heading->id = arena_copy(outline->arena, id);
    outline_close(outline);
}

/* "https://user:secret@host/" without the part up to the @. */
static struct span without_credentials(struct arena *arena, struct span url) {
    size_t scheme = span_find(url, SPAN("://"), 0);
    if (scheme == SIZE_MAX)
        return arena_copy(arena, url);
    size_t host = scheme + 3, end = host, at = SIZE_MAX;
    for (; end < url.len && !strchr("/?#", url.at[end]); end++)
        if (url.at[end] == '@')
            at = end;
    if (at == SIZE_MAX)
        return arena_copy(arena, url);
    return arena_printf(arena, "%.*s%.*s", SPAN_ARG(span_slice(url, 0, host)),
                        SPAN_ARG(span_slice(url, at + 1, url.len)));
}

void outline_link(struct outline *outline, size_t start, size_t end, struct span url,
                  struct span text) {
    struct chapter *chapter = outline->chapter;
    struct chapter_link link = {.start = start,
                                .end = end,
                                .url = without_credentials(outline->arena, span_trim(url)),
                                .text = outline_collapse(outline->arena, text)};
    LIST_PUSH(outline->arena, chapter->links, chapter->link_count, chapter->link_capacity, link);
}

void outline_metadata(struct outline *outline, struct span key, struct span value) {
    struct chapter *chapter = outline->chapter;
    size_t keys = chapter->metadata_count, capacity = keys, again = keys;
    /* Few members: the lists grow one element at a time only past powers of two. */
    if ((keys & (keys - 1)) == 0) {
        chapter->metadata_keys = arena_grow(outline->arena, chapter->metadata_keys, keys, &capacity,
                                            sizeof *chapter->metadata_keys);
        chapter->metadata_values = arena_grow(outline->arena, chapter->metadata_values, keys,
                                              &again, sizeof *chapter->metadata_values);
    }
    chapter->metadata_keys[keys] = arena_copy(outline->arena, key);
    chapter->metadata_values[keys] = outline_collapse(outline->arena, value);
    chapter->metadata_count++;
}

struct graft {
    struct outline *outline;
    const struct chapter *part;
    struct span note;
    size_t (*place)(const void *context, size_t at, bool end);
    const void *context;
    size_t headings; /* of the part, passed so far */
};

static void graft_headings(struct graft *graft, size_t count) {
    for (; graft->headings < count; graft->headings++) {
        const struct chapter_heading *heading = &graft->part->headings[graft->headings];
        outline_heading(graft->outline, heading->level);
        outline_heading_text(graft->outline, heading->text, heading->id);
    }
}

static void graft_rows(struct graft *graft, const struct chapter_block *block) {
    const struct chapter *part = graft->part;
    struct chapter *chapter = graft->outline->chapter;
    struct arena *arena = graft->outline->arena;
    for (size_t r = block->first_row; r < block->first_row + block->row_count; r++) {
        struct chapter_row row = {chapter->cell_count, part->rows[r].cell_count};
        for (size_t c = 0; c < row.cell_count; c++) {
            struct chapter_cell cell = part->cells[part->rows[r].first_cell + c];
            bool empty = cell.start == cell.end;
            cell.start = empty ? 0 : graft->place(graft->context, cell.start, false);
            cell.end = empty ? 0 : graft->place(graft->context, cell.end, true);
            LIST_PUSH(arena, chapter->cells, chapter->cell_count, chapter->cell_capacity, cell);
        }
        LIST_PUSH(arena, chapter->rows, chapter->row_count, chapter->row_capacity, row);
    }
}

static void graft_block(struct graft *graft, struct chapter_block block) {
    struct chapter *chapter = graft->outline->chapter;
    size_t first_row = chapter->row_count;
    graft_headings(graft, block.heading == SIZE_MAX ? 0 : block.heading + 1);
    graft_rows(graft, &block);
    block.start = graft->place(graft->context, block.start, false);
    block.end = graft->place(graft->context, block.end, true);
    block.first_row = first_row;
    block.heading = graft->outline->latest;
    block.note = block.note.len ? block.note : graft->note;
    if (block.kind == BLOCK_HEADING && block.heading != SIZE_MAX &&
        chapter->headings[block.heading].block == SIZE_MAX)
        chapter->headings[block.heading].block = chapter->block_count;
    LIST_PUSH(graft->outline->arena, chapter->blocks, chapter->block_count, chapter->block_capacity,
              block);
}

void outline_graft(struct outline *outline, const struct chapter *part, struct span note,
                   size_t (*place)(const void *context, size_t at, bool end), const void *context) {
    struct graft graft = {outline, part, note, place, context, 0};
    outline_close(outline);
    for (size_t i = 0; i < part->block_count; i++)
        graft_block(&graft, part->blocks[i]);
    graft_headings(&graft, part->heading_count);
    for (size_t i = 0; i < part->link_count; i++) {
        const struct chapter_link *link = &part->links[i];
        bool empty = link->start == link->end;
        outline_link(outline, empty ? 0 : place(context, link->start, false),
                     empty ? 0 : place(context, link->end, true), link->url, link->text);
    }
    outline_close(outline);
}

static void push_unplaced(struct arena *arena, struct chapter *filled, struct span view,
                          size_t start, size_t end, size_t heading) {
    size_t first = align_skip_blank(view, start);
    size_t last = first < end ? align_last_visible(view, first, end) : SIZE_MAX;
    if (last == SIZE_MAX)
        return;
    struct chapter_block block = {.kind = BLOCK_TEXT,
                                  .start = first,
                                  .end = last + align_width(view, last),
                                  .heading = heading};
    LIST_PUSH(arena, filled->blocks, filled->block_count, filled->block_capacity, block);
}

void outline_fill(struct arena *arena, struct chapter *chapter) {
    struct chapter filled = {0};
    size_t at = 0, heading = SIZE_MAX;
    chapter->aligned_bytes = 0;
    for (size_t i = 0; i < chapter->block_count; i++) {
        const struct chapter_block *block = &chapter->blocks[i];
        push_unplaced(arena, &filled, chapter->view, at, block->start, heading);
        if (block->kind == BLOCK_HEADING && block->heading != SIZE_MAX)
            chapter->headings[block->heading].block = filled.block_count;
        LIST_PUSH(arena, filled.blocks, filled.block_count, filled.block_capacity, *block);
        chapter->aligned_bytes += block->end - block->start;
        at = block->end;
        heading = block->heading;
    }
    push_unplaced(arena, &filled, chapter->view, at, chapter->text.len, heading);
    chapter->blocks = filled.blocks;
    chapter->block_count = filled.block_count;
    chapter->block_capacity = filled.block_capacity;
}

static bool is_one_of(struct span word, const char *const *list) {
    for (size_t i = 0; list[i]; i++)
        if (span_equal_nocase(word, span_of(list[i])))
            return true;
    return false;
}

static const char *const no_language[] = {"",        "text", "plain",       "plaintext", "txt",
                                          "default", "none", "nohighlight", NULL};
static const char *const output_languages[] = {
    "output", "console", "shell-session", "shellsession", "terminal",
    "stdout", "log",     "pycon",         "pytb",         NULL};

enum block_kind outline_preformatted_kind(struct span language) {
    if (is_one_of(language, no_language))
        return BLOCK_TEXT;
    return is_one_of(language, output_languages) ? BLOCK_OUTPUT : BLOCK_CODE;
}

struct span outline_collapse(struct arena *arena, struct span text) {
    char *out = arena_alloc(arena, text.len + 1);
    size_t len = 0;
    for (size_t i = align_skip_blank(text, 0), next; i < text.len; i = next) {
        size_t width = align_width(text, i);
        memcpy(out + len, text.at + i, width);
        len += width;
        next = align_skip_blank(text, i + width);
        if (next > i + width && next < text.len)
            out[len++] = ' ';
    }
    return span_make(out, len);
}
