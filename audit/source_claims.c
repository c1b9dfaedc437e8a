#include "audit/source_claims.h"

/* The block that holds the byte, or NULL. */
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

/* Index of the first claim that does not start before `at`. */
static size_t first_claim(const struct claims *claims, size_t at) {
    size_t low = 0, high = claims->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (claims->claims[middle].start < at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void add(struct source *source, struct span id) {
    for (size_t i = 0; i < source->claim_count; i++)
        if (span_equal(source->claims[i], id))
            return;
    if (source->claim_count < SOURCE_CLAIMS_MOST)
        source->claims[source->claim_count++] = id;
}

void source_claims_tie(struct arena *arena, const struct chapter *chapter,
                       const struct claims *claims, struct sources *sources) {
    for (size_t i = 0; i < sources->count; i++) {
        struct source *source = &sources->sources[i];
        source->claims = arena_array(arena, SOURCE_CLAIMS_MOST, sizeof *source->claims);
        source->claim_count = 0;
        for (size_t k = 0; k < source->place_count; k++) {
            const struct source_place *place = &source->places[k];
            bool here = span_equal(place->in, SPAN("chapter")) && place->end > place->start;
            const struct chapter_block *block = here ? block_at(chapter, place->start) : NULL;
            size_t claim = block ? first_claim(claims, block->start) : claims->count;
            for (; claim < claims->count && claims->claims[claim].start < block->end &&
                   source->claim_count < SOURCE_CLAIMS_MOST;
                 claim++)
                add(source, claims->claims[claim].id);
        }
    }
}
