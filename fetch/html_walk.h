/* Reads a tree of HTML in document order into a rendered chapter. */
#ifndef FETCH_HTML_WALK_H
#define FETCH_HTML_WALK_H

#include "fetch/place.h"

#include <libxml/tree.h>

/* A page's text, all of it, with the structure of the part that is the chapter. */
struct html_page {
    struct chapter chapter;    /* text and view are `text`; ranges are bytes of it */
    struct buffer text;        /* every character of the tree in order, also of menus */
    struct place_range *skips; /* parts of it that are not the chapter */
    size_t skip_count, skip_capacity;
};

/* Owner frees page->text. */
void html_walk(struct arena *arena, const xmlNode *root, struct html_page *page);

#endif
