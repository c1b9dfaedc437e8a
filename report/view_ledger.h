/* The ledger's part of a view: what a person read, recorded and decided. */
#ifndef REPORT_VIEW_LEDGER_H
#define REPORT_VIEW_LEDGER_H

#include "report/view.h"

/* Reads evidence.json and decisions.json, which a pass may lack, and lays the ledger's word on each
 * source over the row of sources.json; a source that only the ledger knows gets a row of its own
 * (found by a person). Comes before view_index. */
bool view_ledger_load(struct view *view, struct error *error);
/* A source that contradicts or qualifies a claim makes it contradicted or of concern; support from
 * a source confirms nothing that was not checked here, so it changes no state. */
void view_ledger_judge(const struct view *view, struct view_claim *item);
/* Why, as one sentence; empty when no recorded item speaks against the claim. */
struct span view_ledger_why(const struct view *view, const struct view_claim *item);
/* The ledger's source with that id, and its row in view.sources; NULL when the copy lacks it. */
const struct source *view_ledger_source(const struct view *view, struct span id);

#endif
