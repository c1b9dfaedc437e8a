/* Cells that print their ratio to the best row beside their value: "64.2204 (5.42)" under a row
 * that has "(1.0)", as pytest-benchmark does. */
#include "audit/relation_run.h"

#include "audit/checks/checks.h"
#include "audit/measure.h"

#include <math.h>

enum { MOST_ROWS = 400 };

/* The factor in parentheses behind a cell's value, or NONE. */
static size_t factor_of(const struct document *d, size_t cell) {
    if (cell == NONE || cell + 1 >= d->claims->quantity_count)
        return NONE;
    const struct quantity *a = &d->claims->quantities[cell], *b = a + 1;
    bool behind = b->sentence == a->sentence && b->start > a->end && b->start - a->end <= 3 &&
                  d->chapter->view.at[b->start - 1] == '(';
    return behind && d->measures[cell + 1].is_factor ? cell + 1 : NONE;
}

static size_t base_row(const struct document *d, const struct grid *g, size_t column) {
    for (size_t row = 0; row < g->row_count && row < MOST_ROWS; row++) {
        size_t factor = factor_of(d, grid_cell(g, row, column));
        if (factor != NONE && d->claims->quantities[factor].value == 1)
            return row;
    }
    return NONE;
}

static void judge_cell(const struct check_input *input, struct findings *findings, size_t base,
                       size_t value, size_t factor) {
    struct comparison share = {.quantity = factor, .readings = READ_SHARE, .strict = true};
    struct relation_run run = {.check = "relative",
                               .input = input,
                               .document = input->document,
                               .findings = findings,
                               .comparison = &share,
                               .compared = &input->document->claims->quantities[factor]};
    interval_init(&run.printed);
    if (relation_run_printed(&run)) {
        struct reading_fit r = relation_run_best(&run, base, value);
        if (r.fit >= FIT_CLOSE)
            relation_run_confirm(&run, &r, base, value, NAN);
        else if (r.fit == FIT_FAR)
            relation_run_contradict(&run, base, value, FINDING_CONTRADICTION, SEVERITY_HIGH);
    }
    interval_clear(&run.printed);
}

static void run_column(const struct check_input *input, struct findings *findings,
                       const struct grid *g, size_t column) {
    const struct document *d = input->document;
    size_t base = base_row(d, g, column);
    for (size_t row = 0; base != NONE && row < g->row_count && row < MOST_ROWS; row++) {
        size_t value = grid_cell(g, row, column), factor = factor_of(d, value);
        if (row != base && factor != NONE)
            judge_cell(input, findings, grid_cell(g, base, column), value, factor);
    }
}

static bool applies(const struct claim *claim) {
    return claim->quantity_count > 1 && claim->block != BLOCK_PROSE && claim->block != BLOCK_LIST;
}

static void run(const struct check_input *input, struct findings *findings) {
    for (size_t i = 0; i < input->document->grid_count; i++)
        for (size_t c = 0; c < input->document->grids[i].column_count; c++)
            run_column(input, findings, &input->document->grids[i], c);
    coverage_claims(input, findings, "relative", applies, "no two numbers in one cell");
}

const struct check check_relative = {"relative", "Ratios printed beside the values of a column",
                                     run};
