#include "audit/grid.h"

#include "audit/unit_context.h"

#include <ctype.h>
#include <string.h>

size_t grid_first_quantity(const struct document *d, size_t byte) {
    size_t low = 0, high = d->claims->quantity_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (d->claims->quantities[middle].start < byte)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

struct span grid_label(const struct document *d, size_t start, size_t end) {
    struct span text = span_trim(span_slice(d->chapter->view, start, end));
    while (text.len && strchr("*_`:=|,;([-> \t", text.at[text.len - 1]))
        text.len--;
    while (text.len && strchr("*_`|,;)]-> \t:=", text.at[0]))
        text.at++, text.len--;
    return text;
}

static struct chapter_cell cell_at(const struct raw_table *raw, size_t row, size_t column) {
    return raw->cells[row * raw->column_count + column];
}

static size_t quantity_in(const struct document *d, struct chapter_cell cell) {
    size_t at = grid_first_quantity(d, cell.start);
    return at < d->claims->quantity_count && d->claims->quantities[at].start < cell.end ? at : NONE;
}

static struct span header_text(struct document *d, const struct raw_table *raw, size_t column) {
    struct span text = {0};
    for (size_t row = 0; row < raw->header_rows; row++) {
        struct chapter_cell cell = cell_at(raw, row, column);
        struct span part = grid_label(d, cell.start, cell.end);
        if (part.len && text.len)
            text = arena_printf(d->arena, "%.*s %.*s", SPAN_ARG(text), SPAN_ARG(part));
        else if (part.len)
            text = part;
    }
    return text;
}

/* Every bare number of a cell takes the unit: "24,768,360 (14)" holds two. */
static void apply_unit(struct document *d, struct chapter_cell cell, const struct unit_text *unit) {
    struct claims *claims = d->claims;
    for (size_t i = grid_first_quantity(d, cell.start);
         i < claims->quantity_count && claims->quantities[i].start < cell.end; i++)
        if (claims->quantities[i].unit.len == 0)
            unit_context_apply(&claims->quantities[i], unit);
}

/* Whether the cell is a value and "(1.0)": the row that the others of its column are printed
 * against. */
static bool is_base_cell(const struct document *d, struct chapter_cell cell) {
    struct span text = span_slice(d->chapter->view, cell.start, cell.end);
    return span_ends(text, SPAN(" (1.0)")) || span_ends(text, SPAN(" (1.00)"));
}

/* "64.2204 (5.42)" in a column that has a base: the second number is a factor. */
static void read_factors(struct document *d, const struct raw_table *raw, size_t column) {
    bool based = false;
    for (size_t row = raw->header_rows; row < raw->row_count && !based; row++)
        based = is_base_cell(d, cell_at(raw, row, column));
    const struct unit *x = unit_find(SPAN("x"));
    for (size_t row = raw->header_rows; based && row < raw->row_count; row++) {
        struct chapter_cell cell = cell_at(raw, row, column);
        size_t at = grid_first_quantity(d, cell.start) + 1;
        if (at >= d->claims->quantity_count || d->claims->quantities[at].start >= cell.end ||
            d->chapter->view.at[d->claims->quantities[at].start - 1] != '(')
            continue;
        unit_context_apply(&d->claims->quantities[at],
                           &(struct unit_text){x, x->symbol, SPAN(""), 1, 0, 0});
        d->claims->quantities[at].role = ROLE_RATIO;
    }
}

/* "8192x" under "Samples" is no factor. */
static void name_counts(struct quantity *q, const struct unit_text *unit) {
    if (span_equal(q->unit, SPAN("x")) && unit->registry && unit->registry->is_noun &&
        q->decimals == 0) {
        unit_context_apply(q, unit);
        q->role = ROLE_CONFIG;
    }
}

static void fill_column(struct document *d, const struct raw_table *raw, struct grid *g,
                        size_t column) {
    struct span header = header_text(d, raw, column);
    struct unit_text unit;
    read_factors(d, raw, column);
    bool has_unit = grid_header_unit(d, header, &unit);
    g->columns[column].label = header;
    g->columns[column].unit = has_unit ? unit.symbol : (struct span){0};
    for (size_t row = 0; row < g->row_count; row++) {
        struct chapter_cell cell = cell_at(raw, raw->header_rows + row, column);
        size_t at = quantity_in(d, cell);
        g->cells[row * g->column_count + column] = at;
        if (at == NONE)
            continue;
        if (has_unit)
            name_counts(&d->claims->quantities[at], &unit);
        if (has_unit)
            apply_unit(d, cell, &unit);
        else if (row == 0)
            g->columns[column].unit = d->claims->quantities[at].unit;
    }
}

/* A column whose cells are bare and mostly printed with decimals takes a unit stated above. */
static void apply_caption(struct document *d, const struct raw_table *raw, struct grid *g,
                          const struct unit_text *unit) {
    for (size_t column = 0; column < g->column_count; column++) {
        size_t bare = 0, decimals = 0, filled = 0;
        for (size_t row = 0; row < g->row_count; row++) {
            size_t at = grid_cell(g, row, column);
            if (at == NONE)
                continue;
            filled++;
            bare += d->claims->quantities[at].unit.len == 0;
            decimals += d->claims->quantities[at].decimals > 0;
        }
        if (filled == 0 || bare < filled || decimals * 2 <= filled)
            continue;
        g->columns[column].unit = unit->symbol;
        for (size_t row = 0; row < g->row_count; row++)
            apply_unit(d, cell_at(raw, raw->header_rows + row, column), unit);
    }
}

/* The text above a table that may name the unit of its cells: the lines before it in its block and
 * the block before, and its header row. */
static void read_caption(struct document *d, const struct raw_table *raw, struct grid *g) {
    enum { MOST_BYTES = 400 };
    size_t block = raw->block ? raw->block - 1 : 0;
    size_t start = d->chapter->blocks[block].start, end = g->start;
    for (size_t i = 0; i < raw->header_rows * raw->column_count; i++)
        if (raw->cells[i].end > end && raw->cells[i].end < g->end)
            end = raw->cells[i].end;
    struct unit_text unit;
    if (end > start && end - start > MOST_BYTES)
        start = end - MOST_BYTES;
    if (end > start && grid_caption_unit(d, start, end, &unit))
        apply_caption(d, raw, g, &unit);
}

/* "| latency (ms) | 3.2 | 4.1 |": the unit stands in the label of the row. */
static void read_row_units(struct document *d, const struct raw_table *raw, struct grid *g,
                           size_t names) {
    for (size_t row = 0; row < g->row_count; row++) {
        struct unit_text unit;
        struct span label = g->row_labels[row];
        bool several =
            span_find_byte(label, ' ', 0) != SIZE_MAX || span_find_byte(label, '/', 0) != SIZE_MAX;
        bool physical =
            label.len && several && grid_header_unit(d, label, &unit) && unit.registry &&
            (!unit.registry->is_noun || span_find_byte(unit.symbol, '/', 0) != SIZE_MAX);
        for (size_t column = 0; physical && column < g->column_count; column++)
            if (column != names)
                apply_unit(d, cell_at(raw, raw->header_rows + row, column), &unit);
    }
}

/* A column "Units" gives the unit of the other cells of its row, but for counts of runs (JMH). */
static void read_unit_column(struct document *d, const struct raw_table *raw, struct grid *g) {
    static const char *const counts[] = {"Cnt", "Count", "N", "Runs", "Samples", "Iterations"};
    size_t units = g->column_count;
    for (size_t column = 0; column < g->column_count; column++)
        if (span_equal_nocase(g->columns[column].label, SPAN("Units")) ||
            span_equal_nocase(g->columns[column].label, SPAN("Unit")))
            units = column;
    for (size_t row = 0; units < g->column_count && row < g->row_count; row++) {
        struct chapter_cell cell = cell_at(raw, raw->header_rows + row, units);
        struct unit_text unit;
        if (!unit_read_whole(d->arena, grid_label(d, cell.start, cell.end), &unit))
            continue;
        for (size_t column = 0; column < g->column_count; column++) {
            bool count = column == 0 || column == units;
            for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
                count |= span_equal_nocase(g->columns[column].label, span_of(counts[i]));
            if (!count)
                apply_unit(d, cell_at(raw, raw->header_rows + row, column), &unit);
        }
    }
}

/* The first column whose cells are mostly words names the rows. */
static size_t label_column(const struct document *d, const struct raw_table *raw) {
    for (size_t column = 0; column < raw->column_count; column++) {
        size_t words = 0, filled = 0;
        for (size_t row = raw->header_rows; row < raw->row_count; row++) {
            struct chapter_cell cell = cell_at(raw, row, column);
            struct span text = grid_label(d, cell.start, cell.end);
            filled += text.len > 0;
            words += text.len && isalpha((unsigned char)text.at[0]);
        }
        if (words * 2 > filled)
            return column;
    }
    return 0;
}

static void name_cell(struct document *d, struct chapter_cell cell, struct span subject) {
    struct claims *claims = d->claims;
    for (size_t i = grid_first_quantity(d, cell.start);
         i < claims->quantity_count && claims->quantities[i].start < cell.end; i++)
        claims->quantities[i].subject = subject;
}

static void name_cells(struct document *d, const struct raw_table *raw, const struct grid *g,
                       size_t names) {
    for (size_t row = 0; row < g->row_count; row++)
        for (size_t column = 0; column < g->column_count; column++) {
            size_t at = grid_cell(g, row, column);
            if (at == NONE)
                continue;
            struct span label = g->row_labels[row], header = g->columns[column].label;
            bool both = label.len && header.len && column != names;
            struct span subject =
                both ? arena_printf(d->arena, "%.*s / %.*s", SPAN_ARG(label), SPAN_ARG(header))
                     : (header.len ? header : label);
            name_cell(d, cell_at(raw, raw->header_rows + row, column), subject);
        }
}

void grid_from_cells(struct document *d, const struct raw_table *raw) {
    if (raw->row_count < raw->header_rows + 1 || raw->column_count < 2)
        return;
    struct grid g = {.source = raw->source,
                     .block = raw->block,
                     .column_count = raw->column_count,
                     .row_count = raw->row_count - raw->header_rows};
    g.columns = arena_array(d->arena, g.column_count, sizeof *g.columns);
    g.cells = arena_array(d->arena, g.row_count * g.column_count, sizeof *g.cells);
    g.row_labels = arena_array(d->arena, g.row_count, sizeof *g.row_labels);
    g.start = SIZE_MAX;
    for (size_t i = 0; i < raw->row_count * raw->column_count; i++) {
        if (raw->cells[i].end > raw->cells[i].start && raw->cells[i].start < g.start)
            g.start = raw->cells[i].start;
        if (raw->cells[i].end > g.end)
            g.end = raw->cells[i].end;
    }
    for (size_t column = 0; column < g.column_count; column++)
        fill_column(d, raw, &g, column);
    size_t names = label_column(d, raw);
    for (size_t row = 0; row < g.row_count; row++) {
        struct chapter_cell cell = cell_at(raw, raw->header_rows + row, names);
        g.row_labels[row] = grid_label(d, cell.start, cell.end);
    }
    read_unit_column(d, raw, &g);
    read_row_units(d, raw, &g, names);
    read_caption(d, raw, &g);
    name_cells(d, raw, &g, names);
    LIST_PUSH(d->arena, d->grids, d->grid_count, d->grid_capacity, g);
}

static bool is_header_row(const struct document *d, const struct chapter_row *row) {
    for (size_t i = 0; i < row->cell_count; i++) {
        struct chapter_cell cell = d->chapter->cells[row->first_cell + i];
        if (!cell.header && cell.end > cell.start)
            return false;
    }
    return true;
}

enum { MOST_COLUMNS = 256 };

static bool from_markup(struct document *d, size_t block) {
    const struct chapter_block *b = &d->chapter->blocks[block];
    struct raw_table raw = {.source = SPAN("markup"), .block = block, .row_count = b->row_count};
    if (b->row_count == 0)
        return false;
    const struct chapter_row *rows = d->chapter->rows + b->first_row;
    for (size_t i = 0; i < b->row_count; i++)
        if (rows[i].cell_count > raw.column_count)
            raw.column_count = rows[i].cell_count;
    if (raw.column_count > MOST_COLUMNS)
        return false;
    raw.cells = arena_array(d->arena, raw.row_count * raw.column_count, sizeof *raw.cells);
    for (size_t i = 0; i < b->row_count; i++)
        memcpy(raw.cells + i * raw.column_count, d->chapter->cells + rows[i].first_cell,
               rows[i].cell_count * sizeof *raw.cells);
    while (raw.header_rows < b->row_count && is_header_row(d, &rows[raw.header_rows]))
        raw.header_rows++;
    grid_from_cells(d, &raw);
    return true;
}

void grid_build(struct document *d) {
    size_t sentence = 0;
    for (size_t block = 0; block < d->chapter->block_count; block++) {
        size_t first = sentence;
        while (sentence < d->sentence_count && d->sentences[sentence].block == block)
            sentence++;
        enum block_kind kind = d->chapter->blocks[block].kind;
        if (kind == BLOCK_HEADING || kind == BLOCK_CODE)
            continue;
        bool prose = kind == BLOCK_PROSE || kind == BLOCK_LIST || kind == BLOCK_CONTRACT;
        if (from_markup(d, block) || (!prose && grid_from_lines(d, block)))
            continue;
        grid_from_templates(d, first, sentence);
    }
}
