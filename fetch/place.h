/* Moves the ranges of a chapter from one rendering of it to another (fetch/align.h). */
#ifndef FETCH_PLACE_H
#define FETCH_PLACE_H

#include "schemas/chapter.h"

struct place_range {
    size_t start, end;
};

/* Fills placed with rendered's blocks, headings, tables, links and metadata, their ranges now in
 * target: a block whose first and last characters were found there and of which at most one
 * character in eight differs. Others are left out (a link keeps its URL with the range 0,0; a table
 * cell becomes empty). rendered's ranges are bytes of rendered->view.
 * Each of the ranges is moved too; what cannot be placed becomes empty. */
void place_chapter(struct arena *arena, const struct chapter *rendered, struct span target,
                   struct place_range *ranges, size_t range_count, struct chapter *placed);

#endif
