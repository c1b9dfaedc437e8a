/* Units that stand elsewhere than behind their number: with the next number of a list or range, in
 * the label before it, or in parentheses at the head of its line. */
#ifndef AUDIT_UNIT_CONTEXT_H
#define AUDIT_UNIT_CONTEXT_H

#include "audit/document.h"
#include "audit/units.h"

/* Gives the unitless quantities of one sentence the unit its wording implies. The sentence's
 * quantities are known; carried is the unit a line "clat percentiles (usec):" announced for the
 * lines below it, kept by the caller between the lines of a block (registry NULL: none). */
void unit_context_settle(struct document *document, const struct sentence *sentence,
                         struct unit_text *carried);
/* Gives one quantity without unit a unit, its value and interval scaled by the unit's factor. */
void unit_context_apply(struct quantity *quantity, const struct unit_text *unit);

#endif
