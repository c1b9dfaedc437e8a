#include "audit/document.h"

#include "audit/claim.h"
#include "audit/grid.h"
#include "audit/numeral.h"
#include "audit/quantity.h"
#include "audit/role.h"
#include "audit/segment.h"
#include "audit/sentence.h"
#include "audit/unit_context.h"

/* Runs of digits: as many quantities as there can be, but for spelled numbers. */
static size_t count_numbers(struct span text) {
    size_t runs = 0;
    bool inside = false;
    for (size_t i = 0; i < text.len; i++) {
        bool digit = text.at[i] >= '0' && text.at[i] <= '9';
        runs += digit && !inside;
        inside = digit;
    }
    return runs;
}

static void scan_sentences(struct document *d) {
    struct claims *claims = d->claims;
    LIST_RESERVE(d->arena, claims->quantities, claims->quantity_count, claims->quantity_capacity,
                 count_numbers(d->chapter->view));
    struct unit_text carried = {0};
    for (size_t i = 0; i < d->sentence_count; i++) {
        struct sentence *s = &d->sentences[i];
        if (i && s->block != d->sentences[i - 1].block)
            carried.registry = NULL;
        s->first_quantity = d->claims->quantity_count;
        quantity_scan(d, s->block, s->start, s->end);
        s->quantity_count = d->claims->quantity_count - s->first_quantity;
        for (size_t q = s->first_quantity; q < d->claims->quantity_count; q++)
            d->claims->quantities[q].sentence = i;
        unit_context_settle(d, s, &carried);
    }
}

static void measure_all(struct document *d) {
    size_t count = d->claims->quantity_count;
    d->measures = arena_array(d->arena, count, sizeof *d->measures);
    for (size_t i = 0; i < count; i++)
        d->measures[i] = measure_of(&d->claims->quantities[i]);
}

void document_build(struct arena *arena, struct chapter *chapter, struct claims *claims,
                    struct document *document) {
    *document = (struct document){
        .arena = arena,
        .chapter = chapter,
        .claims = claims,
        .decimal_comma = numeral_habit_of(chapter->view).decimal_comma,
    };
    segment_blocks(arena, chapter);
    segment_sentences(document);
    scan_sentences(document);
    grid_build(document);
    role_settle(document);
    measure_all(document);
    claim_build(document);
}
