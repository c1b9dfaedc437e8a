/* Amortized costs: target = a + b/n, where a and b are values of the text around the table
 * ("Capture costs 38.5 ms once. Spread over N replays, a step costs ..."). Values of the target's
 * dimension near the table are tried in pairs. */
#include "audit/law.h"

#include <math.h>

enum { NEAR = 60, MOST_CANDIDATES = 12 };

static bool in_table(const struct law_table *t, size_t quantity) {
    for (size_t i = 0; i < t->row_count * t->column_count; i++)
        if (t->cells[i].quantity == quantity)
            return true;
    return false;
}

/* The table's first and last quantity; false for a table without any. */
static bool extent(const struct law_table *t, size_t *first, size_t *last) {
    *first = NONE;
    *last = 0;
    for (size_t i = 0; i < t->row_count * t->column_count; i++)
        if (t->cells[i].quantity != NONE) {
            *first = t->cells[i].quantity < *first ? t->cells[i].quantity : *first;
            *last = t->cells[i].quantity > *last ? t->cells[i].quantity : *last;
        }
    return *first != NONE;
}

static size_t candidates_of(const struct law_table *t, size_t target, size_t *out) {
    size_t first, last, count = 0;
    if (!extent(t, &first, &last) || last - first > 4 * NEAR)
        return 0;
    size_t from = first > NEAR ? first - NEAR : 0;
    for (size_t q = from; q < t->claims->quantity_count && q < last + NEAR / 4; q++) {
        const struct quantity *x = &t->claims->quantities[q];
        struct measure m = measure_of(x);
        if (x->malformed || x->role != ROLE_MEASUREMENT || !m.unit_known || !(m.lo > 0) ||
            x->value != x->value_high ||
            !dimension_equal(m.dimension, t->columns[target].dimension) || in_table(t, q))
            continue;
        if (count == MOST_CANDIDATES) { /* the nearest before the table are kept */
            for (size_t i = 1; i < count; i++)
                out[i - 1] = out[i];
            count--;
        }
        out[count++] = q;
    }
    return count;
}

/* Rows that fit and rows that do not, in doubles; the geometric mean of the fits' chances. */
static void count_rows(const struct law_table *t, const struct law *law, size_t *hits,
                       size_t *misses, double *chance) {
    struct measure a = measure_of(&t->claims->quantities[law->anchor]);
    struct measure b = measure_of(&t->claims->quantities[law->second_anchor]);
    size_t samples;
    *hits = *misses = 0;
    *chance = 0;
    law_sample(t, 0, &samples);
    for (size_t i = 0; i < samples; i++) {
        size_t row = law_sample(t, i, &samples);
        const struct law_cell *n = law_cell(t, row, law->operands[0]);
        const struct law_cell *y = law_cell(t, row, law->target);
        if (n->quantity == NONE || y->quantity == NONE || !(n->value > 0))
            continue;
        double lo = a.lo + b.lo / n->value, hi = a.hi + b.hi / n->value;
        bool hit = lo <= y->hi * (1 + 1e-12) && hi >= y->lo * (1 - 1e-12);
        *hits += hit;
        *misses += !hit;
        double width = hi - lo + y->hi - y->lo, term = fmin(b.value / n->value, y->value);
        *chance += hit ? log(term > 0 ? fmin(1, width / term) : 1) : 0;
    }
    *chance = *hits ? exp(*chance / (double)*hits) : 1;
}

static void try_columns(struct law_table *t, struct laws *laws, size_t target, size_t n) {
    size_t candidates[MOST_CANDIDATES];
    size_t count = candidates_of(t, target, candidates);
    for (size_t a = 0; a < count; a++)
        for (size_t b = 0; b < count; b++) {
            if (a == b)
                continue;
            struct law law = {.shape = LAW_AMORTIZED,
                              .target = target,
                              .operands = {n},
                              .signs = {1},
                              .operand_count = 1,
                              .base_row = NONE,
                              .anchor = candidates[a],
                              .second_anchor = candidates[b],
                              .ground = GROUND_LABEL,
                              .warranted = true};
            size_t hits, misses;
            double chance;
            t->tried[target][GROUND_LABEL]++;
            count_rows(t, &law, &hits, &misses, &chance);
            if (hits >= 2 && misses * 2 <= hits)
                law_keep(t, laws, &law, chance, 0);
        }
}

void law_search_amortized(struct law_table *t, struct laws *laws) {
    if (t->row_count < 3 || t->row_count > LAW_SAMPLE_ROWS)
        return;
    for (size_t target = 0; target < t->column_count; target++) {
        const struct law_column *y = &t->columns[target];
        if (!y->unit_known || dimension_is_none(y->dimension) || y->constant)
            continue;
        for (size_t n = 0; n < t->column_count; n++)
            if (n != target && dimension_is_none(t->columns[n].dimension) &&
                t->columns[n].class == COLUMN_CONFIG && !t->columns[n].constant)
                try_columns(t, laws, target, n);
    }
}
