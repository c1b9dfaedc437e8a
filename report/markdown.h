/* GitHub-flavoured Markdown as a page format, and its escaping. */
#ifndef REPORT_MARKDOWN_H
#define REPORT_MARKDOWN_H

#include "report/page.h"

extern const struct page_format markdown_format;

/* text as running Markdown text: shows exactly these characters under the GFM specification and on
 * GitHub (mentions, emoji codes, math, automatic links and issue numbers included). Controls and
 * newlines must be gone already (page_visible). line_start: the text begins a block. */
void markdown_escape(struct buffer *out, struct span text, bool line_start);

#endif
