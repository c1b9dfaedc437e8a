/* A stored text as passages of about a thousand bytes: what is indexed, shown as a candidate, and
 * what the numbers of a note are held against. */
#ifndef LEDGER_PASSAGE_H
#define LEDGER_PASSAGE_H

#include "core/memory.h"

enum { PASSAGE_BYTES = 1000 };

struct passage {
    size_t start, end; /* bytes of the text, without the white space around */
};

/* The next passage at or behind *at; false at the end. Paragraphs (between blank lines or page
 * breaks) are put together while they fit PASSAGE_BYTES; a longer one is cut behind a sentence,
 * else behind a word, else between code points. A function of the text alone; linear. */
bool passage_next(struct span text, size_t *at, struct passage *passage);
/* The passages that bytes [start, end) touch, as one range. */
struct passage passage_around(struct span text, size_t start, size_t end);

#endif
