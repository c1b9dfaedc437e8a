/* Recording what a person found. Everything is checked before it is stored; what does not check out
 * is refused with ERROR_INPUT and a message that says what was expected. Nothing is stored then. */
#ifndef LEDGER_RECORD_H
#define LEDGER_RECORD_H

#include "ledger/ledger.h"
#include "schemas/claims.h"
#include "schemas/pass.h"

/* --- claims --- */

/* The claim with that id or label, as claims.json and snapshot.txt of the pass have it. */
bool ledger_claim_of(struct arena *arena, const struct pass *pass, struct span id,
                     struct ledger_claim *claim, struct error *error);

/* --- sources --- */

/* What a source is; the canonical identity comes from whoever names sources (fetch). */
struct source_request {
    struct span canonical, kind, url;
    struct span title, authors, venue, year, version, metadata_status; /* "" = UNVERIFIED */
};
/* Adds a source as a lead. One that is there already is answered as it stands, *already true, with
 * what was unknown filled in from the request. */
bool ledger_add_source(struct ledger *ledger, const struct source_request *request,
                       struct ledger_source *source, bool *already, struct error *error);

/* What reading a source gave. */
struct reading_result {
    enum reading_status status;
    struct span reason; /* one sentence */
    struct span text;   /* UTF-8; "" unless full text or abstract only */
    struct span form;   /* html | pdf | text | markdown | notebook */
    struct span from;   /* final URL or file name */
    struct span original_sha256;
    struct span archive; /* file name under ledger/archive, or "" */
};
/* Stores text and status. A text that was read before is never replaced by less: then only the
 * history says what was tried, and *kept is true. Evidence anchored in an earlier text stays as it
 * is; carry-over holds it against the new one. */
bool ledger_set_reading(struct ledger *ledger, struct ledger_source *source,
                        const struct reading_result *result, bool *kept, struct error *error);

/* The source with this id, a unique beginning of its id (at least 4 digits), or this canonical
 * identity. Not found is ERROR_INPUT. */
bool ledger_find_source(struct ledger *ledger, struct span name, struct ledger_source *source,
                        struct error *error);

/* --- evidence --- */

struct evidence_request {
    struct ledger_claim claim;
    struct span source;          /* as ledger_find_source takes it */
    struct span relation, class; /* class "" = the relation's usual one */
    struct span quote, note;
    size_t at; /* byte the quote starts at; SIZE_MAX = it stands in one place */
};
/* The same item again is answered as it stands, *already true. */
bool ledger_add_evidence(struct ledger *ledger, const struct evidence_request *request,
                         struct ledger_evidence *evidence, bool *already, struct error *error);

/* A person looked at an item again: it holds, for the claim it was about, or for this claim (not
 * NULL). The quote must stand in the source's stored text of now. An item that gets another id is
 * recorded under it, and the old one stays as a record. */
bool ledger_keep_evidence(struct ledger *ledger, struct span id, const struct ledger_claim *claim,
                          struct span reason, struct ledger_evidence *evidence,
                          struct error *error);
/* Takes an item out of use, with a reason; it stays as a record. */
bool ledger_remove_evidence(struct ledger *ledger, struct span id, struct span reason,
                            struct ledger_evidence *evidence, struct error *error);

/* --- decisions --- */

struct decision_request {
    struct ledger_claim claim;
    struct span decision, reason;
    struct span replacement;     /* "" = none */
    const struct span *evidence; /* ids; each must be an item about this claim */
    size_t evidence_count;
};
/* A second decision on the same claim replaces the first, which stays in the history. */
bool ledger_decide(struct ledger *ledger, const struct decision_request *request,
                   struct ledger_decision *decision, struct error *error);

#endif
