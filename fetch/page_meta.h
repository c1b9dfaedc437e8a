/* What a web page says of itself: citation_* (Highwire Press) and Dublin Core meta elements,
 * JSON-LD of an article, Open Graph, and at last its title; and where a Sphinx page says its root
 * is. */
#ifndef FETCH_PAGE_META_H
#define FETCH_PAGE_META_H

#include "schemas/source_metadata.h"

struct page_meta {
    struct source_record
        record;             /* kind names what told the title: citation | json-ld | og | title */
    struct span modified;   /* date, or empty */
    struct span doi, arxiv; /* of the work that the page shows */
    struct span canonical;  /* URL as written, or empty */
    struct span docs_root;  /* relative URL of a Sphinx documentation's root, or empty */
};

/* text is UTF-8. False for what is no HTML at all. */
bool page_meta_read(struct arena *arena, struct span text, struct page_meta *meta);

#endif
