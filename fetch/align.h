/* Alignment of two renderings of one document: same characters in the same order, white space
 * ignored, with parts that only one of them has. Linear in both but for the sort of anchors.
 *
 * Characters are matched forward one by one. Where they differ, a short difference (a changed
 * quotation mark) is stepped over when what follows it agrees; a long one is bridged by the next
 * anchor: a run of characters that stands exactly once in each text, taken from the longest chain
 * of anchors that is in order in both (as in patience diff). Nothing is matched by likeness. */
#ifndef FETCH_ALIGN_H
#define FETCH_ALIGN_H

#include "core/memory.h"

#include <stdint.h>

/* Asks where the character at byte `from` of the first text stands in the second. */
struct align_mark {
    size_t from;
    size_t owner; /* the caller's own */
    size_t to;    /* byte in the second text, or SIZE_MAX */
    /* characters before the mark: in the first text, in the second, and matched */
    size_t from_count, to_count, matched;
};

/* Marks must be sorted by `from` and stand at characters that are not blank. */
void align_texts(struct span from, struct span to, struct align_mark *marks, size_t mark_count);

/* Offset of the first character at or after `at` that is not white space (ASCII, no-break, thin and
 * zero-width spaces count as white space); text.len when there is none. */
size_t align_skip_blank(struct span text, size_t at);
/* Offset of the last such character before `end` (its first byte), or SIZE_MAX. */
size_t align_last_visible(struct span text, size_t from, size_t end);
/* Bytes of the character at `at`. */
size_t align_width(struct span text, size_t at);

#endif
