/* An earlier claim found again in the newest text: by its id, word for word, or as a proposal. */
#ifndef LEDGER_CARRY_CLAIMS_H
#define LEDGER_CARRY_CLAIMS_H

#include "schemas/carry_over.h"
#include "schemas/claims.h"
#include "schemas/ledger_item.h"

struct carry_key {
    struct span key;
    size_t claim;
};

/* The claims of one text by id, by their words, and by their words without digits. */
struct carry_index {
    struct arena *arena;
    struct span text;
    const struct claims *claims;
    struct carry_key *by_id, *by_quote, *by_skeleton; /* sorted, claims->count each */
    bool *known; /* a claim the pass before had: never proposed for another one */
};

void carry_index_make(struct arena *arena, struct span text, const struct claims *claims,
                      struct carry_index *index);

enum carry_found {
    FOUND_SAME,  /* the same id: the same words in the same part of the text */
    FOUND_MOVED, /* the same words elsewhere, in one place or told apart by what surrounds them */
    FOUND_PROPOSED, /* other words; a person says whether this is the claim */
    FOUND_UNCLEAR,  /* the same words in several places, and nothing tells which */
    FOUND_NOT
};

/* claim is the index of the claim for SAME, MOVED and PROPOSED. */
struct carry_match {
    enum carry_found found;
    size_t claim;
};

/* anchor may be NULL where only id and words are known. */
struct carry_match carry_match_claim(const struct carry_index *index, struct span id,
                                     struct span quote, const struct ledger_anchor *anchor);

/* Counts and changes between the claims of two passes; learns which claims are known. */
void carry_compare_claims(struct arena *arena, const struct claims *before, struct carry_index *now,
                          struct carry_over *carry);

#endif
