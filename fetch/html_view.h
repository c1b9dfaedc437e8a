/* The view of an HTML text: what is left of its bytes when tags, comments and scripts are blank. */
#ifndef FETCH_HTML_VIEW_H
#define FETCH_HTML_VIEW_H

#include "core/memory.h"

/* A text of the same length in the arena (schemas/chapter.h says what stands in it). Works on any
 * bytes; what is no complete tag, comment or entity stays text, as browsers have it. */
char *html_view(struct arena *arena, struct span text);

#endif
