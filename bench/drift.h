/* In what a rerun differs from what was claimed, and so which verdicts it allows. */
#ifndef BENCH_DRIFT_H
#define BENCH_DRIFT_H

#include "schemas/results.h"

/* Fills result's drift and match. ours: the contract measured under (may be empty before anything
 * ran); environment: of this machine; device: cpu | cuda. */
void drift_find(struct arena *arena, const struct experiment *experiment,
                const struct plan_fields *ours, const struct plan_fields *environment,
                struct span device, struct result *result);

#endif
