/* Questions to a libxml2 tree of HTML. Spans point into the tree. */
#ifndef FETCH_HTML_NODE_H
#define FETCH_HTML_NODE_H

#include "core/memory.h"
#include "fetch/html_tags.h"

#include <libxml/tree.h>

/* Value of an attribute, or the empty span. */
struct span node_attribute(const xmlNode *node, const char *name);
bool node_is(const xmlNode *node, const char *name);
enum html_role node_role(const xmlNode *node);
/* Next node of the subtree of root in document order, or NULL. */
const xmlNode *node_next(const xmlNode *node, const xmlNode *root);
/* First element of that name in the subtree, looking at no more than `most` nodes. */
const xmlNode *node_find(const xmlNode *root, const char *name, size_t most);
/* The element that holds the chapter where the page says so: main, role="main", or the only
 * article; NULL when the page says nothing. */
const xmlNode *node_main(const xmlNode *root);
/* Whether the element is not part of the chapter's text: menus, forms, hidden things. */
bool node_is_furniture(const xmlNode *node);
bool node_is_footnotes(const xmlNode *node);
/* Language of a pre element from class="language-x" and its like, there, on the code inside or on
 * the elements around it; empty when none says. */
struct span node_language(const xmlNode *pre);
/* id of the element, or of the first element inside that has one. */
struct span node_id(const xmlNode *node);
/* A span attribute of a cell: 1 to 64. */
size_t node_cell_span(const xmlNode *cell, const char *name);

#endif
