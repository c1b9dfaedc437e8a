/* Blocks of plain text. */
#ifndef AUDIT_SEGMENT_H
#define AUDIT_SEGMENT_H

#include "audit/document.h"

/* Replaces blocks of kind text by blocks of prose, output, contract, code, list and table. A run of
 * lines is one block; a line too long to have been wrapped is cut where its kind changes. */
void segment_blocks(struct arena *arena, struct chapter *chapter);

#endif
