/* Structure from markup: blocks, headings, tables, links, and the view (schemas/chapter.h). */
#ifndef FETCH_STRUCTURE_H
#define FETCH_STRUCTURE_H

#include "schemas/chapter.h"

/* text | html | markdown | notebook from the file name's ending, else from the first bytes. */
struct span structure_format(struct span file_name, struct span text);
/* The structure of a document in its own bytes: ranges are offsets into text, which must be UTF-8
 * and outlive the chapter. Plain text gives one block of kind text. */
bool structure_read(struct arena *arena, struct span format, struct span text, const char *where,
                    struct chapter *chapter, struct error *error);
/* Places the blocks of another rendering of the same document (HTML) into snapshot: same words in
 * the same order, white space ignored. What cannot be placed is left out; chapter->aligned_bytes
 * says how much of the snapshot is covered. */
bool structure_align(struct arena *arena, const struct chapter *rendered, struct span snapshot,
                     struct chapter *chapter, struct error *error);

#endif
