/* What an experiment says about a claim. The rules are in docs/verdicts.md. */
#ifndef BENCH_VERDICT_H
#define BENCH_VERDICT_H

#include "bench/series.h"

/* Everything a verdict is made from; nothing else has a say. */
struct evidence {
    const struct experiment *experiment;
    const struct series_set *series;
    double alpha;           /* one-sided, of every interval judged by: STATS_LOOK_ALPHA or 0.025 */
    enum match_level match; /* how close this machine is to the claim's; as in result->match */
    size_t disturbed;       /* processes that something disturbed */
    size_t unsteady, runs;  /* runs without a steady state, of how many */
    double timer_step;      /* in the unit of the first variant; 0 = far below it */
};

/* Fills status, reason, effects, conditions, measured and noise_floor of result, whose id, drift,
 * match and the like are set by the caller. Never UNRUN or FAILED: those had no samples. */
void verdict_judge(struct arena *arena, const struct evidence *evidence, struct result *result);
/* An absolute value on other hardware, or changed parameters: NOT COMPARABLE whatever is measured.
 * Then true, with status and reason set. */
bool verdict_is_foregone(struct arena *arena, const struct experiment *experiment,
                         struct result *result);
/* Whether more processes could still change it: INCONCLUSIVE for want of precision. */
bool verdict_is_open(const struct evidence *evidence, const struct result *result);

/* --- the parts, for the files of the verdict and their tests --- */

enum truth { TRUTH_OPEN, TRUTH_HOLDS, TRUTH_FAILS };

/* value in [lo, hi] against a margin whose ends may be infinite: inside, outside, or across. */
enum truth truth_within(double lo, double hi, double margin_lo, double margin_hi);

/* Fewest processes anything is judged from. */
#define VERDICT_PROCESSES 3
/* Smallest difference that is called one, relative. */
#define VERDICT_LEAST 0.01

#endif
