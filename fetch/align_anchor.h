/* Anchors for alignment: runs of ANCHOR_LENGTH characters (white space left out) that stand exactly
 * once in each text, reduced to the longest chain that is in order in both. */
#ifndef FETCH_ALIGN_ANCHOR_H
#define FETCH_ALIGN_ANCHOR_H

#include "core/memory.h"

enum { ANCHOR_LENGTH = 24 };

struct anchor {
    size_t a, b; /* first byte of the run in each text */
};

/* Sorted by both. Owner calls anchors_free. */
struct anchors {
    struct anchor *at;
    size_t count;
};

/* Looks at a from byte a_start and b from b_start. Of very long texts only every so many-th run is
 * considered (chosen by its hash, so that both texts choose the same), which bounds the memory. */
struct anchors anchors_find(struct span a, struct span b, size_t a_start, size_t b_start);
void anchors_free(struct anchors *anchors);

#endif
