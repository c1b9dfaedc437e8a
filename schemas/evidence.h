/* evidence.json (assay.evidence.v1) and decisions.json (assay.decisions.v1): what the ledger held
 * about the claims of a pass when its report was written. Copies: the ledger is where they live. */
#ifndef SCHEMAS_EVIDENCE_H
#define SCHEMAS_EVIDENCE_H

#include "schemas/ledger_decision.h"
#include "schemas/ledger_evidence.h"
#include "schemas/ledger_source.h"

#define EVIDENCE_SCHEMA "assay.evidence.v1"
#define DECISIONS_SCHEMA "assay.decisions.v1"

struct evidence {
    struct ledger_source *sources; /* those the pass names, and those the items quote */
    size_t source_count, source_capacity;
    struct ledger_evidence *items;
    size_t count, capacity;
};

struct decisions {
    struct ledger_decision *items; /* at most one a claim */
    size_t count, capacity;
};

void evidence_write(struct buffer *out, const struct evidence *evidence);
bool evidence_read(struct arena *arena, struct span json, const char *where,
                   struct evidence *evidence, struct error *error);
void decisions_write(struct buffer *out, const struct decisions *decisions);
bool decisions_read(struct arena *arena, struct span json, const char *where,
                    struct decisions *decisions, struct error *error);

#endif
