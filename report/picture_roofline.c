/* Roofline (Williams, Waterman and Patterson 2009): rate against arithmetic intensity, under the
 * ceilings measured in the same pass. A rate the text claims without its intensity is a level. */
#include "report/picture.h"

#include <math.h>

enum { MOST_POINTS = 16, MOST_CLAIMED = 8 };

struct point {
    struct span name;      /* phase */
    double gflops, gbytes; /* 10^9/s */
};

struct roofline {
    const struct view *view;
    double gemm, copy; /* ceilings: GFLOP/s, GB/s; NAN when not measured */
    struct point points[MOST_POINTS];
    size_t count;
};

static struct point *point_of(struct roofline *r, struct span name) {
    for (size_t i = 0; i < r->count; i++)
        if (span_equal(r->points[i].name, name))
            return &r->points[i];
    if (r->count == MOST_POINTS)
        return NULL;
    r->points[r->count] = (struct point){name, NAN, NAN};
    return &r->points[r->count++];
}

static void note(void *context, const struct picture_variant *v) {
    struct roofline *r = context;
    if (!v->measured || !(v->measured->median > 0))
        return;
    if (variant_has(v->plan, "ceilings", "gemm"))
        r->gemm = v->measured->median;
    else if (variant_has(v->plan, "ceilings", "copy"))
        r->copy = v->measured->median;
    else if (span_equal(v->plan->boundary, SPAN("phases"))) {
        struct span metric = v->plan->metric;
        size_t dot = span_find(metric, SPAN("."), 0);
        struct point *point = dot == SIZE_MAX ? NULL : point_of(r, span_slice(metric, 0, dot));
        if (point && span_ends(metric, SPAN(".flops")))
            point->gflops = v->measured->median;
        else if (point && span_ends(metric, SPAN(".bytes")))
            point->gbytes = v->measured->median;
    }
}

static bool whole(const struct point *point) {
    return point->gflops > 0 && point->gbytes > 0;
}

/* 10^9 of the unit per second, for a claimed rate of arithmetic; NAN for any other quantity. */
static double claimed_gflops(const struct quantity *q) {
    static const struct {
        const char *unit;
        double scale;
    } units[] = {{"GFLOP/s", 1}, {"TFLOP/s", 1e3}, {"GFLOPS", 1}, {"TFLOPS", 1e3}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (q->role == ROLE_MEASUREMENT && span_equal(q->unit, span_of(units[i].unit)))
            return q->value * units[i].scale;
    return NAN;
}

static void put_points(struct picture *picture, const struct roofline *r) {
    buffer_add(&picture->script, SPAN("$points << EOD\n"));
    for (size_t i = 0; i < r->count; i++) {
        const struct point *p = &r->points[i];
        if (!whole(p))
            continue;
        double intensity = p->gflops / p->gbytes;
        buffer_printf(&picture->script, "%.6g %.6g ", intensity, p->gflops);
        size_t open = picture->script.len;
        plot_word(&picture->script, p->name, 24);
        /* A word of a data block stands in double quotes; plot_word lets neither kind pass. */
        picture->script.at[open] = picture->script.at[picture->script.len - 1] = '"';
        buffer_add_byte(&picture->script, '\n');
        buffer_add(&picture->csv, SPAN("measured,"));
        csv_text(&picture->csv, p->name);
        buffer_printf(&picture->csv, ",%.6g,%.6g,%.6g\n", intensity, p->gflops, p->gbytes);
        buffer_printf(&picture->alt, "; %.*s %.3g GFLOP/s at %.3g FLOP/byte", SPAN_ARG(p->name),
                      p->gflops, intensity);
    }
    buffer_add(&picture->script, SPAN("NaN NaN \"\"\nEOD\n"));
}

/* Levels: two points each, from edge to edge. */
static size_t put_claimed(struct picture *picture, const struct view *view, double from,
                          double to) {
    size_t shown = 0;
    buffer_add(&picture->script, SPAN("$claimed << EOD\n"));
    for (size_t i = 0; i < view->claims.count; i++) {
        const struct claim *claim = &view->claims.claims[i];
        for (size_t k = 0; k < claim->quantity_count && shown < MOST_CLAIMED; k++) {
            double gflops = claimed_gflops(&view->claims.quantities[claim->first_quantity + k]);
            if (!(gflops > 0))
                continue;
            shown++;
            buffer_printf(&picture->script, "%.6g %.6g\n%.6g %.6g\n\n", from, gflops, to, gflops);
            buffer_add(&picture->csv, SPAN("claimed,"));
            csv_text(&picture->csv, claim->label);
            buffer_printf(&picture->csv, ",,%.6g,\n", gflops);
            buffer_printf(&picture->alt, "; %.*s claims %.4g GFLOP/s", SPAN_ARG(claim->label),
                          gflops);
        }
    }
    buffer_add(&picture->script, SPAN("NaN NaN\nEOD\n"));
    return shown;
}

static void put_roof(struct picture *picture, const struct roofline *r, double from, double to) {
    double ridge = r->gemm / r->copy;
    buffer_printf(&picture->script, "$roof << EOD\n%.6g %.6g\n%.6g %.6g\n%.6g %.6g\nEOD\n", from,
                  from * r->copy, ridge, r->gemm, to, r->gemm);
    buffer_printf(&picture->csv, "ceiling,copy,,,%.6g\nceiling,matrix product,,%.6g,\n", r->copy,
                  r->gemm);
    buffer_printf(&picture->alt, "Ceilings measured here: %.4g GB/s and %.4g GFLOP/s", r->copy,
                  r->gemm);
}

/* Intensities from a tenth of the least point or ridge to ten times the most. */
static void edges(const struct roofline *r, double *from, double *to) {
    *from = *to = r->gemm / r->copy;
    for (size_t i = 0; i < r->count; i++)
        if (whole(&r->points[i])) {
            *from = fmin(*from, r->points[i].gflops / r->points[i].gbytes);
            *to = fmax(*to, r->points[i].gflops / r->points[i].gbytes);
        }
    *from /= 10;
    *to *= 10;
}

bool picture_roofline(const struct view *view, struct picture *picture) {
    struct roofline r = {.view = view, .gemm = NAN, .copy = NAN};
    size_t points = 0;
    double from, to;
    picture_variants(view, note, &r);
    for (size_t i = 0; i < r.count; i++)
        points += whole(&r.points[i]);
    if (points == 0 || !(r.gemm > 0) || !(r.copy > 0))
        return false;
    edges(&r, &from, &to);
    picture->title = SPAN("Roofline: phases of a step under the ceilings measured here (GFLOP/s)");
    buffer_add(&picture->csv, SPAN("kind,name,flop_per_byte,gflop_per_s,gbyte_per_s\n"));
    plot_begin(&picture->script, picture->title, 420);
    plot_label(&picture->script, 'x', SPAN("arithmetic intensity, FLOP/byte (logarithmic)"));
    plot_label(&picture->script, 'y', SPAN("GFLOP/s (logarithmic)"));
    plot_logarithmic(&picture->script, 'x');
    plot_logarithmic(&picture->script, 'y');
    buffer_printf(&picture->script, "set grid lc rgb '#d0d7de'\nset xrange [%.6g:%.6g]\n", from,
                  to);
    put_roof(picture, &r, from, to);
    put_points(picture, &r);
    size_t claimed = put_claimed(picture, view, from, to);
    buffer_printf(
        &picture->script,
        "plot $roof with lines lw 2 lc rgb '#0550ae' title 'ceilings, measured', $points "
        "using 1:2 with points pt 7 ps 1 lc rgb '#a40e26' title 'phase, measured', $points "
        "using 1:2:3 with labels left offset 1,0 notitle%s\n",
        claimed ? ", $claimed with lines dt 2 lw 2 lc rgb '#8250df' title 'claimed (no "
                  "intensity stated)'"
                : "");
    return true;
}
