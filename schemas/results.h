/* results.json (assay.results.v1): what each experiment says, and measurements.jsonl
 * (assay.measurement.v1), one JSON object a line: {"schema","experiment","variant","process",
 * "iteration","value","unit","warmup":bool,"environment":id,...}. Written by bench. */
#ifndef SCHEMAS_RESULTS_H
#define SCHEMAS_RESULTS_H

#include "core/json.h"
#include "schemas/exploration.h"
#include "schemas/plan.h"
#include "schemas/status.h"

#define RESULTS_SCHEMA "assay.results.v1"
#define MEASUREMENT_SCHEMA "assay.measurement.v1"

struct measured {
    struct span variant, unit;
    size_t n;                    /* processes (independent samples) */
    size_t samples;              /* raw samples behind them, warm-up left out */
    double median, ci_lo, ci_hi; /* 95 % t interval of the log medians; NAN when n is too small */
    double rank_lo, rank_hi;     /* exact order-statistic interval, >= 95 %; NAN below n = 6 */
    double autocorrelation;      /* lag 1 within processes, median over them; NAN when unknown */
    size_t warmup_dropped, outliers; /* outliers are counted and kept */
};

struct drift {
    struct span field, claimed, ours;
};

/* What a relation came to: a ratio or share with its interval and the margin it was judged by. */
struct effect {
    struct span meaning; /* "loop 20, reported / loop 100, reported" */
    double estimate, lo, hi;
    double margin_lo, margin_hi; /* NAN for a side without a bound */
};

struct condition_result {
    struct span text;
    double value, at_most;
    bool known, held;
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
    struct effect *effects;
    size_t effect_count, effect_capacity;
    struct condition_result *conditions;
    size_t condition_count, condition_capacity;
    struct span match;         /* how close this machine is to the claim's: see match_words */
    struct span *disturbances; /* what made a run unfit: "CPU throttled 3 times during process 2" */
    size_t disturbance_count, disturbance_capacity;
    struct plan_fields scaled; /* parameters changed to fit the budget */
    double noise_floor;        /* relative; NAN when no sham pair ran */
    struct span log;           /* tail of the process's stderr for FAILED */
};

extern const struct word_list match_words;
enum match_level { MATCH_NONE, MATCH_OTHER_HARDWARE, MATCH_SAME_SKU, MATCH_SAME_SOFTWARE };

struct results {
    struct result *results;
    size_t count, capacity;
    struct exploration *explorations;
    size_t exploration_count, exploration_capacity;
    struct plan_fields environment; /* of this machine */
    struct span started_at, finished_at;
};

void results_write(struct buffer *out, const struct results *results);
bool results_read(struct arena *arena, struct span json, const char *where, struct results *results,
                  struct error *error);

/* One line of measurements.jsonl. */
struct sample {
    struct span experiment, variant, unit;
    size_t process, block, iteration; /* block: which turn of the mirrored order, from 0 */
    double value;
    bool warmup, outlier;
    bool sham;               /* the same variant under a second name */
    struct span environment; /* id of an environment line; may be empty */
};

void sample_write(struct buffer *out, const struct sample *sample);
bool sample_read(struct arena *arena, struct span line, const char *where, struct sample *sample,
                 struct error *error);

/* What kind of line measurements.jsonl has: samples, and what surrounds them. */
#define ENVIRONMENT_SCHEMA "assay.environment.v1"
#define PROCESS_SCHEMA "assay.process.v1"

/* One finished process: written behind its samples, which count only with it. */
struct process_record {
    struct span experiment, key; /* key: hash of what was measured, so that an edited plan reruns */
    size_t process;
    struct span end;    /* finished | failed */
    struct span shared; /* "E1 E4": the experiments that this one process measured; may be empty */
    struct span reason; /* of a failure: "killed by signal 9" */
    struct span log;
    double wall_seconds, cpu_seconds;
    struct span *disturbances;
    size_t disturbance_count;
    struct span environment;
};

void process_record_write(struct buffer *out, const struct process_record *record);
bool process_record_read(struct arena *arena, struct span line, const char *where,
                         struct process_record *record, struct error *error);

/* What one variant was measured under: every setting in force, defaults included. */
#define CONTRACT_SCHEMA "assay.contract.v1"
struct contract_record {
    struct span experiment, variant, key; /* key as in process_record */
    struct plan_fields fields;
};
void contract_write(struct buffer *out, const struct contract_record *record);
bool contract_read(struct arena *arena, struct span line, const char *where,
                   struct contract_record *record, struct error *error);

void environment_write(struct buffer *out, struct span id, const struct plan_fields *fields);
/* The "schema" of a line, or the empty span when it is no JSON object (a torn last line). */
struct span measurement_schema(struct arena *arena, struct span line);

#endif
