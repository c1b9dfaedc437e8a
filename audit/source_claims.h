/* Ties the sources of a pass to the claims near them. */
#ifndef AUDIT_SOURCE_CLAIMS_H
#define AUDIT_SOURCE_CLAIMS_H

#include "schemas/chapter.h"
#include "schemas/claims.h"
#include "schemas/sources.h"

/* Near is the same block of text (paragraph, list item, table, code). Fills sources[].claims, at
 * most SOURCE_CLAIMS_MOST a source, in order of the text; claims must be in that order. */
enum { SOURCE_CLAIMS_MOST = 16 };
void source_claims_tie(struct arena *arena, const struct chapter *chapter,
                       const struct claims *claims, struct sources *sources);

#endif
