/* Laws over the columns of each table: rows that keep them are confirmed, rows that break a law
 * which the others keep are named with the interval expected, the number printed and the smallest
 * edit that would mend it. */
#include "audit/law.h"

#include "audit/checks/checks.h"
#include "audit/mend.h"

#include <math.h>

enum {
    ROWS_ONE_BY_ONE = 24,   /* tables up to this size get one confirmation a row */
    MOST_PLACES = 1000,     /* places in the one confirmation of a larger table */
    MOST_BROKEN_ROWS = 200, /* findings a table; the rest are counted in the last one */
};

struct law_run {
    const struct check_input *input;
    struct findings *findings;
    const struct law_table *table;
    const struct laws *laws;
};

/* One unit of the target's print in base units. */
static double print_scale(const struct law_table *t, const struct law *law, size_t row) {
    struct measure m = measure_of(&t->claims->quantities[law_cell(t, row, law->target)->quantity]);
    return (double)m.scale_numerator / (double)m.scale_denominator;
}

static void expect(struct finding_draft *d, const struct law_run *run, const struct law *law,
                   size_t row) {
    struct interval expected;
    interval_init(&expected);
    if (law_predict(run->table, law, row, &expected)) {
        double scale = print_scale(run->table, law, row);
        d->finding.expected_lo = interval_lo(&expected) / scale;
        d->finding.expected_hi = interval_hi(&expected) / scale;
    }
    interval_clear(&expected);
}

static void add_operands(struct finding_draft *d, const struct law_run *run, const struct law *law,
                         size_t row) {
    static const char *const names[LAW_MOST_OPERANDS] = {"m1", "m2", "m3", "m4",  "m5",  "m6",
                                                         "m7", "m8", "m9", "m10", "m11", "m12"};
    const struct law_table *t = run->table;
    for (size_t i = 0; i < law->operand_count; i++)
        finding_number(d, names[i], law_cell(t, row, law->operands[i])->quantity);
    if (law->anchor != NONE)
        finding_number(d, law->shape == LAW_AMORTIZED ? "a" : "k", law->anchor);
    if (law->shape == LAW_AMORTIZED)
        finding_number(d, "b", law->second_anchor);
    for (size_t i = 0; i < law->operand_count && law->base_row != NONE; i++)
        finding_number(d, "base", law_cell(t, law->base_row, law->operands[i])->quantity);
}

static struct span target_printed(const struct law_run *run, const struct law *law, size_t row) {
    return quantity_quote(run->input->document, law_cell(run->table, row, law->target)->quantity);
}

static void say(struct finding_draft *d, const struct law_run *run, const struct law *law,
                size_t row, const char *more) {
    struct arena *arena = run->input->document->arena;
    struct span expression = law_expression(run->table, law, row);
    struct span printed = target_printed(run, law, row);
    struct span interval = interval_text(arena, d->finding.expected_lo, d->finding.expected_hi);
    d->finding.expression =
        arena_printf(arena, "%.*s = %.*s", SPAN_ARG(expression), SPAN_ARG(printed));
    finding_say(d, "%.*s lies in %.*s; %.*s is printed.%s", SPAN_ARG(expression),
                SPAN_ARG(interval), SPAN_ARG(printed), more);
}

static void confirm_row(const struct law_run *run, const struct law *law, size_t row) {
    struct finding_draft d;
    finding_begin(&d, run->input, run->findings, "law", FINDING_CONFIRMED, SEVERITY_INFO);
    finding_number(&d, "target", law_cell(run->table, row, law->target)->quantity);
    add_operands(&d, run, law, row);
    expect(&d, run, law, row);
    d.finding.chance = law->chance;
    say(&d, run, law, row, "");
    finding_end(&d);
}

static void confirm_table(const struct law_run *run, const struct law *law) {
    struct finding_draft d;
    size_t first = 0, shown = 0;
    while (law->rows[first] != STATE_HOLDS)
        first++;
    finding_begin(&d, run->input, run->findings, "law", FINDING_CONFIRMED, SEVERITY_INFO);
    for (size_t row = first; row < run->table->row_count && shown < MOST_PLACES; row++)
        if (law->rows[row] == STATE_HOLDS) {
            size_t q = law_cell(run->table, row, law->target)->quantity;
            finding_place(&d, run->table->claims->quantities[q].start,
                          run->table->claims->quantities[q].end);
            finding_claim(&d, run->table->claims->quantities[q].claim);
            shown++;
        }
    expect(&d, run, law, first);
    d.finding.chance = law->chance;
    struct span expression = law_expression(run->table, law, first);
    finding_say(&d, "%zu of %zu rows keep the law of the first of them, %.*s = %.*s.", law->holds,
                law->judged, SPAN_ARG(expression), SPAN_ARG(target_printed(run, law, first)));
    finding_end(&d);
}

static void confirm(const struct law_run *run, const struct law *law) {
    if (run->table->row_count > ROWS_ONE_BY_ONE) {
        confirm_table(run, law);
        return;
    }
    for (size_t row = 0; row < run->table->row_count; row++)
        if (law->rows[row] == STATE_HOLDS)
            confirm_row(run, law, row);
}

/* --- broken rows --- */

/* Broken rows are reported when units or labels say that the column is computed, luck is out of the
 * question, and the law is the rule: one row in five may break it, or one row at all. What a label
 * announces in its usual form is rarely luck, so that two rows may be enough. */
static bool alarms(const struct law *law) {
    bool expected = law->ground == GROUND_EXPECTED;
    bool certain = law->shape == LAW_SUM && law->chance <= LAW_CERTAIN && law->holds >= 3;
    if (!(law->warranted || certain) ||
        law->chance > (expected ? LAW_EXPECTED_CHANCE : LAW_ALARM_CHANCE) || !law->breaks)
        return false;
    bool few = law->breaks == 1 || law->breaks * 5 <= law->judged;
    bool enough = law->holds >= 3 || expected ||
                  (law->ground == GROUND_LABEL && law->chance < LAW_ALARM_CHANCE / 10);
    return few && enough;
}

static bool takes_part(const struct law *law, size_t column) {
    if (law->target == column)
        return true;
    for (size_t i = 0; i < law->operand_count; i++)
        if (law->operands[i] == column)
            return true;
    return false;
}

/* How much speaks against the cell: laws of its row that break with it, less those that hold. */
static int suspicion(const struct law_run *run, size_t row, size_t column) {
    int score = 0;
    for (size_t i = 0; i < run->laws->count; i++) {
        const struct law *law = &run->laws->laws[i];
        if (!takes_part(law, column))
            continue;
        score += law->rows[row] == STATE_BREAKS && alarms(law);
        score -= law->rows[row] == STATE_HOLDS;
    }
    return score;
}

/* The cell of the law that is most likely wrong; the target unless another is more suspect. */
static size_t suspect_of(const struct law_run *run, const struct law *law, size_t row) {
    size_t suspect = law->target;
    int most = suspicion(run, row, suspect);
    for (size_t i = 0; i < law->operand_count; i++) {
        int score = suspicion(run, row, law->operands[i]);
        if (score > most) {
            suspect = law->operands[i];
            most = score;
        }
    }
    return suspect;
}

/* The law told from another of its columns; only products turn around. */
static struct law turned(const struct law *law, size_t column) {
    struct law other = *law;
    if (law->shape != LAW_PRODUCT || law->transform != TRANSFORM_NONE || column == law->target ||
        law->base_row != NONE || law->anchor != NONE)
        return other;
    size_t at = 0;
    while (law->operands[at] != column)
        at++;
    int8_t sign = law->signs[at];
    other.target = column;
    for (size_t i = 0; i < law->operand_count; i++)
        other.signs[i] = (int8_t)(-law->signs[i] * sign);
    other.operands[at] = law->target;
    other.signs[at] = sign;
    other.k_lo = sign > 0 ? 1 / law->k_hi : law->k_lo;
    other.k_hi = sign > 0 ? 1 / law->k_lo : law->k_hi;
    return other;
}

static void propose_edit(struct finding_draft *d, const struct law_run *run, const struct law *law,
                         size_t row, struct mend *mend) {
    const struct quantity *q =
        &run->table->claims->quantities[law_cell(run->table, row, law->target)->quantity];
    *mend = mend_number(run->input->document->arena, q->printed, q->decimals,
                        d->finding.expected_lo, d->finding.expected_hi);
    d->finding.replacement = mend->text;
}

static void report_row(const struct law_run *run, const struct law *law, size_t row,
                       size_t suspect) {
    struct law told = turned(law, suspect);
    struct finding_draft d;
    struct mend mend;
    finding_begin(&d, run->input, run->findings, "law",
                  law->ground ? FINDING_CONTRADICTION : FINDING_INCONSISTENCY,
                  law->ground ? SEVERITY_HIGH : SEVERITY_MEDIUM);
    finding_number(&d, "target", law_cell(run->table, row, told.target)->quantity);
    add_operands(&d, run, &told, row);
    expect(&d, run, &told, row);
    d.finding.chance = law->chance;
    propose_edit(&d, run, &told, row, &mend);
    struct span more =
        arena_printf(run->input->document->arena,
                     " %zu of %zu rows keep this law; %.*s (%s) would mend this one.", law->holds,
                     law->judged, SPAN_ARG(mend.text), mend_words(mend.kind));
    say(&d, run, &told, row, mend.kind == MEND_NONE ? "" : more.at);
    finding_end(&d);
}

/* Each suspect cell of a row is reported once, by the least likely law that it breaks. */
static size_t report_rows(const struct law_run *run, size_t row) {
    size_t reported = 0;
    unsigned done = 0;
    for (size_t i = 0; i < run->laws->count; i++) {
        const struct law *law = &run->laws->laws[i];
        if (law->rows[row] != STATE_BREAKS || !alarms(law))
            continue;
        size_t suspect = suspect_of(run, law, row);
        bool known = done >> law->target & 1;
        for (size_t o = 0; o < law->operand_count; o++)
            known |= done >> law->operands[o] & 1;
        done |= 1u << suspect;
        if (known)
            continue;
        report_row(run, law, row, suspect);
        reported++;
    }
    return reported;
}

static void run_grid(const struct check_input *input, struct findings *findings,
                     const struct grid *grid) {
    struct law_table table;
    struct laws laws;
    law_table_build(&table, input->document, grid);
    law_search(&table, &laws);
    struct law_run run = {input, findings, &table, &laws};
    for (size_t i = 0; i < laws.count; i++)
        confirm(&run, &laws.laws[i]);
    size_t reported = 0;
    for (size_t row = 0; row < table.row_count && reported < MOST_BROKEN_ROWS; row++)
        reported += report_rows(&run, row);
}

static bool in_grid(const struct claim *claim) {
    return claim->quantity_count > 0 &&
           (claim->block == BLOCK_TABLE || claim->block == BLOCK_OUTPUT ||
            claim->block == BLOCK_CONTRACT || claim->block == BLOCK_LIST ||
            claim->block == BLOCK_PROSE);
}

static void run(const struct check_input *input, struct findings *findings) {
    for (size_t i = 0; i < input->document->grid_count; i++)
        run_grid(input, findings, &input->document->grids[i]);
    coverage_claims(input, findings, "law", in_grid, "no number in a table or a repeated line");
}

const struct check check_law = {"law", "Laws over the columns of tables and repeated lines", run};
