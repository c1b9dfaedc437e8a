/* Carry-over: the ledger's items about a chapter held against its newest pass. */
#ifndef LEDGER_CARRY_H
#define LEDGER_CARRY_H

#include "ledger/ledger.h"
#include "schemas/carry_over.h"
#include "schemas/pass.h"

/* Matches the claims of the pass with those of the chapter's pass before it, and every evidence
 * item and decision about the chapter with the claims and stored texts of now:
 *
 *     claim and passage as they were           reused
 *     found again word for word                revalidated: the anchor follows
 *     the source's text changed there          re-evaluate: a person looks again
 *     the claim's words are gone               orphaned; a match may be proposed, none is made
 *     claim gone without a likely heir, or
 *     the source's text gone                   removed: kept as a record, no longer used
 *     the pass read only a part of the text    not looked at, and left as it is
 *
 * An item whose claim got another id is recorded anew under the id that belongs to it; the old one
 * stays as a record that names it. Writes carry_over.json into the pass. A pass that is not the
 * newest of its chapter, or that has been carried, is left alone (*done false). Needs
 * LEDGER_WRITE. */
bool ledger_carry(struct ledger *ledger, const char *workspace, const struct pass *pass,
                  struct carry_over *carry, bool *done, struct error *error);

#endif
