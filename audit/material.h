/* The files below materials/ of a pass: fetched for a reader, not part of the chapter. */
#ifndef AUDIT_MATERIAL_H
#define AUDIT_MATERIAL_H

#include "schemas/pass.h"

enum { MATERIALS_MOST = 200 };

struct material {
    struct span name; /* "materials/1-12-chapter.ipynb" */
    struct span text; /* any bytes */
};

struct materials {
    struct material *items; /* by name */
    size_t count, capacity;
};

/* Reads them; a pass without any gives none. */
bool materials_read(struct arena *arena, const struct pass *pass, struct materials *materials,
                    struct error *error);

#endif
