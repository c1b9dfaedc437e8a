/* The difference of two passages, word by word: "takes [-9.4-]{+9.6+} ms". */
#ifndef FETCH_WORD_DIFF_H
#define FETCH_WORD_DIFF_H

#include "core/memory.h"

#include <stdint.h>

/* White space is one space; long runs of unchanged words are cut to " ... ", and the whole to about
 * most bytes. Empty when the words are the same. */
struct span word_diff(struct arena *arena, struct span old, struct span now, size_t most);
/* How many words of the two are common and in order, over the words of the longer one; 0..1. */
double word_likeness(struct arena *arena, struct span old, struct span now);
/* Key of the words of text (of their SHA-256): texts that differ in white space only have one. */
uint64_t word_key(struct arena *arena, struct span text);

#endif
