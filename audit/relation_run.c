#include "audit/relation_run.h"

#include "audit/measure.h"
#include "audit/mend.h"
#include "core/number.h"

#include <math.h>

/* "about half": a value this far off (relative) still is what the words say; beyond twice that it
 * is contradicted. */
static const double hedge_slack = 0.15;

static bool is_hedged(const struct quantity *q) {
    return q->bound == BOUND_ABOUT || q->in_words;
}

bool relation_run_printed(struct relation_run *run) {
    const struct quantity *q = run->compared;
    struct quantity plain = *q;
    if (q->bound == BOUND_OVER || q->bound == BOUND_AT_LEAST || q->bound == BOUND_UNDER ||
        q->bound == BOUND_AT_MOST || is_hedged(q)) {
        double half = q->in_words ? 0 : power_of_ten(-q->decimals) / 2;
        plain.lo = q->value - half;
        plain.hi = q->value + half;
    }
    struct measure m = measure_of(&plain);
    run->ulp = m.ulp;
    if (!measure_interval(&plain, &run->printed))
        return false;
    if (mpq_sgn(run->printed.hi) <= 0 && mpq_sgn(run->printed.lo) < 0) {
        mpq_neg(run->printed.lo, run->printed.lo);
        mpq_neg(run->printed.hi, run->printed.hi);
        mpq_swap(run->printed.lo, run->printed.hi);
    }
    run->least = interval_lo(&run->printed);
    run->most = interval_hi(&run->printed);
    return true;
}

enum fit relation_run_fit(const struct relation_run *run, const struct interval *value) {
    const struct quantity *q = run->compared;
    double lo = interval_lo(value), hi = interval_hi(value);
    double size = fabs(run->least + run->most) / 2;
    double gap = interval_gap(value, &run->printed);
    bool above = lo > run->least, below = hi < run->most;
    if (interval_contact(value, &run->printed) != CONTACT_APART)
        return FIT_HOLDS;
    if ((q->bound == BOUND_OVER || q->bound == BOUND_AT_LEAST) && above)
        return gap <= size ? FIT_HOLDS : FIT_CLOSE;
    if ((q->bound == BOUND_UNDER || q->bound == BOUND_AT_MOST) && below)
        return gap <= size / 2 ? FIT_HOLDS : FIT_CLOSE;
    bool over = q->bound == BOUND_OVER || q->bound == BOUND_AT_LEAST;
    bool under = q->bound == BOUND_UNDER || q->bound == BOUND_AT_MOST;
    if ((over && below) || (under && above)) /* "more than 6x" for 4.3: no bound at all */
        return gap <= run->ulp / 2 ? FIT_CLOSE : FIT_FAR;
    if (is_hedged(q) || q->bound == BOUND_OVER || q->bound == BOUND_AT_LEAST ||
        q->bound == BOUND_AT_MOST || q->bound == BOUND_UNDER)
        return gap <= hedge_slack * size       ? FIT_HOLDS
               : gap <= 2 * hedge_slack * size ? FIT_CLOSE
                                               : FIT_FAR;
    /* digits cut off instead of rounded, and numbers that were rounded twice */
    double slack = above ? run->ulp / 2 : run->ulp / 20;
    return gap <= slack * (1 + 1e-9) ? FIT_CLOSE : FIT_FAR;
}

static struct reading_fit try_reading(struct relation_run *run, enum reading reading, size_t from,
                                      size_t to) {
    struct reading_fit r = {reading, FIT_NONE, NAN, NAN, 1};
    struct interval value;
    interval_init(&value);
    if (relation_value(run->document, reading, from, to, &value)) {
        run->tried++;
        r.fit = relation_run_fit(run, &value);
        r.lo = interval_lo(&value);
        r.hi = interval_hi(&value);
        double size = fmax(fabs(run->most), 1e-300);
        r.width = (r.hi - r.lo + run->most - run->least) / size;
        if (is_hedged(run->compared))
            r.width += 2 * hedge_slack;
    }
    interval_clear(&value);
    return r;
}

struct reading_fit relation_run_best(struct relation_run *run, size_t from, size_t to) {
    struct reading_fit best = {0, FIT_NONE, NAN, NAN, 1};
    for (int bit = 0; bit < READ_COUNT; bit++) {
        enum reading reading = (enum reading)(1 << bit);
        if (!(run->comparison->readings & reading))
            continue;
        struct reading_fit r = try_reading(run, reading, from, to);
        if (r.fit > best.fit)
            best = r;
    }
    return best;
}

/* --- saying it --- */

static double display_scale(const struct relation_run *run) {
    struct measure m = measure_of(run->compared);
    return (double)m.scale_numerator / (double)m.scale_denominator;
}

static void begin(struct finding_draft *d, const struct relation_run *run, enum finding_class class,
                  enum severity severity, size_t from, size_t to) {
    finding_begin(d, run->input, run->findings, run->check ? run->check : "relation", class,
                  severity);
    finding_number(d, "stated", run->comparison->quantity);
    finding_number(d, "from", from);
    finding_number(d, "to", to);
}

static struct span value_text(const struct relation_run *run, const struct reading_fit *r) {
    double scale = display_scale(run);
    struct span text = interval_text(run->document->arena, r->lo / scale, r->hi / scale);
    return arena_printf(run->document->arena, "%.*s%s", SPAN_ARG(text),
                        measure_of(run->compared).is_percent ? " %" : "");
}

static void set_expected(struct finding_draft *d, const struct relation_run *run,
                         const struct reading_fit *r, size_t from, size_t to) {
    double scale = display_scale(run);
    d->finding.expected_lo = r->lo / scale;
    d->finding.expected_hi = r->hi / scale;
    struct span expression = relation_expression(run->document, r->reading, from, to);
    d->finding.expression =
        arena_printf(run->document->arena, "%.*s = %.*s", SPAN_ARG(expression),
                     SPAN_ARG(quantity_quote(run->document, run->comparison->quantity)));
}

void relation_run_confirm(const struct relation_run *run, const struct reading_fit *r, size_t from,
                          size_t to, double chance) {
    struct finding_draft d;
    begin(&d, run, FINDING_CONFIRMED, SEVERITY_INFO, from, to);
    set_expected(&d, run, r, from, to);
    d.finding.chance = chance;
    struct span expression = relation_expression(run->document, r->reading, from, to);
    struct span text = value_text(run, r);
    struct span printed = quantity_quote(run->document, run->comparison->quantity);
    finding_say(&d, "%.*s lies in %.*s; %.*s is printed, read as %s.", SPAN_ARG(expression),
                SPAN_ARG(text), SPAN_ARG(printed), relation_reading_words(r->reading));
    finding_end(&d);
}

/* Every reading tried, with its value: "1 - 241/338 lies in 28.4..29.1 %". */
static struct span list_readings(struct relation_run *run, size_t from, size_t to,
                                 struct reading_fit *nearest) {
    struct buffer text = {0};
    double best = INFINITY, middle = (run->least + run->most) / 2;
    for (int bit = 0; bit < READ_COUNT; bit++) {
        enum reading reading = (enum reading)(1 << bit);
        if (!(run->comparison->readings & reading))
            continue;
        struct reading_fit r = try_reading(run, reading, from, to);
        if (r.fit == FIT_NONE)
            continue;
        struct span expression = relation_expression(run->document, reading, from, to);
        struct span value = value_text(run, &r);
        buffer_printf(&text, "%s%.*s (%s) lies in %.*s", text.len ? "; " : "", SPAN_ARG(expression),
                      relation_reading_words(reading), SPAN_ARG(value));
        double off = fabs((r.lo + r.hi) / 2 - middle);
        if (off < best) {
            best = off;
            *nearest = r;
        }
    }
    struct span copy = arena_copy(run->document->arena, buffer_span(&text));
    buffer_free(&text);
    return copy;
}

void relation_run_contradict(struct relation_run *run, size_t from, size_t to,
                             enum finding_class class, enum severity severity) {
    struct finding_draft d;
    struct reading_fit nearest = {0, FIT_NONE, NAN, NAN, 1};
    begin(&d, run, class, severity, from, to);
    struct span readings = list_readings(run, from, to, &nearest);
    set_expected(&d, run, &nearest, from, to);
    const struct quantity *q = run->compared;
    if (!q->in_words && q->bound == BOUND_NONE)
        d.finding.replacement = mend_number(run->document->arena, q->printed, q->decimals,
                                            d.finding.expected_lo, d.finding.expected_hi)
                                    .text;
    finding_say(&d, "%.*s; %.*s is printed.", SPAN_ARG(readings),
                SPAN_ARG(quantity_quote(run->document, run->comparison->quantity)));
    finding_end(&d);
}

bool relation_run_apart(struct relation_run *run, size_t a, size_t b) {
    const struct quantity *q = run->compared;
    double lo, hi, size = fabs(run->least + run->most) / 2;
    double allowed = q->bound == BOUND_NONE && !is_hedged(q) ? 0 : size;
    size_t tried = 0;
    for (int bit = 0; bit < READ_COUNT; bit++) {
        enum reading reading = (enum reading)(1 << bit);
        if (!(run->comparison->readings & reading) ||
            (reading == READ_POINTS && !run->document->measures[a].is_percent))
            continue;
        if (!relation_estimate(run->document, reading, a, b, &lo, &hi))
            return false;
        if (lo - run->most <= allowed * (1 + 1e-9) && run->least - hi <= allowed * (1 + 1e-9))
            return false;
        tried++;
    }
    run->tried += tried;
    return true;
}
