/* A grid as a table of measures. */
#include "audit/law.h"

#include <ctype.h>
#include <math.h>

/* Words of a header (or of a row's label) that say how its numbers came about. A word matches whole
 * ("sum" does not match "summer"); entries with punctuation match anywhere. */
static const struct label_word {
    const char *word;
    enum column_class class;
} label_words[] = {
    {"speedup", COLUMN_RATIO},     {"speed-up", COLUMN_RATIO},   {"ratio", COLUMN_RATIO},
    {"factor", COLUMN_RATIO},      {"vs", COLUMN_RATIO},         {"versus", COLUMN_RATIO},
    {"relative", COLUMN_RATIO},    {"rel", COLUMN_RATIO},        {"improvement", COLUMN_RATIO},
    {"gain", COLUMN_RATIO},        {"faster", COLUMN_RATIO},     {"slower", COLUMN_RATIO},
    {"normalized", COLUMN_RATIO},  {"normalised", COLUMN_RATIO}, {"share", COLUMN_RATIO},
    {"fraction", COLUMN_RATIO},    {"efficiency", COLUMN_RATIO}, {"change", COLUMN_RATIO},
    {"delta", COLUMN_RATIO},       {"diff", COLUMN_RATIO},       {"difference", COLUMN_RATIO},
    {"reduction", COLUMN_RATIO},   {"saving", COLUMN_RATIO},     {"savings", COLUMN_RATIO},
    {"saved", COLUMN_RATIO},       {"overhead", COLUMN_RATIO},   {"increase", COLUMN_RATIO},
    {"decrease", COLUMN_RATIO},    {"percent", COLUMN_RATIO},    {"total", COLUMN_SUM},
    {"dec", COLUMN_SUM},           {"faktor", COLUMN_RATIO},     {"anteil", COLUMN_RATIO},
    {"rapport", COLUMN_RATIO},     {"facteur", COLUMN_RATIO},    {"part", COLUMN_RATIO},
    {"relative to", COLUMN_RATIO}, {"totals", COLUMN_SUM},       {"sum", COLUMN_SUM},
    {"overall", COLUMN_SUM},       {"combined", COLUMN_SUM},     {"all", COLUMN_SUM},
    {"insgesamt", COLUMN_SUM},     {"gesamt", COLUMN_SUM},       {"summe", COLUMN_SUM},
    {"really", COLUMN_SUM},        {"avg", COLUMN_MEAN},         {"average", COLUMN_MEAN},
    {"mean", COLUMN_MEAN},         {"geomean", COLUMN_MEAN},     {"median", COLUMN_MEAN},
    {"throughput", COLUMN_RATE},   {"rate", COLUMN_RATE},        {"bandwidth", COLUMN_RATE},
    {"bw", COLUMN_RATE},           {"iops", COLUMN_RATE},        {"qps", COLUMN_RATE},
    {"rps", COLUMN_RATE},          {"fps", COLUMN_RATE},         {"ops", COLUMN_RATE},
};

static bool word_char(char c) {
    return isalnum((unsigned char)c) || (unsigned char)c >= 128;
}

static bool holds_word(struct span label, struct span word) {
    for (size_t at = span_find_nocase(label, word, 0); at != SIZE_MAX;
         at = span_find_nocase(label, word, at + 1)) {
        bool left = at == 0 || !word_char(label.at[at - 1]);
        bool right = at + word.len == label.len || !word_char(label.at[at + word.len]);
        if (left && right)
            return true;
    }
    return false;
}

static enum column_class class_of_label(struct span label) {
    for (size_t i = 0; i < sizeof label_words / sizeof *label_words; i++)
        if (holds_word(label, span_of(label_words[i].word)))
            return label_words[i].class;
    return COLUMN_PLAIN;
}

static enum row_class class_of_row(struct span label) {
    enum { LONGEST_TOTAL = 4 }; /* words: "Self CUDA time total" */
    size_t words = 1;
    for (size_t i = 0; i + 1 < label.len && label.at[i] != '('; i++)
        words += label.at[i] == ' ' && label.at[i + 1] != '(';
    enum column_class class = class_of_label(label);
    if (words > LONGEST_TOTAL || (words > 2 && holds_word(label, SPAN("summe"))))
        return ROW_PLAIN;
    return class == COLUMN_SUM ? ROW_TOTAL : class == COLUMN_MEAN ? ROW_MEAN : ROW_PLAIN;
}

static void fill_cell(struct law_cell *cell, const struct claims *claims, size_t quantity,
                      struct measure *m) {
    *cell = (struct law_cell){.quantity = NONE};
    if (quantity >= claims->quantity_count || claims->quantities[quantity].malformed)
        return;
    *m = measure_of(&claims->quantities[quantity]);
    if (!isfinite(m->value) || !isfinite(m->lo) || !isfinite(m->hi))
        return;
    *cell = (struct law_cell){m->value, m->lo, m->hi, m->ulp, quantity, m->exact};
}

/* Bytes, operations or counts a second; watts and amperes are read from instruments. */
static bool is_rate(struct dimension d) {
    return d.power[DIM_TIME] == -1 && !d.power[DIM_ENERGY] && !d.power[DIM_CHARGE];
}

/* What the cells of a column have in common; the first cells decide, the rest may only differ in
 * scale. */
static void describe_column(struct law_table *t, size_t column, const struct measure *first,
                            size_t settings, size_t filled, bool constant) {
    struct law_column *c = &t->columns[column];
    c->dimension = first->dimension;
    c->unit_known = first->unit_known;
    c->percent = first->is_percent;
    c->factor = first->is_factor;
    c->constant = constant;
    c->class = class_of_label(c->label);
    if (c->percent || c->factor)
        c->class = COLUMN_RATIO;
    else if (c->class == COLUMN_PLAIN && is_rate(c->dimension))
        c->class = COLUMN_RATE;
    else if (c->class == COLUMN_PLAIN && settings * 2 > filled)
        c->class = COLUMN_CONFIG;
}

static bool build_column(struct law_table *t, const struct document *d, const struct grid *g,
                         size_t from, size_t to) {
    struct measure first = {0};
    size_t filled = 0, settings = 0;
    double value = NAN;
    bool constant = true;
    t->columns[to] = (struct law_column){.label = g->columns[from].label, .grid_column = from};
    for (size_t row = 0; row < g->row_count; row++) {
        struct law_cell *cell = &t->cells[row * t->column_count + to];
        struct measure m = {0};
        fill_cell(cell, d->claims, grid_cell(g, row, from), &m);
        if (cell->quantity == NONE)
            continue;
        if (!filled++) {
            first = m;
            value = cell->value;
        }
        constant &= cell->value == value;
        settings += d->claims->quantities[cell->quantity].role == ROLE_CONFIG;
    }
    describe_column(t, to, &first, settings, filled, constant);
    return filled > 0;
}

static bool column_has_numbers(const struct grid *g, size_t column) {
    for (size_t row = 0; row < g->row_count; row++)
        if (grid_cell(g, row, column) != NONE)
            return true;
    return false;
}

void law_table_build(struct law_table *t, const struct document *d, const struct grid *g) {
    *t = (struct law_table){.arena = d->arena, .claims = d->claims, .row_count = g->row_count};
    size_t *chosen = arena_array(d->arena, g->column_count, sizeof *chosen);
    for (size_t i = 0; i < g->column_count && t->column_count < LAW_MOST_COLUMNS; i++)
        if (column_has_numbers(g, i))
            chosen[t->column_count++] = i;
    t->columns = arena_array(d->arena, t->column_count, sizeof *t->columns);
    t->cells = arena_array(d->arena, t->row_count * t->column_count, sizeof *t->cells);
    t->row_labels = g->row_labels;
    t->row_classes = arena_array(d->arena, t->row_count, sizeof *t->row_classes);
    for (size_t i = 0; i < t->column_count; i++)
        build_column(t, d, g, chosen[i], i);
    for (size_t row = 0; row < t->row_count && g->row_labels; row++)
        t->row_classes[row] = class_of_row(g->row_labels[row]);
}
