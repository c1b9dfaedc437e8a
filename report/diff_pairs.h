/* Pairs of things in two lists that have the same key. */
#ifndef REPORT_DIFF_PAIRS_H
#define REPORT_DIFF_PAIRS_H

#include "core/memory.h"

struct keyed {
    struct span key;
    size_t index; /* into the list it was taken from */
};

/* mates_a[i] is the index in b of the mate of a's i, or SIZE_MAX; and the other way round. Equal
 * keys are paired in the order of their indices. Sorts a and b; the mates are for the indices in
 * them. */
void diff_pair(struct keyed *a, size_t count_a, size_t *mates_a, struct keyed *b, size_t count_b,
               size_t *mates_b);

#endif
