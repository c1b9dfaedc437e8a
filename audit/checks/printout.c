/* Figures that benchmark tools print beside each other: the statistics of one line ("min=9,
 * max=812, avg=14.2", "99.00th=[5342]") stand in their order; hyperfine's mean lies inside its
 * range and its summary is the ratio of the means; torch.utils.benchmark's IQR is the width of its
 * quartiles and holds the median. */
#include "audit/relation_run.h"

#include "audit/checks/checks.h"
#include "audit/measure.h"
#include "audit/prose.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_STATISTICS = 24, MOST_BENCHMARKS = 64 };

struct benchmark {
    struct span name;
    size_t mean; /* quantity */
};

struct printout_run {
    const struct check_input *input;
    const struct document *document;
    struct findings *findings;
    struct benchmark benchmarks[MOST_BENCHMARKS];
    size_t count;
    struct span name; /* of the benchmark whose lines follow */
    size_t mean;      /* of the last "Time (mean" line, NONE otherwise */
    struct span winner;
    size_t median; /* of torch.utils.benchmark, NONE otherwise */
};

static const struct quantity *quantity_at(const struct printout_run *run, size_t q) {
    return &run->document->claims->quantities[q];
}

static struct span text_of(const struct printout_run *run, const struct sentence *s) {
    return span_slice(run->document->chapter->view, s->start, s->end);
}

static void add(const struct printout_run *run, enum finding_class class, size_t a, size_t b,
                struct span message) {
    struct finding_draft d;
    bool alarm = class == FINDING_CONTRADICTION;
    finding_begin(&d, run->input, run->findings, "printout", class,
                  alarm ? SEVERITY_HIGH : SEVERITY_INFO);
    finding_number(&d, "value", a);
    finding_number(&d, "other", b);
    finding_say(&d, "%.*s", SPAN_ARG(message));
    finding_end(&d);
}

/* --- statistics of one line --- */

struct statistic {
    double rank; /* 0 min, 100 max, percentiles between; -1 the mean */
    size_t quantity;
};

/* The key right before "=" or ":": "avg", "99.00th". */
static bool read_key(const struct printout_run *run, const struct sentence *s, size_t q,
                     double *rank) {
    struct span view = run->document->chapter->view;
    size_t end = quantity_at(run, q)->start;
    while (end > s->start && strchr(" [(", view.at[end - 1]))
        end--;
    if (end == s->start || view.at[end - 1] != '=')
        return false;
    size_t start = --end;
    while (start > s->start &&
           (isalnum((unsigned char)view.at[start - 1]) || view.at[start - 1] == '.'))
        start--;
    struct span key = span_slice(view, start, end);
    char number[12] = {0};
    *rank = span_equal(key, SPAN("min"))                                    ? 0
            : span_equal(key, SPAN("max"))                                  ? 100
            : span_equal(key, SPAN("avg")) || span_equal(key, SPAN("mean")) ? -1
                                                                            : -2;
    if (*rank > -2 || key.len < 3 || key.len > sizeof number || !span_ends(key, SPAN("th")))
        return *rank > -2;
    memcpy(number, key.at, key.len - 2);
    *rank = strtod(number, NULL);
    return *rank > 0 && *rank < 100;
}

static bool must_rise(const struct statistic *a, const struct statistic *b) {
    if (a->rank == 0 || b->rank == 100)
        return a->rank != b->rank;
    return a->rank > 0 && b->rank > a->rank;
}

static void judge_line(const struct printout_run *run, const struct sentence *s) {
    struct statistic found[MOST_STATISTICS];
    size_t count = 0, checked = 0;
    for (size_t q = s->first_quantity;
         q < s->first_quantity + s->quantity_count && count < MOST_STATISTICS; q++) {
        struct statistic x = {0, q};
        if (read_key(run, s, q, &x.rank))
            found[count++] = x;
    }
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < count; k++) {
            const struct measure *x = &run->document->measures[found[i].quantity];
            const struct measure *y = &run->document->measures[found[k].quantity];
            if (!must_rise(&found[i], &found[k]) || x->unit_known != y->unit_known ||
                !dimension_equal(x->dimension, y->dimension))
                continue;
            checked++;
            if (x->lo <= y->hi)
                continue;
            struct span a = quantity_quote(run->document, found[i].quantity);
            struct span b = quantity_quote(run->document, found[k].quantity);
            add(run, FINDING_CONTRADICTION, found[i].quantity, found[k].quantity,
                arena_printf(run->document->arena,
                             "%.*s is above %.*s in one line of statistics, which cannot be.",
                             SPAN_ARG(a), SPAN_ARG(b)));
            return;
        }
    if (checked)
        add(run, FINDING_CONFIRMED, found[0].quantity, found[count - 1].quantity,
            SPAN("The statistics of this line stand in their order."));
}

/* --- ranges --- */

static void judge_inside(const struct printout_run *run, size_t value, size_t range) {
    const struct quantity *r = quantity_at(run, range);
    const struct measure *v = &run->document->measures[value], *m = &run->document->measures[range];
    double scale = (double)m->scale_numerator / (double)m->scale_denominator;
    if (r->value == r->value_high || !dimension_equal(v->dimension, m->dimension))
        return;
    bool inside = v->hi >= m->lo && v->lo <= m->hi && m->lo <= r->value * scale;
    struct span a = quantity_quote(run->document, value), b = quantity_quote(run->document, range);
    add(run, inside ? FINDING_CONFIRMED : FINDING_CONTRADICTION, value, range,
        arena_printf(run->document->arena, "%.*s %s the range %.*s of the same runs.", SPAN_ARG(a),
                     inside ? "lies in" : "lies outside", SPAN_ARG(b)));
}

/* Two ends that are no range because the second is smaller. */
static void judge_ends(const struct printout_run *run, size_t low) {
    struct span a = quantity_quote(run->document, low), b = quantity_quote(run->document, low + 1);
    const struct measure *x = &run->document->measures[low];
    const struct measure *y = &run->document->measures[low + 1];
    if (dimension_equal(x->dimension, y->dimension) && x->lo > y->hi)
        add(run, FINDING_CONTRADICTION, low, low + 1,
            arena_printf(run->document->arena, "The minimum %.*s is above the maximum %.*s.",
                         SPAN_ARG(a), SPAN_ARG(b)));
}

/* "IQR: 0.90 us (40.80 to 41.70)" */
static void judge_quartiles(struct printout_run *run, size_t width, size_t range) {
    const struct quantity *r = quantity_at(run, range);
    const struct measure *w = &run->document->measures[width];
    const struct measure *m = &run->document->measures[range];
    double scale = (double)m->scale_numerator / (double)m->scale_denominator;
    double spread = (r->value_high - r->value) * scale, slack = w->ulp / 2 + m->ulp;
    if (r->value == r->value_high || !dimension_equal(w->dimension, m->dimension))
        return;
    bool fits = fabs(spread - w->value) <= slack * (1 + 1e-9);
    struct span a = quantity_quote(run->document, width), b = quantity_quote(run->document, range);
    add(run, fits ? FINDING_CONFIRMED : FINDING_CONTRADICTION, width, range,
        arena_printf(run->document->arena, "%.*s %s the width of the quartiles %.*s.", SPAN_ARG(a),
                     fits ? "is" : "is not", SPAN_ARG(b)));
    if (run->median != NONE)
        judge_inside(run, run->median, range);
    run->median = NONE;
}

/* --- hyperfine --- */

static void remember(struct printout_run *run, size_t mean) {
    run->mean = mean;
    if (run->name.len && run->count < MOST_BENCHMARKS)
        run->benchmarks[run->count++] = (struct benchmark){run->name, mean};
}

static const struct benchmark *find(const struct printout_run *run, struct span name) {
    for (size_t i = run->count; i-- > 0;)
        if (span_equal(run->benchmarks[i].name, name))
            return &run->benchmarks[i];
    return NULL;
}

/* "7.00 ± 0.19 times faster than NAME": the ratio of the two means. */
static void judge_summary(struct printout_run *run, const struct sentence *s) {
    struct span line = text_of(run, s), mark = SPAN(" times faster than ");
    size_t at = span_find(line, mark, 0);
    if (at == SIZE_MAX || !s->quantity_count)
        return;
    const struct benchmark *slow = find(run, span_trim(span_slice(line, at + mark.len, line.len)));
    const struct benchmark *fast = find(run, run->winner);
    size_t q = s->first_quantity;
    if (!slow || !fast || quantity_at(run, q)->in_words)
        return;
    struct comparison ratio = {.quantity = q, .readings = READ_RATIO, .strict = true};
    struct relation_run fit = {.check = "printout",
                               .input = run->input,
                               .document = run->document,
                               .findings = run->findings,
                               .comparison = &ratio,
                               .compared = quantity_at(run, q)};
    interval_init(&fit.printed);
    if (relation_run_printed(&fit)) {
        struct reading_fit r = relation_run_best(&fit, slow->mean, fast->mean);
        if (r.fit >= FIT_CLOSE)
            relation_run_confirm(&fit, &r, slow->mean, fast->mean, NAN);
        else if (r.fit == FIT_FAR)
            relation_run_contradict(&fit, slow->mean, fast->mean, FINDING_CONTRADICTION,
                                    SEVERITY_HIGH);
    }
    interval_clear(&fit.printed);
}

static void take_line(struct printout_run *run, const struct sentence *s) {
    struct span line = text_of(run, s);
    size_t colon = span_find(line, SPAN(": "), 0);
    if (span_starts(line, SPAN("Benchmark ")) && colon != SIZE_MAX && colon < 20)
        run->name = span_trim(span_slice(line, colon + 2, line.len));
    else if (span_starts(line, SPAN("Time (mean")) && s->quantity_count)
        remember(run, s->first_quantity);
    else if (span_starts(line, SPAN("Range (min")) && s->quantity_count && run->mean != NONE &&
             quantity_at(run, s->first_quantity)->value !=
                 quantity_at(run, s->first_quantity)->value_high)
        judge_inside(run, run->mean, s->first_quantity);
    else if (span_starts(line, SPAN("Range (min")) && s->quantity_count > 1)
        judge_ends(run, s->first_quantity);
    else if (span_starts(line, SPAN("Median:")) && s->quantity_count)
        run->median = s->first_quantity;
    else if (span_starts(line, SPAN("IQR:")) && s->quantity_count > 1)
        judge_quartiles(run, s->first_quantity, s->first_quantity + 1);
    else if (span_ends(line, SPAN(" ran")))
        run->winner = span_trim(span_slice(line, 0, line.len - 4));
    else
        judge_summary(run, s);
}

static bool applies(const struct claim *claim) {
    return claim->quantity_count > 1 &&
           (claim->block == BLOCK_OUTPUT || claim->block == BLOCK_TEXT);
}

static void run(const struct check_input *input, struct findings *findings) {
    const struct document *d = input->document;
    struct printout_run r = {
        .input = input, .document = d, .findings = findings, .mean = NONE, .median = NONE};
    for (size_t i = 0; i < d->sentence_count; i++) {
        const struct sentence *s = &d->sentences[i];
        enum block_kind kind = d->chapter->blocks[s->block].kind;
        if (kind == BLOCK_CODE || s->end - s->start > 400)
            continue;
        if (kind == BLOCK_OUTPUT || kind == BLOCK_TEXT || kind == BLOCK_PROSE)
            take_line(&r, s);
        if (kind != BLOCK_TABLE && s->quantity_count > 1)
            judge_line(&r, s);
    }
    coverage_claims(input, findings, "printout", applies, "no line of a printout");
}

const struct check check_printout = {"printout", "Figures that benchmark tools print side by side",
                                     run};
