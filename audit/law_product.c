/* Laws of the form t(target) = k * product of columns to the power +1 or -1: ratios, rates, shares,
 * percent changes, speedups against a base row, times of a constant amount of work.
 *
 * In logarithms such a law is a sum that is the same in every row. For each small set of columns
 * the rows' intervals of that sum are laid over each other; where most rows agree, that is k. */
#include "audit/law.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

enum { MOST_LOG_COLUMNS = 2 * LAW_MOST_COLUMNS, ANCHOR_WINDOW = 200 };

struct range {
    double lo, hi; /* lo > hi: nothing */
};

struct log_column {
    size_t column;
    enum law_transform transform;
    double spread; /* of the logarithms over the rows */
};

struct product_search {
    struct law_table *table;
    struct laws *laws;
    struct log_column columns[MOST_LOG_COLUMNS];
    struct range *logs; /* (column_count, sample_count) */
    size_t column_count, sample_count;
};

static struct range cell_log(const struct law_cell *cell, enum law_transform transform) {
    if (cell->quantity == NONE)
        return (struct range){1, 0};
    double lo = cell->lo, hi = cell->hi;
    if (transform == TRANSFORM_PLUS_ONE) {
        lo = 1 + cell->lo;
        hi = 1 + cell->hi;
    } else if (transform == TRANSFORM_ONE_MINUS) {
        lo = 1 - cell->hi;
        hi = 1 - cell->lo;
    }
    return lo > 0 ? (struct range){log(lo), log(hi)} : (struct range){1, 0};
}

static void add_column(struct product_search *s, size_t column, enum law_transform transform) {
    struct range *logs = &s->logs[s->column_count * s->sample_count], all = {INFINITY, -INFINITY};
    size_t filled = 0;
    for (size_t i = 0; i < s->sample_count; i++) {
        size_t row = law_sample(s->table, i, &s->sample_count);
        logs[i] = cell_log(law_cell(s->table, row, column), transform);
        if (logs[i].lo > logs[i].hi)
            continue;
        filled++;
        all.lo = fmin(all.lo, (logs[i].lo + logs[i].hi) / 2);
        all.hi = fmax(all.hi, (logs[i].lo + logs[i].hi) / 2);
    }
    if (filled >= 2)
        s->columns[s->column_count++] = (struct log_column){column, transform, all.hi - all.lo};
}

static void collect_columns(struct product_search *s) {
    struct law_table *t = s->table;
    law_sample(t, 0, &s->sample_count);
    s->logs = arena_array(t->arena, MOST_LOG_COLUMNS * s->sample_count, sizeof *s->logs);
    for (size_t i = 0; i < t->column_count; i++)
        add_column(s, i, TRANSFORM_NONE);
    for (size_t i = 0; i < t->column_count && s->column_count + 2 <= MOST_LOG_COLUMNS; i++)
        if (t->columns[i].percent) {
            add_column(s, i, TRANSFORM_PLUS_ONE);
            add_column(s, i, TRANSFORM_ONE_MINUS);
        }
}

/* --- one set of columns --- */

struct subset {
    size_t members[3]; /* into columns */
    int8_t exponents[3];
    size_t count;
};

static struct range subset_log(const struct product_search *s, const struct subset *set, size_t i) {
    struct range sum = {0, 0};
    for (size_t m = 0; m < set->count; m++) {
        struct range x = s->logs[set->members[m] * s->sample_count + i];
        if (x.lo > x.hi)
            return x;
        sum.lo += set->exponents[m] > 0 ? x.lo : -x.hi;
        sum.hi += set->exponents[m] > 0 ? x.hi : -x.lo;
    }
    /* round outward by what the sum of logarithms may have lost */
    return (struct range){sum.lo - 1e-12, sum.hi + 1e-12};
}

struct edge {
    double at;
    int step; /* +1 an interval begins, -1 it ends */
};

static int by_edge(const void *a, const void *b) {
    const struct edge *x = a, *y = b;
    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    return y->step - x->step;
}

/* Where most intervals overlap; *depth of them. */
static struct range deepest(const struct range *ranges, size_t count, size_t *depth) {
    struct edge edges[2 * LAW_SAMPLE_ROWS];
    for (size_t i = 0; i < count; i++) {
        edges[2 * i] = (struct edge){ranges[i].lo, 1};
        edges[2 * i + 1] = (struct edge){ranges[i].hi, -1};
    }
    qsort(edges, 2 * count, sizeof *edges, by_edge);
    struct range best = {1, 0};
    long now = 0, most = 0;
    for (size_t i = 0; i < 2 * count; i++) {
        now += edges[i].step;
        if (now > most) {
            most = now;
            best = (struct range){edges[i].at, edges[i + 1].at};
        }
    }
    *depth = (size_t)most;
    return best;
}

/* --- from a set to a law --- */

static size_t choose_target(const struct product_search *s, const struct subset *set) {
    size_t best = 0;
    int best_rank = -1;
    for (size_t m = 0; m < set->count; m++) {
        const struct log_column *c = &s->columns[set->members[m]];
        int rank = c->transform ? INT_MAX : law_target_rank(s->table, c->column);
        if (rank > best_rank) {
            best = m;
            best_rank = rank;
        }
    }
    return best;
}

static struct law law_from_subset(const struct product_search *s, const struct subset *set,
                                  struct range k) {
    struct law law = {.shape = LAW_PRODUCT, .base_row = NONE, .anchor = NONE};
    size_t target = choose_target(s, set);
    int8_t turn = set->exponents[target];
    law.target = s->columns[set->members[target]].column;
    law.transform = s->columns[set->members[target]].transform;
    for (size_t m = 0; m < set->count; m++) {
        if (m == target)
            continue;
        law.operands[law.operand_count] = s->columns[set->members[m]].column;
        law.signs[law.operand_count++] = (int8_t)(-set->exponents[m] * turn);
    }
    law.k_lo = exp(turn > 0 ? k.lo : -k.hi);
    law.k_hi = exp(turn > 0 ? k.hi : -k.lo);
    return law;
}

/* Dimension that k must have: target over the operands. */
static struct dimension constant_dimension(const struct law_table *t, const struct law *law,
                                           bool *known) {
    struct dimension d = t->columns[law->target].dimension;
    *known = t->columns[law->target].unit_known;
    for (size_t i = 0; i < law->operand_count; i++) {
        const struct law_column *c = &t->columns[law->operands[i]];
        d = dimension_combine(d, c->dimension, -law->signs[i]);
        *known &= c->unit_known || c->class == COLUMN_CONFIG;
    }
    return d;
}

static bool contains(const struct law *law, double value) {
    return law->k_lo <= value * (1 + 1e-11) && law->k_hi >= value * (1 - 1e-11);
}

/* Constants that turn units into each other where a table does not print its units. */
static const double unit_constants[] = {
    1e-12, 1e-9, 1e-6, 1e-3, 1e-2, 1.0 / 60, 1.0 / 3600, 1.0 / 1024, 1.0 / 1048576, 0.125,
    8,     60,   100,  1000, 1024, 3600,     1048576,    1e6,        1e9,           1e12,
};

static bool set_unit_constant(struct law *law) {
    for (size_t i = 0; i < sizeof unit_constants / sizeof *unit_constants; i++)
        if (contains(law, unit_constants[i])) {
            law->k_lo = law->k_hi = unit_constants[i];
            return true;
        }
    return false;
}

/* The row in which the ratio is 1 (or the change 0): others are printed against it. */
static void find_base_row(const struct law_table *t, struct law *law) {
    if (t->columns[law->target].class != COLUMN_RATIO)
        return;
    double one = law->transform == TRANSFORM_NONE ? 1 : 0;
    for (size_t row = 0; row < t->row_count && row < LAW_SAMPLE_ROWS; row++) {
        const struct law_cell *c = law_cell(t, row, law->target);
        if (c->quantity == NONE || !(c->lo < one && one < c->hi))
            continue;
        double k = 1;
        for (size_t i = 0; i < law->operand_count; i++)
            k *= pow(law_cell(t, row, law->operands[i])->value, -law->signs[i]);
        if (isfinite(k) && k >= law->k_lo * 0.98 && k <= law->k_hi * 1.02) {
            law->base_row = row;
            return;
        }
    }
}

static bool in_table(const struct law_table *t, size_t quantity, size_t first, size_t last) {
    if (quantity < first || quantity > last)
        return false;
    for (size_t i = 0; i < t->row_count * t->column_count; i++)
        if (t->cells[i].quantity == quantity)
            return true;
    return false;
}

static void table_extent(const struct law_table *t, size_t *first, size_t *last) {
    *first = NONE;
    *last = 0;
    for (size_t i = 0; i < t->row_count * t->column_count; i++) {
        size_t q = t->cells[i].quantity;
        if (q == NONE)
            continue;
        *first = q < *first ? q : *first;
        *last = q > *last ? q : *last;
    }
}

/* A number of the text around the table that is k: the 500,000 rows, the 60 s of each run. */
static void find_anchor(const struct law_table *t, struct law *law) {
    bool known;
    struct dimension d = constant_dimension(t, law, &known);
    size_t first, last;
    table_extent(t, &first, &last);
    if (first == NONE || law->k_hi > law->k_lo * 1.05)
        return;
    static const struct dimension none = {{0}};
    size_t from = first > ANCHOR_WINDOW ? first - ANCHOR_WINDOW : 0;
    for (size_t q = from; q < t->claims->quantity_count && q < last + ANCHOR_WINDOW; q++) {
        const struct quantity *quantity = &t->claims->quantities[q];
        if (quantity->role == ROLE_OTHER || quantity->malformed || in_table(t, q, first, last))
            continue;
        struct measure m = measure_of(quantity);
        if (m.hi > m.lo * 1.1 || !(m.lo > 0))
            continue;
        bool fits =
            m.lo <= law->k_hi && m.hi >= law->k_lo && (!known || dimension_equal(m.dimension, d));
        bool divides = law->operand_count == 1 && known && m.unit_known && 1 / m.hi <= law->k_hi &&
                       1 / m.lo >= law->k_lo &&
                       dimension_equal(dimension_combine(none, m.dimension, -1), d);
        if (fits || divides) {
            law->anchor = q;
            law->anchor_divides = !fits;
            return;
        }
    }
}

/* Direct proportion to a setting (threads, GPUs, batch) is how good scaling looks; a row that falls
 * behind is no error. */
static bool is_scaling(const struct law_table *t, const struct law *law) {
    if (law->operand_count != 1 || law->signs[0] < 0)
        return false;
    const struct law_column *c = &t->columns[law->operands[0]];
    return c->class == COLUMN_CONFIG ||
           (c->class == COLUMN_PLAIN && dimension_is_none(c->dimension));
}

static bool has_divisor_in_time(const struct law_table *t, const struct law *law) {
    for (size_t i = 0; i < law->operand_count; i++)
        if (law->signs[i] < 0 && t->columns[law->operands[i]].dimension.power[DIM_TIME] == 1)
            return true;
    return false;
}

static bool warranted(const struct law_table *t, const struct law *law, bool by_units,
                      bool by_constant) {
    bool anchored = law->anchor != NONE;
    enum column_class class = t->columns[law->target].class;
    if (is_scaling(t, law) && (class != COLUMN_SUM || !anchored))
        return false;
    if (class == COLUMN_RATIO)
        return by_units || by_constant || anchored || law->base_row != NONE;
    if (class == COLUMN_RATE)
        return by_units || anchored || by_constant || has_divisor_in_time(t, law);
    return (by_units && law->operand_count > 1) || anchored;
}

/* Mean chance that a row of unrelated numbers agrees with k. */
static double row_chance(const struct product_search *s, const struct subset *set,
                         const struct range *ranges, size_t count, struct range k, bool fixed) {
    double spread = 0, sum = 0;
    for (size_t m = 0; m < set->count; m++)
        spread = fmax(spread, s->columns[set->members[m]].spread);
    if (fixed)
        spread = fmax(spread, log(10));
    spread = fmin(spread, log(100));
    for (size_t i = 0; i < count; i++) {
        double width = ranges[i].hi - ranges[i].lo + (fixed ? 0 : k.hi - k.lo);
        sum += spread > 0 ? fmin(1, width / spread) : 1;
    }
    return sum / (double)count;
}

/* Whether some row of a column of ratios is the base of the others. */
static bool has_base_row(const struct law_table *t, const struct log_column *target) {
    double one = target->transform == TRANSFORM_NONE ? 1 : 0;
    for (size_t row = 0; row < t->row_count && row < LAW_SAMPLE_ROWS; row++) {
        const struct law_cell *c = law_cell(t, row, target->column);
        if (c->quantity != NONE && c->lo < one && one < c->hi)
            return true;
    }
    return false;
}

/* A ratio of two columns of one kind, or of one column to its base row; a rate of an amount and a
 * time. */
static enum law_ground ground_of(const struct product_search *s, const struct subset *set) {
    const struct law_table *t = s->table;
    size_t at = choose_target(s, set);
    const struct log_column *target = &s->columns[set->members[at]];
    enum column_class class = t->columns[target->column].class;
    if (class != COLUMN_RATIO && class != COLUMN_RATE)
        return GROUND_NONE;
    const struct law_column *operands[2];
    int signs[2];
    size_t count = 0;
    for (size_t m = 0; m < set->count; m++)
        if (m != at) {
            operands[count] = &t->columns[s->columns[set->members[m]].column];
            signs[count++] = set->exponents[m];
        }
    for (size_t i = 0; i < count; i++)
        if ((operands[i]->class == COLUMN_CONFIG && class == COLUMN_RATIO) ||
            operands[i]->class == COLUMN_RATIO)
            return GROUND_LABEL;
    bool same = count == 2 && signs[0] != signs[1] &&
                operands[0]->percent == operands[1]->percent &&
                operands[0]->unit_known == operands[1]->unit_known &&
                dimension_equal(operands[0]->dimension, operands[1]->dimension);
    const struct law_column *t0 = &t->columns[target->column];
    if (class == COLUMN_RATIO && t0->unit_known && !dimension_is_none(t0->dimension))
        return GROUND_LABEL; /* "saved (s)" is a difference */
    if (class == COLUMN_RATIO)
        return same || (count == 1 && has_base_row(t, target)) ? GROUND_EXPECTED : GROUND_LABEL;
    for (size_t i = 0; i < count; i++)
        if (operands[i]->dimension.power[DIM_TIME] == 1 && signs[i] == set->exponents[at])
            return GROUND_EXPECTED;
    return GROUND_LABEL;
}

/* Of two rows that disagree, one may keep the law that the units give: k is 1 then. */
static bool keeps_units(const struct product_search *s, const struct subset *set,
                        const struct range ranges[2], struct range *k) {
    bool known, first = ranges[0].lo <= 0 && ranges[0].hi >= 0;
    bool second = ranges[1].lo <= 0 && ranges[1].hi >= 0;
    struct law law = law_from_subset(s, set, (struct range){0, 0});
    if (first == second || !dimension_is_none(constant_dimension(s->table, &law, &known)))
        return false;
    *k = (struct range){0, 0};
    return true;
}

static void judge_subset(struct product_search *s, const struct subset *set) {
    struct range ranges[LAW_SAMPLE_ROWS], k;
    size_t count = 0, depth;
    for (size_t i = 0; i < s->sample_count; i++) {
        struct range r = subset_log(s, set, i);
        if (r.lo <= r.hi)
            ranges[count++] = r;
    }
    if (count < 2)
        return;
    enum law_ground ground = ground_of(s, set);
    s->table->tried[s->columns[set->members[choose_target(s, set)]].column][ground]++;
    k = deepest(ranges, count, &depth);
    if (ground == GROUND_EXPECTED && count == 2 && depth == 1 && keeps_units(s, set, ranges, &k))
        depth = 2;
    if (depth < 2 || depth * 3 < count * 2 || k.hi - k.lo > log(1.5))
        return;
    struct law law = law_from_subset(s, set, k);
    bool known;
    bool unitless = dimension_is_none(constant_dimension(s->table, &law, &known));
    bool by_units = unitless && contains(&law, 1);
    if (by_units)
        law.k_lo = law.k_hi = 1;
    bool by_constant = !by_units && !known && set_unit_constant(&law);
    double p = row_chance(s, set, ranges, count, k, by_units);
    if (!by_units && !by_constant) {
        find_base_row(s->table, &law);
        if (law.base_row == NONE)
            find_anchor(s->table, &law);
    }
    law.ground = ground;
    law.warranted = warranted(s->table, &law, by_units, by_constant);
    law_keep(s->table, s->laws, &law, p, by_units ? 0 : 1);
}

static bool usable(const struct product_search *s, const struct subset *set) {
    size_t transformed = 0;
    for (size_t m = 0; m < set->count; m++) {
        const struct log_column *c = &s->columns[set->members[m]];
        transformed += c->transform != TRANSFORM_NONE;
        if (s->table->columns[c->column].constant)
            return false;
        for (size_t o = 0; o < m; o++)
            if (s->columns[set->members[o]].column == c->column)
                return false;
    }
    return transformed <= 1;
}

static void try_signs(struct product_search *s, struct subset set) {
    if (!usable(s, &set))
        return;
    for (int code = 0; code < 1 << (set.count - 1); code++) {
        set.exponents[0] = 1;
        for (size_t m = 1; m < set.count; m++)
            set.exponents[m] = code >> (m - 1) & 1 ? 1 : -1;
        judge_subset(s, &set);
    }
}

void law_search_products(struct law_table *table, struct laws *laws) {
    struct product_search s = {.table = table, .laws = laws};
    collect_columns(&s);
    for (size_t a = 0; a < s.column_count; a++)
        for (size_t b = a + 1; b < s.column_count; b++) {
            try_signs(&s, (struct subset){{a, b, 0}, {0}, 2});
            for (size_t c = b + 1; c < s.column_count; c++)
                try_signs(&s, (struct subset){{a, b, c}, {0}, 3});
        }
}
