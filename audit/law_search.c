/* The frame of the search: which laws are kept, how rows are judged, what a law predicts. */
#include "audit/law.h"

#include <math.h>
#include <stdlib.h>

/* Relative slack of the double arithmetic; what lies closer is decided by exact rationals. */
static const double double_slack = 1e-11;

double law_chance(double p, size_t holds, size_t judged) {
    if (!judged || !holds)
        return 1;
    p = fmin(fmax(p, 1e-12), 1);
    double n = (double)judged, sum = 0;
    if ((double)holds <= p * n)
        return 1;
    for (size_t k = holds; k <= judged; k++) {
        double x = (double)k, term = lgamma(n + 1) - lgamma(x + 1) - lgamma(n - x + 1) + x * log(p);
        sum += exp(term + (k < judged ? (n - x) * log1p(-p) : 0));
    }
    return fmin(sum, 1);
}

size_t law_sample(const struct law_table *t, size_t i, size_t *count) {
    *count = t->row_count < LAW_SAMPLE_ROWS ? t->row_count : LAW_SAMPLE_ROWS;
    return *count ? i * t->row_count / *count : 0;
}

/* --- prediction --- */

static bool operand_interval(const struct law_table *t, size_t row, size_t column,
                             struct interval *out) {
    const struct law_cell *cell = law_cell(t, row, column);
    return cell->quantity != NONE && measure_interval(&t->claims->quantities[cell->quantity], out);
}

static bool multiply_operands(const struct law_table *t, const struct law *law, size_t row,
                              struct interval *out, struct interval *operand) {
    for (size_t i = 0; i < law->operand_count; i++) {
        if (!operand_interval(t, row, law->operands[i], operand))
            return false;
        if (law->signs[i] > 0)
            interval_multiply(out, out, operand);
        else if (!interval_divide(out, out, operand))
            return false;
    }
    return true;
}

/* k from the row whose target is 1: the inverse of its operands' product. */
static bool constant_of_row(const struct law_table *t, const struct law *law, struct interval *out,
                            struct interval *operand) {
    struct law inverse = *law;
    for (size_t i = 0; i < law->operand_count; i++)
        inverse.signs[i] = (int8_t)-law->signs[i];
    interval_from_ratio(out, 1, 1);
    return multiply_operands(t, &inverse, law->base_row, out, operand);
}

static bool constant_of_anchor(const struct law_table *t, const struct law *law,
                               struct interval *out, struct interval *operand) {
    const struct quantity *anchor = &t->claims->quantities[law->anchor];
    if (!law->anchor_divides)
        return measure_interval(anchor, out);
    interval_from_ratio(out, 1, 1);
    return measure_interval(anchor, operand) && interval_divide(out, out, operand);
}

static bool predict_product(const struct law_table *t, const struct law *law, size_t row,
                            struct interval *out, struct interval *operand) {
    bool known = law->base_row != NONE ? constant_of_row(t, law, out, operand)
                 : law->anchor != NONE ? constant_of_anchor(t, law, out, operand)
                                       : interval_from_doubles(out, law->k_lo, law->k_hi);
    if (!known || !multiply_operands(t, law, row, out, operand))
        return false;
    if (law->transform == TRANSFORM_NONE)
        return true;
    interval_from_ratio(operand, 1, 1);
    if (law->transform == TRANSFORM_PLUS_ONE)
        interval_subtract(out, out, operand);
    else
        interval_subtract(out, operand, out);
    return true;
}

static bool predict_sum(const struct law_table *t, const struct law *law, size_t row,
                        struct interval *out, struct interval *operand) {
    interval_from_ratio(out, 0, 1);
    for (size_t i = 0; i < law->operand_count; i++) {
        if (!operand_interval(t, row, law->operands[i], operand))
            return false;
        (law->signs[i] > 0 ? interval_add : interval_subtract)(out, out, operand);
    }
    if (law->shape != LAW_MEAN)
        return true;
    interval_from_ratio(operand, (long)law->operand_count, 1);
    return interval_divide(out, out, operand);
}

/* out = op0 + sign * (op1 / op2), op0 + sign * op1 * op2, or (op0 + sign * op1) / op2 */
static bool predict_three(const struct law_table *t, const struct law *law, size_t row,
                          struct interval *out, struct interval *operand) {
    struct interval third;
    interval_init(&third);
    bool ok = operand_interval(t, row, law->operands[1], operand) &&
              operand_interval(t, row, law->operands[2], &third) &&
              operand_interval(t, row, law->operands[0], out);
    if (ok && law->shape == LAW_QUOTIENT)
        ok = interval_divide(operand, operand, &third);
    else if (ok && law->shape == LAW_FUSED)
        interval_multiply(operand, operand, &third);
    if (ok)
        (law->signs[1] > 0 ? interval_add : interval_subtract)(out, out, operand);
    if (ok && law->shape == LAW_GROUPED)
        ok = interval_divide(out, out, &third);
    interval_clear(&third);
    return ok;
}

static bool predict_from_rows(const struct law_table *t, const struct law *law, size_t row,
                              struct interval *out, struct interval *operand) {
    if (law->shape == LAW_CUMULATIVE) {
        if (!row || !operand_interval(t, row - 1, law->target, out) ||
            !operand_interval(t, row, law->operands[0], operand))
            return false;
        interval_add(out, out, operand);
        return true;
    }
    if (row == law->base_row || !operand_interval(t, row, law->operands[0], out) ||
        !operand_interval(t, law->base_row, law->operands[0], operand))
        return false;
    interval_subtract(out, out, operand);
    return true;
}

static bool predict_amortized(const struct law_table *t, const struct law *law, size_t row,
                              struct interval *out, struct interval *operand) {
    if (!operand_interval(t, row, law->operands[0], operand) ||
        !measure_interval(&t->claims->quantities[law->second_anchor], out) ||
        !interval_divide(out, out, operand) ||
        !measure_interval(&t->claims->quantities[law->anchor], operand))
        return false;
    interval_add(out, out, operand);
    return true;
}

bool law_predict(const struct law_table *t, const struct law *law, size_t row,
                 struct interval *out) {
    struct interval operand;
    interval_init(&operand);
    bool ok = false;
    switch (law->shape) {
    case LAW_PRODUCT:
        ok = predict_product(t, law, row, out, &operand);
        break;
    case LAW_SUM:
    case LAW_MEAN:
        ok = predict_sum(t, law, row, out, &operand);
        break;
    case LAW_QUOTIENT:
    case LAW_FUSED:
    case LAW_GROUPED:
        ok = predict_three(t, law, row, out, &operand);
        break;
    case LAW_AMORTIZED:
        ok = predict_amortized(t, law, row, out, &operand);
        break;
    case LAW_CUMULATIVE:
    case LAW_FROM_ROW:
        ok = predict_from_rows(t, law, row, out, &operand);
        break;
    }
    interval_clear(&operand);
    return ok;
}

/* --- judging --- */

static enum row_state judge_exactly(const struct law_table *t, const struct law *law, size_t row) {
    const struct law_cell *target = law_cell(t, row, law->target);
    if (target->quantity == NONE)
        return STATE_ABSENT;
    struct interval expected, printed;
    interval_init(&expected);
    interval_init(&printed);
    enum row_state state = STATE_ABSENT;
    if (law_predict(t, law, row, &expected) &&
        measure_interval(&t->claims->quantities[target->quantity], &printed)) {
        enum contact contact = interval_contact(&expected, &printed);
        double gap = interval_gap(&expected, &printed);
        state = contact == CONTACT_OVERLAP ? STATE_HOLDS
                : contact == CONTACT_TOUCH ? STATE_TOUCHES
                /* cut-off digits instead of rounded ones: within one unit of the last place */
                : gap <= target->ulp * (1 + double_slack) ? STATE_NEAR
                                                          : STATE_BREAKS;
    }
    interval_clear(&expected);
    interval_clear(&printed);
    return state;
}

enum row_state law_judge(const struct law_table *t, const struct law *law, size_t row) {
    enum row_state state = judge_exactly(t, law, row);
    /* A row of totals or means follows other laws; that it follows this one too is a plus. */
    bool special = t->row_classes[row] != ROW_PLAIN;
    return special && state != STATE_HOLDS ? STATE_ABSENT : state;
}

static bool same_cells(const struct law_table *t, const struct law *law, size_t a, size_t b) {
    if (law_cell(t, a, law->target)->value != law_cell(t, b, law->target)->value)
        return false;
    for (size_t i = 0; i < law->operand_count; i++)
        if (law_cell(t, a, law->operands[i])->value != law_cell(t, b, law->operands[i])->value)
            return false;
    return true;
}

/* Judges one row into the law's counts; *distinct and *agreeing leave out rows that repeat the one
 * before, which are no evidence of their own. */
static void count_row(const struct law_table *t, struct law *law, size_t row, size_t *last,
                      size_t *distinct, size_t *agreeing) {
    enum row_state state = law->rows[row] = law_judge(t, law, row);
    if (state == STATE_ABSENT)
        return;
    law->judged++;
    law->holds += state == STATE_HOLDS;
    law->breaks += state == STATE_BREAKS;
    if (row == law->base_row || (*last != NONE && same_cells(t, law, *last, row)))
        return;
    *last = row;
    ++*distinct;
    *agreeing += state == STATE_HOLDS;
}

static double most_chance(const struct law *law) {
    return law->ground == GROUND_EXPECTED ? LAW_EXPECTED_CHANCE : LAW_MOST_CHANCE;
}

/* A rate of an amount and a time in the same row, by their units alone, and precisely: one row of
 * two is enough to say that the other breaks it. */
static bool is_definition(const struct law *law, double row_chance) {
    return law->ground == GROUND_EXPECTED && law->shape == LAW_PRODUCT && law->k_lo == 1 &&
           law->k_hi == 1 && law->base_row == NONE && row_chance < LAW_MOST_CHANCE;
}

bool law_keep(struct law_table *t, struct laws *laws, struct law *law, double row_chance,
              size_t free_rows) {
    size_t agreeing = 0, distinct = 0, last = NONE, count;
    law->rows = arena_array(t->arena, t->row_count, sizeof *law->rows);
    law->judged = law->holds = law->breaks = 0;
    law_sample(t, 0, &count);
    for (size_t i = 0; i < count; i++)
        count_row(t, law, law_sample(t, i, &count), &last, &distinct, &agreeing);
    if (law->base_row != NONE)
        free_rows = 0; /* the base row is not counted as evidence */
    bool two_rows = law->judged == 2 && law->holds == 1 && is_definition(law, row_chance);
    if (((law->holds < 2 || law->holds * 3 < law->judged * 2) && !two_rows) ||
        agreeing <= free_rows)
        return false;
    law->chance = law_chance(row_chance, agreeing - free_rows, distinct - free_rows);
    if (!(law->chance <= most_chance(law)))
        return false;
    LIST_PUSH(t->arena, laws->laws, laws->count, laws->capacity, *law);
    return true;
}

/* A large table is searched by sample; the laws kept are then judged on all its rows. */
static void judge_all(const struct law_table *t, struct law *law) {
    size_t agreeing = 0, distinct = 0, last = NONE;
    if (t->row_count <= LAW_SAMPLE_ROWS)
        return;
    law->judged = law->holds = law->breaks = 0;
    for (size_t row = 0; row < t->row_count; row++)
        count_row(t, law, row, &last, &distinct, &agreeing);
}

/* Bits of the columns that take part: laws over the same columns say the same. */
static unsigned columns_of(const struct law *law) {
    unsigned bits = 1u << law->target;
    for (size_t i = 0; i < law->operand_count; i++)
        bits |= 1u << law->operands[i];
    return bits;
}

int law_target_rank(const struct law_table *t, size_t column) {
    static const int class_rank[] = {
        [COLUMN_CONFIG] = 0, [COLUMN_PLAIN] = 1, [COLUMN_SUM] = 2,
        [COLUMN_MEAN] = 2,   [COLUMN_RATE] = 3,  [COLUMN_RATIO] = 4,
    };
    return class_rank[t->columns[column].class] * LAW_MOST_COLUMNS + (int)column;
}

/* Further laws of one target add nothing that a reader needs. */
enum { LAWS_A_TARGET = 2, LAWS_A_TABLE = 8 };

/* Puts the law among the kept ones, in place of one that says the same less well; returns the new
 * count. a = c - b and c = a + b are one law, told from the column that looks computed. */
static size_t choose(const struct law_table *t, struct laws *laws, size_t kept,
                     const struct law *law) {
    size_t same_target = 0;
    for (size_t i = 0; i < kept; i++) {
        struct law *old = &laws->laws[i];
        if (columns_of(old) == columns_of(law)) {
            if (law->holds >= old->holds &&
                law_target_rank(t, law->target) > law_target_rank(t, old->target))
                *old = *law;
            return kept;
        }
        same_target += old->target == law->target;
    }
    if (same_target < LAWS_A_TARGET && kept < LAWS_A_TABLE)
        laws->laws[kept++] = *law;
    return kept;
}

static int by_chance(const void *a, const void *b) {
    const struct law *x = a, *y = b;
    if (x->chance != y->chance)
        return x->chance < y->chance ? -1 : 1;
    if (x->operand_count != y->operand_count)
        return x->operand_count < y->operand_count ? -1 : 1;
    return x->target < y->target ? -1 : x->target > y->target;
}

void law_search(struct law_table *t, struct laws *laws) {
    *laws = (struct laws){0};
    if (t->row_count < 2 || t->column_count < 2)
        return;
    law_search_products(t, laws);
    law_search_sums(t, laws);
    law_search_rows(t, laws);
    law_search_amortized(t, laws);
    size_t kept = 0, count = 0;
    for (size_t i = 0; i < laws->count; i++) {
        struct law law = laws->laws[i];
        law.chance *= (double)t->tried[law.target][law.ground];
        if (law.chance <= most_chance(&law))
            laws->laws[count++] = law;
    }
    if (count)
        qsort(laws->laws, count, sizeof *laws->laws, by_chance);
    for (size_t i = 0; i < count; i++) {
        struct law law = laws->laws[i];
        kept = choose(t, laws, kept, &law);
    }
    for (size_t i = 0; i < kept; i++)
        judge_all(t, &laws->laws[i]);
    laws->count = kept;
}
