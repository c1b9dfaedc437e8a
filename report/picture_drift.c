/* How what an experiment measures moves from pass to pass: its first variant's median over this
 * pass's, one line an experiment. */
#include "report/picture.h"

#include <math.h>

enum { MOST_LINES = 8, NAME_BYTES = 40 };

static const struct measured *first_of(const struct result *result) {
    return result->measured_count && isfinite(result->measured[0].median) &&
                   result->measured[0].median > 0
               ? &result->measured[0]
               : NULL;
}

/* The same experiment of another pass: its numbering may differ, title and variant do not. */
static const struct measured *same_in(const struct results *results, const struct result *wanted) {
    for (size_t i = 0; i < results->count; i++) {
        const struct measured *m = first_of(&results->results[i]);
        if (m && span_equal(results->results[i].title, wanted->title) &&
            span_equal(m->variant, wanted->measured[0].variant) &&
            span_equal(m->unit, wanted->measured[0].unit))
            return m;
    }
    return NULL;
}

static size_t seen_in(const struct history *history, const struct result *result) {
    size_t count = 0;
    for (size_t i = 0; i < history->count; i++)
        count += same_in(&history->results[i], result) != NULL;
    return count;
}

static void put_point(struct picture *picture, const struct result *result, size_t at,
                      struct span when, const struct measured *m, double base) {
    bool known = isfinite(m->ci_lo) && isfinite(m->ci_hi);
    buffer_printf(&picture->script, "%zu %.6g %.6g %.6g\n", at, m->median / base,
                  (known ? m->ci_lo : m->median) / base, (known ? m->ci_hi : m->median) / base);
    csv_text(&picture->csv, result->title);
    buffer_add_byte(&picture->csv, ',');
    csv_text(&picture->csv, m->variant);
    buffer_add_byte(&picture->csv, ',');
    csv_text(&picture->csv, when);
    double values[] = {m->median, m->ci_lo, m->ci_hi};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        buffer_add_byte(&picture->csv, ',');
        csv_number(&picture->csv, values[i]);
    }
    buffer_add_byte(&picture->csv, ',');
    csv_text(&picture->csv, m->unit);
    buffer_add_byte(&picture->csv, '\n');
}

static void put_line(struct picture *picture, const struct view *view,
                     const struct history *history, const struct result *result, size_t line) {
    const struct measured *now = first_of(result), *oldest = NULL;
    buffer_printf(&picture->script, "$line%zu << EOD\n", line);
    for (size_t i = 0; i < history->count; i++) {
        const struct measured *m = same_in(&history->results[i], result);
        if (!m)
            continue;
        oldest = oldest ? oldest : m;
        put_point(picture, result, i, history->passes[i].created_at, m, now->median);
    }
    put_point(picture, result, history->count, view->pass->created_at, now, now->median);
    buffer_add(&picture->script, SPAN("EOD\n"));
    buffer_printf(&picture->alt, "; %.*s: %.4g then, %.4g %.*s now", SPAN_ARG(result->id),
                  oldest->median, now->median, SPAN_ARG(now->unit));
}

static void put_ticks(struct picture *picture, const struct view *view,
                      const struct history *history) {
    buffer_printf(&picture->script, "set xrange [-0.5:%zu.5]\nset xtics (", history->count);
    for (size_t i = 0; i <= history->count; i++) {
        struct span when =
            i < history->count ? history->passes[i].created_at : view->pass->created_at;
        buffer_add(&picture->script, i ? SPAN(", ") : SPAN(""));
        plot_word(&picture->script, span_slice(when, 0, when.len < 16 ? when.len : 16), 0);
        buffer_printf(&picture->script, " %zu", i);
    }
    buffer_add(&picture->script, history->count > 4 ? SPAN(") rotate by -30\n") : SPAN(")\n"));
}

bool picture_drift(const struct view *view, const struct history *history,
                   struct picture *picture) {
    const struct result *lines[MOST_LINES];
    size_t count = 0;
    for (size_t i = 0; i < view->results.count && count < MOST_LINES; i++) {
        const struct result *result = &view->results.results[i];
        if (first_of(result) && seen_in(history, result))
            lines[count++] = result;
    }
    if (count == 0)
        return false;
    picture->title = SPAN("Drift over passes: medians relative to this pass (1 = as now)");
    buffer_printf(&picture->alt, "%zu passes, %zu experiments", history->count + 1, count);
    buffer_add(&picture->csv,
               SPAN("experiment,variant,pass,median,interval_lo,interval_hi,unit\n"));
    plot_begin(&picture->script, picture->title, 400);
    plot_label(&picture->script, 'y', SPAN("median / median of this pass"));
    buffer_add(&picture->script, SPAN("set grid lc rgb '#d0d7de'\n"));
    put_ticks(picture, view, history);
    for (size_t i = 0; i < count; i++)
        put_line(picture, view, history, lines[i], i);
    buffer_add(&picture->script, SPAN("plot "));
    for (size_t i = 0; i < count; i++) {
        buffer_printf(&picture->script,
                      "%s$line%zu using 1:2 with lines lt %zu notitle, $line%zu using 1:2:3:4 with "
                      "yerrorbars pt 7 lt %zu title ",
                      i ? ", " : "", i, i + 1, i, i + 1);
        plot_word(&picture->script,
                  arena_printf(view->arena, "%.*s %.*s", SPAN_ARG(lines[i]->id),
                               SPAN_ARG(lines[i]->measured[0].variant)),
                  NAME_BYTES);
    }
    buffer_add_byte(&picture->script, '\n');
    return true;
}
