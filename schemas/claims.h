/* claims.json (assay.claims.v1). Written by audit; the JSON shape is fixed in docs/design.md 3. */
#ifndef SCHEMAS_CLAIMS_H
#define SCHEMAS_CLAIMS_H

#include "core/json.h"
#include "schemas/status.h"

#define CLAIMS_SCHEMA "assay.claims.v1"

enum bound {
    BOUND_NONE,
    BOUND_ABOUT,
    BOUND_AT_LEAST,
    BOUND_AT_MOST,
    BOUND_OVER,
    BOUND_UNDER,
    BOUND_EXACT
};

/* One number as printed. value..value_high is the printed value (equal unless a range "40-50");
 * lo..hi is the interval its digits and hedges stand for, after the unit's SI suffix. */
struct quantity {
    size_t start, end;           /* bytes of the digits (a range includes both ends) in the text */
    size_t unit_start, unit_end; /* bytes of the unit next to it; equal when none stands there */
    struct span printed;         /* the digits as printed: kept as text for exact arithmetic */
    double value, value_high, lo, hi;
    int decimals;     /* printed digits behind the mark; negative for "1.2k"-style scaling */
    struct span unit; /* registry symbol: "ms", "GB/s", "x", "%", "parameter"; "" for none */
    struct span per;  /* "step" in ms/step; "" for none */
    const struct unit
        *registry; /* audit's row of audit/data/units.tsv, NULL when unit is free text */
    enum bound bound;
    enum quantity_role role;
    struct span subject; /* what it is a value of: row label / column header / sentence subject */
    size_t block, sentence; /* indices into audit's document; SIZE_MAX outside */
    size_t claim;           /* index of the claim it belongs to, or SIZE_MAX */
    bool in_words;          /* "twice", "half", "eight" */
    bool malformed;         /* printed in a way no rule accepts; reported by a check */
};

struct contract_field {
    struct span name; /* workload | model | input | device | dtype | mode | execution | metric |
                         window | hardware | runtime | boundary | ... as the text calls it */
    struct span value;
    size_t start, end;
};

struct claim {
    struct span id; /* "c-" and 8 hex digits of SHA-256 over kind, quote, heading path, ordinal */
    struct span label; /* "C1" in order of appearance */
    enum claim_kind kind;
    size_t start, end;    /* bytes of the text */
    struct span quote;    /* text[start, end) */
    struct span *heading; /* heading path */
    size_t heading_count;
    enum block_kind block;
    struct span subject;
    struct contract_field *contract; /* the measurement contract that governs it, field by field */
    size_t contract_count;
    size_t first_quantity, quantity_count; /* into claims.quantities */
    enum severity priority;                /* audit's, from its findings */
    enum response response;
};

struct claims {
    struct span text_file, text_sha256;
    struct claim *claims;
    size_t count, capacity;
    struct quantity *quantities; /* in order of start; a claim's are contiguous */
    size_t quantity_count, quantity_capacity;
};

void claims_write(struct buffer *out, const struct claims *claims);
/* Writes the members "text" and "claims" into an open object (assay check --json). */
void claims_write_members(struct json_writer *w, const struct claims *claims);
/* quantity.registry stays NULL. */
bool claims_read(struct arena *arena, struct span json, const char *where, struct claims *claims,
                 struct error *error);
/* The claim with this id or label, or NULL. */
const struct claim *claims_find(const struct claims *claims, struct span id);

#endif
