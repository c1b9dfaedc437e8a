/* Laws that add: differences, totals and means over neighbouring columns, and the three-operand
 * forms a + b/n, a + b*n, (a + b)/n that amortized and composed times follow. */
#include "audit/law.h"

#include <math.h>

struct range {
    double lo, hi;
};

struct sum_search {
    struct law_table *table;
    struct laws *laws;
    size_t sample_count;
};

static bool cell_range(const struct law_table *t, size_t row, size_t column, struct range *r) {
    const struct law_cell *c = law_cell(t, row, column);
    *r = (struct range){c->lo, c->hi};
    return c->quantity != NONE;
}

static struct range add(struct range a, struct range b, int sign) {
    return sign > 0 ? (struct range){a.lo + b.lo, a.hi + b.hi}
                    : (struct range){a.lo - b.hi, a.hi - b.lo};
}

static struct range multiply(struct range a, struct range b) {
    double p[4] = {a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi};
    return (struct range){fmin(fmin(p[0], p[1]), fmin(p[2], p[3])),
                          fmax(fmax(p[0], p[1]), fmax(p[2], p[3]))};
}

static bool divide(struct range a, struct range b, struct range *r) {
    if (b.lo <= 0 && b.hi >= 0)
        return false;
    *r = multiply(a, (struct range){1 / b.hi, 1 / b.lo});
    return true;
}

static double magnitude(struct range r) {
    return fabs(r.lo + r.hi) / 2;
}

/* Prediction of one row and the size against which its width counts: what the law adds to saying
 * that the target equals its largest term. */
static bool predict(const struct law_table *t, const struct law *law, size_t row, struct range *out,
                    double *scale) {
    struct range x[3];
    for (size_t i = 0; i < 3 && i < law->operand_count; i++)
        if (!cell_range(t, row, law->operands[i], &x[i]))
            return false;
    switch (law->shape) {
    case LAW_QUOTIENT:
        if (!divide(x[1], x[2], &x[1]))
            return false;
        break;
    case LAW_FUSED:
        x[1] = multiply(x[1], x[2]);
        break;
    default:
        break;
    }
    *out = add(x[0], x[1], law->signs[1]);
    *scale = fmin(fmin(magnitude(x[0]), magnitude(x[1])), fmax(magnitude(*out), 1e-300));
    if (law->shape != LAW_GROUPED)
        return true;
    *scale /= fmax(magnitude(x[2]), 1e-300);
    return divide(*out, x[2], out);
}

static bool predict_run(const struct law_table *t, const struct law *law, size_t row,
                        struct range *out, double *scale) {
    struct range sum = {0, 0}, x;
    double largest = 0, smallest = INFINITY;
    for (size_t i = 0; i < law->operand_count; i++) {
        if (!cell_range(t, row, law->operands[i], &x))
            return false;
        sum = add(sum, x, 1);
        largest = fmax(largest, magnitude(x));
        smallest = fmin(smallest, magnitude(x));
    }
    *out = sum;
    *scale = fabs(magnitude(sum) - largest);
    if (law->shape != LAW_MEAN)
        return true;
    double n = (double)law->operand_count;
    *out = (struct range){sum.lo / n, sum.hi / n};
    *scale = largest - smallest;
    return true;
}

typedef bool predictor(const struct law_table *, const struct law *, size_t, struct range *,
                       double *);

/* One chance for every row that bounds the rows' own: the chance that some k of n rows agree is at
 * most e_k(p), the elementary symmetric sum; its mean term's k-th root is never above the mean of
 * p (Maclaurin's inequality), and an imprecise row does not hide what the precise ones say. */
static double row_chance(const double *p, size_t n, size_t k) {
    double sums[LAW_SAMPLE_ROWS + 1] = {1}, choices = 1;
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1 < k ? i + 1 : k; j > 0; j--)
            sums[j] += sums[j - 1] * p[i];
    for (size_t i = 0; i < k; i++)
        choices *= (double)(n - i) / (double)(i + 1);
    return k ? pow(sums[k] / choices, 1 / (double)k) : 1;
}

/* Looks at the sample; gives up as soon as too many rows disagree. */
static void try_law(struct sum_search *s, struct law *law, predictor *predict_row) {
    size_t judged = 0, missed = 0;
    double chances[LAW_SAMPLE_ROWS];
    s->table->tried[law->target][law->ground]++;
    for (size_t i = 0; i < s->sample_count; i++) {
        size_t row = law_sample(s->table, i, &s->sample_count);
        struct range target, expected;
        double scale;
        if (!cell_range(s->table, row, law->target, &target) ||
            !predict_row(s->table, law, row, &expected, &scale))
            continue;
        double slack = 1e-11 * (fabs(expected.lo) + fabs(expected.hi));
        missed += expected.lo > target.hi + slack || expected.hi < target.lo - slack;
        if (missed * 3 > s->sample_count)
            return;
        double width = expected.hi - expected.lo + target.hi - target.lo;
        chances[judged++] = scale > 0 ? fmin(1, width / scale) : 1;
    }
    if (judged >= 2 && missed * 3 <= judged)
        law_keep(s->table, s->laws, law, row_chance(chances, judged, judged - missed), 0);
}

static bool comparable(const struct law_table *t, size_t a, size_t b) {
    const struct law_column *x = &t->columns[a], *y = &t->columns[b];
    if (x->unit_known && y->unit_known)
        return dimension_equal(x->dimension, y->dimension) && x->percent == y->percent &&
               x->factor == y->factor;
    return x->unit_known == y->unit_known;
}

static bool is_computed(const struct law_table *t, size_t column) {
    enum column_class class = t->columns[column].class;
    return class == COLUMN_RATIO || class == COLUMN_SUM || class == COLUMN_MEAN;
}

static enum law_ground ground_of(const struct law_table *t, size_t target,
                                 enum column_class class) {
    return t->columns[target].class == class ? GROUND_LABEL : GROUND_NONE;
}

/* A total or a mean of all other columns of its kind, or the difference of the only two, is what
 * its label announces. */
static enum law_ground ground_of_all(const struct law_table *t, size_t target, size_t operands,
                                     enum column_class class) {
    size_t others = 0;
    for (size_t c = 0; c < t->column_count; c++)
        others += c != target && comparable(t, target, c) && t->columns[c].class != COLUMN_CONFIG;
    enum law_ground ground = ground_of(t, target, class);
    return ground && others == operands ? GROUND_EXPECTED : ground;
}

/* Whether a - b has the other sign than the target, seen in the first row that has all three. */
static bool is_turned(const struct law_table *t, size_t target, size_t a, size_t b) {
    for (size_t row = 0; row < t->row_count && row < LAW_SAMPLE_ROWS; row++) {
        const struct law_cell *x = law_cell(t, row, a), *y = law_cell(t, row, b);
        const struct law_cell *z = law_cell(t, row, target);
        if (x->quantity != NONE && y->quantity != NONE && z->quantity != NONE)
            return (x->value - y->value) * z->value < 0;
    }
    return false;
}

static void try_pairs(struct sum_search *s, size_t target, size_t a, size_t b) {
    struct law_table *t = s->table;
    if (a == target || b == target || a == b || !comparable(t, target, a) ||
        !comparable(t, target, b))
        return;
    for (int sign = -1; sign <= 1; sign += 2) {
        if ((sign > 0 && a > b) || (sign < 0 && is_turned(t, target, a, b)))
            continue; /* a + b once; b - a where the target has its sign */
        struct law law = {.shape = LAW_SUM,
                          .target = target,
                          .operands = {a, b},
                          .signs = {1, (int8_t)sign},
                          .operand_count = 2,
                          .base_row = NONE,
                          .anchor = NONE,
                          .ground =
                              ground_of_all(t, target, 2, sign > 0 ? COLUMN_SUM : COLUMN_RATIO),
                          .warranted = is_computed(t, target)};
        /* c = a + b and a = c - b are one law: told from the computed or the last column */
        bool last = t->columns[target].grid_column > t->columns[a].grid_column &&
                    t->columns[target].grid_column > t->columns[b].grid_column;
        if (law.warranted || (last && !is_computed(t, a) && !is_computed(t, b)))
            try_law(s, &law, predict);
    }
}

static void try_runs(struct sum_search *s, size_t target) {
    struct law_table *t = s->table;
    for (size_t from = 0; from < t->column_count; from++) {
        struct law law = {.target = target, .base_row = NONE, .anchor = NONE};
        for (size_t c = from; c < t->column_count && law.operand_count < LAW_MOST_OPERANDS; c++) {
            if (c == target || !comparable(t, target, c))
                break;
            law.operands[law.operand_count] = c;
            law.signs[law.operand_count++] = 1;
            law.warranted = is_computed(t, target);
            law.shape = LAW_SUM;
            law.ground = ground_of_all(t, target, law.operand_count, COLUMN_SUM);
            if (law.operand_count > 2)
                try_law(s, &law, predict_run);
            law.shape = LAW_MEAN;
            law.ground = ground_of_all(t, target, law.operand_count, COLUMN_MEAN);
            if (law.operand_count > 1 && t->columns[target].class != COLUMN_SUM)
                try_law(s, &law, predict_run);
        }
    }
}

/* b/n, b*n: n is a count or a factor, b has the target's dimension (or none is known). */
static bool can_divide(const struct law_table *t, size_t column) {
    const struct law_column *c = &t->columns[column];
    return dimension_is_none(c->dimension) && !c->percent;
}

static bool is_contrast(const struct law_table *t, size_t target, size_t a, size_t b, size_t n) {
    return a != target && b != target && n != target && a != b && a != n && b != n &&
           can_divide(t, n) && comparable(t, target, a);
}

static void try_three(struct sum_search *s, size_t target, size_t a, size_t b, size_t n) {
    static const enum law_shape shapes[] = {LAW_QUOTIENT, LAW_FUSED, LAW_GROUPED};
    struct law_table *t = s->table;
    if (!is_contrast(t, target, a, b, n) || !comparable(t, target, b))
        return;
    for (size_t i = 0; i < 3; i++)
        for (int sign = -1; sign <= 1; sign += 2) {
            if (shapes[i] == LAW_GROUPED && sign > 0 && a > b)
                continue;
            struct law law = {.shape = shapes[i],
                              .target = target,
                              .operands = {a, b, n},
                              .signs = {1, (int8_t)sign, 1},
                              .operand_count = 3,
                              .base_row = NONE,
                              .anchor = NONE};
            law.warranted = is_computed(t, target) || t->columns[target].unit_known;
            try_law(s, &law, predict);
        }
}

void law_search_sums(struct law_table *table, struct laws *laws) {
    struct sum_search s = {.table = table, .laws = laws};
    law_sample(table, 0, &s.sample_count);
    for (size_t target = 0; target < table->column_count; target++) {
        if (table->columns[target].constant)
            continue;
        try_runs(&s, target);
        for (size_t a = 0; a < table->column_count; a++)
            for (size_t b = 0; b < table->column_count; b++) {
                try_pairs(&s, target, a, b);
                for (size_t n = 0; n < table->column_count; n++)
                    try_three(&s, target, a, b, n);
            }
    }
}
