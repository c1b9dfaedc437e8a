/* What two sequences of keys have in common, in order: the base of a diff.
 *
 * As in patience diff (Cohen 2009): what both begin and end with, then the keys that stand exactly
 * once in each, as many as are in the same order, then the same between them. Where no such key is
 * left, a small rest is solved exactly (longest common subsequence) and a large one is left
 * unmatched. O(n log n) for each of a bounded number of levels. */
#ifndef FETCH_SEQUENCE_H
#define FETCH_SEQUENCE_H

#include "core/memory.h"

#include <stdint.h>

struct sequence {
    const uint64_t *keys;
    size_t count;
};

/* (old.count) places: the index in now that each old key is matched with, or SIZE_MAX. Increasing
 * where it is matched. */
size_t *sequence_match(struct arena *arena, struct sequence old, struct sequence now);

#endif
