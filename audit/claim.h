/* Claims: the sentences and lines of a text that can be checked. */
#ifndef AUDIT_CLAIM_H
#define AUDIT_CLAIM_H

#include "audit/document.h"

/* One claim for each sentence, line or row with a quantity, and for sentences that promise
 * something universal or causal. Gives every quantity a claim and a subject, and every claim the
 * contract that governs it. */
void claim_build(struct document *document);

#endif
