/* Statistics of one sample have an order: min <= median <= max, min <= mean <= max, and percentiles
 * rise. Columns (or the keys of one row) are told by their labels; a row out of order is a
 * contradiction, because it cannot be so whatever was measured. */
#include "audit/checks/checks.h"
#include "audit/law.h"
#include "audit/prose.h"

#include <math.h>
#include <stdlib.h>

enum statistic { NO_STATISTIC, MINIMUM, MEAN, PERCENTILE, MAXIMUM };

struct ranked {
    enum statistic statistic;
    double percent; /* PERCENTILE: 50 for the median */
    size_t column;
};

static const struct {
    const char *word;
    enum statistic statistic;
    double percent;
} statistic_words[] = {
    {"min", MINIMUM, 0},     {"minimum", MINIMUM, 0},  {"fastest", MINIMUM, 0},
    {"max", MAXIMUM, 0},     {"maximum", MAXIMUM, 0},  {"slowest", MAXIMUM, 0},
    {"longest", MAXIMUM, 0}, {"shortest", MINIMUM, 0}, {"median", PERCENTILE, 50},
    {"mean", MEAN, 0},       {"avg", MEAN, 0},         {"average", MEAN, 0},
};

static const char *const not_ordered[] = {"std",  "stdev",      "stddev", "cv", "error", "ci",
                                          "rate", "throughput", "speed",  "vs", NULL};

static bool word_char(char c) {
    return (c | 32) >= 'a' && (c | 32) <= 'z';
}

/* "p99", "P99.9", "99th", "99.00th" */
static bool read_percentile(struct span label, double *percent) {
    for (size_t i = 0; i < label.len; i++) {
        bool p = (label.at[i] | 32) == 'p' && (!i || !word_char(label.at[i - 1]));
        size_t from = p ? i + 1 : i;
        if ((!p && i && label.at[i - 1] != ' ') || from >= label.len || label.at[from] < '0' ||
            label.at[from] > '9')
            continue;
        char plain[12] = {0};
        size_t used = 0;
        while (from < label.len && used < sizeof plain - 1 &&
               ((label.at[from] >= '0' && label.at[from] <= '9') || label.at[from] == '.'))
            plain[used++] = label.at[from++];
        bool ordinal = span_starts(span_slice(label, from, label.len), SPAN("th"));
        *percent = strtod(plain, NULL);
        if ((p || ordinal) && *percent > 0 && *percent < 100)
            return true;
    }
    return false;
}

static struct ranked rank_column(const struct law_column *c, size_t column) {
    struct ranked r = {NO_STATISTIC, 0, column};
    if (prose_has_any(c->label, not_ordered, NULL) || c->percent || c->factor)
        return r;
    size_t found = 0;
    for (size_t i = 0; i < sizeof statistic_words / sizeof *statistic_words; i++)
        if (prose_has_word(c->label, statistic_words[i].word)) {
            r.statistic = statistic_words[i].statistic;
            r.percent = statistic_words[i].percent;
            found++;
        }
    if (!found && read_percentile(c->label, &r.percent))
        return (struct ranked){PERCENTILE, r.percent, column};
    return found == 1 ? r : (struct ranked){NO_STATISTIC, 0, column};
}

/* The label without the statistic's own words must agree: "read p50" and "write p99" differ. */
static bool same_rest(const struct law_column *a, const struct law_column *b) {
    return dimension_equal(a->dimension, b->dimension) && a->unit_known == b->unit_known;
}

/* Whether a must not be above b in one row. */
static bool must_rise(const struct ranked *a, const struct ranked *b) {
    if (a->statistic == MINIMUM)
        return b->statistic != MINIMUM && b->statistic != NO_STATISTIC;
    if (b->statistic == MAXIMUM)
        return a->statistic != MAXIMUM && a->statistic != NO_STATISTIC;
    return a->statistic == PERCENTILE && b->statistic == PERCENTILE && a->percent < b->percent;
}

struct order_run {
    const struct check_input *input;
    struct findings *findings;
    const struct law_table *table;
    const struct ranked *ranked;
    size_t count;
};

static void report(const struct order_run *run, size_t row, size_t low, size_t high) {
    struct finding_draft d;
    const struct law_table *t = run->table;
    size_t a = law_cell(t, row, low)->quantity, b = law_cell(t, row, high)->quantity;
    finding_begin(&d, run->input, run->findings, "order", FINDING_CONTRADICTION, SEVERITY_HIGH);
    finding_number(&d, "lower", a);
    finding_number(&d, "upper", b);
    finding_say(&d, "%.*s %.*s is above %.*s %.*s, which cannot be for one sample.",
                SPAN_ARG(t->columns[low].label), SPAN_ARG(quantity_quote(run->input->document, a)),
                SPAN_ARG(t->columns[high].label),
                SPAN_ARG(quantity_quote(run->input->document, b)));
    finding_end(&d);
}

static void confirm(const struct order_run *run, size_t row) {
    struct finding_draft d;
    finding_begin(&d, run->input, run->findings, "order", FINDING_CONFIRMED, SEVERITY_INFO);
    for (size_t i = 0; i < run->count; i++)
        if (law_cell(run->table, row, run->ranked[i].column)->quantity != NONE)
            finding_number(&d, "statistic",
                           law_cell(run->table, row, run->ranked[i].column)->quantity);
    finding_say(&d, "The statistics of this row stand in their order.");
    finding_end(&d);
}

/* Pairs of the row that must rise: *checked of them, *low and *high the first that falls. */
static size_t judge_row(const struct order_run *run, size_t row, size_t *checked, size_t *low,
                        size_t *high) {
    size_t broken = 0;
    *checked = 0;
    for (size_t i = 0; i < run->count; i++)
        for (size_t k = 0; k < run->count; k++) {
            const struct ranked *a = &run->ranked[i], *b = &run->ranked[k];
            const struct law_cell *x = law_cell(run->table, row, a->column);
            const struct law_cell *y = law_cell(run->table, row, b->column);
            if (i == k || !must_rise(a, b) || x->quantity == NONE || y->quantity == NONE ||
                !same_rest(&run->table->columns[a->column], &run->table->columns[b->column]))
                continue;
            ++*checked;
            if (x->lo < y->hi || x->value <= y->value)
                continue;
            if (!broken++) {
                *low = a->column;
                *high = b->column;
            }
        }
    return broken;
}

/* A label may mean something else than a statistic ("max batch"); then most rows are out of order
 * and none is reported. */
static void run_grid(const struct check_input *input, struct findings *findings,
                     const struct grid *grid) {
    struct law_table table;
    struct ranked ranked[LAW_MOST_COLUMNS];
    law_table_build(&table, input->document, grid);
    struct order_run run = {input, findings, &table, ranked, 0};
    for (size_t c = 0; c < table.column_count; c++) {
        ranked[run.count] = rank_column(&table.columns[c], c);
        run.count += ranked[run.count].statistic != NO_STATISTIC;
    }
    size_t good = 0, bad = 0, checked, low = 0, high = 0;
    for (size_t row = 0; row < table.row_count && run.count > 1; row++) {
        size_t broken = judge_row(&run, row, &checked, &low, &high);
        bad += broken > 0;
        good += checked && !broken;
    }
    if (!good || bad > good)
        return;
    enum { MOST_CONFIRMED = 24 };
    for (size_t row = 0; row < table.row_count; row++) {
        if (judge_row(&run, row, &checked, &low, &high))
            report(&run, row, low, high);
        else if (checked && row < MOST_CONFIRMED)
            confirm(&run, row);
    }
}

static bool in_table(const struct claim *claim) {
    return claim->quantity_count > 1 && claim->block != BLOCK_PROSE;
}

static void run(const struct check_input *input, struct findings *findings) {
    for (size_t i = 0; i < input->document->grid_count; i++)
        run_grid(input, findings, &input->document->grids[i]);
    coverage_claims(input, findings, "order", in_table, "no statistics side by side");
}

const struct check check_order = {"order",
                                  "Order of minimum, median, percentiles, mean and maximum", run};
