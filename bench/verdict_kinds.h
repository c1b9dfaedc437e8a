/* One function a kind of relation; see enum experiment_kind. */
#ifndef BENCH_VERDICT_KINDS_H
#define BENCH_VERDICT_KINDS_H

#include "bench/verdict.h"

struct judgement {
    enum truth truth;
    struct span reason; /* one sentence with the numbers used */
};

enum experiment_kind experiment_kind_of(const struct experiment *experiment);
/* Appends the effects it looked at to result, whose noise_floor is set. */
struct judgement judge_relation(struct arena *arena, const struct evidence *evidence,
                                struct result *result);

#endif
