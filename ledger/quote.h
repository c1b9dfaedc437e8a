/* A quote found in a text: exactly, or after the declared normalization of normal.h; never nearly.
 */
#ifndef LEDGER_QUOTE_H
#define LEDGER_QUOTE_H

#include "core/error.h"
#include "core/memory.h"

#include <stdint.h>

enum { QUOTE_LONGEST_BYTES = 8000, QUOTE_ANYWHERE_MOST = 16 };

struct quote_match {
    size_t start, end;         /* bytes of the text */
    struct span normalization; /* steps that were needed, "" when the quote stands exactly */
    size_t occurrences;        /* how often it stands in the text, at least 1 */
};

/* Finds quote in text (both UTF-8). at: the byte it must start at, or SIZE_MAX for anywhere, which
 * needs a quote that stands there once. Refuses (ERROR_INPUT; where names the text for messages)
 * one that is not there, that starts or ends inside a word or a number, or that stands in several
 * places; the message says how far it stands and what the text goes on with. */
bool quote_find(struct arena *arena, struct span text, struct span quote, size_t at,
                const char *where, struct quote_match *match, struct error *error);

#endif
