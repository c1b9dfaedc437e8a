/* Sphinx's objects.inv, version 2: four lines of text (format, project, version, compression), then
 * one zlib stream of lines "name domain:role priority uri dispname". */
#ifndef FETCH_SPHINX_INVENTORY_H
#define FETCH_SPHINX_INVENTORY_H

#include "core/memory.h"

struct sphinx_inventory {
    struct span project, version;
    struct span lines; /* decompressed */
};

/* NULL, or why it cannot be read. */
const char *sphinx_inventory_read(struct arena *arena, struct span bytes,
                                  struct sphinx_inventory *inventory);

struct sphinx_object {
    struct span name, role, uri, shown; /* uri without '$'; ends_in_name says that name follows */
    bool ends_in_name;
};

/* Cuts the next well-formed line off *rest; false at the end. */
bool sphinx_next(struct span *rest, struct sphinx_object *object);
/* The object of that name whatever its role; false only means that it is not indexed. */
bool sphinx_find(const struct sphinx_inventory *inventory, struct span name,
                 struct sphinx_object *object);

#endif
