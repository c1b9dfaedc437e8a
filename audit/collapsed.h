/* Lines that hold what were several blocks before a page lost its line breaks. */
#ifndef AUDIT_COLLAPSED_H
#define AUDIT_COLLAPSED_H

#include "core/span.h"
#include "schemas/chapter.h"

/* Walks view[at, end): set view, at and end, the rest to zero. */
struct collapsed {
    struct span view;
    size_t at, end;
    size_t listing, listing_end; /* the next listing once looked for; listing == end: none */
    bool looked;
};

/* The next run: a contract or environment listing, code, console output ("label: 9.4 ms" and its
 * like), or prose. Its neighbours differ in kind, except two listings. False at the end. Linear in
 * all calls together. */
bool collapsed_next(struct collapsed *walk, size_t *start, size_t *end, enum block_kind *kind);

#endif
