/* Findings on a source: one a kind. What a second registry says of the same kind is added to its
 * message. */
#ifndef FETCH_SOURCE_FINDING_H
#define FETCH_SOURCE_FINDING_H

#include "schemas/sources.h"

void source_finding_add(struct arena *arena, struct source_metadata *metadata,
                        struct source_finding finding);

#endif
