/* Sources from BibTeX: every entry is a source, found again by its identifier, with what the entry
 * says of it as claimed metadata. */
#ifndef FETCH_BIBLIOGRAPHY_H
#define FETCH_BIBLIOGRAPHY_H

#include "core/progress.h"
#include "fetch/http.h"
#include "schemas/sources.h"

/* Adds the entries of one text. in is source_place.in; part names the file; base is the offset of
 * text in brief.txt or snapshot.txt, or SIZE_MAX when places mean nothing there. Returns how many
 * entries were read; *faults gets those that were malformed, in words ("" = none). */
size_t bibliography_add(struct arena *arena, struct span text, struct span in, struct span part,
                        size_t base, struct sources *sources, struct span *faults);

/* Entries that stand in the chapter or the brief themselves, then those of the .bib files that the
 * sources so far point to (at most BIBLIOGRAPHY_FILES_MOST), then those of local files. */
enum { BIBLIOGRAPHY_FILES_MOST = 8 };
bool bibliography_collect(struct arena *arena, struct http *http, struct progress *progress,
                          struct span received, struct span chapter, const char *const *files,
                          struct sources *sources, struct error *error);

#endif
