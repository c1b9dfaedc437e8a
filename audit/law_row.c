/* Laws between rows: running totals, and columns printed as the difference to a base row. */
#include "audit/law.h"

#include <math.h>

static bool same_unit(const struct law_table *t, size_t a, size_t b) {
    const struct law_column *x = &t->columns[a], *y = &t->columns[b];
    return x->unit_known == y->unit_known && dimension_equal(x->dimension, y->dimension);
}

static double width(const struct law_cell *c) {
    return c->hi - c->lo;
}

/* Mean chance of a row: the widths of the three cells against the term that is added. */
static double chance_of(const struct law_table *t, const struct law *law) {
    double sum = 0;
    size_t count, judged = 0;
    law_sample(t, 0, &count);
    for (size_t i = 0; i < count; i++) {
        size_t row = law_sample(t, i, &count);
        size_t other = law->shape == LAW_CUMULATIVE ? row - 1 : law->base_row;
        if ((law->shape == LAW_CUMULATIVE && !row) || row == law->base_row)
            continue;
        const struct law_cell *target = law_cell(t, row, law->target);
        const struct law_cell *a = law_cell(t, row, law->operands[0]);
        const struct law_cell *b =
            law_cell(t, other, law->shape == LAW_CUMULATIVE ? law->target : law->operands[0]);
        if (target->quantity == NONE || a->quantity == NONE || b->quantity == NONE)
            continue;
        double w = width(target) + width(a) + width(b);
        double scale = fmin(fabs(a->value), fmax(fabs(target->value), width(target)));
        sum += scale > 0 ? fmin(1, w / scale) : 1;
        judged++;
    }
    return judged ? sum / (double)judged : 1;
}

/* Cheap refusal before the exact judgement: the second row must obey, or the third. */
static bool promising(const struct law_table *t, const struct law *law) {
    size_t hits = 0, tries = 0, count;
    law_sample(t, 0, &count);
    for (size_t i = 0; i < count && tries < 6; i++) {
        size_t row = law_sample(t, i, &count);
        if (row == law->base_row || (law->shape == LAW_CUMULATIVE && !row))
            continue;
        enum row_state state = law_judge(t, law, row);
        tries += state != STATE_ABSENT;
        hits += state == STATE_HOLDS;
    }
    return hits >= 2 || (hits && tries < 3);
}

static void try_law(struct law_table *t, struct laws *laws, struct law *law) {
    t->tried[law->target][law->ground]++;
    if (promising(t, law))
        law_keep(t, laws, law, chance_of(t, law), 0);
}

void law_search_rows(struct law_table *t, struct laws *laws) {
    if (t->row_count < 3)
        return;
    for (size_t target = 0; target < t->column_count; target++)
        for (size_t a = 0; a < t->column_count; a++) {
            if (a == target || t->columns[a].constant || t->columns[target].constant ||
                !same_unit(t, a, target))
                continue;
            enum column_class class = t->columns[target].class;
            struct law law = {.shape = LAW_CUMULATIVE,
                              .target = target,
                              .operands = {a},
                              .signs = {1},
                              .operand_count = 1,
                              .base_row = NONE,
                              .anchor = NONE,
                              .ground = class == COLUMN_SUM ? GROUND_LABEL : GROUND_NONE,
                              .warranted = class == COLUMN_SUM};
            try_law(t, laws, &law);
            law.shape = LAW_FROM_ROW;
            law.warranted = class == COLUMN_RATIO;
            law.ground = law.warranted ? GROUND_LABEL : GROUND_NONE;
            law.base_row = 0;
            try_law(t, laws, &law);
            law.base_row = t->row_count - 1;
            try_law(t, laws, &law);
        }
}
