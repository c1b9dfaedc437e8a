#include "fetch/references.h"

#include "fetch/outline.h"

#include <stdint.h>

enum { LONGEST_ENTRY = 800 };

static bool is_reference_section(struct span title) {
    static const char *const words[] = {"reference", "bibliograph", "works cited",
                                        "further reading", "literature"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (span_find_nocase(title, span_of(words[i]), 0) != SIZE_MAX)
            return true;
    return false;
}

static struct span line_of(struct span text, size_t start, size_t end) {
    size_t from = start, to = end;
    while (from > 0 && text.at[from - 1] != '\n' && start - from < LONGEST_ENTRY)
        from--;
    while (to < text.len && text.at[to] != '\n' && to - end < LONGEST_ENTRY)
        to++;
    return span_slice(text, from, to);
}

static const struct chapter_block *block_at(const struct chapter *chapter, size_t at) {
    size_t low = 0, high = chapter->block_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (chapter->blocks[middle].end <= at)
            low = middle + 1;
        else
            high = middle;
    }
    bool inside = low < chapter->block_count && chapter->blocks[low].start <= at;
    return inside ? &chapter->blocks[low] : NULL;
}

/* The whole block when it is as short as an entry is, else the line of the place. */
static struct span entry_in_chapter(const struct chapter *chapter,
                                    const struct source_place *place) {
    const struct chapter_block *block = block_at(chapter, place->start);
    if (!block || block->heading == SIZE_MAX || block->heading >= chapter->heading_count ||
        !is_reference_section(chapter->headings[block->heading].text) ||
        place->end > chapter->view.len)
        return SPAN("");
    if (block->end - block->start <= LONGEST_ENTRY / 2)
        return span_slice(chapter->view, block->start, block->end);
    return line_of(chapter->view, place->start, place->end);
}

static struct span entry_of(struct span received, const struct chapter *chapter,
                            const struct source_place *place) {
    if (place->end <= place->start)
        return SPAN("");
    if (span_equal(place->in, SPAN("chapter")))
        return entry_in_chapter(chapter, place);
    bool listed = span_equal(place->in, SPAN("brief")) && is_reference_section(place->part) &&
                  place->end <= received.len;
    return listed ? line_of(received, place->start, place->end) : SPAN("");
}

/* A brief in JSON has no places; its reference items are what they are. */
static struct span item_of(const struct brief *brief, const struct source *source) {
    for (size_t i = 0; i < brief->references.count; i++) {
        const struct brief_item *item = &brief->references.items[i];
        if (item->url.len > 0 && span_equal(item->url, source->url))
            return item->text;
    }
    return SPAN("");
}

void references_claim(struct arena *arena, struct span received, const struct brief *brief,
                      const struct chapter *chapter, struct sources *sources) {
    for (size_t i = 0; i < sources->count; i++) {
        struct source *source = &sources->sources[i];
        struct span entry = SPAN("");
        for (size_t k = 0; k < source->place_count && entry.len == 0; k++)
            entry = entry_of(received, chapter, &source->places[k]);
        if (entry.len == 0)
            entry = item_of(brief, source);
        entry = outline_collapse(arena, span_trim(entry));
        if (entry.len == 0 || source->metadata.claimed)
            continue;
        source->metadata.claimed = arena_alloc(arena, sizeof *source->metadata.claimed);
        *source->metadata.claimed =
            (struct source_claimed){.origin = SPAN("reference section"), .text = entry};
    }
}
