/* One comparing number being worked out: its fit under every reading, and the findings that say so.
 */
#ifndef AUDIT_RELATION_RUN_H
#define AUDIT_RELATION_RUN_H

#include "audit/finding.h"
#include "audit/relation.h"

struct relation_run {
    const char *check; /* whose finding it is; NULL: "relation" */
    const struct check_input *input;
    const struct document *document;
    struct findings *findings;
    const struct comparison *comparison;
    const struct quantity *compared; /* the comparing number */
    struct interval printed;         /* its size, in base units, without sign */
    double least, most;              /* of printed */
    double ulp;
    size_t tried;
};

enum fit { FIT_NONE, FIT_FAR, FIT_CLOSE, FIT_HOLDS };

struct reading_fit {
    enum reading reading;
    enum fit fit;
    double lo, hi, width; /* base units; width relative to the printed size */
};

/* Fills printed and ulp from compared; false when it has no finite size. */
bool relation_run_printed(struct relation_run *run);
/* Whether no reading can hold, seen without exact arithmetic; counts the readings as tried. A bound
 * or a hedge lets a value be off by at most its size (fit_of). */
bool relation_run_apart(struct relation_run *run, size_t a, size_t b);
/* How the value of a reading fits what is printed, hedges and bounds considered. */
enum fit relation_run_fit(const struct relation_run *run, const struct interval *value);
/* The best fit over the allowed readings; the first listed wins a tie. */
struct reading_fit relation_run_best(struct relation_run *run, size_t from, size_t to);
/* chance: of luck, NAN where words tie the values together. */
void relation_run_confirm(const struct relation_run *run, const struct reading_fit *r, size_t from,
                          size_t to, double chance);
void relation_run_contradict(struct relation_run *run, size_t from, size_t to,
                             enum finding_class class, enum severity severity);

#endif
