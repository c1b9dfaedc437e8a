/* Pictures of a pass as a whole, each one file picture_NAME.c and one line in plots.c. */
#ifndef REPORT_PICTURE_H
#define REPORT_PICTURE_H

#include "report/history.h"
#include "report/plot_style.h"
#include "report/view.h"

struct picture {
    const char *name;     /* stem of its files */
    struct span title;    /* with what is shown and in which unit */
    struct buffer alt;    /* what a reader who hears it needs: the numbers in words */
    struct buffer csv;    /* header line first */
    struct buffer script; /* gnuplot's commands from plot_begin on */
};

/* Fills everything but the name; false when the pass has no data for it. */
typedef bool picture_draw(const struct view *view, struct picture *picture);

picture_draw picture_claimed, picture_phases, picture_loops, picture_roofline, picture_scaling,
    picture_lifecycle;

bool picture_drift(const struct view *view, const struct history *history, struct picture *picture);

/* A planned variant with its measurement. */
struct picture_variant {
    const struct result *result;
    const struct plan_variant *plan;
    const struct measured *measured; /* NULL: not measured */
};
/* Calls visit for every variant of every experiment of the plan, in order. */
void picture_variants(const struct view *view,
                      void (*visit)(void *context, const struct picture_variant *variant),
                      void *context);
bool variant_has(const struct plan_variant *variant, const char *boundary, const char *metric);
/* A parameter as a number; NAN when it is none. */
double variant_number(const struct plan_variant *variant, const char *parameter);

#endif
