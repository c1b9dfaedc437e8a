/* Stage 4: artifacts -> reports. Reads every artifact the pass has; one it lacks is said to be
 * missing in the report, never guessed. Same artifacts, same bytes. */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include "core/progress.h"
#include "schemas/pass.h"

struct report_options {
    struct progress *progress;
    bool text;  /* also append the terminal summary to `out` */
    bool color; /* colours in the terminal summary */
    int width;  /* columns of the terminal summary; 0 = 80 */
};

/* Writes report.md, report.html, dossier.yaml, report.sarif, ... into the pass. */
bool report_pass(struct arena *arena, struct pass *pass, const struct report_options *options,
                 struct buffer *out, struct error *error);
/* The closing summary only (at most 30 lines), from the artifacts. */
bool report_summary(struct arena *arena, const struct pass *pass,
                    const struct report_options *options, struct buffer *out, struct error *error);

#endif
