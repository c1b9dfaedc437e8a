/* What may be said: which relations a reading status permits, and which class goes with which
 * relation. Tables only; docs/ledger.md explains them. */
#ifndef LEDGER_RULES_H
#define LEDGER_RULES_H

#include "core/error.h"
#include "core/memory.h"
#include "schemas/status.h"

/* The class an item gets when none is named. */
struct span rule_class_of(struct span relation);
/* False, with ERROR_INPUT and the reason, when a passage of a source that was read so far cannot
 * stand in that relation, or when class and relation do not go together. where names the source. */
bool rule_permits(struct span relation, struct span class, enum reading_status reading,
                  const char *where, struct error *error);
/* The words of a list, "a, b, c", for messages. */
struct span rule_words(struct arena *arena, const struct word_list *list);

#endif
