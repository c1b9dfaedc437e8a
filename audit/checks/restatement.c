/* The same value said twice. A number of the prose that rounds a more precise number of a table or
 * an output is confirmed; a number with many digits that differs from one only by two swapped
 * digits is an inconsistency. Two units side by side ("85 us, i.e. 0.085 ms") must agree. "Eight
 * more steps' worth" is the quotient of two other values. */
#include "audit/checks/checks.h"
#include "audit/measure.h"
#include "audit/prose.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

enum {
    MOST_CANDIDATES = 400, /* values of one unit looked at for one restatement */
    SWAP_DIGITS = 5,       /* so many digits make two swapped ones no accident */
};

struct value {
    double base; /* in base units, or as printed */
    size_t quantity;
};

/* A value with all that find_source asks of it, so that looking at many stays in few lines of
 * memory. */
struct source {
    struct value value; /* in base units */
    double ulp;
    size_t start;
    uint64_t unit; /* unit_key */
    uint32_t per;  /* hash; 0: none */
    uint16_t digits;
    bool prose;
};

/* All measured values in order of size, so that a restatement finds its source by bisection. */
struct restatement_run {
    const struct check_input *input;
    const struct document *document;
    struct findings *findings;
    struct source *values;
    struct value *printed;
    size_t count;
    size_t *said; /* of each quantity: 1 + times_said, 0 where nobody asked yet */
};

static int by_value(const void *a, const void *b) {
    const struct value *x = a, *y = b;
    if (x->base != y->base)
        return x->base < y->base ? -1 : 1;
    return x->quantity < y->quantity ? -1 : x->quantity > y->quantity;
}

static enum block_kind block_of(const struct document *d, const struct quantity *q) {
    return q->block < d->chapter->block_count ? d->chapter->blocks[q->block].kind : BLOCK_TEXT;
}

static bool is_source(const struct document *d, size_t quantity) {
    const struct quantity *q = &d->claims->quantities[quantity];
    return !q->malformed && q->role != ROLE_OTHER && q->value == q->value_high && q->unit.len &&
           isfinite(d->measures[quantity].value) && block_of(d, q) != BLOCK_CODE;
}

static bool in_prose(const struct document *d, const struct quantity *q) {
    enum block_kind kind = block_of(d, q);
    return kind == BLOCK_PROSE || kind == BLOCK_LIST || kind == BLOCK_TEXT || kind == BLOCK_HEADING;
}

static size_t digit_count(struct span printed) {
    size_t digits = 0;
    for (size_t i = 0; i < printed.len; i++)
        digits += printed.at[i] >= '0' && printed.at[i] <= '9';
    return digits;
}

/* Dimension and kind as one number; 0: not known. */
static uint64_t unit_key(const struct measure *m) {
    uint64_t key = 1;
    if (!m->unit_known)
        return 0;
    for (int i = 0; i < DIM_COUNT; i++)
        key = key << 8 | (uint8_t)m->dimension.power[i];
    return key << 2 | (uint64_t)m->is_percent << 1 | m->is_factor;
}

static uint32_t hash_of(struct span text) {
    uint32_t hash = 2166136261u; /* FNV-1a */
    for (size_t i = 0; i < text.len; i++)
        hash = (hash ^ (unsigned char)text.at[i]) * 16777619u;
    return text.len ? hash | 1 : 0;
}

static struct source source_of(const struct document *d, size_t quantity) {
    const struct quantity *q = &d->claims->quantities[quantity];
    const struct measure *m = &d->measures[quantity];
    size_t digits = digit_count(q->printed);
    return (struct source){.value = {m->value, quantity},
                           .ulp = m->ulp,
                           .start = q->start,
                           .unit = unit_key(m),
                           .per = hash_of(q->per),
                           .digits = digits < UINT16_MAX ? (uint16_t)digits : UINT16_MAX,
                           .prose = in_prose(d, q)};
}

static void collect(struct restatement_run *run) {
    const struct claims *claims = run->document->claims;
    run->values = arena_array(run->document->arena, claims->quantity_count, sizeof *run->values);
    run->printed = arena_array(run->document->arena, claims->quantity_count, sizeof *run->printed);
    for (size_t i = 0; i < claims->quantity_count; i++)
        if (is_source(run->document, i)) {
            run->printed[run->count] = (struct value){claims->quantities[i].value, i};
            run->values[run->count++] = source_of(run->document, i);
        }
    if (run->count == 0)
        return;
    qsort(run->values, run->count, sizeof *run->values, by_value);
    qsort(run->printed, run->count, sizeof *run->printed, by_value);
}

static size_t first_printed(const struct restatement_run *run, double value) {
    size_t low = 0, high = run->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (run->printed[middle].base < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static size_t first_at_least(const struct restatement_run *run, double base) {
    size_t low = 0, high = run->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (run->values[middle].value.base < base)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool same_unit(const struct document *d, size_t a, size_t b) {
    const struct measure *m = &d->measures[a], *n = &d->measures[b];
    struct span x = d->claims->quantities[a].per, y = d->claims->quantities[b].per;
    return m->unit_known && n->unit_known && dimension_equal(m->dimension, n->dimension) &&
           m->is_percent == n->is_percent && m->is_factor == n->is_factor &&
           (!x.len || !y.len || span_equal(x, y));
}

/* --- rounding of a value elsewhere --- */

static void confirm_copy(const struct restatement_run *run, size_t copy, size_t source) {
    struct finding_draft d;
    const struct quantity *q = &run->document->claims->quantities[source];
    finding_begin(&d, run->input, run->findings, "restatement", FINDING_CONFIRMED, SEVERITY_INFO);
    finding_number(&d, "restated", copy);
    finding_number(&d, "source", source);
    d.finding.expected_lo = q->lo;
    d.finding.expected_hi = q->hi;
    finding_say(&d, "%.*s restates %.*s within its rounding.",
                SPAN_ARG(quantity_quote(run->document, copy)),
                SPAN_ARG(quantity_quote(run->document, source)));
    finding_end(&d);
}

/* Whether the value may be what copy rounds: of its unit, as precise, before it where both are
 * prose. */
static bool may_source(const struct source *s, const struct source *copy) {
    return s->unit == copy->unit && s->value.quantity != copy->value.quantity &&
           (!s->prose || s->start <= copy->start) && s->ulp <= copy->ulp * 1.001 &&
           s->digits >= copy->digits && (!s->per || !copy->per || s->per == copy->per);
}

/* Of several sources that round to the copy the nearest in the text counts. */
static size_t find_source(const struct restatement_run *run, size_t quantity) {
    struct source copy = source_of(run->document, quantity);
    double base = copy.value.base, half = copy.ulp / 2 * (1 + 1e-9);
    size_t best = NONE, least = SIZE_MAX, looked = 0;
    for (size_t i = first_at_least(run, base - half); i < run->count && copy.unit; i++) {
        const struct source *s = &run->values[i];
        if (s->value.base > base + half || looked++ > MOST_CANDIDATES)
            break;
        size_t away = s->start > copy.start ? s->start - copy.start : copy.start - s->start;
        if (away >= least || !may_source(s, &copy) ||
            (s->per && copy.per && !same_unit(run->document, quantity, s->value.quantity)))
            continue;
        least = away;
        best = s->value.quantity;
    }
    return best;
}

/* "The same code reports 14.7": a number of the prose without a unit, in the unit of a more precise
 * one in a listing or a table. It can be confirmed; nothing follows when there is no such number.
 */
static size_t find_bare_source(const struct restatement_run *run, const struct quantity *q) {
    double half = q->decimals > 0 ? 0.5 * pow(10, -q->decimals) * (1 + 1e-9) : 0.5;
    size_t best = NONE, least = SIZE_MAX, looked = 0;
    for (size_t i = first_printed(run, q->value - half); i < run->count; i++) {
        if (run->printed[i].base > q->value + half || looked++ > MOST_CANDIDATES)
            break;
        const struct quantity *s = &run->document->claims->quantities[run->printed[i].quantity];
        if (in_prose(run->document, s) || s->role != ROLE_MEASUREMENT || s->start > q->start ||
            digit_count(s->printed) <= digit_count(q->printed) || q->start - s->start >= least)
            continue;
        least = q->start - s->start;
        best = run->printed[i].quantity;
    }
    return best;
}

static bool is_bare(const struct document *d, const struct quantity *q) {
    return q->unit.len == 0 && q->role == ROLE_MEASUREMENT && q->decimals > 0 && !q->malformed &&
           q->value == q->value_high && in_prose(d, q) && digit_count(q->printed) >= 2;
}

/* "3 ms" has too few digits to point far: its source stands in a listing a few lines before. */
static bool is_near_source(const struct restatement_run *run, size_t copy, size_t source) {
    enum { NEAR = 600, LEAST_DIGITS = 3 };
    const struct quantity *q = &run->document->claims->quantities[copy];
    const struct quantity *s = &run->document->claims->quantities[source];
    return s->end <= q->start && q->start - s->end <= NEAR && !in_prose(run->document, s) &&
           digit_count(s->printed) >= LEAST_DIGITS;
}

/* --- two digits swapped --- */

static bool is_swapped(struct span a, struct span b) {
    size_t differences = 0, first = 0, last = 0;
    if (a.len != b.len)
        return false;
    for (size_t i = 0; i < a.len; i++)
        if (a.at[i] != b.at[i]) {
            first = differences ? first : i;
            last = i;
            differences++;
        }
    return differences == 2 && last - first <= 2 && a.at[first] == b.at[last] &&
           a.at[last] == b.at[first];
}

static void report_swap(const struct restatement_run *run, size_t copy, size_t source) {
    struct finding_draft d;
    finding_begin(&d, run->input, run->findings, "restatement", FINDING_INCONSISTENCY,
                  SEVERITY_MEDIUM);
    finding_number(&d, "restated", copy);
    finding_number(&d, "source", source);
    d.finding.replacement = run->document->claims->quantities[source].printed;
    finding_say(&d, "%.*s differs from %.*s by two swapped digits.",
                SPAN_ARG(quantity_quote(run->document, copy)),
                SPAN_ARG(quantity_quote(run->document, source)));
    finding_end(&d);
}

static void find_swap(const struct restatement_run *run, size_t copy) {
    const struct quantity *q = &run->document->claims->quantities[copy];
    struct measure m = run->document->measures[copy];
    size_t looked = 0;
    if (digit_count(q->printed) < SWAP_DIGITS)
        return;
    for (size_t i = first_at_least(run, m.value * 0.9); i < run->count; i++) {
        size_t source = run->values[i].value.quantity;
        const struct quantity *s = &run->document->claims->quantities[source];
        if (run->values[i].value.base > m.value * 1.1 || looked++ > MOST_CANDIDATES)
            return;
        if (source != copy && is_swapped(q->printed, s->printed) && !in_prose(run->document, s) &&
            same_unit(run->document, copy, source)) {
            report_swap(run, copy, source);
            return;
        }
    }
}

/* --- two units side by side --- */

static const char *const equal_words[] = {"i.e.", "that is", "which is", "equivalently",
                                          "or",   "= ",      "equals",   NULL};

/* "64 GiB is 68.7 GB" */
static bool is_binary_for_decimal(const struct quantity *a, const struct quantity *b) {
    return (span_find_byte(a->unit, 'i', 0) == 1) != (span_find_byte(b->unit, 'i', 0) == 1);
}

/* "(1689MB/s)" or ", i.e. about 0.85 ms": *firm when words leave no doubt that both are one value.
 */
static bool says_equal(const struct document *d, size_t a, size_t b, bool *firm) {
    struct span between = prose_between(d, a, b);
    const struct quantity *q = &d->claims->quantities[b];
    while (between.len && (between.at[0] == ',' || between.at[0] == ' '))
        between = span_slice(between, 1, between.len);
    if (span_equal(between, SPAN("is")) || span_equal(between, SPAN("are")))
        return is_binary_for_decimal(&d->claims->quantities[a], q) && (*firm = true);
    *firm = between.len < 24 && prose_starts_with_any(between, equal_words, NULL) &&
            !prose_starts_with_any(between, (const char *const[]){"or", NULL}, NULL);
    if (*firm)
        return true;
    if (span_equal(between, SPAN("or")))
        return true;
    struct span after = span_slice(d->chapter->view, prose_end(q), prose_end(q) + 1);
    if (!span_equal(between, SPAN("(")) || !span_equal(after, SPAN(")")))
        return false;
    *firm = is_binary_for_decimal(&d->claims->quantities[a], q);
    return true;
}

/* "52.4 s, i.e. 40 ms each" divides. */
static bool is_each(const struct document *d, size_t b) {
    static const char *const each[] = {"each", "apiece", "a piece", "per",
                                       "a",    "an",     "every",   NULL};
    return prose_starts_with_any(prose_after(d, b, 16), each, NULL);
}

static bool one_dimension_two_units(const struct quantity *a, const struct quantity *b) {
    struct measure m = measure_of(a), n = measure_of(b);
    bool same_scale =
        m.scale_numerator == n.scale_numerator && m.scale_denominator == n.scale_denominator;
    return m.unit_known && n.unit_known && !same_scale && m.lo > 0 && n.lo > 0 &&
           dimension_equal(m.dimension, n.dimension) && !dimension_is_none(m.dimension) &&
           a->value == a->value_high && b->value == b->value_high && !a->malformed && !b->malformed;
}

/* Factors that slips of units make: prefixes, binary for decimal, bits for bytes. A parenthesis
 * that is off by something else may simply say another thing. */
static bool is_slip(double ratio) {
    static const double slips[] = {10,      100,   1000,     1024,        1e6,
                                   1048576, 1.024, 1.048576, 1.073741824, 1.099511627776,
                                   8,       8.192, 60};
    ratio = ratio < 1 ? 1 / ratio : ratio;
    for (size_t i = 0; i < sizeof slips / sizeof *slips; i++)
        if (fabs(ratio / slips[i] - 1) < 0.004)
            return true;
    return false;
}

static void judge_units(const struct restatement_run *run, size_t a, size_t b, bool firm) {
    const struct quantity *x = &run->document->claims->quantities[a];
    const struct quantity *y = &run->document->claims->quantities[b];
    struct measure m = measure_of(x), n = measure_of(y);
    double unit = (double)n.scale_numerator / (double)n.scale_denominator;
    struct interval p, q;
    interval_init(&p);
    interval_init(&q);
    if (measure_interval(x, &p) && measure_interval(y, &q)) {
        double slack = fmax(m.ulp, n.ulp) * (1 + 1e-9);
        bool hedged = x->bound == BOUND_ABOUT || y->bound == BOUND_ABOUT;
        double gap = interval_gap(&p, &q);
        bool agree = gap <= slack || (hedged && gap < 0.1 * m.value);
        if (agree || firm || is_slip(m.value / n.value)) {
            struct finding_draft d;
            finding_begin(&d, run->input, run->findings, "restatement",
                          agree ? FINDING_CONFIRMED : FINDING_CONTRADICTION,
                          agree ? SEVERITY_INFO : SEVERITY_HIGH);
            finding_number(&d, "restated", b);
            finding_number(&d, "source", a);
            d.finding.expected_lo = interval_lo(&p) / unit;
            d.finding.expected_hi = interval_hi(&p) / unit;
            struct span interval =
                interval_text(run->document->arena, d.finding.expected_lo, d.finding.expected_hi);
            finding_say(&d, "%.*s is %.*s %.*s; %.*s is printed.",
                        SPAN_ARG(quantity_quote(run->document, a)), SPAN_ARG(interval),
                        SPAN_ARG(y->unit), SPAN_ARG(quantity_quote(run->document, b)));
            finding_end(&d);
        }
    }
    interval_clear(&p);
    interval_clear(&q);
}

/* --- "eight more steps' worth" --- */

static bool says_worth(const struct document *d, size_t q) {
    struct span after = prose_after(d, q, 60);
    return prose_has_word(after, "worth") || prose_has_word(after, "worth of");
}

static bool is_time(const struct quantity *q) {
    struct measure m = measure_of(q);
    struct dimension time = {{0}};
    time.power[DIM_TIME] = 1;
    return m.unit_known && dimension_equal(m.dimension, time) && m.value > 0;
}

static void confirm_worth(const struct restatement_run *run, size_t count, size_t whole,
                          size_t part) {
    struct finding_draft d;
    const struct quantity *all = run->document->claims->quantities;
    struct measure a = measure_of(&all[whole]), b = measure_of(&all[part]);
    finding_begin(&d, run->input, run->findings, "restatement", FINDING_CONFIRMED, SEVERITY_INFO);
    finding_number(&d, "count", count);
    finding_number(&d, "whole", whole);
    finding_number(&d, "part", part);
    d.finding.expected_lo = a.lo / b.hi;
    d.finding.expected_hi = a.hi / b.lo;
    d.finding.expression = arena_printf(run->document->arena, "%.*s/%.*s",
                                        SPAN_ARG(all[whole].printed), SPAN_ARG(all[part].printed));
    struct span interval =
        interval_text(run->document->arena, d.finding.expected_lo, d.finding.expected_hi);
    finding_say(&d, "%.*s/%.*s lies in %.*s, about %.3g; \"%.*s\" is printed.",
                SPAN_ARG(quantity_quote(run->document, whole)),
                SPAN_ARG(quantity_quote(run->document, part)), SPAN_ARG(interval),
                a.value / b.value, SPAN_ARG(quantity_quote(run->document, count)));
    finding_end(&d);
}

/* How often the value is said, in any rounding: the text's main value is the one it repeats. */
static size_t times_said(const struct restatement_run *run, size_t quantity) {
    struct measure m = run->document->measures[quantity];
    size_t said = 0, looked = 0;
    if (run->said[quantity])
        return run->said[quantity] - 1;
    for (size_t i = first_at_least(run, m.value * 0.99); i < run->count && looked < MOST_CANDIDATES;
         i++, looked++) {
        if (run->values[i].value.base > m.value * 1.01)
            break;
        said += same_unit(run->document, quantity, run->values[i].value.quantity);
    }
    run->said[quantity] = 1 + said;
    return said;
}

/* The whole stands in the same sentence or the one before; the part is a time for one of what is
 * counted, the one that the text repeats most among those that fit. */
static void find_worth(const struct restatement_run *run, size_t count) {
    const struct document *d = run->document;
    const struct quantity *n = &d->claims->quantities[count];
    if (n->sentence >= d->sentence_count || !says_worth(d, count) || !(n->value > 0))
        return;
    const struct sentence *s = &d->sentences[n->sentence];
    enum { MOST_BACK = 100 }; /* numbers of one sentence between the whole and the count */
    size_t first = count - s->first_quantity > MOST_BACK ? count - MOST_BACK : s->first_quantity;
    size_t whole = NONE, part = NONE, most = 0, looked = 0;
    for (size_t q = count; q-- > first && whole == NONE;)
        if (is_time(&d->claims->quantities[q]))
            whole = q;
    if (whole == NONE)
        return;
    double want = measure_of(&d->claims->quantities[whole]).value / n->value;
    for (size_t i = first_at_least(run, want / 1.1); i < run->count; i++) {
        size_t q = run->values[i].value.quantity;
        if (run->values[i].value.base > want * 1.1 || looked++ > MOST_CANDIDATES)
            break;
        if (q == whole || !is_time(&d->claims->quantities[q]))
            continue;
        size_t said = times_said(run, q);
        if (said > most) {
            most = said;
            part = q;
        }
    }
    if (part != NONE)
        confirm_worth(run, count, whole, part);
}

static bool has_number(const struct claim *claim) {
    return claim->quantity_count > 0;
}

static void judge(const struct restatement_run *run, size_t q) {
    const struct quantity *x = &run->document->claims->quantities[q];
    find_worth(run, q);
    if (is_bare(run->document, x)) {
        size_t bare = find_bare_source(run, x);
        if (bare != NONE)
            confirm_copy(run, q, bare);
    }
    if (!is_source(run->document, q))
        return;
    const struct claims *claims = run->document->claims;
    bool firm;
    if (q + 1 < claims->quantity_count && claims->quantities[q + 1].sentence == x->sentence &&
        one_dimension_two_units(x, &claims->quantities[q + 1]) &&
        says_equal(run->document, q, q + 1, &firm) && !is_each(run->document, q + 1))
        judge_units(run, q, q + 1, firm);
    if (!in_prose(run->document, x) || run->document->measures[q].is_factor ||
        run->document->measures[q].is_percent)
        return;
    size_t source = find_source(run, q);
    bool pointed = digit_count(x->printed) > 1;
    if (source != NONE && (pointed || is_near_source(run, q, source)))
        confirm_copy(run, q, source);
    else if (source == NONE && pointed)
        find_swap(run, q);
}

static void run(const struct check_input *input, struct findings *findings) {
    struct restatement_run r = {.input = input, .document = input->document, .findings = findings};
    r.said = arena_array(r.document->arena, r.document->claims->quantity_count, sizeof *r.said);
    collect(&r);
    for (size_t q = 0; q < input->document->claims->quantity_count; q++)
        judge(&r, q);
    coverage_claims(input, findings, "restatement", has_number, "holds no number");
}

const struct check check_restatement = {"restatement", "Values said twice agree", run};
