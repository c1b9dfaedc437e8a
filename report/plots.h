/* Pictures: one of each experiment and those of the pass as a whole (picture.h), drawn by one
 * gnuplot, and the numbers of each as CSV. The text that goes to gnuplot is data or single-quoted
 * words of a small alphabet, so that no variant's name can be a command. */
#ifndef REPORT_PLOTS_H
#define REPORT_PLOTS_H

#include "report/history.h"

#define PLOT_OF_PASS SIZE_MAX

struct plot {
    size_t result;            /* index into view.results.results, or PLOT_OF_PASS */
    const char *file, *table; /* "plots/experiment-1.svg", "plots/experiment-1.csv" */
    struct span svg, csv;     /* svg is empty when gnuplot could not draw it */
    struct span title, alt;
};

struct plots {
    struct plot *items; /* of the pass first, then in the order of the results */
    size_t count, capacity;
    const char *reason; /* why there are no pictures, or NULL */
};

/* Makes a plot for each experiment that has samples or medians, in the arena of the view. A missing
 * or failing gnuplot leaves the tables and a reason: pictures never cost a report. */
void plots_draw(const struct view *view, const struct history *history, struct plots *plots);

#endif
