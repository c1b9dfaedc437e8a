/* Rows of a table that a clause names, as the values that its comparing number compares. */
#include "audit/prose.h"
#include "audit/relation.h"

#include <stdint.h>

enum { TABLES_BACK = 3, MOST_ROWS = 64 };

/* The label without a unit in parentheses at its end: "mean latency (us)". */
static struct span plain_label(struct span label) {
    size_t bracket = span_find_byte(label, '(', 0);
    return span_trim(bracket != SIZE_MAX && bracket > 2 ? span_slice(label, 0, bracket) : label);
}

/* The row with the longest label in the text; *several where two rows, neither part of the other,
 * stand in it. */
static size_t row_named(const struct grid *g, struct span text, bool *several) {
    size_t best = NONE;
    *several = false;
    for (size_t row = 0; row < g->row_count && row < MOST_ROWS; row++) {
        struct span label = plain_label(g->row_labels[row]);
        if (label.len < 3 || !prose_has_label(text, label))
            continue;
        struct span old = best == NONE ? SPAN("") : plain_label(g->row_labels[best]);
        if (best == NONE || span_find_nocase(label, old, 0) != SIZE_MAX)
            best = row;
        else if (span_find_nocase(old, label, 0) == SIZE_MAX || span_equal_nocase(old, label))
            *several = true;
    }
    return best;
}

static bool is_value(const struct document *d, size_t q) {
    const struct measure *m = q == NONE ? NULL : &d->measures[q];
    return m && d->claims->quantities[q].role == ROLE_MEASUREMENT && !m->is_percent &&
           !m->is_factor && m->lo > 0;
}

static bool comparable(const struct document *d, size_t a, size_t b) {
    return is_value(d, a) && is_value(d, b) &&
           dimension_equal(d->measures[a].dimension, d->measures[b].dimension) &&
           d->measures[a].unit_known == d->measures[b].unit_known;
}

static size_t pairs_of_rows(const struct document *d, const struct grid *g, size_t base, size_t row,
                            struct value_pair *pairs, size_t max) {
    size_t count = 0;
    for (size_t c = 0; c < g->column_count && count < max; c++) {
        size_t a = grid_cell(g, base, c), b = grid_cell(g, row, c);
        if (comparable(d, a, b))
            pairs[count++] = (struct value_pair){a, b, a, b, "two rows"};
    }
    return count;
}

/* A row of exactly two values: before and after. */
static size_t pair_of_row(const struct document *d, const struct grid *g, size_t row,
                          struct value_pair *pair) {
    size_t values[2], count = 0;
    for (size_t c = 0; c < g->column_count; c++) {
        size_t q = grid_cell(g, row, c);
        if (!is_value(d, q))
            continue;
        if (count == 2)
            return 0;
        values[count++] = q;
    }
    if (count < 2 || !comparable(d, values[0], values[1]))
        return 0;
    *pair = (struct value_pair){values[0], values[1], values[0], values[1], "a row"};
    return 1;
}

/* From the number before it in the sentence, or the sentence's start. */
static struct span clause_before(const struct document *d, size_t q) {
    const struct sentence *s = &d->sentences[d->claims->quantities[q].sentence];
    size_t from = q > s->first_quantity ? prose_end(&d->claims->quantities[q - 1]) : s->start;
    size_t to = d->claims->quantities[q].start;
    return from < to ? span_slice(d->chapter->view, from, to) : SPAN("");
}

/* What stands behind "than" up to the next comma. */
static struct span base_named(const struct document *d, size_t q) {
    static const char *const words[] = {"than", "over", "compared to", "compared with", "vs", NULL};
    struct span after = prose_after(d, q, 100);
    const char *found;
    size_t comma = span_find(after, SPAN(", "), 0);
    if (comma != SIZE_MAX)
        after = span_slice(after, 0, comma);
    size_t at = prose_find_any(after, words, &found);
    return at == SIZE_MAX ? SPAN("") : span_slice(after, at, after.len);
}

size_t relation_row_pairs(const struct document *d, size_t q, struct value_pair *pairs,
                          size_t max) {
    size_t seen = 0, start = d->claims->quantities[q].start;
    struct span before = clause_before(d, q), base = base_named(d, q);
    for (size_t i = d->grid_count; i-- > 0 && seen < TABLES_BACK;) {
        const struct grid *g = &d->grids[i];
        bool two, bases;
        if (g->start >= start)
            continue;
        seen++;
        size_t row = row_named(g, before, &two), other = row_named(g, base, &bases);
        if (row == NONE)
            continue;
        if (two || bases || row == other)
            return 0;
        if (other != NONE)
            return pairs_of_rows(d, g, other, row, pairs, max);
        return base.len ? 0 : pair_of_row(d, g, row, pairs);
    }
    return 0;
}
