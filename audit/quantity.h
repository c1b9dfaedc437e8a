/* Every printed number of a text as a quantity: digits, interval, unit, role. */
#ifndef AUDIT_QUANTITY_H
#define AUDIT_QUANTITY_H

#include "audit/document.h"

/* Reads the numbers of view[start, end), which lies in one block, and appends them to the
 * document's claims in order. */
void quantity_scan(struct document *document, size_t block, size_t start, size_t end);

#endif
