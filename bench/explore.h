/* What the processes of an exploration say: where a step's time goes, what limits it, and what each
 * change did. */
#ifndef BENCH_EXPLORE_H
#define BENCH_EXPLORE_H

#include "bench/series.h"

/* Fills localization and changes of result from the medians of the processes, so many of which
 * something disturbed; id, title, reason, measured and contract are the caller's. */
void explore_judge(struct arena *arena, const struct experiment *experiment,
                   const struct series_set *series, size_t disturbed, struct exploration *result);

/* The resource that limits a step, with its proof: the rules are in docs/verdicts.md. phases and
 * the times of found are set. */
void explore_limit(struct arena *arena, struct localization_result *found);

#endif
