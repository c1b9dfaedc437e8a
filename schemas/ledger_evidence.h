/* ledger/evidence/ID.json (assay.ledger-evidence.v1): one relation between one quoted passage of
 * one source and one claim. Nothing is stored that was not checked against the source's text. */
#ifndef SCHEMAS_LEDGER_EVIDENCE_H
#define SCHEMAS_LEDGER_EVIDENCE_H

#include "schemas/ledger_item.h"

#define LEDGER_EVIDENCE_SCHEMA "assay.ledger-evidence.v1"

struct ledger_evidence {
    struct span id; /* from chapter, claim, source, relation and the quote's place and text */
    struct ledger_claim claim;
    struct span source;          /* id of the ledger's source */
    struct span relation;        /* relation_words */
    struct span class;           /* evidence_class_words */
    struct ledger_anchor anchor; /* in the source's stored text: quote as it stands there */
    struct span quote_given;     /* as the person gave it, when that differs; else "" */
    struct span normalization; /* the steps that made both equal ("white space, quotes"); else "" */
    struct span note;          /* the person's words; its numbers stand in the passage */
    enum reading_status reading; /* of the source when this was recorded */
    enum ledger_state state;
    struct span state_reason; /* why it is not current; "" when it is */
    struct ledger_history history;
};

void ledger_evidence_write(struct buffer *out, const struct ledger_evidence *evidence);
/* As a member of a larger document. get answers NULL, or what is wrong as one phrase. */
void ledger_evidence_put(struct json_writer *w, const char *key,
                         const struct ledger_evidence *evidence);
const char *ledger_evidence_get(struct arena *arena, const cJSON *object,
                                struct ledger_evidence *evidence);
bool ledger_evidence_read(struct arena *arena, struct span json, const char *where,
                          struct ledger_evidence *evidence, struct error *error);
/* The id that belongs to the item's claim, source, relation and anchor. */
struct span ledger_evidence_id(struct arena *arena, const struct ledger_evidence *evidence);

#endif
