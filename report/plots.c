#include "report/plots.h"

#include "core/process.h"
#include "report/picture.h"
#include "report/plot_script.h"

#include <math.h>
#include <stdint.h>

/* A picture takes milliseconds; a gnuplot that hangs must not hang the report. */
enum { DRAW_LIMIT_MS = 60000, DRAW_OUTPUT_BYTES = 256 << 20 };

static const struct {
    const char *name;
    picture_draw *draw;
} pictures[] = {
    {"claimed", picture_claimed},   {"phases", picture_phases},   {"loops", picture_loops},
    {"roofline", picture_roofline}, {"scaling", picture_scaling}, {"lifecycle", picture_lifecycle},
};

static void put_text(struct buffer *out, struct span text) {
    csv_text(out, text);
}

static void put_number(struct buffer *out, double value) {
    buffer_add_byte(out, ',');
    csv_number(out, value);
}

static void put_medians(struct buffer *out, const struct result *result) {
    for (size_t i = 0; i < result->measured_count; i++) {
        const struct measured *m = &result->measured[i];
        buffer_add(out, SPAN("median,"));
        put_text(out, m->variant);
        put_number(out, m->median);
        put_number(out, m->ci_lo);
        put_number(out, m->ci_hi);
        buffer_add_byte(out, ',');
        put_text(out, m->unit);
        buffer_add(out, SPAN(",,,,\n"));
    }
}

static void put_samples(struct buffer *out, const struct plot_data *data) {
    for (size_t i = 0; i < data->count; i++) {
        const struct sample *s = &data->view->samples[data->samples[i]];
        buffer_add(out, SPAN("sample,"));
        put_text(out, s->variant);
        put_number(out, s->value);
        buffer_add(out, SPAN(",,,"));
        put_text(out, s->unit);
        buffer_printf(out, ",%zu,%zu,%d,%d\n", s->process, s->iteration, s->warmup, s->outlier);
    }
}

static struct span table_of(const struct plot_data *data) {
    struct buffer out = {0};
    buffer_add(&out, SPAN("row,variant,value,interval_lo,interval_hi,unit,process,iteration,warmup,"
                          "outlier\n"));
    put_medians(&out, data->result);
    put_samples(&out, data);
    struct span csv = arena_copy(data->view->arena, buffer_span(&out));
    buffer_free(&out);
    return csv;
}

static void describe(const struct plot_data *data, struct plot *plot) {
    const struct result *result = data->result;
    struct buffer alt = {0};
    plot->title = arena_printf(data->view->arena, "%.*s: %.*s", SPAN_ARG(result->id),
                               SPAN_ARG(result->title));
    buffer_printf(&alt, "%zu samples", data->count);
    for (size_t i = 0; i < result->measured_count; i++) {
        const struct measured *m = &result->measured[i];
        buffer_printf(&alt, "; %.*s: median %.6g %.*s", SPAN_ARG(m->variant), m->median,
                      SPAN_ARG(m->unit));
        if (isfinite(m->ci_lo) && isfinite(m->ci_hi))
            buffer_printf(&alt, ", 95 %% interval %.6g to %.6g", m->ci_lo, m->ci_hi);
    }
    plot->alt = arena_copy(data->view->arena, buffer_span(&alt));
    buffer_free(&alt);
}

/* The samples of every result by name of experiment, in the order of the file: cost linear in both
 * but for one look-up of the name, which repeats from line to line. */
static void collect(const struct view *view, struct plot_data *all) {
    for (size_t i = 0, last = 0; i < view->sample_count && view->results.count; i++) {
        const struct sample *sample = &view->samples[i];
        size_t k = 0;
        if (sample->sham || !isfinite(sample->value))
            continue;
        if (!span_equal(view->results.results[last].id, sample->experiment)) {
            while (k < view->results.count &&
                   !span_equal(view->results.results[k].id, sample->experiment))
                k++;
            if (k == view->results.count)
                continue;
            last = k;
        }
        struct plot_data *data = &all[last];
        LIST_PUSH(view->arena, data->samples, data->count, data->capacity, i);
    }
}

/* gnuplot's own title says nothing; the picture gets its words for those who hear it. */
static void take_picture(const struct view *view, struct plot *plot, struct span svg) {
    size_t from = span_find(svg, SPAN("<title>"), 0), to = span_find(svg, SPAN("</desc>"), 0);
    if (from == SIZE_MAX || to == SIZE_MAX || to < from ||
        !span_ends(span_trim(svg), SPAN("</svg>")))
        return;
    struct buffer out = {0};
    buffer_add(&out, span_slice(svg, 0, from));
    plot_words(&out, plot->title, plot->alt);
    buffer_add(&out, span_slice(svg, to + strlen("</desc>"), svg.len));
    plot->svg = arena_copy(view->arena, buffer_span(&out));
    buffer_free(&out);
}

static void split_pictures(const struct view *view, struct plots *plots, struct span out) {
    size_t at = span_find(out, SPAN("<?xml"), 0);
    for (size_t i = 0; i < plots->count && at != SIZE_MAX; i++) {
        size_t next = span_find(out, SPAN("<?xml"), at + 1);
        size_t end = next == SIZE_MAX ? out.len : next;
        take_picture(view, &plots->items[i], span_slice(out, at, end));
        at = next;
    }
}

/* gnuplot reads its standard input byte by byte, a file of that name in blocks. */
static void draw(const struct view *view, struct plots *plots, struct span script) {
    static const char *const command[] = {"gnuplot", "-d", "/dev/stdin", NULL};
    struct process_limits limits = {.time_ms = DRAW_LIMIT_MS, .output_bytes = DRAW_OUTPUT_BYTES};
    struct process_result done;
    if (!process_run(view->arena, command, NULL, script, &limits, NULL, NULL, &done, NULL))
        plots->reason = "gnuplot could not be started (Debian package gnuplot-nox)";
    else if (done.end != PROCESS_EXITED || done.status != 0)
        plots->reason = "gnuplot failed";
    else
        split_pictures(view, plots, done.out);
}

static struct span kept(const struct view *view, struct buffer *text) {
    struct span copy = arena_copy(view->arena, buffer_span(text));
    buffer_free(text);
    return copy;
}

static void add_picture(const struct view *view, struct picture *picture, bool drawn,
                        struct plots *plots, struct buffer *script) {
    struct plot plot = {.result = PLOT_OF_PASS, .title = picture->title};
    plot.file = arena_printf(view->arena, "plots/%s.svg", picture->name).at;
    plot.table = arena_printf(view->arena, "plots/%s.csv", picture->name).at;
    plot.alt = kept(view, &picture->alt);
    plot.csv = kept(view, &picture->csv);
    if (drawn) {
        buffer_add(script, buffer_span(&picture->script));
        LIST_PUSH(view->arena, plots->items, plots->count, plots->capacity, plot);
    }
    buffer_free(&picture->script);
}

/* The pictures of the pass as a whole that it has data for. */
static void draw_pictures(const struct view *view, const struct history *history,
                          struct plots *plots, struct buffer *script) {
    for (size_t i = 0; i < sizeof pictures / sizeof *pictures; i++) {
        struct picture picture = {.name = pictures[i].name};
        add_picture(view, &picture, pictures[i].draw(view, &picture), plots, script);
    }
    struct picture drift = {.name = "drift"};
    add_picture(view, &drift, picture_drift(view, history, &drift), plots, script);
}

static void draw_experiments(const struct view *view, struct plots *plots, struct buffer *script) {
    size_t count = view->results.count;
    struct plot_data *all = arena_array(view->arena, count, sizeof *all);
    collect(view, all);
    for (size_t i = 0; i < count; i++) {
        struct plot_data *data = &all[i];
        struct plot plot = {.result = i};
        data->view = view;
        data->result = &view->results.results[i];
        if (data->count == 0 && data->result->measured_count == 0)
            continue;
        plot.file = arena_printf(view->arena, "plots/experiment-%zu.svg", i + 1).at;
        plot.table = arena_printf(view->arena, "plots/experiment-%zu.csv", i + 1).at;
        plot.csv = table_of(data);
        describe(data, &plot);
        plot_script(script, data);
        LIST_PUSH(view->arena, plots->items, plots->count, plots->capacity, plot);
    }
}

void plots_draw(const struct view *view, const struct history *history, struct plots *plots) {
    struct buffer script = {0};
    *plots = (struct plots){0};
    draw_pictures(view, history, plots, &script);
    draw_experiments(view, plots, &script);
    if (plots->count)
        draw(view, plots, buffer_span(&script));
    buffer_free(&script);
}
