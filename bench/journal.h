/* measurements.jsonl: what finished processes measured. A process's lines are appended with one
 * write and fsynced, its record last; samples without a record count for nothing. */
#ifndef BENCH_JOURNAL_H
#define BENCH_JOURNAL_H

#include "schemas/results.h"

struct journal {
    const char *path;
    struct sample *samples;
    size_t sample_count, sample_capacity;
    struct process_record *processes;
    size_t process_count, process_capacity;
    struct contract_record *contracts;
    size_t contract_count, contract_capacity;
    bool torn; /* the file ends inside a line */
};

/* Reads path; a file that is not there is an empty journal, a torn last line is passed over. */
bool journal_load(struct arena *arena, const char *path, struct journal *journal,
                  struct error *error);
/* Lines (each ended by \n) behind what the file has. */
bool journal_append(struct journal *journal, struct span lines, struct error *error);

/* Hash of what a process measures: device and variants. An edit of anything else in the plan leaves
 * its measurements good. */
struct span journal_key(struct arena *arena, const struct experiment *experiment,
                        struct span device);
/* The finished processes of this experiment and key, in ascending order. */
size_t journal_finished(struct arena *arena, const struct journal *journal, struct span experiment,
                        struct span key, size_t **processes);
/* A number no process of this experiment has had. */
size_t journal_next_process(const struct journal *journal, struct span experiment);
/* The latest process of this experiment and key when it failed, else NULL. */
const struct process_record *journal_failure(const struct journal *journal, struct span experiment,
                                             struct span key);
/* The contract its first variant was measured under; NULL when unknown. */
const struct plan_fields *journal_contract(const struct journal *journal,
                                           const struct experiment *experiment, struct span key);

#endif
