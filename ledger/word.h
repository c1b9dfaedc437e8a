/* Where a word or a number ends. A quote that starts or ends inside one says something the text
 * does not say: "0.9" out of "0.95", "linear" out of "non-linear", "95" out of "95%". */
#ifndef LEDGER_WORD_H
#define LEDGER_WORD_H

#include "core/memory.h"

/* True when what stands before and behind byte `at` of the UTF-8 text belongs together. The start
 * and the end of the text never do. Looks at a bounded number of bytes around. */
bool word_joined(struct span text, size_t at);
/* The whole word or number that byte `at` is in or between, [*start, *end). */
void word_around(struct span text, size_t at, size_t *start, size_t *end);
/* The first number or word with a digit at or behind *at, as it stands; false at the end. Moves
 * *at behind it. */
bool word_next_number(struct span text, size_t *at, struct span *word);

/* Each number of note must stand in passage (1,000 and 1000 are the same, 0.95 and 0.950 are not;
 * a name with a digit such as H100 must stand as a whole, in any case). False with the first one
 * that does not. */
bool word_numbers_stand(struct arena *arena, struct span note, struct span passage,
                        struct span *missing);

#endif
