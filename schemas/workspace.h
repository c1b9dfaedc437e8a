/* The passes of a workspace, found by their place: WORKSPACE/passes/<book>/<chapter>/<time>-.../ */
#ifndef SCHEMAS_WORKSPACE_H
#define SCHEMAS_WORKSPACE_H

#include "schemas/pass.h"

struct workspace_pass {
    const char *folder;
    struct span book, chapter, name; /* names of the folders; name starts with the UTC time */
};

struct workspace_passes {
    struct workspace_pass *items; /* by book, chapter, then time, the oldest first */
    size_t count, capacity;
};

/* Folders with a pass.json. A workspace without passes/ has none. */
bool workspace_list(struct arena *arena, const char *workspace, struct workspace_passes *passes,
                    struct error *error);
/* The newest pass of the only chapter that has one. ERROR_INPUT when there is none, or when there
 * are several chapters; the hint says how one is named. */
bool workspace_latest(struct arena *arena, const char *workspace, struct pass *pass,
                      struct error *error);
/* The workspace of a pass that lies where pass_create puts it, or NULL. */
const char *workspace_of_pass(struct arena *arena, const char *folder);

#endif
