/* What the ledger holds about a pass, as artifacts of the pass. */
#ifndef LEDGER_COPY_H
#define LEDGER_COPY_H

#include "ledger/ledger.h"
#include "schemas/evidence.h"
#include "schemas/pass.h"

/* Writes evidence.json (the items about claims of the pass, their sources, and the ledger's word on
 * the sources the pass names) and decisions.json; neither when the ledger has nothing to say and
 * the pass has no copy. Recording never does this: a pass changes only when one of its stages is
 * run, and that one is `assay report`, which seals it again. workspace NULL: the folder four levels
 * above the pass, when the pass lies under passes/. Without a ledger there the copies stay. */
bool ledger_copy_to_pass(struct arena *arena, const struct pass *pass, const char *workspace,
                         struct error *error);

#endif
