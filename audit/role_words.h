/* Words that tell what a number is for. Small lists of classes, each stated in docs/quantities.md.
 */
#ifndef AUDIT_ROLE_WORDS_H
#define AUDIT_ROLE_WORDS_H

#include "core/span.h"

enum word_class {
    WORDS_SETTING,    /* seed, batch, layers: what a person chose */
    WORDS_LIMIT,      /* timeout, default, budget, window: a setting also where it has a unit */
    WORDS_HARDWARE,   /* RAM, cache, link, drive, card: what a machine is made of */
    WORDS_RATED,      /* rated, theoretical, boost, TDP: what a maker says */
    WORDS_MEASURED,   /* time, latency, usage, accuracy, errors: what was observed */
    WORDS_COMPARED,   /* speedup, ratio, share, change, saved: one value against another */
    WORDS_COMPARATIVE /* faster, less, more, higher */
};

/* Whether a word of the class stands in the text, in any case, singular or plural. */
bool role_words_any(struct span text, enum word_class words);
/* The class of the last word of the text that has one of the classes in mask (1 << class), or -1.
 */
int role_words_last(struct span text, unsigned mask);

/* Whether text begins or ends with one of the phrases, as whole words, case-insensitive. */
bool role_words_start(struct span text, const char *const *phrases);
bool role_words_end(struct span text, const char *const *phrases);

#endif
