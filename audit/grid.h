/* Rows and columns of numbers: markup tables, tables drawn with bars or commas, aligned columns,
 * and lines of one shape. */
#ifndef AUDIT_GRID_H
#define AUDIT_GRID_H

#include "audit/document.h"
#include "audit/units.h"

/* Finds the grids of a document whose sentences and quantities are known. A unit in a header
 * applies to the cells below it, and the cells' quantities get row and column labels as subject. */
void grid_build(struct document *document);

/* Cells as ranges of the view, before numbers are looked up in them. */
struct raw_table {
    struct span source;
    size_t block, row_count, column_count, header_rows;
    struct chapter_cell *cells; /* (row_count, column_count); start == end: no cell */
};

/* Makes a grid of a raw table with at least two rows below its header, or none. */
void grid_from_cells(struct document *document, const struct raw_table *raw);
/* Tables drawn with characters inside one block of lines. False when the block holds none. */
bool grid_from_lines(struct document *document, size_t block);
/* Sentences of one block that repeat one shape: first..last into document->sentences. */
void grid_from_templates(struct document *document, size_t first, size_t last);
/* The unit a column's header gives its cells: "time (ms)", "cold_ms", "GB/s", "speedup". */
bool grid_header_unit(struct document *document, struct span header, struct unit_text *unit);
/* The unit that the text of a range states for what follows: "all times in ms". */
bool grid_caption_unit(struct document *document, size_t start, size_t end, struct unit_text *unit);
/* Index of the first quantity that starts at or behind a byte. */
size_t grid_first_quantity(const struct document *document, size_t byte);
/* Text of a range without emphasis marks and punctuation at its ends. */
struct span grid_label(const struct document *document, size_t start, size_t end);

#endif
