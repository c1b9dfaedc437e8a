/* From the first step of a fresh process to the steady state, as a timeline: each step is a bar
 * from its begin to its end on the process's own clock. */
#include "report/picture.h"

#include <math.h>

enum { FIRST, WARM_UP, STEADY, STAGES };
static const char *const names[STAGES] = {"first step", "warm-up", "steady"};
static const char *const colours[STAGES] = {"#a40e26", "#bf8700", "#0550ae"};
/* Steps shown behind the first one. */
enum { MOST_STEPS = 80 };

struct lifecycle {
    struct span experiment, first, steady; /* variants of one experiment */
};

static void note(void *context, const struct picture_variant *v) {
    struct lifecycle *l = context;
    if (!v->measured || l->steady.len)
        return;
    if (variant_has(v->plan, "first-call", "first")) {
        l->experiment = v->result->id;
        l->first = v->plan->name;
    } else if (l->first.len && span_equal(l->experiment, v->result->id) &&
               variant_has(v->plan, "warmed-median", "step"))
        l->steady = v->plan->name;
}

static bool is_sample(const struct sample *s, const struct lifecycle *l, struct span variant,
                      size_t process) {
    return !s->sham && s->process == process && isfinite(s->value) && s->value >= 0 &&
           span_equal(s->experiment, l->experiment) && span_equal(s->variant, variant);
}

static void put_bar(struct picture *picture, int stage, double from, double ms, size_t number) {
    buffer_printf(&picture->script, "%.6g %.1f %.6g %.6g %.2f %.2f %d\n", from + ms / 2,
                  STAGES - stage - 0.5, from, from + ms, STAGES - stage - 0.85,
                  STAGES - stage - 0.15, stage);
    buffer_printf(&picture->csv, "%s,%zu,%.6g,%.6g\n", names[stage], number, from, from + ms);
}

/* The bars of the first process; sums gets the time in each stage, counts its steps. */
static void put_bars(struct picture *picture, const struct view *view, const struct lifecycle *l,
                     size_t process, double *sums, size_t *counts) {
    double at = 0;
    size_t number = 1;
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < view->sample_count && number <= MOST_STEPS + 1; i++) {
            const struct sample *s = &view->samples[i];
            if (!is_sample(s, l, pass ? l->steady : l->first, process) ||
                (pass == 0 && counts[FIRST]))
                continue;
            int stage = pass == 0 ? FIRST : s->warmup ? WARM_UP : STEADY;
            if (stage == WARM_UP && counts[STEADY])
                return; /* the variant's next turn */
            put_bar(picture, stage, at, s->value, number++);
            at += s->value;
            sums[stage] += s->value;
            counts[stage]++;
        }
}

bool picture_lifecycle(const struct view *view, struct picture *picture) {
    struct lifecycle l = {0};
    double sums[STAGES] = {0};
    size_t counts[STAGES] = {0}, process = 0;
    picture_variants(view, note, &l);
    if (l.steady.len == 0)
        return false;
    for (size_t i = 0; i < view->sample_count; i++)
        if (span_equal(view->samples[i].experiment, l.experiment)) {
            process = view->samples[i].process;
            break;
        }
    picture->title = SPAN("From the first step to the steady state, one process (ms)");
    buffer_add(&picture->csv, SPAN("stage,step,begin_ms,end_ms\n"));
    plot_begin(&picture->script, picture->title, 260);
    plot_label(&picture->script, 'x', SPAN("ms of stepping since the first step began"));
    buffer_printf(&picture->script, "set yrange [0:%d]\nset ytics (", STAGES);
    for (int i = 0; i < STAGES; i++)
        buffer_printf(&picture->script, "%s'%s' %.1f", i ? ", " : "", names[i], STAGES - i - 0.5);
    buffer_add(&picture->script, SPAN(") scale 0\nset xrange [0:*]\nset key off\n$bars << EOD\n"));
    put_bars(picture, view, &l, process, sums, counts);
    buffer_add(&picture->script, SPAN("EOD\nplot "));
    if (counts[FIRST] == 0 || counts[STEADY] == 0)
        return false;
    for (int i = 0; i < STAGES; i++) {
        buffer_printf(
            &picture->script,
            "%s$bars using ($7==%d?$1:NaN):2:3:4:5:6 with boxxyerror fs solid 0.7 border lc rgb "
            "'#ffffff' fc rgb '%s' notitle",
            i ? ", " : "", i, colours[i]);
        buffer_printf(&picture->alt, "%s%s: %zu in %.4g ms", i ? "; " : "", names[i], counts[i],
                      sums[i]);
    }
    buffer_add_byte(&picture->script, '\n');
    return true;
}
