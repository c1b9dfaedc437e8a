/* Cost against one parameter that an experiment varies (workers of a data loader, batch, depth),
 * with a model through the first point: a cost shared by workers is t/n, any other grows in
 * proportion. */
#include "report/picture.h"

#include <math.h>
#include <stdlib.h>

enum { FEWEST_POINTS = 3, MOST_POINTS = 64 };

struct step {
    double at;
    const struct measured *measured;
};

struct scaling {
    struct span experiment, parameter, unit;
    struct step steps[MOST_POINTS];
    size_t count;
};

static struct span value_of(const struct plan_variant *variant, struct span name) {
    for (size_t i = 0; i < variant->parameters.count; i++)
        if (span_equal(variant->parameters.items[i].name, name))
            return variant->parameters.items[i].value;
    return (struct span){0};
}

/* The one parameter in which the variants differ, or the empty span. The length of a loop is no
 * size of the work: picture_loops shows it. */
static struct span varied(const struct experiment *e) {
    struct span found = {0};
    const struct plan_variant *first = e->variants;
    for (size_t k = 1; k < e->variant_count; k++) {
        const struct plan_variant *other = &e->variants[k];
        if (!span_equal(other->boundary, first->boundary) ||
            !span_equal(other->metric, first->metric) ||
            other->parameters.count != first->parameters.count)
            return (struct span){0};
        for (size_t i = 0; i < first->parameters.count; i++) {
            struct span name = first->parameters.items[i].name;
            if (span_equal(value_of(other, name), first->parameters.items[i].value))
                continue;
            if (found.len && !span_equal(found, name))
                return (struct span){0};
            found = name;
        }
    }
    return span_equal(found, SPAN("count")) ? (struct span){0} : found;
}

static void note(void *context, const struct picture_variant *v) {
    struct scaling *s = context;
    struct buffer name = {0};
    if (!v->result || !span_equal(v->result->id, s->experiment) || s->count == MOST_POINTS)
        return;
    buffer_add(&name, s->parameter);
    buffer_add_byte(&name, '\0');
    double at = variant_number(v->plan, name.at);
    buffer_free(&name);
    if (!v->measured || !(at > 0))
        return;
    s->unit = v->measured->unit;
    s->steps[s->count++] = (struct step){at, v->measured};
}

static int by_parameter(const void *a, const void *b) {
    const struct step *x = a, *y = b;
    return (x->at > y->at) - (x->at < y->at);
}

/* The first experiment that varies one number in at least FEWEST_POINTS measured steps. */
static bool find(const struct view *view, struct scaling *s) {
    for (size_t i = 0; i < view->plan.count; i++) {
        *s = (struct scaling){.experiment = view->plan.experiments[i].id,
                              .parameter = varied(&view->plan.experiments[i])};
        if (s->parameter.len == 0)
            continue;
        picture_variants(view, note, s);
        if (s->count >= FEWEST_POINTS)
            return true;
    }
    return false;
}

/* A tick at every measured value, and room beside the first and the last. */
static void put_ticks(struct picture *picture, const struct scaling *s) {
    double from = s->steps[0].at, to = s->steps[s->count - 1].at, room = (to - from) / 20;
    buffer_printf(&picture->script, "set xrange [%.9g:%.9g]\nset xtics (", from - room, to + room);
    for (size_t i = 0; i < s->count; i++)
        buffer_printf(&picture->script, "%s'%.9g' %.9g", i ? ", " : "", s->steps[i].at,
                      s->steps[i].at);
    buffer_add(&picture->script, SPAN(")\n"));
}

static void put_rows(struct picture *picture, const struct scaling *s, bool shared) {
    const struct step *first = &s->steps[0];
    buffer_add(&picture->script, SPAN("$steps << EOD\n"));
    for (size_t i = 0; i < s->count; i++) {
        const struct measured *m = s->steps[i].measured;
        double ratio = s->steps[i].at / first->at;
        double model = shared ? first->measured->median / ratio : first->measured->median * ratio;
        bool known = isfinite(m->ci_lo) && isfinite(m->ci_hi);
        buffer_printf(&picture->script, "%.9g %.9g %.9g %.9g %.9g\n", s->steps[i].at, m->median,
                      known ? m->ci_lo : m->median, known ? m->ci_hi : m->median, model);
        buffer_printf(&picture->csv, "%.9g,%.9g,", s->steps[i].at, m->median);
        csv_number(&picture->csv, m->ci_lo);
        buffer_add_byte(&picture->csv, ',');
        csv_number(&picture->csv, m->ci_hi);
        buffer_printf(&picture->csv, ",%.9g,", model);
        csv_text(&picture->csv, s->unit);
        buffer_add_byte(&picture->csv, '\n');
        buffer_printf(&picture->alt, "; %.*s %.9g: %.4g %.*s measured, %.4g by the model",
                      SPAN_ARG(s->parameter), s->steps[i].at, m->median, SPAN_ARG(s->unit), model);
    }
    buffer_add(&picture->script, SPAN("EOD\n"));
}

bool picture_scaling(const struct view *view, struct picture *picture) {
    struct scaling s;
    if (!find(view, &s))
        return false;
    qsort(s.steps, s.count, sizeof *s.steps, by_parameter);
    bool shared = span_equal(s.parameter, SPAN("workers"));
    picture->title = arena_printf(view->arena, "%.*s: cost against %.*s and a model (%.*s)",
                                  SPAN_ARG(s.experiment), SPAN_ARG(s.parameter), SPAN_ARG(s.unit));
    buffer_printf(&picture->alt, "%zu points, model: %s", s.count,
                  shared ? "the first divided by the workers" : "in proportion to the first");
    buffer_add(&picture->csv, SPAN("parameter,measured,interval_lo,interval_hi,model,unit\n"));
    plot_begin(&picture->script, picture->title, 380);
    plot_label(&picture->script, 'x', s.parameter);
    plot_label(&picture->script, 'y', s.unit);
    buffer_add(&picture->script, SPAN("set yrange [0:*]\nset grid lc rgb '#d0d7de'\n"));
    put_ticks(picture, &s);
    put_rows(picture, &s, shared);
    buffer_printf(&picture->script,
                  "plot $steps using 1:5 with lines dt 2 lw 2 lc rgb '#8250df' title 'model: %s', "
                  "$steps using 1:2:3:4 with yerrorbars pt 7 lc rgb '#0550ae' title 'measured, 95 "
                  "%% interval'\n",
                  shared ? "first / workers" : "in proportion to the first");
    return true;
}
