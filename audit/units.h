/* The registry of units and counted nouns (audit/data/units.tsv), and units as texts print them. */
#ifndef AUDIT_UNITS_H
#define AUDIT_UNITS_H

#include "core/memory.h"

struct unit {
    struct span symbol, dimension;
    double numerator, denominator; /* of the dimension's base unit */
    bool is_noun;                  /* a counted thing: singular symbol */
};

/* By symbol or alias: exact spelling for units, any case for nouns and words of four letters and
 * more. NULL when the registry does not know it. Safe to call from several threads. */
const struct unit *unit_find(struct span word);

/* A unit read from a text: "ms/step", "GB/s", "tokens per second", "M parameters". */
struct unit_text {
    const struct unit *registry; /* of the part above the line; NULL when none was read */
    struct span symbol;          /* normalized: "ms", "GB/s", "tokens/s", "parameter" */
    struct span per;             /* "step"; "" when the denominator is time or absent */
    double factor;               /* of an SI suffix or "million" before a counted noun */
    size_t start, end;           /* bytes of the unit */
};

/* Reads the unit behind the number that ends at at; limit bounds the search. */
bool unit_read(struct arena *arena, struct span text, size_t at, size_t limit,
               struct unit_text *unit);
/* Reads what stands behind a number whose unit stood before it ("$3.06/h", "$1.2 million a year").
 */
bool unit_read_behind(struct arena *arena, const struct unit *known, struct span text, size_t at,
                      size_t limit, struct unit_text *unit);
/* Reads a whole text as a unit ("ms", "(ms)", "[GB/s]"), as in a column header. */
bool unit_read_whole(struct arena *arena, struct span text, struct unit_text *unit);

#endif
