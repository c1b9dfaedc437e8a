/* A check is one rule that examines a document and records findings, confirmations included. One
 * check is one file in audit/checks/ and one line in the table of audit/checks.c. */
#ifndef AUDIT_CHECK_H
#define AUDIT_CHECK_H

#include "audit/document.h"
#include "core/progress.h"
#include "schemas/brief.h"
#include "schemas/findings.h"

struct materials;
struct sources;

struct check_input {
    const struct document *document;
    const struct brief *brief;         /* NULL for assay check */
    const struct sources *sources;     /* NULL for assay check */
    const struct materials *materials; /* NULL for assay check */
    struct progress *progress;         /* NULL = silent */
};

struct check {
    const char *id, *title;
    /* Adds findings and coverage through audit/finding.h. */
    void (*run)(const struct check_input *, struct findings *);
};

extern const struct check *const checks[];
extern const size_t check_count;

/* Runs every check in table order and counts what completed. */
void checks_run(const struct check_input *input, struct findings *findings);

#endif
