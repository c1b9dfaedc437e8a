/* Part of results.json: where a workload's time goes, and what single changes of it do. No claim is
 * judged by it; it says what to look at. */
#ifndef SCHEMAS_EXPLORATION_H
#define SCHEMAS_EXPLORATION_H

#include "core/json.h"
#include "schemas/plan.h"

/* One part of a step. Rates are NAN where the part has no work of that kind. */
struct phase_row {
    struct span name; /* forward | loss | backward | optimizer | copies */
    double ms;
    double gflops, gbs;      /* achieved, operands counted once */
    double of_gemm, of_copy; /* of the ceilings measured in the same processes */
    struct span limit;       /* arithmetic | memory | neither */
};

struct localization_result {
    bool known;
    double step_ms, host_ms, idle_ms, synchronized_ms; /* synchronized: each step waited for */
    double gemm_gflops, copy_gbs;                      /* ceilings */
    struct phase_row *phases;
    size_t phase_count, phase_capacity;
    struct span limit; /* host | arithmetic | memory | input | synchronization | neither */
    struct span proof; /* the numbers that say so */
};

struct dimension {
    struct span name, unit;
    double before, after; /* NAN: not measured */
};

struct change_result {
    struct span name;
    struct span verdict; /* see change_words */
    struct span reason;
    double tolerance, before, after; /* of the workload's own result, relative */
    double ratio, lo, hi;            /* time a step, changed / baseline, 95 % */
    struct dimension *dimensions;
    size_t dimension_count, dimension_capacity;
};

extern const struct word_list change_words;
enum change_verdict {
    CHANGE_GAIN,
    CHANGE_NO_GAIN,
    CHANGE_LOSS,
    CHANGE_UNDECIDED,
    CHANGE_NOT_EQUIVALENT,
    CHANGE_NOT_AVAILABLE,
    CHANGE_NOT_MEASURED,
};

struct exploration {
    struct span id, title;
    struct span reason; /* why nothing was measured, or from how many processes it is */
    bool measured;
    struct plan_fields contract;
    double noise_floor;
    struct localization_result localization;
    struct change_result *changes;
    size_t change_count, change_capacity;
};

void exploration_write(struct json_writer *w, const struct exploration *exploration);
void exploration_read(struct arena *arena, const cJSON *object, struct exploration *exploration);

#endif
