/* What changed since the last known snapshot of the same chapter. */
#ifndef FETCH_REVISION_H
#define FETCH_REVISION_H

#include "schemas/chapter.h"
#include "schemas/pass.h"
#include "schemas/snapshot.h"

enum { REVISION_CHANGES_MOST = 1000 };

/* Fills snapshot->changes, in the order of the new text: paragraphs that were added, removed or
 * edited. old and now are views (schemas/chapter.h): what a person sees is compared, and white
 * space does not count. */
void revision_compare(struct arena *arena, struct span old, struct span now,
                      struct snapshot *snapshot);

/* Looks below workspace for the latest earlier pass over the same chapter that read it whole, and
 * compares: previous_sha256, previous_pass, changes with the claims they touch. A pass that cannot
 * be read is passed over. Nothing is filled when there is none, or now is no whole chapter. */
bool revision_find(struct arena *arena, const char *workspace, const struct pass *pass,
                   const struct chapter *now, struct span text, struct snapshot *snapshot,
                   struct error *error);

#endif
