/* Findings as lines for a person: "file:line:column: severity check: message". */
#ifndef CLI_FINDINGS_TEXT_H
#define CLI_FINDINGS_TEXT_H

#include "schemas/claims.h"
#include "schemas/findings.h"

/* Appends one line a finding (confirmations are only counted) and a closing line with the counts.
 */
void findings_text_write(struct buffer *out, struct span name, struct span text,
                         const struct claims *claims, const struct findings *findings, bool color);
/* A finding that is neither a confirmation, a note nor suppressed has at least this severity. */
bool findings_reach(const struct findings *findings, int severity);

#endif
