/* Priority and response of every claim, from its findings (docs/checks.md). */
#ifndef AUDIT_PRIORITY_H
#define AUDIT_PRIORITY_H

#include "schemas/claims.h"
#include "schemas/findings.h"

/* A claim's priority is the highest severity among its findings that are not suppressed, notes and
 * confirmations left out; its response is that finding's. A claim without any is info and no
 * change. */
void priority_settle(struct arena *arena, struct claims *claims, const struct findings *findings);

#endif
