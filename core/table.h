/* Data tables (tab-separated text, first row names the columns, '#' lines are comments) that are
 * built into the program, so that it runs from any folder. */
#ifndef CORE_TABLE_H
#define CORE_TABLE_H

#include "core/memory.h"

/* A file under a data/ folder by its path in the source tree ("audit/data/units.tsv"); the empty
 * span when there is none. */
struct span data_file(const char *path);

struct table {
    struct span *columns;
    size_t column_count;
    struct span *cells; /* (row_count, column_count), row-major; "" where a row is short */
    size_t row_count;
};

struct table table_parse(struct arena *arena, struct span text);
/* Index of the column, or SIZE_MAX. */
size_t table_column(const struct table *table, const char *name);
/* "" for a column that does not exist. */
struct span table_cell(const struct table *table, size_t row, size_t column);
/* A decimal number, or NAN for an empty or malformed cell. */
double table_number(const struct table *table, size_t row, size_t column);

#endif
