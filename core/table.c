#include "core/table.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

static size_t count_fields(struct span line) {
    size_t count = 1;
    for (size_t i = 0; i < line.len; i++)
        count += line.at[i] == '\t';
    return count;
}

static void split(struct span line, struct span *cells, size_t count) {
    for (size_t i = 0; i < count; i++) {
        size_t end = span_find_byte(line, '\t', 0);
        cells[i] = span_trim(span_slice(line, 0, end));
        line = end == SIZE_MAX ? SPAN("") : span_slice(line, end + 1, line.len);
    }
}

struct table table_parse(struct arena *arena, struct span text) {
    struct table table = {0};
    struct span line, rest = text;
    size_t lines = 0;
    while (span_next_line(&rest, &line))
        lines++;
    rest = text;
    while (span_next_line(&rest, &line)) {
        if (span_trim(line).len == 0 || line.at[0] == '#')
            continue;
        if (!table.columns) {
            table.column_count = count_fields(line);
            table.columns = arena_array(arena, table.column_count, sizeof *table.columns);
            table.cells = arena_array(arena, table.column_count * lines, sizeof *table.cells);
            split(line, table.columns, table.column_count);
            continue;
        }
        split(line, table.cells + table.row_count++ * table.column_count, table.column_count);
    }
    return table;
}

size_t table_column(const struct table *table, const char *name) {
    for (size_t i = 0; i < table->column_count; i++)
        if (span_equal(table->columns[i], span_of(name)))
            return i;
    return SIZE_MAX;
}

struct span table_cell(const struct table *table, size_t row, size_t column) {
    if (row >= table->row_count || column >= table->column_count)
        return SPAN("");
    return table->cells[row * table->column_count + column];
}

double table_number(const struct table *table, size_t row, size_t column) {
    char copy[64];
    struct span cell = table_cell(table, row, column);
    if (cell.len == 0 || cell.len >= sizeof copy)
        return NAN;
    memcpy(copy, cell.at, cell.len);
    copy[cell.len] = '\0';
    char *end;
    double value = strtod(copy, &end);
    return *end == '\0' ? value : NAN;
}
