/* Blocks of plain text, and sentences of every block. */
#ifndef AUDIT_SEGMENT_H
#define AUDIT_SEGMENT_H

#include "audit/document.h"

/* Replaces blocks of kind text by blocks of prose, output, contract, code, list and table. A run of
 * lines is one block; lines that were collapsed into one stay one block of prose. */
void segment_blocks(struct arena *arena, struct chapter *chapter);
/* Cuts every block into sentences: prose at sentence ends, everything else line by line, and runs
 * of collapsed output at each "label: value" that starts anew. */
void segment_sentences(struct document *document);

#endif
