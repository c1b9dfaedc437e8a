/* Experiments that measure some of the same things: one process measures what they ask for, each
 * run once, and what it measured counts for all of them. So a verdict costs less time, or has more
 * processes behind it, and what is compared across experiments was measured side by side. */
#ifndef BENCH_FAMILY_H
#define BENCH_FAMILY_H

#include "bench/experiment.h"
#include "schemas/results.h"

struct family {
    const struct experiment *const *members;
    size_t count;
    struct experiment merged; /* every variant of the members, those measured alike once */
    size_t *shams;            /* of merged: what each member's noise floor is found with */
    size_t sham_count;
};

/* Whether a run of one is a run of the other. */
bool family_related(const struct experiment *a, const struct experiment *b);
/* members lives as long as the family. One member: merged is that experiment, as it is. */
struct family family_of(struct arena *arena, const struct experiment *const *members, size_t count);

/* What the merged experiment's variant of that name is to a member: an index into its variants, or
 * SIZE_MAX when the member did not ask for it. */
size_t family_variant(const struct family *family, size_t member, struct span merged);

#endif
