/* HTML as a page format, and its escaping. */
#ifndef REPORT_HTML_H
#define REPORT_HTML_H

#include "report/page.h"
#include "report/view.h"

extern const struct page_format html_format;

/* text as HTML text or attribute value: & < > " ' escaped, controls and bidirectional marks made
 * visible, newlines and tabs kept. */
void html_escape(struct buffer *out, struct span text);
/* Writes "data:image/svg+xml;base64,...". */
void html_data_url(struct buffer *out, const char *type, struct span bytes);
/* "sha256-..." of text as a content security policy names it. */
void html_policy_hash(struct buffer *out, struct span text);

/* The text that was read, block by block, every claim marked by state and linked to its row. */
void html_chapter(struct buffer *out, const struct view *view);

#endif
