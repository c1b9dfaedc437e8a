/* What extraction knows of a text and the checks work on. Everything lives in one arena; ranges are
 * bytes of chapter->text. Built by document_build in the order: segment (blocks, sentences),
 * quantity (numbers, units, intervals), grid (rows and columns), subject, claim. */
#ifndef AUDIT_DOCUMENT_H
#define AUDIT_DOCUMENT_H

#include "audit/measure.h"
#include "schemas/chapter.h"
#include "schemas/claims.h"

#define NONE ((size_t)-1)

struct sentence {
    size_t start, end;
    size_t block;
    size_t first_quantity, quantity_count; /* into document.claims.quantities */
};

/* Numbers of one shape, from a markup table, an aligned or box-drawn table, "key: value" lines, or
 * lines that repeat one template ("naive loop of N: A ms/step reported + B ms ... -> C ms/step").
 * Columns may mix units; a cell without a number is NONE. */
struct grid_column {
    struct span label; /* header text, or the template's words before the number */
    struct span unit;  /* of its cells; "" when mixed */
};

struct grid {
    struct span source; /* markup | aligned | boxed | template | key-value */
    size_t block;
    size_t start, end;
    struct grid_column *columns;
    size_t column_count;
    struct span *row_labels; /* (row_count) */
    size_t row_count;
    size_t *cells; /* (row_count, column_count), row-major: index of a quantity, or NONE */
};

struct document {
    struct arena *arena;
    struct chapter *chapter;  /* segmented */
    struct claims *claims;    /* quantities first, claims when claim_build ran */
    struct measure *measures; /* measure_of each quantity, its role settled */
    bool decimal_comma;       /* how this text writes decimals */
    struct sentence *sentences;
    size_t sentence_count, sentence_capacity;
    struct grid *grids;
    size_t grid_count, grid_capacity;
};

/* Segments chapter in place and fills the rest. Cannot fail: any bytes are a document. */
void document_build(struct arena *arena, struct chapter *chapter, struct claims *claims,
                    struct document *document);

static inline size_t grid_cell(const struct grid *g, size_t row, size_t column) {
    return g->cells[row * g->column_count + column];
}

#endif
