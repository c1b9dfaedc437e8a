/* A text under a declared normalization, and the way back to its bytes: what lets a quote be found
 * that differs from the text only in white space, Unicode composition, or the shape of quotation
 * marks and dashes. Case, digits and letters are never changed. */
#ifndef LEDGER_NORMAL_H
#define LEDGER_NORMAL_H

#include "core/memory.h"

enum normal_step {
    NORMAL_SPACE = 1,      /* runs of white space (Unicode's too) are one space */
    NORMAL_NFC = 2,        /* Unicode NFC */
    NORMAL_QUOTES = 4,     /* curly and straight quotation marks and apostrophes are equal */
    NORMAL_DASHES = 8,     /* hyphens, dashes and the minus sign are equal */
    NORMAL_LIGATURES = 16, /* fi, fl, ff, ffi, ffl, st */
    NORMAL_INVISIBLE = 32, /* soft hyphens, zero-width spaces, byte order marks are nothing */
    NORMAL_BASE = 63,
    /* One of these beside the base: what a hyphen at the end of a line inside a word is. */
    NORMAL_LINE_HYPHEN_DROPPED = 64, /* "band-\nwidth" is "bandwidth" */
    NORMAL_LINE_HYPHEN_KEPT = 128,   /* "state-of-\nthe-art" is "state-of-the-art" */
};

/* text is UTF-8. The result is in the arena. Linear in text. */
struct span normal_of(struct arena *arena, struct span text, unsigned steps);
/* Bytes [*start, *end) of text that [from, to) of its normalization comes from; from < to. */
void normal_place(struct span text, unsigned steps, size_t from, size_t to, size_t *start,
                  size_t *end);
/* Names of the steps without which a and b are not equal ("white space, quotation marks"). */
struct span normal_difference(struct arena *arena, struct span a, struct span b, unsigned steps);

#endif
