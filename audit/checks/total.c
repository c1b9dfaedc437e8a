/* Rows that are labelled as totals against the rows above them, and shares that make up 100%.
 *
 * A total may leave out nothing and nothing may be double: the run of rows above it, of the same
 * unit, is tried from the top and from every later row. A total that no run gives is reported only
 * when other columns of the same row do add up, or when one digit or one swap of digits away stands
 * what the whole run gives; else the table simply lists not everything. */
#include "audit/checks/checks.h"
#include "audit/law.h"
#include "audit/mend.h"

#include <math.h>

enum { MOST_ROWS = 400, MOST_STARTS = 40 };

struct total_run {
    const struct check_input *input;
    struct findings *findings;
    const struct law_table *table;
    const struct grid *grid;
};

struct span_of_rows {
    size_t from, to; /* rows [from, to) of one column add up */
};

static bool same_unit(const struct total_run *run, size_t a, size_t b) {
    const struct quantity *x = &run->table->claims->quantities[a];
    const struct quantity *y = &run->table->claims->quantities[b];
    struct measure m = measure_of(x), n = measure_of(y);
    return dimension_equal(m.dimension, n.dimension) && m.unit_known == n.unit_known &&
           m.is_percent == n.is_percent;
}

/* First row of the run of plain cells above row that share its unit. */
static size_t run_start(const struct total_run *run, size_t row, size_t column) {
    size_t total = law_cell(run->table, row, column)->quantity, start = row;
    while (start > 0 && row - start < MOST_ROWS) {
        const struct law_cell *c = law_cell(run->table, start - 1, column);
        if (run->table->row_classes[start - 1] != ROW_PLAIN || c->quantity == NONE ||
            !same_unit(run, c->quantity, total))
            break;
        start--;
    }
    return start;
}

static bool sum_rows(const struct total_run *run, struct span_of_rows rows, size_t column,
                     struct interval *sum) {
    struct interval cell;
    bool ok = true;
    interval_init(&cell);
    interval_from_ratio(sum, 0, 1);
    for (size_t row = rows.from; row < rows.to && ok; row++) {
        size_t q = law_cell(run->table, row, column)->quantity;
        ok = measure_interval(&run->table->claims->quantities[q], &cell);
        interval_add(sum, sum, &cell);
    }
    interval_clear(&cell);
    return ok;
}

static double printed_scale(const struct total_run *run, size_t q) {
    struct measure m = measure_of(&run->table->claims->quantities[q]);
    return (double)m.scale_numerator / (double)m.scale_denominator;
}

static void begin(struct finding_draft *d, const struct total_run *run, struct span_of_rows rows,
                  size_t column, enum finding_class class, enum severity severity) {
    enum { MOST_PARTS = 50 };
    finding_begin(d, run->input, run->findings, "total", class, severity);
    finding_number(d, "total", law_cell(run->table, rows.to, column)->quantity);
    for (size_t row = rows.from; row < rows.to && row - rows.from < MOST_PARTS; row++)
        finding_number(d, "part", law_cell(run->table, row, column)->quantity);
}

static void say(struct finding_draft *d, const struct total_run *run, struct span_of_rows rows,
                size_t column, const struct interval *sum, const char *more) {
    size_t q = law_cell(run->table, rows.to, column)->quantity;
    double scale = printed_scale(run, q);
    d->finding.expected_lo = interval_lo(sum) / scale;
    d->finding.expected_hi = interval_hi(sum) / scale;
    struct span interval =
        interval_text(run->input->document->arena, d->finding.expected_lo, d->finding.expected_hi);
    finding_say(d, "The sum of the %zu rows above lies in %.*s; %.*s is printed.%s",
                rows.to - rows.from, SPAN_ARG(interval),
                SPAN_ARG(quantity_quote(run->input->document, q)), more);
}

/* Chance of luck: width of the sum and the total over what the rows beside the largest add. */
static double chance_of(const struct total_run *run, struct span_of_rows rows, size_t column,
                        const struct interval *sum) {
    double largest = 0;
    for (size_t row = rows.from; row < rows.to; row++)
        largest = fmax(largest, fabs(law_cell(run->table, row, column)->value));
    const struct law_cell *total = law_cell(run->table, rows.to, column);
    double rest = fabs(interval_hi(sum)) - largest;
    double width = interval_hi(sum) - interval_lo(sum) + total->hi - total->lo;
    return rest > 0 ? fmin(1, width / rest) : 1;
}

static bool overlaps(const struct total_run *run, size_t q, const struct interval *sum) {
    struct interval printed;
    interval_init(&printed);
    bool hit = measure_interval(&run->table->claims->quantities[q], &printed) &&
               interval_contact(&printed, sum) == CONTACT_OVERLAP;
    interval_clear(&printed);
    return hit;
}

/* Confirms the total by the longest run that gives it. */
static bool confirm(const struct total_run *run, size_t row, size_t column) {
    struct interval sum;
    size_t start = run_start(run, row, column), tried = 0;
    bool found = false;
    interval_init(&sum);
    for (size_t from = start; from + 2 <= row && tried < MOST_STARTS && !found; from++) {
        struct span_of_rows rows = {from, row};
        tried++;
        size_t q = law_cell(run->table, row, column)->quantity;
        if (!sum_rows(run, rows, column, &sum) || !overlaps(run, q, &sum))
            continue;
        double chance = (double)tried * chance_of(run, rows, column, &sum);
        if (chance > 0.2)
            break;
        struct finding_draft d;
        begin(&d, run, rows, column, FINDING_CONFIRMED, SEVERITY_INFO);
        d.finding.chance = chance;
        say(&d, run, rows, column, &sum, "");
        finding_end(&d);
        found = true;
    }
    interval_clear(&sum);
    return found;
}

static bool is_slip(const struct total_run *run, size_t q, const struct interval *sum,
                    struct mend *mend) {
    const struct quantity *quantity = &run->table->claims->quantities[q];
    double scale = printed_scale(run, q);
    *mend = mend_number(run->input->document->arena, quantity->printed, quantity->decimals,
                        interval_lo(sum) / scale, interval_hi(sum) / scale);
    size_t digits = 0;
    for (size_t i = 0; i < quantity->printed.len; i++)
        digits += quantity->printed.at[i] >= '0' && quantity->printed.at[i] <= '9';
    return digits >= 3 && (mend->kind == MEND_DIGIT || mend->kind == MEND_TRANSPOSE);
}

static void contradict(const struct total_run *run, size_t row, size_t column, bool supported) {
    struct span_of_rows rows = {run_start(run, row, column), row};
    struct interval sum;
    struct mend mend = {MEND_NONE, SPAN("")};
    if (rows.to - rows.from < 2)
        return;
    interval_init(&sum);
    size_t q = law_cell(run->table, row, column)->quantity;
    bool summed = sum_rows(run, rows, column, &sum);
    bool slip = summed && is_slip(run, q, &sum, &mend);
    double gap = 0;
    struct interval printed;
    interval_init(&printed);
    if (summed && measure_interval(&run->table->claims->quantities[q], &printed))
        gap = interval_gap(&printed, &sum);
    interval_clear(&printed);
    double cut_off = supported ? 0 : law_cell(run->table, row, column)->ulp * 1.000001;
    if (gap > cut_off && (slip || supported)) {
        struct finding_draft d;
        begin(&d, run, rows, column, FINDING_CONTRADICTION, SEVERITY_HIGH);
        d.finding.replacement = mend.text;
        struct span more = arena_printf(run->input->document->arena, " %.*s (%s) would mend it.",
                                        SPAN_ARG(mend.text), mend_words(mend.kind));
        say(&d, run, rows, column, &sum, mend.kind == MEND_NONE ? "" : more.at);
        finding_end(&d);
    }
    interval_clear(&sum);
}

/* The whole run adds up, be it by luck. */
static bool whole_sum(const struct total_run *run, size_t row, size_t column) {
    struct interval sum;
    interval_init(&sum);
    struct span_of_rows rows = {run_start(run, row, column), row};
    size_t q = law_cell(run->table, row, column)->quantity;
    bool holds = sum_rows(run, rows, column, &sum) && overlaps(run, q, &sum);
    interval_clear(&sum);
    return holds;
}

/* "total" alone leaves no doubt of what is added. */
static bool is_bare_total(const struct total_run *run, size_t row) {
    static const char *const names[] = {"total", "sum", "totals", "summe", "gesamt", "insgesamt"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (span_equal_nocase(run->table->row_labels[row], span_of(names[i])))
            return true;
    return false;
}

static void run_row(const struct total_run *run, size_t row) {
    bool held[LAW_MOST_COLUMNS] = {false};
    size_t holds = 0, sums = 0, judged = 0;
    for (size_t c = 0; c < run->table->column_count; c++) {
        if (law_cell(run->table, row, c)->quantity == NONE || row - run_start(run, row, c) < 2)
            continue;
        judged++;
        held[c] = confirm(run, row, c);
        holds += held[c];
        sums += held[c] || whole_sum(run, row, c);
    }
    for (size_t c = 0; c < run->table->column_count; c++)
        if (!held[c] && law_cell(run->table, row, c)->quantity != NONE &&
            run->table->columns[c].class != COLUMN_RATIO)
            contradict(run, row, c,
                       (holds >= 2 && holds + 1 == judged) ||
                           (sums && sums + 1 == judged && is_bare_total(run, row)));
}

/* --- shares of a hundred --- */

static void confirm_hundred(const struct total_run *run, size_t column) {
    double lo = 0, hi = 0;
    size_t rows = 0;
    for (size_t row = 0; row < run->table->row_count; row++) {
        const struct law_cell *c = law_cell(run->table, row, column);
        if (c->quantity == NONE || run->table->row_classes[row] != ROW_PLAIN)
            continue;
        if (c->value < 0)
            return;
        lo += c->lo;
        hi += c->hi;
        rows++;
    }
    if (rows < 3 || !(lo < 1 && hi > 1) || hi - lo > 0.1)
        return;
    struct finding_draft d;
    finding_begin(&d, run->input, run->findings, "total", FINDING_CONFIRMED, SEVERITY_INFO);
    for (size_t row = 0; row < run->table->row_count && row < 50; row++)
        if (law_cell(run->table, row, column)->quantity != NONE)
            finding_number(&d, "share", law_cell(run->table, row, column)->quantity);
    d.finding.expected_lo = 100 * lo;
    d.finding.expected_hi = 100 * hi;
    struct span interval = interval_text(run->input->document->arena, 100 * lo, 100 * hi);
    finding_say(&d, "The %zu shares sum to %.*s %%, which holds 100.", rows, SPAN_ARG(interval));
    finding_end(&d);
}

static void run_grid(const struct check_input *input, struct findings *findings,
                     const struct grid *grid) {
    struct law_table table;
    law_table_build(&table, input->document, grid);
    struct total_run run = {input, findings, &table, grid};
    for (size_t row = 0; row < table.row_count; row++)
        if (table.row_classes[row] == ROW_TOTAL)
            run_row(&run, row);
    for (size_t c = 0; c < table.column_count; c++)
        if (table.columns[c].percent)
            confirm_hundred(&run, c);
}

static bool in_table(const struct claim *claim) {
    return claim->quantity_count > 0 && claim->block != BLOCK_PROSE;
}

static void run(const struct check_input *input, struct findings *findings) {
    for (size_t i = 0; i < input->document->grid_count; i++)
        run_grid(input, findings, &input->document->grids[i]);
    coverage_claims(input, findings, "total", in_table, "not part of a table");
}

const struct check check_total = {"total", "Totals of rows, and shares of a hundred", run};
