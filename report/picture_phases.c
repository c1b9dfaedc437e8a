/* Where a step's time goes: the phases as shares of the full step, measured and claimed. Where the
 * device did not time them apart (boundary "phases") they are differences of modes: backward is
 * forward-and-backward less forward, the optimizer is the full step less both. */
#include "report/picture.h"

#include <math.h>

enum { FORWARD, BACKWARD, REST, PHASES };
static const char *const names[PHASES] = {"forward", "backward", "optimizer and rest"};
static const char *const colours[PHASES] = {"#0550ae", "#8250df", "#bf8700"};

struct times {
    double forward, both, step; /* ms; NAN when unknown */
};

struct found {
    struct times measured, claimed;
};

static double *slot(struct times *times, const struct plan_variant *plan) {
    struct span mode = plan_fields_get(&plan->parameters, "mode");
    if (!span_equal(plan->metric, SPAN("step")) || !span_equal(plan->unit, SPAN("ms")))
        return NULL;
    if (span_equal(mode, SPAN("forward")))
        return &times->forward;
    if (span_equal(mode, SPAN("forward-backward")))
        return &times->both;
    return span_equal(mode, SPAN("step")) ? &times->step : NULL;
}

/* Phases that the device timed apart: copies count with forward, the loss with backward. */
static void note_phase(void *context, const struct picture_variant *v) {
    static const struct {
        const char *metric;
        bool in_forward, in_both;
    } phases[] = {{"copies", true, true},
                  {"forward", true, true},
                  {"loss", false, true},
                  {"backward", false, true}};
    struct times *times = context;
    if (!v->measured || !span_equal(v->measured->unit, SPAN("ms")))
        return;
    if (variant_has(v->plan, "phases", "step"))
        times->step = v->measured->median;
    for (size_t i = 0; i < sizeof phases / sizeof *phases; i++)
        if (variant_has(v->plan, "phases", phases[i].metric)) {
            times->forward += phases[i].in_forward ? v->measured->median : 0;
            times->both += phases[i].in_both ? v->measured->median : 0;
        }
}

/* One experiment measures its variants in turns within each process: only there differences mean
 * something. The first experiment that has all three is taken. */
static struct times of_one(const struct view *view, const struct experiment *experiment) {
    struct times times = {NAN, NAN, NAN};
    const struct result *result = NULL;
    for (size_t i = 0; i < view->results.count && !result; i++)
        if (span_equal(view->results.results[i].id, experiment->id))
            result = &view->results.results[i];
    for (size_t k = 0; result && k < experiment->variant_count; k++) {
        double *value = slot(&times, &experiment->variants[k]);
        for (size_t i = 0; value && i < result->measured_count; i++)
            if (span_equal(result->measured[i].variant, experiment->variants[k].name))
                *value = result->measured[i].median;
    }
    return times;
}

static bool complete(const struct times *t) {
    return isfinite(t->forward) && isfinite(t->both) && isfinite(t->step) && t->step > 0 &&
           t->forward > 0 && t->both >= t->forward && t->step >= t->both;
}

static struct times measured_times(const struct view *view) {
    struct times apart = {0, 0, NAN};
    picture_variants(view, note_phase, &apart);
    if (complete(&apart))
        return apart;
    for (size_t i = 0; i < view->plan.count; i++) {
        struct times times = of_one(view, &view->plan.experiments[i]);
        if (complete(&times))
            return times;
    }
    return (struct times){NAN, NAN, NAN};
}

static void note_claimed(void *context, const struct picture_variant *v) {
    struct times *times = context;
    double *value = slot(times, v->plan);
    if (value && isnan(*value) && v->result && isfinite(v->result->claimed_lo) &&
        isfinite(v->result->claimed_hi) && span_equal(v->result->unit, SPAN("ms")) &&
        span_equal(v->result->kind, SPAN("absolute")))
        *value = (v->result->claimed_lo + v->result->claimed_hi) / 2;
}

static void put_row(struct picture *picture, const char *whose, const struct times *t, double row) {
    double ends[PHASES + 1] = {0, t->forward, t->both, t->step};
    buffer_printf(&picture->alt, "%s%s, of %.4g ms a step:", picture->alt.len ? "; " : "", whose,
                  t->step);
    for (int i = 0; i < PHASES; i++) {
        double ms = ends[i + 1] - ends[i], share = 100 * ms / t->step;
        buffer_printf(&picture->csv, "%s,%s,%.6g,%.6g\n", whose, names[i], ms, share);
        buffer_printf(&picture->alt, " %s %.3g ms (%.0f %%)%s", names[i], ms, share,
                      i + 1 < PHASES ? "," : "");
        buffer_printf(&picture->script, "$p%d%d << EOD\n%.6g %.2f %.6g %.6g %.2f %.2f\nEOD\n",
                      row > 1, i, 100 * (ends[i] + ends[i + 1]) / 2 / t->step, row,
                      100 * ends[i] / t->step, 100 * ends[i + 1] / t->step, row - 0.3, row + 0.3);
    }
}

static void put_plot(struct picture *picture, bool claimed) {
    buffer_add(&picture->script, SPAN("plot "));
    for (int row = 0; row <= (claimed ? 1 : 0); row++)
        for (int i = 0; i < PHASES; i++)
            buffer_printf(&picture->script,
                          "%s$p%d%d using 1:2:3:4:5:6 with boxxyerror fs solid %s noborder lc rgb "
                          "'%s' %s%s%s",
                          row + i ? ", " : "", row, i, row ? "1.0" : "0.6", colours[i],
                          row == claimed ? "title '" : "notitle", row == claimed ? names[i] : "",
                          row == claimed ? "'" : "");
    buffer_add_byte(&picture->script, '\n');
}

bool picture_phases(const struct view *view, struct picture *picture) {
    struct times measured = measured_times(view), claimed = {NAN, NAN, NAN};
    if (!complete(&measured))
        return false;
    picture_variants(view, note_claimed, &claimed);
    bool both = complete(&claimed);
    picture->title = SPAN("Where the time of a step goes, by phase (share of the full step, %)");
    buffer_add(&picture->csv, SPAN("whose,phase,ms,share_percent\n"));
    plot_begin(&picture->script, picture->title, both ? 250 : 200);
    plot_label(&picture->script, 'x', SPAN("share of the full step, %"));
    buffer_printf(&picture->script,
                  "set xrange [0:100]\nset yrange [0:%d]\nset ytics (%s'measured' %s) scale 0\n",
                  both ? 2 : 1, both ? "'claimed' 1.5, " : "", "0.5");
    put_row(picture, "measured", &measured, 0.5);
    if (both)
        put_row(picture, "claimed", &claimed, 1.5);
    put_plot(picture, both);
    return true;
}
