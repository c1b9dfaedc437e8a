/* One reader a markup format; each fills chapter's view, blocks, headings, tables, links and
 * metadata for chapter->text. */
#ifndef FETCH_STRUCTURE_FORMATS_H
#define FETCH_STRUCTURE_FORMATS_H

#include "schemas/chapter.h"

bool structure_html(struct arena *arena, const char *where, struct chapter *chapter,
                    struct error *error);
bool structure_markdown(struct arena *arena, const char *where, struct chapter *chapter,
                        struct error *error);
bool structure_notebook(struct arena *arena, const char *where, struct chapter *chapter,
                        struct error *error);

#endif
