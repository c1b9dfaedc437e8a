/* Finds every document that a brief and a chapter name: links, DOIs, arXiv ids, ISBNs, RFCs,
 * repositories with their files, issues and commits, notebooks, package versions, and works that
 * are only mentioned ("as shown in ..."). All are leads: nobody opened them here. */
#ifndef FETCH_SOURCES_DISCOVER_H
#define FETCH_SOURCES_DISCOVER_H

#include "schemas/brief.h"
#include "schemas/chapter.h"
#include "schemas/sources.h"

enum {
    SOURCES_MOST = 10000,    /* rows of sources.json; further ones are counted as omitted */
    SOURCE_PLACES_MOST = 32, /* places kept of one source; all are counted */
};

/* Appends one row a source to *sources, the brief's first, each in order of appearance. received is
 * brief.txt: places of found_in "brief" are its bytes (0,0 in a brief in JSON); the excerpt in it
 * is left to the chapter's scan. Linear in both texts. */
void sources_discover(struct arena *arena, struct span received, const struct brief *brief,
                      const struct chapter *chapter, struct sources *sources);

#endif
