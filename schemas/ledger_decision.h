/* ledger/decisions/ID.json (assay.ledger-decision.v1): what the author decided about one claim.
 * One file a claim; an earlier decision stays in its history. */
#ifndef SCHEMAS_LEDGER_DECISION_H
#define SCHEMAS_LEDGER_DECISION_H

#include "schemas/ledger_item.h"

#define LEDGER_DECISION_SCHEMA "assay.ledger-decision.v1"

struct ledger_decision {
    struct span id; /* from book, chapter and the claim's id */
    struct ledger_claim claim;
    struct span decision; /* decision_words: accept | revise | defer | reject */
    struct span reason;
    struct span replacement; /* the claim's new wording, for the patch; "" = none proposed */
    struct span decided_at, decided_by;
    struct span *evidence; /* ids of the evidence items it rests on */
    size_t evidence_count;
    enum ledger_state state;
    struct span state_reason;
    struct ledger_history history;
};

void ledger_decision_write(struct buffer *out, const struct ledger_decision *decision);
/* As a member of a larger document. get answers NULL, or what is wrong as one phrase. */
void ledger_decision_put(struct json_writer *w, const char *key,
                         const struct ledger_decision *decision);
const char *ledger_decision_get(struct arena *arena, const cJSON *object,
                                struct ledger_decision *decision);
bool ledger_decision_read(struct arena *arena, struct span json, const char *where,
                          struct ledger_decision *decision, struct error *error);
struct span ledger_decision_id(struct arena *arena, const struct ledger_claim *claim);

#endif
