/* What a sentence says about two values: "from 41.0 to 12.3 seconds (3.3x)", "37% less". The number
 * that compares is tied to the pair it stands by, worked out under every reading its words allow,
 * and confirmed or contradicted. Without an explicit pair the values of the sentence, of the one
 * before and of the table rows it names are tried; that can confirm, not contradict, unless the
 * sentence names both rows. */
#include "audit/relation.h"

#include "audit/checks/checks.h"
#include "audit/measure.h"
#include "audit/mend.h"
#include "audit/prose.h"
#include "core/number.h"

#include <math.h>

enum {
    MOST_PAIRS = 16,
    NEAR_PAIR_BYTES = 160, /* a comparing number further from its pair is not tied to it */
    MOST_MENTIONS = 6,     /* table rows that one sentence names */
    TABLES_BACK = 3,       /* tables before a sentence that it may speak of */
};
/* Chance of luck up to which values that no word ties together confirm a comparison. */
static const double confirm_chance = 0.05;
/* "about half": a value this far off (relative) still is what the words say; beyond twice that it
 * is contradicted. */
static const double hedge_slack = 0.15;

struct relation_run {
    const struct check_input *input;
    const struct document *document;
    struct findings *findings;
    const struct comparison *comparison;
    const struct quantity *compared; /* the comparing number */
    struct interval printed;         /* its size, in base units, without sign */
    double ulp;
    size_t tried;
};

enum fit { FIT_NONE, FIT_FAR, FIT_CLOSE, FIT_HOLDS };

static bool is_hedged(const struct quantity *q) {
    return q->bound == BOUND_ABOUT || q->in_words;
}

static bool printed_size(struct relation_run *run) {
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
    return true;
}

/* How the value of a reading fits what is printed, hedges and bounds considered. */
static enum fit fit_of(const struct relation_run *run, const struct interval *value) {
    const struct quantity *q = run->compared;
    double lo = interval_lo(value), hi = interval_hi(value);
    double size = fabs(interval_lo(&run->printed) + interval_hi(&run->printed)) / 2;
    double gap = interval_gap(value, &run->printed);
    bool above = lo > interval_lo(&run->printed), below = hi < interval_hi(&run->printed);
    if (interval_contact(value, &run->printed) != CONTACT_APART)
        return FIT_HOLDS;
    if ((q->bound == BOUND_OVER || q->bound == BOUND_AT_LEAST) && above)
        return gap <= size ? FIT_HOLDS : FIT_CLOSE;
    if ((q->bound == BOUND_UNDER || q->bound == BOUND_AT_MOST) && below)
        return gap <= size / 2 ? FIT_HOLDS : FIT_CLOSE;
    if (is_hedged(q) || q->bound == BOUND_OVER || q->bound == BOUND_AT_LEAST ||
        q->bound == BOUND_AT_MOST || q->bound == BOUND_UNDER)
        return gap <= hedge_slack * size       ? FIT_HOLDS
               : gap <= 2 * hedge_slack * size ? FIT_CLOSE
                                               : FIT_FAR;
    return gap <= run->ulp * (1 + 1e-9) ? FIT_CLOSE : FIT_FAR;
}

struct reading_fit {
    enum reading reading;
    enum fit fit;
    double lo, hi, width; /* base units; width relative to the printed size */
};

static struct reading_fit try_reading(struct relation_run *run, enum reading reading, size_t from,
                                      size_t to) {
    struct reading_fit r = {reading, FIT_NONE, NAN, NAN, 1};
    struct interval value;
    interval_init(&value);
    if (relation_value(run->document, reading, from, to, &value)) {
        run->tried++;
        r.fit = fit_of(run, &value);
        r.lo = interval_lo(&value);
        r.hi = interval_hi(&value);
        double size = fmax(fabs(interval_hi(&run->printed)), 1e-300);
        r.width = (r.hi - r.lo + interval_hi(&run->printed) - interval_lo(&run->printed)) / size;
        if (is_hedged(run->compared))
            r.width += 2 * hedge_slack;
    }
    interval_clear(&value);
    return r;
}

/* The best fit over the allowed readings; the first listed wins a tie. */
static struct reading_fit best_reading(struct relation_run *run, size_t from, size_t to) {
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
    finding_begin(d, run->input, run->findings, "relation", class, severity);
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

static void confirm(const struct relation_run *run, const struct reading_fit *r, size_t from,
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
    double best = INFINITY, middle = (interval_lo(&run->printed) + interval_hi(&run->printed)) / 2;
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

static void contradict(struct relation_run *run, size_t from, size_t to, enum severity severity) {
    struct finding_draft d;
    struct reading_fit nearest = {0, FIT_NONE, NAN, NAN, 1};
    begin(&d, run, FINDING_CONTRADICTION, severity, from, to);
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

/* --- explicit pairs --- */

static size_t distance(const struct document *d, const struct value_pair *p, size_t q) {
    const struct quantity *all = d->claims->quantities;
    if (q < p->first)
        return all[p->first].start - all[q].end;
    return q > p->last ? all[q].start - all[p->last].end : SIZE_MAX;
}

static const struct value_pair *
nearest_pair(const struct document *d, const struct value_pair *pairs, size_t count, size_t q) {
    const struct value_pair *best = NULL;
    size_t least = NEAR_PAIR_BYTES;
    for (size_t i = 0; i < count; i++) {
        size_t far = distance(d, &pairs[i], q);
        if (far < least) {
            least = far;
            best = &pairs[i];
        }
    }
    return best;
}

/* A difference compares values of its own kind. */
static bool suits(const struct relation_run *run, const struct value_pair *pair) {
    if (run->comparison->readings != READ_DIFFERENCE)
        return true;
    struct measure a = measure_of(run->compared);
    struct measure b = measure_of(&run->document->claims->quantities[pair->from]);
    return a.unit_known && dimension_equal(a.dimension, b.dimension) &&
           a.is_percent == b.is_percent;
}

static bool judge_pair(struct relation_run *run, const struct value_pair *pair) {
    if (!suits(run, pair))
        return false;
    struct reading_fit r = best_reading(run, pair->from, pair->to);
    if (r.fit == FIT_HOLDS || r.fit == FIT_CLOSE)
        confirm(run, &r, pair->from, pair->to, NAN);
    else if (r.fit == FIT_FAR && run->comparison->strict)
        contradict(run, pair->from, pair->to, SEVERITY_HIGH);
    else
        return false;
    return true;
}

/* --- values that no word ties together --- */

static bool comparable(const struct document *d, size_t a, size_t b) {
    const struct quantity *x = &d->claims->quantities[a], *y = &d->claims->quantities[b];
    if (a == b || x->malformed || y->malformed || x->role == ROLE_OTHER || y->role == ROLE_OTHER)
        return false;
    const struct measure *m = &d->measures[a], *n = &d->measures[b];
    return m->unit_known && n->unit_known && !m->is_factor && !n->is_factor && m->lo > 0 &&
           n->lo > 0 && m->is_percent == n->is_percent &&
           dimension_equal(m->dimension, n->dimension);
}

/* Whether no reading can hold, seen without exact arithmetic; counts the readings as tried. A bound
 * or a hedge lets a value be off by at most its size (fit_of). */
static bool surely_apart(struct relation_run *run, size_t a, size_t b) {
    const struct quantity *q = run->compared;
    double lo, hi, least = interval_lo(&run->printed), most = interval_hi(&run->printed);
    double size = fabs(least + most) / 2;
    double allowed = q->bound == BOUND_NONE && !is_hedged(q) ? 0 : size;
    size_t tried = 0;
    for (int bit = 0; bit < READ_COUNT; bit++) {
        enum reading reading = (enum reading)(1 << bit);
        if (!(run->comparison->readings & reading) ||
            (reading == READ_POINTS && !run->document->measures[a].is_percent))
            continue;
        if (!relation_estimate(run->document, reading, a, b, &lo, &hi))
            return false;
        if (fmax(lo - most, least - hi) <= allowed * (1 + 1e-9))
            return false;
        tried++;
    }
    run->tried += tried;
    return true;
}

/* true when a confirmation was made (or luck has become too likely to go on). */
static bool try_values(struct relation_run *run, size_t a, size_t b) {
    if (!comparable(run->document, a, b) || a == run->comparison->quantity ||
        b == run->comparison->quantity || surely_apart(run, a, b))
        return false;
    struct reading_fit r = best_reading(run, a, b);
    double chance = (double)run->tried * r.width / log(10);
    if (r.fit != FIT_HOLDS)
        return false;
    if (chance < confirm_chance)
        confirm(run, &r, a, b, chance);
    return true;
}

static bool try_sentence(struct relation_run *run, const struct sentence *s,
                         const struct sentence *other) {
    for (size_t i = 0; i < s->quantity_count && i < 12; i++)
        for (size_t j = 0; j < other->quantity_count && j < 12; j++) {
            size_t a = s->first_quantity + i, b = other->first_quantity + j;
            if ((s != other || a < b) && (try_values(run, a, b) || try_values(run, b, a)))
                return true;
        }
    return false;
}

/* --- tables --- */

struct mentions {
    size_t rows[MOST_MENTIONS];
    size_t count;
};

static struct mentions rows_named(const struct grid *g, struct span text) {
    struct mentions m = {{0}, 0};
    for (size_t row = 0; row < g->row_count && row < 64 && m.count < MOST_MENTIONS; row++)
        if (prose_has_label(text, g->row_labels[row]))
            m.rows[m.count++] = row;
    return m;
}

static bool try_rows(struct relation_run *run, const struct grid *g, size_t a, size_t b) {
    for (size_t c = 0; c < g->column_count && a != b; c++) {
        size_t x = grid_cell(g, a, c), y = grid_cell(g, b, c);
        if (x != NONE && y != NONE && (try_values(run, x, y) || try_values(run, y, x)))
            return true;
    }
    return false;
}

static bool try_grid(struct relation_run *run, const struct grid *g, struct span text) {
    struct mentions m = rows_named(g, text);
    for (size_t i = 0; i < m.count; i++)
        for (size_t j = i + 1; j < m.count; j++)
            if (try_rows(run, g, m.rows[i], m.rows[j]))
                return true;
    for (size_t i = 0; i < m.count; i++) {
        if (try_rows(run, g, m.rows[i], 0) ||
            (m.rows[i] && try_rows(run, g, m.rows[i], m.rows[i] - 1)))
            return true;
        for (size_t row = 1; row < g->row_count && row < 64; row++)
            if (try_rows(run, g, m.rows[i], row))
                return true;
    }
    return false;
}

static bool try_tables(struct relation_run *run, const struct sentence *s, size_t sentence) {
    struct span text = prose_sentence(run->document, sentence);
    size_t seen = 0;
    for (size_t i = run->document->grid_count; i-- > 0 && seen < TABLES_BACK;) {
        const struct grid *g = &run->document->grids[i];
        if (g->start >= s->start)
            continue;
        seen++;
        if (try_grid(run, g, text))
            return true;
    }
    return false;
}

/* --- one comparing number --- */

static const char *const carries_on[] = {"that", "this", "which", "it", "a", "an", "so", NULL};

static void judge(struct relation_run *run, size_t sentence, const struct value_pair *pairs,
                  size_t count, const struct value_pair *previous) {
    const struct document *d = run->document;
    const struct sentence *s = &d->sentences[sentence];
    size_t q = run->comparison->quantity;
    const struct value_pair *pair = nearest_pair(d, pairs, count, q);
    if (!pair && previous && prose_starts_with_any(prose_sentence(d, sentence), carries_on, NULL) &&
        distance(d, previous, q) < NEAR_PAIR_BYTES)
        pair = previous;
    if (pair && judge_pair(run, pair))
        return;
    run->tried = 0;
    if (try_sentence(run, s, s) || try_tables(run, s, sentence) || !sentence)
        return;
    try_sentence(run, s, s - 1);
}

static bool in_prose(const struct document *d, const struct sentence *s) {
    if (s->block >= d->chapter->block_count)
        return false;
    enum block_kind kind = d->chapter->blocks[s->block].kind;
    return kind == BLOCK_PROSE || kind == BLOCK_LIST || kind == BLOCK_HEADING || kind == BLOCK_TEXT;
}

static bool compares(const struct claim *claim) {
    return claim->kind == CLAIM_RATIO || claim->kind == CLAIM_RELATION;
}

static void run(const struct check_input *input, struct findings *findings) {
    const struct document *d = input->document;
    struct value_pair pairs[MOST_PAIRS], previous = {0};
    bool has_previous = false;
    for (size_t i = 0; i < d->sentence_count; i++) {
        const struct sentence *s = &d->sentences[i];
        size_t count = in_prose(d, s) ? relation_pairs(d, i, pairs, MOST_PAIRS) : 0;
        for (size_t k = 0; k < s->quantity_count && in_prose(d, s); k++) {
            struct comparison c;
            if (!relation_comparison(d, s->first_quantity + k, &c))
                continue;
            struct relation_run r = {.input = input,
                                     .document = d,
                                     .findings = findings,
                                     .comparison = &c,
                                     .compared = &d->claims->quantities[c.quantity]};
            interval_init(&r.printed);
            if (printed_size(&r))
                judge(&r, i, pairs, count, has_previous ? &previous : NULL);
            interval_clear(&r.printed);
        }
        has_previous = count > 0;
        if (count)
            previous = pairs[count - 1];
    }
    coverage_claims(input, findings, "relation", compares, "compares no two values");
}

const struct check check_relation = {"relation", "Ratios, changes and differences stated in prose",
                                     run};
