#include "report/plot_script.h"

#include "report/plot_style.h"

#include <math.h>
#include <stdint.h>

enum { MOST_VARIANTS = 12, MOST_POINTS = 150, NAME_BYTES = 30, ROW_PIXELS = 62 };

static size_t variant_count(const struct result *result) {
    return result->measured_count < MOST_VARIANTS ? result->measured_count : MOST_VARIANTS;
}

static size_t variant_index(const struct result *result, struct span name) {
    for (size_t i = 0; i < variant_count(result); i++)
        if (span_equal(result->measured[i].variant, name))
            return i;
    return SIZE_MAX;
}

/* Rows go down: the first variant is the highest. */
static double row_of(const struct result *result, size_t variant) {
    return (double)(variant_count(result) - variant) - 0.5;
}

static struct span unit_of(const struct result *result) {
    return result->measured_count ? result->measured[0].unit : result->unit;
}

/* Whether the values ask for a logarithmic axis. */
static bool spans_far(const struct plot_data *data) {
    double least = INFINITY, most = 0;
    for (size_t i = 0; i < data->count; i++) {
        double value = data->view->samples[data->samples[i]].value;
        least = fmin(least, value);
        most = fmax(most, value);
    }
    for (size_t i = 0; i < data->result->measured_count; i++) {
        double value = data->result->measured[i].median;
        if (!isfinite(value))
            continue;
        least = fmin(least, value);
        most = fmax(most, value);
    }
    return least > 0 && most > LOGARITHMIC_FROM * least;
}

/* y of a sample: its variant's row, and within it its order from top to bottom. */
static void put_points(struct buffer *out, const struct plot_data *data) {
    size_t total[MOST_VARIANTS] = {0}, at[MOST_VARIANTS] = {0};
    for (size_t i = 0; i < data->count; i++) {
        size_t v = variant_index(data->result, data->view->samples[data->samples[i]].variant);
        if (v != SIZE_MAX)
            total[v]++;
    }
    buffer_add(out, SPAN("$points << EOD\n"));
    for (size_t i = 0; i < data->count; i++) {
        const struct sample *s = &data->view->samples[data->samples[i]];
        size_t v = variant_index(data->result, s->variant);
        if (v == SIZE_MAX)
            continue;
        size_t order = at[v]++, stride = total[v] / MOST_POINTS + 1;
        double down = ((double)order + 0.5) / (double)total[v] - 0.5;
        if (order % stride == 0)
            buffer_printf(out, "%.6g %.3f %d\n", s->value, row_of(data->result, v) - 0.6 * down,
                          s->warmup    ? 1
                          : s->outlier ? 2
                                       : 0);
    }
    buffer_add(out, SPAN("NaN -1 0\nEOD\n"));
}

static void put_medians(struct buffer *out, const struct result *result) {
    buffer_add(out, SPAN("$medians << EOD\n"));
    for (size_t i = 0; i < variant_count(result); i++) {
        const struct measured *m = &result->measured[i];
        bool known = isfinite(m->ci_lo) && isfinite(m->ci_hi);
        double row = row_of(result, i);
        if (isfinite(m->median))
            buffer_printf(out, "%.9g %.2f %.9g %.9g %.2f %.2f\n", m->median, row,
                          known ? m->ci_lo : m->median, known ? m->ci_hi : m->median, row - 0.36,
                          row + 0.36);
    }
    buffer_add(out, SPAN("NaN -1 NaN NaN -1 -1\nEOD\n"));
}

static void put_axes(struct buffer *out, const struct plot_data *data, bool far) {
    const struct result *result = data->result;
    size_t variants = variant_count(result);
    struct buffer label = {0};
    buffer_add(&label, unit_of(result));
    if (far)
        buffer_add(&label, SPAN(" (logarithmic)"));
    plot_label(out, 'x', buffer_span(&label));
    buffer_free(&label);
    if (far)
        plot_logarithmic(out, 'x');
    else
        buffer_add(out, SPAN("set xrange [0:*]\n"));
    buffer_printf(out, "set grid xtics lc rgb '#d0d7de'\nset yrange [0:%zu]\nset ytics (",
                  variants ? variants : 1);
    for (size_t i = 0; i < variants; i++) {
        buffer_add(out, i ? SPAN(", ") : SPAN(""));
        plot_word(out, result->measured[i].variant, NAME_BYTES);
        buffer_printf(out, " %.1f", row_of(result, i));
    }
    buffer_add(out, SPAN(") noenhanced scale 0\n"));
}

static bool is_claimed_comparable(const struct result *result) {
    return isfinite(result->claimed_lo) && isfinite(result->claimed_hi) &&
           span_equal(result->unit, unit_of(result));
}

static void put_claimed(struct buffer *out, const struct result *result) {
    double top = (double)(result->measured_count ? variant_count(result) : 1);
    buffer_printf(out, "$claimed << EOD\n%.9g 0\n%.9g %g\n\n%.9g 0\n%.9g %g\nEOD\n",
                  result->claimed_lo, result->claimed_lo, top, result->claimed_hi,
                  result->claimed_hi, top);
}

void plot_script(struct buffer *out, const struct plot_data *data) {
    const struct result *result = data->result;
    bool claimed = is_claimed_comparable(result);
    plot_begin(out, result->title, 150 + ROW_PIXELS * (int)variant_count(result));
    put_axes(out, data, spans_far(data));
    put_points(out, data);
    put_medians(out, result);
    if (claimed)
        put_claimed(out, result);
    buffer_add(out, SPAN("plot "));
    if (claimed)
        buffer_add(out, SPAN("$claimed with lines lc rgb '#8250df' lw 2 dt 2 title 'claimed', "));
    buffer_add(
        out,
        SPAN("$medians using 1:2:3:4:5:6 with boxxyerror fs solid 0.25 noborder lc rgb '#0550ae' "
             "title '95 % interval', "
             "$points using ($3==0?$1:NaN):2 with points pt 7 ps 0.4 lc rgb '#57606a' title "
             "'sample', "
             "$points using ($3==1?$1:NaN):2 with points pt 6 ps 0.5 lc rgb '#9a6700' title "
             "'warm-up', "
             "$points using ($3==2?$1:NaN):2 with points pt 2 ps 0.6 lc rgb '#a40e26' title "
             "'outlier', "
             "$medians using 1:5:(0):($6-$5) with vectors nohead lw 3 lc rgb '#0550ae' title "
             "'median'\n"));
}
