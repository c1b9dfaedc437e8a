/* Tables drawn with characters: bars, box drawing, commas, tabs, and columns aligned with blanks.
 */
#include "audit/grid.h"

#include <ctype.h>
#include <string.h>

enum { MOST_CELLS = 64, MOST_BLANKS = 1 };

struct line_cells {
    struct chapter_cell cells[MOST_CELLS];
    size_t count;
};

struct lines {
    struct span *items;
    size_t count, capacity;
};

static struct lines lines_of(struct document *d, size_t block) {
    const struct chapter_block *b = &d->chapter->blocks[block];
    struct span rest = span_slice(d->chapter->view, b->start, b->end), line;
    struct lines lines = {0};
    while (span_next_line(&rest, &line))
        LIST_PUSH(d->arena, lines.items, lines.count, lines.capacity, line);
    return lines;
}

/* U+2502, U+2503, U+2551 and the ASCII bar. Length of the bar at a byte, or 0. */
static size_t bar_at(struct span line, size_t at) {
    if (line.at[at] == '|')
        return 1;
    struct span rest = span_slice(line, at, line.len);
    return span_starts(rest, SPAN("\xe2\x94\x82")) || span_starts(rest, SPAN("\xe2\x94\x83")) ||
                   span_starts(rest, SPAN("\xe2\x95\x91"))
               ? 3
               : 0;
}

/* A line of rule characters only: "+---+", "|:--|--:|", "-----  ----", box drawing. */
static bool is_rule(struct span line) {
    struct span t = span_trim(line);
    size_t marks = 0;
    if (span_starts(t, SPAN("\\")) && (span_ends(t, SPAN("rule")) || span_ends(t, SPAN("hline"))))
        return true; /* LaTeX */
    for (size_t i = 0; i < t.len; i++) {
        if ((unsigned char)t.at[i] == 0xe2 && i + 2 < t.len && (unsigned char)t.at[i + 1] >= 0x94 &&
            (unsigned char)t.at[i + 1] <= 0x96) {
            i += 2;
            marks++;
            continue;
        }
        if (!strchr("-+|:= \t_*#", t.at[i]))
            return false;
        marks += t.at[i] == '-' || t.at[i] == '=';
    }
    return marks >= 2;
}

static void add_cell(const struct document *d, struct line_cells *cells, struct span line,
                     size_t from, size_t to) {
    if (cells->count == MOST_CELLS)
        return;
    struct span cell = span_trim(span_slice(line, from, to));
    size_t start = cell.len ? (size_t)(cell.at - d->chapter->view.at)
                            : (size_t)(line.at - d->chapter->view.at) + from;
    cells->cells[cells->count++] = (struct chapter_cell){.start = start, .end = start + cell.len};
}

static struct line_cells split_bars(const struct document *d, struct span line) {
    struct line_cells cells = {.count = 0};
    struct span t = span_trim(line);
    size_t from = 0;
    bool any = false;
    for (size_t at = 0; at < t.len;) {
        size_t bar = bar_at(t, at);
        if (bar == 0) {
            at++;
            continue;
        }
        if (at > 0)
            add_cell(d, &cells, t, from, at);
        any = true;
        at += bar;
        from = at;
    }
    if (any && from < t.len)
        add_cell(d, &cells, t, from, t.len);
    return cells;
}

static struct line_cells split_at(const struct document *d, struct span line, char separator) {
    struct line_cells cells = {.count = 0};
    size_t from = 0;
    for (size_t at = 0; at < line.len; at++)
        if (line.at[at] == separator) {
            add_cell(d, &cells, line, from, at);
            from = at + 1;
        }
    if (from)
        add_cell(d, &cells, line, from, line.len);
    return cells;
}

/* Google Benchmark prints one blank between the heads of its last two columns. */
static void split_counters(const struct document *d, struct line_cells *cells) {
    static const char heads[] = "Iterations UserCounters...";
    struct chapter_cell *last = cells->count ? &cells->cells[cells->count - 1] : NULL;
    if (!last || cells->count == MOST_CELLS ||
        !span_equal(span_slice(d->chapter->view, last->start, last->end), SPAN(heads)))
        return;
    cells->cells[cells->count++] =
        (struct chapter_cell){.start = last->start + 11, .end = last->end};
    last->end = last->start + 10;
}

/* Runs of two blanks and more, or a tab, separate columns. */
static struct line_cells split_gaps(const struct document *d, struct span line) {
    struct line_cells cells = {.count = 0};
    size_t at = 0;
    while (at < line.len) {
        while (at < line.len && isspace((unsigned char)line.at[at]))
            at++;
        size_t from = at, blanks = 0;
        while (at < line.len && blanks <= MOST_BLANKS && line.at[at] != '\t')
            blanks = line.at[at++] == ' ' ? blanks + 1 : 0;
        if (at > from)
            add_cell(d, &cells, line, from, at);
    }
    split_counters(d, &cells);
    return cells;
}

typedef struct line_cells splitter(const struct document *, struct span);

static struct line_cells split_commas(const struct document *d, struct span line) {
    return d->decimal_comma || span_find(line, SPAN(", "), 0) != SIZE_MAX
               ? (struct line_cells){.count = 0}
               : split_at(d, line, ',');
}

/* Rows of a LaTeX tabular end in two backslashes. */
static struct line_cells split_ampersands(const struct document *d, struct span line) {
    struct span t = span_trim(line);
    if (!span_ends(t, SPAN("\\\\")))
        return (struct line_cells){.count = 0};
    return split_at(d, span_slice(t, 0, t.len - 2), '&');
}

static bool has_quantity(const struct document *d, const struct line_cells *cells) {
    size_t numbers = 0, filled = 0;
    for (size_t i = 0; i < cells->count; i++) {
        size_t at = grid_first_quantity(d, cells->cells[i].start);
        filled += cells->cells[i].end > cells->cells[i].start;
        numbers +=
            at < d->claims->quantity_count && d->claims->quantities[at].start < cells->cells[i].end;
    }
    return numbers && (numbers > 1 || numbers * 2 >= filled);
}

/* The column whose header lies over the cell: nearest by distance of their ends or starts. */
static size_t column_under(const struct line_cells *header, size_t header_line,
                           struct chapter_cell cell, size_t line) {
    size_t best = 0, best_distance = SIZE_MAX;
    for (size_t i = 0; i < header->count; i++) {
        size_t hs = header->cells[i].start - header_line, he = header->cells[i].end - header_line;
        size_t cs = cell.start - line, ce = cell.end - line;
        size_t starts = hs > cs ? hs - cs : cs - hs, ends = he > ce ? he - ce : ce - he;
        size_t distance = starts < ends ? starts : ends;
        if (distance < best_distance) {
            best = i;
            best_distance = distance;
        }
    }
    return best;
}

static void place_row(const struct document *d, struct raw_table *raw, size_t row,
                      const struct line_cells *cells, struct span line,
                      const struct line_cells *header, struct span header_line) {
    const char *view = d->chapter->view.at;
    struct chapter_cell *out = raw->cells + row * raw->column_count;
    for (size_t i = 0; i < cells->count; i++) {
        size_t column = cells->count == raw->column_count || !header
                            ? i
                            : column_under(header, (size_t)(header_line.at - view), cells->cells[i],
                                           (size_t)(line.at - view));
        if (column < raw->column_count)
            out[column] = cells->cells[i];
    }
}

/* A header that begins to the right of the rows' first cells leaves their labels unnamed. */
static void add_label_column(const struct document *d, struct line_cells *top,
                             const struct lines *lines, size_t first, size_t end) {
    const char *view = d->chapter->view.at;
    size_t row = first + 1;
    while (row < end && is_rule(lines->items[row]))
        row++;
    if (row == end || top->count == MOST_CELLS)
        return;
    struct line_cells cells = split_gaps(d, lines->items[row]);
    size_t label_end = cells.cells[0].end - (size_t)(lines->items[row].at - view);
    size_t header = (size_t)(lines->items[first].at - view);
    if (top->cells[0].start - header < label_end)
        return;
    memmove(top->cells + 1, top->cells, top->count * sizeof *top->cells);
    top->cells[0] = (struct chapter_cell){.start = header, .end = header};
    top->count++;
}

/* lines [first, end) as one table; the header is the line before the rule, or the first line when
 * it holds no number. */
static bool table_of(struct document *d, size_t block, const char *source, splitter *split,
                     const struct lines *lines, size_t first, size_t end) {
    struct raw_table raw = {.source = span_of(source), .block = block};
    struct line_cells top = split(d, lines->items[first]);
    bool headed = !has_quantity(d, &top) ||
                  (first + 1 < end && is_rule(lines->items[first + 1]) && first + 2 < end);
    bool aligned = split == split_gaps;
    if (aligned && headed)
        add_label_column(d, &top, lines, first, end);
    raw.column_count = top.count;
    raw.header_rows = headed;
    raw.cells = arena_array(d->arena, (end - first) * raw.column_count, sizeof *raw.cells);
    for (size_t i = first; i < end; i++) {
        if (is_rule(lines->items[i]))
            continue;
        struct line_cells cells = split(d, lines->items[i]);
        if (i == first)
            cells = top;
        place_row(d, &raw, raw.row_count++, &cells, lines->items[i], aligned ? &top : NULL,
                  lines->items[first]);
    }
    size_t before = d->grid_count;
    grid_from_cells(d, &raw);
    return d->grid_count > before;
}

/* Whether a line goes on the table that a line with so many cells began. */
static bool goes_on(splitter *split, size_t columns, size_t cells) {
    if (split == split_gaps)
        return cells >= 2 && cells <= columns + 1;
    return cells == columns;
}

static bool tables_in(struct document *d, size_t block, const char *source, splitter *split,
                      const struct lines *lines) {
    bool any = false;
    for (size_t i = 0; i < lines->count;) {
        struct line_cells top = split(d, lines->items[i]);
        bool headless = split == split_gaps && has_quantity(d, &top);
        if (is_rule(lines->items[i]) || top.count < 2 || headless) {
            i++;
            continue;
        }
        size_t end = i + 1, rows = 1;
        for (; end < lines->count; end++) {
            bool rule = is_rule(lines->items[end]);
            struct line_cells cells = split(d, lines->items[end]);
            if (!rule && !goes_on(split, top.count, cells.count))
                break;
            rows += !rule;
        }
        bool found = rows >= 2 && table_of(d, block, source, split, lines, i, end);
        any |= found;
        i = found ? end : i + 1;
    }
    return any;
}

bool grid_from_lines(struct document *d, size_t block) {
    struct lines lines = lines_of(d, block);
    size_t bars = 0, commas = 0, gaps = 0, ampersands = 0;
    for (size_t i = 0; i < lines.count; i++) {
        ampersands += split_ampersands(d, lines.items[i]).count >= 2;
        bars += split_bars(d, lines.items[i]).count >= 2;
        commas += split_commas(d, lines.items[i]).count >= 3;
        gaps += split_gaps(d, lines.items[i]).count >= 2;
    }
    if (ampersands >= 2)
        return tables_in(d, block, "latex", split_ampersands, &lines);
    if (bars >= 2)
        return tables_in(d, block, "boxed", split_bars, &lines);
    if (commas >= 2 && commas * 2 > lines.count)
        return tables_in(d, block, "commas", split_commas, &lines);
    return gaps >= 2 && tables_in(d, block, "aligned", split_gaps, &lines);
}
