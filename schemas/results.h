/* results.json (assay.results.v1): what each experiment says, and measurements.jsonl
 * (assay.measurement.v1), one JSON object a line: {"schema","experiment","variant","process",
 * "iteration","value","unit","warmup":bool,"environment":id,...}. Written by bench. */
#ifndef SCHEMAS_RESULTS_H
#define SCHEMAS_RESULTS_H

#include "core/json.h"
#include "schemas/plan.h"
#include "schemas/status.h"

#define RESULTS_SCHEMA "assay.results.v1"
#define MEASUREMENT_SCHEMA "assay.measurement.v1"

struct measured {
    struct span variant, unit;
    size_t n;                    /* processes (independent samples) */
    size_t samples;              /* raw samples behind them, warm-up left out */
    double median, ci_lo, ci_hi; /* 95 % interval; NAN when n is too small */
    size_t warmup_dropped, outliers;
};

struct drift {
    struct span field, claimed, ours;
};

struct result {
    struct span id; /* experiment id */
    struct span title, kind;
    struct span *claims;
    size_t claim_count;
    enum experiment_status status;
    struct span reason; /* one sentence with the numbers used; never empty for UNRUN */
    struct plan_fields contract;
    struct drift *drift;
    size_t drift_count, drift_capacity;
    struct span claimed, unit;
    double claimed_lo, claimed_hi;
    struct measured *measured;
    size_t measured_count, measured_capacity;
    struct span relation;
    struct span method, success, failure;
    double noise_floor; /* relative; NAN when no sham pair ran */
    struct span log;    /* tail of the process's stderr for FAILED */
};

struct results {
    struct result *results;
    size_t count, capacity;
    struct plan_fields environment; /* of this machine */
    struct span started_at, finished_at;
};

void results_write(struct buffer *out, const struct results *results);
bool results_read(struct arena *arena, struct span json, const char *where, struct results *results,
                  struct error *error);

/* One line of measurements.jsonl. */
struct sample {
    struct span experiment, variant, unit;
    size_t process, iteration;
    double value;
    bool warmup, outlier;
};

void sample_write(struct buffer *out, const struct sample *sample);
bool sample_read(struct arena *arena, struct span line, const char *where, struct sample *sample,
                 struct error *error);

#endif
