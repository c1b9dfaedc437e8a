/* What gnuplot is told to draw one experiment. */
#ifndef REPORT_PLOT_SCRIPT_H
#define REPORT_PLOT_SCRIPT_H

#include "report/view.h"

struct plot_data {
    const struct view *view;
    const struct result *result;
    size_t *samples; /* indices into view.samples: finite, no sham, in order of the file */
    size_t count, capacity;
};

/* Appends the commands: variants side by side, each sample in its order, warm-up hollow, outliers
 * crossed, median with its interval, the claimed interval as a band where it is in the same unit.
 */
void plot_script(struct buffer *out, const struct plot_data *data);
/* "<title>...</title><desc>...</desc>" for the picture. */
void plot_words(struct buffer *out, struct span title, struct span alt);

#endif
