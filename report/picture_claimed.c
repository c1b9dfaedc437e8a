/* Measured over claimed, for every absolute value that was measured: 1 is what the text says. */
#include "report/picture.h"

#include <math.h>

enum { MOST_ROWS = 30, ROW_PIXELS = 34, NAME_BYTES = 30 };

static bool shows(const struct result *r) {
    return r->measured_count == 1 && isfinite(r->claimed_lo) && isfinite(r->claimed_hi) &&
           r->claimed_lo + r->claimed_hi > 0 && isfinite(r->measured[0].median) &&
           r->measured[0].median > 0 && span_equal(r->unit, r->measured[0].unit);
}

static double middle(const struct result *r) {
    return (r->claimed_lo + r->claimed_hi) / 2;
}

static void put_row(struct picture *picture, const struct result *r, size_t row) {
    const struct measured *m = &r->measured[0];
    double claimed = middle(r);
    bool known = isfinite(m->ci_lo) && isfinite(m->ci_hi) && m->ci_lo > 0;
    csv_text(&picture->csv, r->id);
    buffer_add_byte(&picture->csv, ',');
    csv_text(&picture->csv, r->title);
    double numbers[] = {r->claimed_lo, r->claimed_hi, m->median, m->ci_lo, m->ci_hi};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        buffer_add_byte(&picture->csv, ',');
        csv_number(&picture->csv, numbers[i]);
    }
    buffer_add_byte(&picture->csv, ',');
    csv_text(&picture->csv, r->unit);
    buffer_printf(&picture->csv, ",%s\n", word_of(&experiment_words, (int)r->status));
    buffer_printf(&picture->alt, "; %.*s: %.4g %.*s measured, %.4g claimed", SPAN_ARG(r->id),
                  m->median, SPAN_ARG(r->unit), claimed);
    buffer_printf(&picture->script, "%.6g %zu %.6g %.6g %d\n", m->median / claimed, row,
                  (known ? m->ci_lo : m->median) / claimed,
                  (known ? m->ci_hi : m->median) / claimed,
                  r->status == EXPERIMENT_NOT_COMPARABLE ? 1 : 0);
}

/* From half of the least to twice the most, 1 included. */
static void put_range(struct picture *picture, const struct view *view) {
    double least = 1, most = 1;
    for (size_t i = 0; i < view->results.count; i++) {
        const struct result *r = &view->results.results[i];
        if (!shows(r))
            continue;
        const struct measured *m = &r->measured[0];
        double lo = m->ci_lo > 0 ? m->ci_lo : m->median, hi = m->ci_hi > 0 ? m->ci_hi : m->median;
        least = fmin(least, lo / middle(r));
        most = fmax(most, hi / middle(r));
    }
    buffer_printf(&picture->script, "set xrange [%.6g:%.6g]\n", least / 2, most * 2);
}

static void put_names(struct picture *picture, const struct view *view, size_t rows) {
    buffer_printf(&picture->script, "set yrange [0:%zu]\nset ytics (", rows + 1);
    for (size_t i = 0, row = rows; i < view->results.count && row > 0; i++) {
        const struct result *r = &view->results.results[i];
        if (!shows(r))
            continue;
        if (row < rows)
            buffer_add(&picture->script, SPAN(", "));
        plot_word(&picture->script,
                  arena_printf(view->arena, "%.*s %.*s", SPAN_ARG(r->id), SPAN_ARG(r->title)),
                  NAME_BYTES);
        buffer_printf(&picture->script, " %zu", row--);
    }
    buffer_add(&picture->script, SPAN(") noenhanced scale 0\n"));
}

/* Only what occurs gets its line of the key. */
static void put_series(struct picture *picture, const struct view *view) {
    bool there[2] = {false, false};
    for (size_t i = 0; i < view->results.count; i++)
        if (shows(&view->results.results[i]))
            there[view->results.results[i].status == EXPERIMENT_NOT_COMPARABLE] = true;
    for (int other = 0; other < 2; other++)
        if (there[other])
            buffer_printf(
                &picture->script,
                ", $rows using ($5==%d?$1:NaN):2:3:4 with xerrorbars pt %d ps 0.7 lw %d lc "
                "rgb '%s' title '%s'",
                other, other ? 6 : 7, other ? 1 : 2, other ? "#57606a" : "#0550ae",
                other ? "other contract" : "same contract");
    buffer_add_byte(&picture->script, '\n');
}

bool picture_claimed(const struct view *view, struct picture *picture) {
    size_t rows = 0;
    for (size_t i = 0; i < view->results.count; i++)
        rows += shows(&view->results.results[i]);
    if (rows == 0)
        return false;
    rows = rows < MOST_ROWS ? rows : MOST_ROWS;
    picture->title = SPAN("Measured over claimed, absolute values (1 = as the text says)");
    buffer_printf(&picture->alt, "%zu absolute values", rows);
    buffer_add(&picture->csv, SPAN("experiment,title,claimed_lo,claimed_hi,measured,interval_lo,"
                                   "interval_hi,unit,status\n"));
    plot_begin(&picture->script, picture->title, 140 + ROW_PIXELS * (int)rows);
    plot_label(&picture->script, 'x', SPAN("measured / claimed, with 95 % interval (logarithmic)"));
    plot_logarithmic(&picture->script, 'x');
    put_range(picture, view);
    put_names(picture, view, rows);
    buffer_add(&picture->script, SPAN("$rows << EOD\n"));
    for (size_t i = 0, row = rows; i < view->results.count && row > 0; i++)
        if (shows(&view->results.results[i]))
            put_row(picture, &view->results.results[i], row--);
    buffer_printf(&picture->script,
                  "EOD\n$one << EOD\n1 0\n1 %zu\nEOD\nplot $one with lines lc rgb '#8250df' lw 2 "
                  "dt 2 title 'as claimed'",
                  rows + 1);
    put_series(picture, view);
    return true;
}
