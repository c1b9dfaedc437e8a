/* Findings that somebody has decided about, from a file (assay.suppressions.v1):
 *
 *     {"schema": "assay.suppressions.v1", "suppressions": [
 *       {"finding": "f-0a1b2c3d", "text_sha256": "...", "reason": "rounded on purpose",
 *        "date": "2026-12-01", "expires": "2027-06-01"}]}
 *
 * Every member is required. A suppression is bound to the text it was decided on: over another text
 * or past its expiry it does nothing, and a note says so. What it suppresses stays in the findings,
 * marked and counted; nothing is ever dropped. */
#ifndef AUDIT_SUPPRESS_H
#define AUDIT_SUPPRESS_H

#include "audit/check.h"
#include "core/error.h"

#include <stdint.h>

struct suppression {
    struct span finding, text_sha256, reason, date, expires;
    int64_t expires_s; /* midnight UTC at which it ends, seconds since 1970 */
};

struct suppressions {
    struct suppression *list;
    size_t count;
};

/* ERROR_INPUT with the number of the entry when the file is not what it must be. */
bool suppressions_read(struct arena *arena, const char *path, struct suppressions *suppressions,
                       struct error *error);
/* Marks findings (their ids are settled) and adds notes on entries that no longer hold. Entries of
 * other texts whose finding is not among these are left alone: one file may serve many documents.
 */
void suppressions_apply(const struct check_input *input, const struct suppressions *suppressions,
                        int64_t now_s, struct findings *findings);

#endif
