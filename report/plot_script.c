#include "report/plot_script.h"

#include "report/page.h"
#include "report/xml.h"

#include <math.h>
#include <stdint.h>

enum { MOST_VARIANTS = 12, MOST_POINTS = 400, NAME_BYTES = 28 };

/* One word of the picture inside single quotes, where gnuplot substitutes nothing. Letters, digits
 * and a few marks pass; everything else, markup too, which gnuplot 5.4 does not escape everywhere,
 * is an underscore. */
static void put_word(struct buffer *out, struct span text, size_t limit) {
    struct buffer visible = {0};
    size_t cut;
    page_visible(&visible, text, limit, &cut);
    buffer_add_byte(out, '\'');
    for (size_t i = 0; i < visible.len; i++) {
        unsigned char c = (unsigned char)visible.at[i];
        bool plain = c >= 0x80 || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
                     (c >= 'A' && c <= 'Z') || (c && strchr(" .,:;/()%+-=*?!", c));
        buffer_add_byte(out, plain ? (char)c : '_');
    }
    if (cut)
        buffer_add(out, SPAN("…"));
    buffer_add_byte(out, '\'');
    buffer_free(&visible);
}

static size_t variant_index(const struct result *result, struct span name) {
    for (size_t i = 0; i < result->measured_count && i < MOST_VARIANTS; i++)
        if (span_equal(result->measured[i].variant, name))
            return i;
    return SIZE_MAX;
}

static struct span unit_of(const struct result *result) {
    return result->measured_count ? result->measured[0].unit : result->unit;
}

/* x of a sample: its variant's place, then its order within the variant. */
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
        if (order % stride == 0 || s->outlier)
            buffer_printf(out, "%.4f %.9g %d\n",
                          (double)v + 0.1 + 0.8 * ((double)order + 0.5) / (double)total[v],
                          s->value,
                          s->warmup    ? 1
                          : s->outlier ? 2
                                       : 0);
    }
    buffer_add(out, SPAN("-1 NaN 0\nEOD\n"));
}

static void put_medians(struct buffer *out, const struct result *result) {
    buffer_add(out, SPAN("$medians << EOD\n"));
    for (size_t i = 0; i < result->measured_count && i < MOST_VARIANTS; i++) {
        const struct measured *m = &result->measured[i];
        bool known = isfinite(m->ci_lo) && isfinite(m->ci_hi);
        if (isfinite(m->median))
            buffer_printf(out, "%.2f %.9g %.9g %.9g\n", (double)i + 0.5, m->median,
                          known ? m->ci_lo : m->median, known ? m->ci_hi : m->median);
    }
    buffer_add(out, SPAN("-1 NaN NaN NaN\nEOD\n"));
}

static void put_axes(struct buffer *out, const struct result *result, size_t variants) {
    buffer_add(out, SPAN("set ylabel "));
    put_word(out, unit_of(result), NAME_BYTES);
    buffer_printf(out, " noenhanced\nset xrange [0:%zu]\nset xtics (", variants);
    for (size_t i = 0; i < variants; i++) {
        buffer_add(out, i ? SPAN(", ") : SPAN(""));
        put_word(out, result->measured[i].variant, NAME_BYTES);
        buffer_printf(out, " %.1f", (double)i + 0.5);
    }
    buffer_add(out, SPAN(") noenhanced"));
    /* Names side by side collide from here on. */
    buffer_add(out, variants > 3 ? SPAN(" rotate by -20\n") : SPAN("\n"));
}

static bool is_claimed_comparable(const struct result *result) {
    return isfinite(result->claimed_lo) && isfinite(result->claimed_hi) &&
           span_equal(result->unit, unit_of(result));
}

void plot_script(struct buffer *out, const struct plot_data *data) {
    const struct result *result = data->result;
    size_t variants =
        result->measured_count < MOST_VARIANTS ? result->measured_count : MOST_VARIANTS;
    buffer_add(out,
               SPAN("reset session\nset encoding utf8\n"
                    "set terminal svg size 820,360 dynamic noenhanced font 'sans-serif,13' "
                    "background '#ffffff'\nset border 3\nset tics nomirror\nset grid ytics lc rgb "
                    "'#d0d7de'\nset key outside right top noenhanced\nset title "));
    put_word(out, result->title, 90);
    buffer_add(out, SPAN(" noenhanced\n"));
    put_axes(out, result, variants ? variants : 1);
    put_points(out, data);
    put_medians(out, result);
    buffer_add(out, SPAN("plot "));
    if (is_claimed_comparable(result))
        buffer_printf(out,
                      "%.9g with lines lc rgb '#8250df' lw 2 dt 2 title 'claimed', "
                      "%.9g with lines lc rgb '#8250df' lw 2 dt 2 notitle, ",
                      result->claimed_lo, result->claimed_hi);
    buffer_add(
        out, SPAN("$medians using 1:2:($1-0.4):($1+0.4):3:4 with boxxyerror fs solid 0.25 noborder "
                  "lc rgb '#0550ae' title '95 % interval', "
                  "$points using 1:($3==0?$2:NaN) with points pt 7 ps 0.45 lc rgb '#57606a' title "
                  "'sample', "
                  "$points using 1:($3==1?$2:NaN) with points pt 6 ps 0.6 lc rgb '#9a6700' title "
                  "'warm-up', "
                  "$points using 1:($3==2?$2:NaN) with points pt 2 ps 0.8 lc rgb '#a40e26' title "
                  "'outlier', "
                  "$medians using 1:2:(0.4) with xerrorbars pt 0 lw 2 lc rgb '#0550ae' title "
                  "'median'\n"));
}

void plot_words(struct buffer *out, struct span title, struct span alt) {
    buffer_add(out, SPAN("<title>"));
    xml_escape(out, title);
    buffer_add(out, SPAN("</title>\n<desc>"));
    xml_escape(out, alt);
    buffer_add(out, SPAN("</desc>"));
}
