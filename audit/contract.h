/* Measurement contracts and environments as texts state them: "DTYPE  float32" on a line of its
 * own, or a run of such pairs that a page collapsed into one paragraph. */
#ifndef AUDIT_CONTRACT_H
#define AUDIT_CONTRACT_H

#include "audit/document.h"

struct contract {
    struct contract_field *fields; /* in order of start */
    size_t count, capacity;
};

/* All stated fields of a document. Names are those of docs/design.md (workload, model, input,
 * device, dtype, mode, execution, metric, window, hardware, runtime, boundary) or the text's own in
 * lower case. */
struct contract contract_find(const struct document *document);
/* The first run of three fields and more in view[start, end): from its first word to the end of its
 * last value. False when there is none. */
bool contract_run(struct span view, size_t start, size_t end, size_t *from, size_t *to);

#endif
