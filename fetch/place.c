#include "fetch/place.h"

#include "fetch/align.h"

#include <stdint.h>
#include <stdlib.h>

/* Ranges to move are collected in one list in a fixed order: blocks, cells, links, others. Each
 * gives two marks, at its first and at its last character. */
struct work {
    struct arena *arena;
    struct span from, to;
    struct place_range *ranges; /* moved in place */
    bool *placed;
    size_t count;
    struct align_mark *marks; /* sorted by position */
    size_t mark_count;
};

enum { MOST_DIFFERING = 8 }; /* one character in so many may differ */

static int by_position(const void *x, const void *y) {
    const struct align_mark *a = x, *b = y;
    if (a->from != b->from)
        return a->from < b->from ? -1 : 1;
    return (a->owner > b->owner) - (a->owner < b->owner);
}

/* Mark 2k is the start of range k, 2k + 1 its end. */
static void add_marks(struct work *w, size_t k) {
    struct place_range range = w->ranges[k];
    size_t first = range.end > range.start ? align_skip_blank(w->from, range.start) : SIZE_MAX;
    size_t last = first < range.end ? align_last_visible(w->from, first, range.end) : SIZE_MAX;
    if (last == SIZE_MAX)
        return;
    w->marks[w->mark_count++] = (struct align_mark){.from = first, .owner = 2 * k};
    w->marks[w->mark_count++] = (struct align_mark){.from = last, .owner = 2 * k + 1};
}

static bool nearly_all(const struct align_mark *first, const struct align_mark *last) {
    size_t from = last->from_count - first->from_count + 1;
    size_t to = last->to_count - first->to_count + 1;
    size_t matched = last->matched - first->matched + 1, longer = from > to ? from : to;
    return first->to != SIZE_MAX && last->to != SIZE_MAX &&
           (longer - matched) * MOST_DIFFERING <= longer;
}

static void settle(struct work *w) {
    const struct align_mark **of = arena_array(w->arena, 2 * w->count, sizeof *of);
    for (size_t i = 0; i < w->mark_count; i++)
        of[w->marks[i].owner] = &w->marks[i];
    for (size_t k = 0; k < w->count; k++) {
        const struct align_mark *first = of[2 * k], *last = of[2 * k + 1];
        w->placed[k] = first && last && nearly_all(first, last);
        w->ranges[k] = (struct place_range){0};
        if (w->placed[k])
            w->ranges[k] = (struct place_range){first->to, last->to + align_width(w->to, last->to)};
    }
}

static void collect(struct work *w, const struct chapter *rendered,
                    const struct place_range *others, size_t other_count) {
    size_t k = 0;
    for (size_t i = 0; i < rendered->block_count; i++)
        w->ranges[k++] = (struct place_range){rendered->blocks[i].start, rendered->blocks[i].end};
    for (size_t i = 0; i < rendered->cell_count; i++)
        w->ranges[k++] = (struct place_range){rendered->cells[i].start, rendered->cells[i].end};
    for (size_t i = 0; i < rendered->link_count; i++)
        w->ranges[k++] = (struct place_range){rendered->links[i].start, rendered->links[i].end};
    for (size_t i = 0; i < other_count; i++)
        w->ranges[k++] = others[i];
    for (size_t i = 0; i < w->count; i++)
        add_marks(w, i);
    qsort(w->marks, w->mark_count, sizeof *w->marks, by_position);
}

static void copy_cells(struct work *w, const struct chapter *rendered,
                       const struct chapter_block *block, size_t first_cell_range, size_t start,
                       struct chapter *placed) {
    size_t last = start;
    for (size_t r = 0; r < block->row_count; r++) {
        const struct chapter_row *row = &rendered->rows[block->first_row + r];
        struct chapter_row copy = {placed->cell_count, row->cell_count};
        for (size_t c = row->first_cell; c < row->first_cell + row->cell_count; c++) {
            struct place_range range = w->ranges[first_cell_range + c];
            struct chapter_cell cell = {last, last, rendered->cells[c].header};
            if (w->placed[first_cell_range + c]) {
                cell.start = range.start;
                cell.end = last = range.end;
            }
            LIST_PUSH(w->arena, placed->cells, placed->cell_count, placed->cell_capacity, cell);
        }
        LIST_PUSH(w->arena, placed->rows, placed->row_count, placed->row_capacity, copy);
    }
}

static void copy_blocks(struct work *w, const struct chapter *rendered, struct chapter *placed) {
    for (size_t i = 0; i < rendered->block_count; i++) {
        if (!w->placed[i])
            continue;
        struct chapter_block block = rendered->blocks[i];
        block.start = w->ranges[i].start;
        block.end = w->ranges[i].end;
        block.first_row = placed->row_count;
        copy_cells(w, rendered, &rendered->blocks[i], rendered->block_count, block.start, placed);
        if (block.kind == BLOCK_HEADING && block.heading != SIZE_MAX)
            placed->headings[block.heading].block = placed->block_count;
        LIST_PUSH(w->arena, placed->blocks, placed->block_count, placed->block_capacity, block);
    }
}

static void copy_links(struct work *w, const struct chapter *rendered, struct chapter *placed) {
    const struct place_range *ranges = w->ranges + rendered->block_count + rendered->cell_count;
    placed->links = arena_array(w->arena, rendered->link_count, sizeof *placed->links);
    placed->link_count = placed->link_capacity = rendered->link_count;
    for (size_t i = 0; i < rendered->link_count; i++) {
        placed->links[i] = rendered->links[i];
        placed->links[i].start = ranges[i].start;
        placed->links[i].end = ranges[i].end;
    }
}

static void copy_headings(struct arena *arena, const struct chapter *rendered,
                          struct chapter *placed) {
    placed->headings = arena_array(arena, rendered->heading_count, sizeof *placed->headings);
    placed->heading_count = placed->heading_capacity = rendered->heading_count;
    for (size_t i = 0; i < rendered->heading_count; i++) {
        placed->headings[i] = rendered->headings[i];
        placed->headings[i].block = SIZE_MAX;
    }
}

void place_chapter(struct arena *arena, const struct chapter *rendered, struct span target,
                   struct place_range *ranges, size_t range_count, struct chapter *placed) {
    struct work w = {.arena = arena, .from = rendered->view, .to = target};
    w.count = rendered->block_count + rendered->cell_count + rendered->link_count + range_count;
    w.ranges = arena_array(arena, w.count, sizeof *w.ranges);
    w.placed = arena_array(arena, w.count, sizeof *w.placed);
    w.marks = arena_array(arena, 2 * w.count, sizeof *w.marks);
    collect(&w, rendered, ranges, range_count);
    align_texts(w.from, w.to, w.marks, w.mark_count);
    settle(&w);
    *placed = (struct chapter){.format = rendered->format,
                               .metadata_keys = rendered->metadata_keys,
                               .metadata_values = rendered->metadata_values,
                               .metadata_count = rendered->metadata_count};
    copy_headings(arena, rendered, placed);
    copy_blocks(&w, rendered, placed);
    copy_links(&w, rendered, placed);
    if (range_count > 0)
        memcpy(ranges, w.ranges + w.count - range_count, range_count * sizeof *ranges);
}
