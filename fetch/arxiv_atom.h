/* The Atom feed of arXiv's API: what it says of each paper.
 * https://info.arxiv.org/help/api/user-manual.html */
#ifndef FETCH_ARXIV_ATOM_H
#define FETCH_ARXIV_ATOM_H

#include "core/memory.h"

struct arxiv_entry {
    struct span id;                                    /* "2205.14135", without a version */
    struct span version;                               /* "v2" */
    struct span title, summary, comment, doi, journal; /* white space collapsed */
    struct span authors;                               /* "Dao, Tri; Fu, Daniel Y." */
    struct span published, updated;                    /* RFC 3339: of v1, of this version */
};

struct arxiv_feed {
    struct arxiv_entry *entries;
    size_t count, capacity;
};

/* NULL, or why the text cannot be used. An error of the API comes as an entry and is one here. */
const char *arxiv_feed_read(struct arena *arena, struct span text, struct arxiv_feed *feed);

#endif
