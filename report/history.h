/* Earlier passes over the same chapter in the same workspace, for what changed since and for drift.
 * A pass outside of a workspace (folder .../passes/BOOK/CHAPTER/NAME) has none. */
#ifndef REPORT_HISTORY_H
#define REPORT_HISTORY_H

#include "report/view.h"

/* So many of the latest are looked at. */
enum { HISTORY_MOST = 12 };

struct history {
    struct pass passes[HISTORY_MOST]; /* that read and audited something, oldest first */
    struct results results[HISTORY_MOST];
    size_t count;
    struct view *previous; /* the latest of them, or NULL */
};

/* An earlier pass that cannot be read is left out: it must not keep this one from its report. */
void history_load(const struct view *view, struct history *history);

/* Between two passes, as the publication record counts it. What a person recorded of a source is
 * reused while it is current; findings are computed anew in every pass, so that one that both
 * passes have is revalidated. */
struct delta {
    size_t relations_reused, relations_revalidated, relations_removed, sources_new;
    size_t claims_added, claims_changed, claims_removed;
    size_t findings_new, findings_gone, verdicts_moved, measurements_shifted, sources_died;
};
void delta_of(const struct view *previous, const struct view *view, struct delta *delta);

#endif
