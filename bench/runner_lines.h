/* What an experiment's process wrote on stdout, checked and put into the journal. */
#ifndef BENCH_RUNNER_LINES_H
#define BENCH_RUNNER_LINES_H

#include "bench/family.h"
#include "bench/journal.h"

/* A family with the keys its members' measurements have in the journal. */
struct measured_family {
    struct family family;
    const struct span *keys; /* one a member */
};

struct lines {
    struct sample *samples;
    size_t count, capacity;
    struct contract_record *contracts;
    size_t contract_count, contract_capacity;
    struct span *disturbances; /* from a process that watched its machine itself */
    size_t disturbance_count;
    struct plan_fields environment; /* of that machine; empty: of this one */
};

/* text: what the process wrote; false and why when it is not what was asked for. */
bool lines_read(struct arena *arena, const struct family *family, size_t process, struct span text,
                struct lines *lines, struct error *error);
/* Appends what each member gets of lines, and record for each, with one write. */
bool lines_append(struct arena *arena, struct journal *journal, const struct measured_family *all,
                  const struct lines *lines, const struct process_record *record,
                  struct error *error);

#endif
