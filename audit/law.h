/* Law discovery: small expressions over the columns of one table that hold within the intervals of
 * the printed digits, and that could not hold by luck.
 *
 * A table's cells become measures in base units (audit/measure.h), so that MB/s = MB / ms needs no
 * constant. The search looks at all rows of small tables and at LAW_SAMPLE_ROWS of large ones, at
 * most LAW_MOST_COLUMNS columns, and then judges every row with the laws it kept; the cost is
 * linear in the number of cells. Doubles choose, exact rationals (law_predict) decide.
 *
 * The chance of a law is the probability that unrelated numbers of the same size and precision hold
 * it in as many rows, times the number of expressions tried for the column (a Bonferroni bound;
 * kinds of expression that the column's label names count among themselves); laws above
 * LAW_MOST_CHANCE are dropped. docs/checks.md derives the formulas. */
#ifndef AUDIT_LAW_H
#define AUDIT_LAW_H

#include "audit/document.h"
#include "audit/measure.h"

enum { LAW_SAMPLE_ROWS = 48, LAW_MOST_COLUMNS = 12, LAW_MOST_OPERANDS = 12 };
#define LAW_MOST_CHANCE 1e-2     /* of luck, for a law that is reported at all */
#define LAW_EXPECTED_CHANCE 1e-1 /* of one that the label announces in its usual form */
#define LAW_ALARM_CHANCE 1e-3    /* for a law whose broken rows are reported */
#define LAW_CERTAIN 1e-6 /* for a sum whose broken rows are reported though no label tells */

/* How much the target's label or unit says of the law before any number is looked at. Expressions
 * tried for a column count within their own group, so that what a label announces is not paid for
 * by the many forms that it does not. */
enum law_ground {
    GROUND_NONE,
    GROUND_LABEL,    /* the label names the kind: "avg", "speedup" */
    GROUND_EXPECTED, /* and the operands are those of the usual definition: base/new, amount/time */
    GROUND_COUNT
};

enum column_class {
    COLUMN_PLAIN,
    COLUMN_CONFIG,
    COLUMN_RATE,
    COLUMN_SUM,
    COLUMN_MEAN,
    COLUMN_RATIO
};

struct law_column {
    struct span label;
    size_t grid_column;
    struct dimension dimension; /* of most of its cells */
    bool unit_known, percent, factor, constant;
    enum column_class class;
};

struct law_cell {
    double value, lo, hi, ulp; /* base units */
    size_t quantity;           /* NONE: empty cell */
    bool exact;
};

enum row_class { ROW_PLAIN, ROW_TOTAL, ROW_MEAN };

struct law_table {
    struct arena *arena;
    const struct claims *claims;
    struct law_column *columns;
    struct law_cell *cells; /* (row_count, column_count), row-major */
    struct span *row_labels;
    enum row_class *row_classes;
    size_t row_count, column_count;
    size_t tried[LAW_MOST_COLUMNS][GROUND_COUNT]; /* expressions, for a target column */
};

/* Which way the target's printed value enters: as it is, or as a change against 1. */
enum law_transform { TRANSFORM_NONE, TRANSFORM_PLUS_ONE, TRANSFORM_ONE_MINUS };

enum law_shape {
    LAW_PRODUCT,    /* t(target) = k * product of operand^exponent */
    LAW_SUM,        /* target = sum of sign * operand */
    LAW_QUOTIENT,   /* target = op0 + sign * op1 / op2 */
    LAW_FUSED,      /* target = op0 + sign * op1 * op2 */
    LAW_GROUPED,    /* target = (op0 + sign * op1) / op2 */
    LAW_MEAN,       /* target = sum of operands / count */
    LAW_CUMULATIVE, /* target = target of the row above + op0 */
    LAW_FROM_ROW,   /* target = op0 - op0 of base_row */
    LAW_AMORTIZED,  /* target = anchor + second_anchor / op0 */
};

enum row_state { STATE_ABSENT, STATE_HOLDS, STATE_TOUCHES, STATE_NEAR, STATE_BREAKS };

struct law {
    enum law_shape shape;
    enum law_transform transform;
    size_t target;
    size_t operands[LAW_MOST_OPERANDS];
    int8_t signs[LAW_MOST_OPERANDS]; /* exponents for LAW_PRODUCT */
    size_t operand_count;
    size_t base_row;      /* LAW_FROM_ROW; LAW_PRODUCT: the row k comes from, or NONE */
    double k_lo, k_hi;    /* LAW_PRODUCT: the constant; 1, 1 when units alone give it */
    size_t anchor;        /* LAW_PRODUCT: a quantity of the text that is k, or NONE */
    bool anchor_divides;  /* k is one over the anchor: shares of a stated total, 60 s each */
    size_t second_anchor; /* LAW_AMORTIZED */
    enum law_ground ground;
    bool warranted;       /* units or labels say that the target is computed: breaks count */
    enum row_state *rows; /* (row_count) */
    size_t judged, holds, breaks;
    double chance;
};

struct laws {
    struct law *laws;
    size_t count, capacity;
};

void law_table_build(struct law_table *table, const struct document *document,
                     const struct grid *grid);
/* Laws in order of rising chance, at most one a target column and set of operands. */
void law_search(struct law_table *table, struct laws *laws);
/* Interval of the target in base units, exactly, as the row's other cells give it; false when a
 * cell is missing or a divisor may be zero. out is initialized by the caller. */
bool law_predict(const struct law_table *table, const struct law *law, size_t row,
                 struct interval *out);
/* The expression with the row's printed numbers: "9.491 + 132.0/20". */
struct span law_expression(const struct law_table *table, const struct law *law, size_t row);

static inline const struct law_cell *law_cell(const struct law_table *t, size_t row,
                                              size_t column) {
    return &t->cells[row * t->column_count + column];
}

/* --- between the files of the search --- */

/* Judges every row, counts, and keeps the law when it holds in at least two and two thirds of them
 * and its chance is small enough. row_chance is the chance of one row (mean over the sample);
 * free_rows is 1 when one row served to find a constant. */
bool law_keep(struct law_table *table, struct laws *laws, struct law *law, double row_chance,
              size_t free_rows);
/* Chance of at least holds of judged rows, each with chance p (binomial tail). */
double law_chance(double p, size_t holds, size_t judged);
enum row_state law_judge(const struct law_table *table, const struct law *law, size_t row);
/* How much a column looks computed from others: the law is told from the highest. */
int law_target_rank(const struct law_table *table, size_t column);
/* Rows that the search looks at: index i of *count. */
size_t law_sample(const struct law_table *table, size_t i, size_t *count);
void law_search_products(struct law_table *table, struct laws *laws);
void law_search_sums(struct law_table *table, struct laws *laws);
void law_search_rows(struct law_table *table, struct laws *laws);
void law_search_amortized(struct law_table *table, struct laws *laws);

#endif
