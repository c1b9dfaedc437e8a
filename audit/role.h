/* What a number is in its text: measured, compared, specified, configured, or other. */
#ifndef AUDIT_ROLE_H
#define AUDIT_ROLE_H

#include "audit/document.h"
#include "audit/numeral.h"
#include "audit/units.h"

/* A first guess from the number, its unit and its block alone; labelled: a word before it
 * ("section") makes it a name. */
enum quantity_role role_first(const struct document *document, const struct quantity *quantity,
                              const struct numeral *numeral, const struct unit *unit,
                              bool labelled);
/* The final roles, when sentences, units and grids are known: cells by their column, keyed values
 * by their key, numbers of prose by the words around them. The rules are those of
 * docs/quantities.md. */
void role_settle(struct document *document);

#endif
