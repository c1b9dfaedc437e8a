/* Where a sentence or a listed value ends, and the sentences of every block. */
#ifndef AUDIT_SENTENCE_H
#define AUDIT_SENTENCE_H

#include "audit/document.h"

/* A longer line was not wrapped for reading: it holds a paragraph, or lines that lost their breaks.
 */
enum { LONG_LINE = 160 };

/* End of the sentence that begins at from: behind its full stop, or, where lines of output were
 * collapsed into one, where the next "label: value" or the next sentence begins. At most end. */
size_t sentence_end(struct span view, size_t from, size_t end);
/* Cuts every block into sentences: prose at sentence ends, everything else line by line, and runs
 * of collapsed output at each "label: value" that starts anew. */
void segment_sentences(struct document *document);

#endif
