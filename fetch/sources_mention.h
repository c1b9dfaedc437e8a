/* Works that a text names without an identifier: "Dao et al. (2022)", "as shown in Hennessy and
 * Patterson". Each is a lead to look up, by the words as they stand. */
#ifndef FETCH_SOURCES_MENTION_H
#define FETCH_SOURCES_MENTION_H

#include "fetch/sources_name.h"

/* End of a mention that starts at the word at `at`, or 0. */
size_t source_mention(struct arena *arena, struct span text, size_t at, struct source_name *name);

#endif
