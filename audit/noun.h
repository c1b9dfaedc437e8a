/* English nouns as texts print them behind numbers: plural to singular and back, and the words that
 * are never a counted noun. Rules of spelling, no dictionary. */
#ifndef AUDIT_NOUN_H
#define AUDIT_NOUN_H

#include "core/memory.h"

/* "queries" -> "query", "batches" -> "batch", "steps" -> "step"; other words as they are. */
struct span noun_singular(struct arena *arena, struct span word);
/* "query" -> "queries", "batch" -> "batches", "step" -> "steps". */
struct span noun_plural(struct arena *arena, struct span word);
/* Lower case, four letters and more, spelled like a plural, and no function word. */
bool noun_is_plural(struct span word);
/* Words that join or modify and name nothing: "with", "instead", "times", "was". */
bool noun_is_function_word(struct span word);

#endif
