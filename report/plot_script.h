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

/* Appends the commands: a row a variant, each sample in its order, warm-up hollow, outliers
 * crossed, median with its interval, the claimed interval as a band where it is in the same unit;
 * a logarithmic axis where the values span more than LOGARITHMIC_FROM. */
void plot_script(struct buffer *out, const struct plot_data *data);
#define LOGARITHMIC_FROM 30

#endif
