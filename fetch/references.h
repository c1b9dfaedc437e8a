/* What reference sections say of the works they name: each line (or list item) that holds an
 * identifier is what the text claims about it. Nothing is cut out of the line; comparing looks for
 * the registered title, names and year in it (compare.h). */
#ifndef FETCH_REFERENCES_H
#define FETCH_REFERENCES_H

#include "schemas/brief.h"
#include "schemas/chapter.h"
#include "schemas/sources.h"

/* Fills metadata.claimed of sources that have none yet and stand in a section called references,
 * bibliography, works cited, further reading or literature. received is brief.txt. */
void references_claim(struct arena *arena, struct span received, const struct brief *brief,
                      const struct chapter *chapter, struct sources *sources);

#endif
