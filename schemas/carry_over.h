/* carry_over.json (assay.carry-over.v1): what became of the claims of the pass before this one, and
 * of the ledger's items about them. */
#ifndef SCHEMAS_CARRY_OVER_H
#define SCHEMAS_CARRY_OVER_H

#include "core/json.h"
#include "schemas/status.h"

#define CARRY_OVER_SCHEMA "assay.carry-over.v1"

enum carry_outcome {
    CARRY_REUSED,      /* claim and passage are what they were */
    CARRY_REVALIDATED, /* both were found again word for word, at another place */
    CARRY_REEVALUATE,  /* the passage changed: a person looks again */
    CARRY_ORPHANED,    /* the claim's words are gone; at most a match is proposed */
    CARRY_REMOVED,     /* claim or source is gone; the item stays as a record */
    CARRY_UNREAD,      /* the pass did not read the part of the text it is about */
    CARRY_OUTCOMES
};
extern const struct word_list carry_words;

/* One evidence item or decision of the ledger. */
struct carry_item {
    struct span id, kind; /* "evidence" | "decision" */
    enum carry_outcome outcome;
    struct span reason;                   /* one sentence; "" when reused */
    struct span claim;                    /* id of the claim it is about now; "" = none */
    struct span proposed, proposed_quote; /* a claim that may be the one it was about; "" = none */
};

/* A claim of the pass before that stands here in other words. */
struct carry_change {
    struct span was, is;             /* ids */
    struct span was_quote, is_quote; /* the words */
};

struct carry_over {
    struct span previous; /* id of the pass before; "" = this is the first */
    size_t claims_kept, claims_added, claims_removed;
    size_t claims_unread;         /* not found by a pass that read only a part of the text */
    struct carry_change *changes; /* claims changed */
    size_t change_count, change_capacity;
    struct carry_item *items;
    size_t item_count, item_capacity;
};

size_t carry_count(const struct carry_over *carry, enum carry_outcome outcome);
void carry_over_write(struct buffer *out, const struct carry_over *carry);
bool carry_over_read(struct arena *arena, struct span json, const char *where,
                     struct carry_over *carry, struct error *error);

#endif
