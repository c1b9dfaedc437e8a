/* The passes that a workspace holds. Stages share nothing but pass directories: this reads those of
 * earlier passes and changes none. */
#ifndef FETCH_KNOWN_H
#define FETCH_KNOWN_H

#include "schemas/pass.h"

struct known_passes {
    struct pass *items; /* by book, chapter and time: the last of a chapter is its latest */
    size_t count, capacity;
};

/* All below workspace/passes, or only those of one book and chapter (their folder names) when
 * these are not NULL. A folder that is no pass is left out. */
bool known_passes(struct arena *arena, const char *workspace, const char *book, const char *chapter,
                  struct known_passes *list, struct error *error);

#endif
