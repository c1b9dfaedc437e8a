#include "fetch/sources_rows.h"

#include "fetch/outline.h"
#include "fetch/sources_discover.h"

#include <stdint.h>
#include <stdlib.h>

enum { CONTEXT_BYTES = 240, FIRST_SLOTS = 256 };

/* FNV-1a (Fowler, Noll, Vo; public domain). The number of rows is bounded, so chosen collisions
 * cost at most SOURCES_MOST steps each. */
static uint64_t hash_of(struct span id) {
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < id.len; i++)
        hash = (hash ^ (unsigned char)id.at[i]) * 0x100000001b3u;
    return hash ^ hash >> 29;
}

static size_t *slot_of(const struct source_rows *rows, struct span id) {
    size_t at = (size_t)hash_of(id) & (rows->slot_count - 1);
    while (rows->slots[at] != 0 && !span_equal(rows->sources->sources[rows->slots[at] - 1].id, id))
        at = (at + 1) & (rows->slot_count - 1);
    return &rows->slots[at];
}

static void fill_slots(struct source_rows *rows) {
    rows->slots = memory_alloc(rows->slot_count * sizeof *rows->slots);
    for (size_t i = 0; i < rows->sources->count; i++)
        *slot_of(rows, rows->sources->sources[i].id) = i + 1;
}

static void grow(struct source_rows *rows) {
    free(rows->slots);
    rows->slot_count *= 2;
    fill_slots(rows);
}

void source_rows_init(struct source_rows *rows, struct arena *arena, struct sources *sources) {
    *rows = (struct source_rows){.arena = arena, .sources = sources, .slot_count = FIRST_SLOTS};
    while (rows->slot_count <= 2 * sources->count)
        rows->slot_count *= 2;
    fill_slots(rows);
}

void source_rows_free(struct source_rows *rows) {
    free(rows->slots);
    *rows = (struct source_rows){0};
}

/* At most CONTEXT_BYTES, cut between characters. */
static struct span cut_context(struct arena *arena, struct span context) {
    if (context.len > CONTEXT_BYTES) {
        context.len = CONTEXT_BYTES;
        while (context.len > 0 && ((unsigned char)context.at[context.len] & 0xC0) == 0x80)
            context.len--;
    }
    return outline_collapse(arena, context);
}

static struct source *push_row(struct source_rows *rows, const struct source_name *name,
                               const struct source_place *place, struct span context) {
    struct sources *sources = rows->sources;
    struct source source = {
        .id = name->id,
        .label = arena_printf(rows->arena, "S%zu", sources->count + 1),
        .kind = name->kind,
        .url = name->url,
        .reading = READING_LEAD,
        .found_in = place->in,
        .start = place->start,
        .end = place->end,
        .context = cut_context(rows->arena, context),
        .limitation =
            name->note.len ? name->note : SPAN("nobody has opened it: a lead, not evidence"),
    };
    LIST_PUSH(rows->arena, sources->sources, sources->count, sources->capacity, source);
    return &sources->sources[sources->count - 1];
}

static bool is_same_mention(const struct source *source, const struct source_place *place) {
    if (source->place_count == 0)
        return false;
    const struct source_place *last = &source->places[source->place_count - 1];
    return span_equal(last->in, place->in) && place->start < last->end && last->start < place->end;
}

struct source *source_rows_add(struct source_rows *rows, const struct source_name *name,
                               struct source_place place, struct span context) {
    struct sources *sources = rows->sources;
    size_t *slot = slot_of(rows, name->id);
    if (*slot == 0 && sources->count == SOURCES_MOST) {
        sources->omitted++;
        return NULL;
    }
    struct source *source = *slot ? &sources->sources[*slot - 1] : NULL;
    if (!source) {
        source = push_row(rows, name, &place, context);
        *slot = sources->count;
        if (2 * sources->count >= rows->slot_count)
            grow(rows);
    }
    if (is_same_mention(source, &place))
        return source;
    source->mentions++;
    if (source->place_count < SOURCE_PLACES_MOST)
        LIST_PUSH(rows->arena, source->places, source->place_count, source->place_capacity, place);
    return source;
}
