/* What an unsynchronized loop reports per step against its length, and the residual that waits in
 * the queue at the final synchronization: measured and claimed. */
#include "report/picture.h"

#include <math.h>
#include <stdlib.h>

struct length {
    double count;
    struct measured reported, real; /* medians NAN when not measured */
    double claimed_reported, claimed_real;
};

struct lengths {
    const struct view *view;
    struct length *items;
    size_t count, capacity;
};

static struct length *length_of(struct lengths *lengths, double count) {
    for (size_t i = 0; i < lengths->count; i++)
        if (lengths->items[i].count == count)
            return &lengths->items[i];
    struct measured none = {.median = NAN, .ci_lo = NAN, .ci_hi = NAN};
    struct length fresh = {count, none, none, NAN, NAN};
    LIST_PUSH(lengths->view->arena, lengths->items, lengths->count, lengths->capacity, fresh);
    return &lengths->items[lengths->count - 1];
}

/* The first per-step time of the claim that states the time with the queue: what its loop reported.
 */
static double claimed_reported(const struct view *view, const struct result *result) {
    const struct view_claim *item =
        result->claim_count ? view_claim_of(view, result->claims[0]) : NULL;
    for (size_t i = 0; item && i < item->claim->quantity_count; i++) {
        const struct quantity *q = &view->claims.quantities[item->claim->first_quantity + i];
        if (q->role == ROLE_MEASUREMENT && span_equal(q->unit, SPAN("ms")) &&
            span_equal(q->per, SPAN("step")))
            return q->hi < result->claimed_lo ? (q->lo + q->hi) / 2 : NAN;
    }
    return NAN;
}

static void note(void *context, const struct picture_variant *v) {
    struct lengths *lengths = context;
    double count = variant_number(v->plan, "count");
    bool real = variant_has(v->plan, "loop-unsynchronized", "real");
    if (!(count > 0) || (!real && !variant_has(v->plan, "loop-unsynchronized", "reported")))
        return;
    struct length *length = length_of(lengths, count);
    struct measured *slot = real ? &length->real : &length->reported;
    /* The measurement of the most processes is taken, where several experiments made one. */
    if (v->measured && (isnan(slot->median) || v->measured->n > slot->n))
        *slot = *v->measured;
    if (real && v->result && span_equal(v->result->kind, SPAN("absolute")) &&
        isfinite(v->result->claimed_lo) && isfinite(v->result->claimed_hi)) {
        length->claimed_real = (v->result->claimed_lo + v->result->claimed_hi) / 2;
        length->claimed_reported = claimed_reported(lengths->view, v->result);
    }
}

static int by_count(const void *a, const void *b) {
    const struct length *x = a, *y = b;
    return (x->count > y->count) - (x->count < y->count);
}

static void put_csv(struct picture *picture, const char *whose, double count, double reported,
                    double real) {
    buffer_printf(&picture->csv, "%s,%.9g,", whose, count);
    csv_number(&picture->csv, reported);
    buffer_add_byte(&picture->csv, ',');
    csv_number(&picture->csv, real - reported);
    buffer_add_byte(&picture->csv, ',');
    csv_number(&picture->csv, real);
    buffer_add_byte(&picture->csv, '\n');
    if (isfinite(reported))
        buffer_printf(&picture->alt, "; loop of %.9g %s: reports %.4g ms/step", count, whose,
                      reported);
    if (isfinite(reported) && isfinite(real))
        buffer_printf(&picture->alt, ", %.4g with the queue", real);
}

static void put_value(struct buffer *out, double value) {
    if (isfinite(value))
        buffer_printf(out, " %.9g", value);
    else
        buffer_add(out, SPAN(" NaN"));
}

static void put_data(struct picture *picture, const struct lengths *lengths) {
    buffer_add(&picture->script, SPAN("$loops << EOD\n"));
    for (size_t i = 0; i < lengths->count; i++) {
        const struct length *l = &lengths->items[i];
        double values[] = {l->reported.median,  l->reported.ci_lo, l->reported.ci_hi,
                           l->real.median,      l->real.ci_lo,     l->real.ci_hi,
                           l->claimed_reported, l->claimed_real};
        buffer_printf(&picture->script, "%.9g", l->count);
        for (size_t k = 0; k < sizeof values / sizeof *values; k++)
            put_value(&picture->script, values[k]);
        buffer_add_byte(&picture->script, '\n');
        put_csv(picture, "measured", l->count, l->reported.median, l->real.median);
        if (isfinite(l->claimed_real))
            put_csv(picture, "claimed", l->count, l->claimed_reported, l->claimed_real);
    }
    buffer_add(&picture->script, SPAN("EOD\n"));
}

/* The area between what a loop reports and the time with the queue, where both are known. */
static void put_residual(struct picture *picture, const struct lengths *lengths, bool claimed) {
    size_t shown = 0;
    buffer_printf(&picture->script, "$residual%d << EOD\n", claimed);
    for (size_t i = 0; i < lengths->count; i++) {
        const struct length *l = &lengths->items[i];
        double reported = claimed ? l->claimed_reported : l->reported.median;
        double real = claimed ? l->claimed_real : l->real.median;
        if (!isfinite(reported) || !isfinite(real))
            continue;
        shown++;
        buffer_printf(&picture->script, "%.9g %.9g %.9g\n", l->count, reported, real);
    }
    buffer_add(&picture->script, shown ? SPAN("EOD\n") : SPAN("1 NaN NaN\nEOD\n"));
}

static void put_plot(struct picture *picture, bool claimed) {
    buffer_add(&picture->script, SPAN("plot "));
    if (claimed)
        buffer_add(
            &picture->script,
            SPAN("$residual1 using 1:2:3 with filledcurves fs solid 0.12 noborder lc rgb '#8250df' "
                 "title 'residual, claimed', $loops using 1:8 with linespoints dt 2 pt 6 lc "
                 "rgb '#8250df' title 'reported, claimed', $loops using 1:9 with linespoints "
                 "dt 2 pt 4 lc rgb '#8250df' title 'with the queue, claimed', "));
    buffer_add(
        &picture->script,
        SPAN("$residual0 using 1:2:3 with filledcurves fs solid 0.15 noborder lc rgb '#0550ae' "
             "title 'residual, measured', $loops using 1:2 with lines lc rgb '#0550ae' "
             "notitle, $loops using 1:2:3:4 with yerrorbars pt 7 lc rgb '#0550ae' title "
             "'reported, measured', $loops using 1:5:6:7 with yerrorbars pt 5 lc rgb "
             "'#0a3069' title 'with the queue, measured'\n"));
}

bool picture_loops(const struct view *view, struct picture *picture) {
    struct lengths lengths = {.view = view};
    size_t measured = 0, claimed = 0;
    picture_variants(view, note, &lengths);
    for (size_t i = 0; i < lengths.count; i++) {
        measured += isfinite(lengths.items[i].reported.median);
        claimed += isfinite(lengths.items[i].claimed_reported);
    }
    if (measured < 2)
        return false;
    qsort(lengths.items, lengths.count, sizeof *lengths.items, by_count);
    picture->title = SPAN("Time per step against the length of an unsynchronized loop (ms/step)");
    buffer_printf(&picture->alt, "%zu loop lengths", lengths.count);
    buffer_add(&picture->csv, SPAN("whose,loop_length,reported_ms_per_step,residual_ms_per_step,"
                                   "with_queue_ms_per_step\n"));
    plot_begin(&picture->script, picture->title, 400);
    plot_label(&picture->script, 'x', SPAN("steps in the loop (logarithmic)"));
    plot_label(&picture->script, 'y', SPAN("ms/step"));
    plot_logarithmic(&picture->script, 'x');
    buffer_add(&picture->script, SPAN("set yrange [0:*]\nset grid lc rgb '#d0d7de'\n"));
    buffer_printf(&picture->script, "set xrange [%.9g:%.9g]\n", lengths.items[0].count / 1.5,
                  lengths.items[lengths.count - 1].count * 1.5);
    buffer_add(&picture->script, SPAN("set xtics ("));
    for (size_t i = 0; i < lengths.count; i++)
        buffer_printf(&picture->script, "%s'%.9g' %.9g", i ? ", " : "", lengths.items[i].count,
                      lengths.items[i].count);
    buffer_add(&picture->script, SPAN(")\n"));
    put_data(picture, &lengths);
    put_residual(picture, &lengths, false);
    put_residual(picture, &lengths, true);
    put_plot(picture, claimed > 1);
    return true;
}
