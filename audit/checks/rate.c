/* Amount, time and rate in one place: "6,102,877 requests in 30.01 s", "Requests/sec: 203,361",
 * "118 GB at 2.4 GB/s, which takes 49 s", "20.1 ms, i.e. 50 frames per second", "3,080 pauses, 4.0
 * s in total, mean 1.3 ms". Each is amount = rate * time; the last of the three in the text is the
 * one that was worked out. Contradicted only where there is one candidate for each part and words
 * tie them together. */
#include "audit/relation_run.h"

#include "audit/checks/checks.h"
#include "audit/measure.h"
#include "audit/mend.h"
#include "audit/prose.h"

#include <math.h>

enum {
    MOST_QUANTITIES = 16, /* of one sentence that are looked at */
    NEAR_BYTES = 60,      /* between the parts of one statement */
    LINES_BACK = 6,       /* of a printout, between "in 30.01s" and "Requests/sec" */
};

struct rate_run {
    const struct check_input *input;
    const struct document *document;
    struct findings *findings;
};

/* The three quantities of one statement, and which of them the other two give. */
struct triple {
    size_t amount, time, rate; /* amount or rate NONE: one thing in that time */
    size_t derived;
    bool firm; /* words tie the three together */
};

static const struct measure *measure_at(const struct rate_run *run, size_t q) {
    return &run->document->measures[q];
}

static const struct quantity *quantity_at(const struct rate_run *run, size_t q) {
    return &run->document->claims->quantities[q];
}

static bool same_noun(struct span a, struct span b) {
    struct span x = a.len > 3 && a.at[a.len - 1] == 's' ? span_slice(a, 0, a.len - 1) : a;
    struct span y = b.len > 3 && b.at[b.len - 1] == 's' ? span_slice(b, 0, b.len - 1) : b;
    return span_equal_nocase(x, y);
}

static bool usable(const struct rate_run *run, size_t q) {
    const struct quantity *x = quantity_at(run, q);
    const struct measure *m = measure_at(run, q);
    return !x->malformed && x->value == x->value_high && m->unit_known && m->lo > 0 &&
           x->role != ROLE_OTHER && x->role != ROLE_SPEC;
}

static bool is_time(const struct rate_run *run, size_t q) {
    static const struct dimension time = {{[DIM_TIME] = 1}};
    const struct measure *m = measure_at(run, q);
    return usable(run, q) && dimension_equal(m->dimension, time) && !m->noun.len;
}

static bool is_rate(const struct rate_run *run, size_t q) {
    const struct measure *m = measure_at(run, q);
    struct dimension d = m->dimension;
    bool counted = d.power[DIM_DATA] == 1 || d.power[DIM_WORK] == 1 || m->noun.len;
    d.power[DIM_TIME]++;
    d.power[DIM_DATA] = d.power[DIM_WORK] = 0;
    return usable(run, q) && counted && dimension_is_none(d) && !quantity_at(run, q)->per.len;
}

/* Whether a quantity is an amount of what the rate counts. */
static bool is_amount_of(const struct rate_run *run, size_t amount, size_t rate) {
    const struct measure *a = measure_at(run, amount), *r = measure_at(run, rate);
    struct dimension d = r->dimension;
    d.power[DIM_TIME]++;
    return usable(run, amount) && dimension_equal(a->dimension, d) && same_noun(a->noun, r->noun) &&
           !a->is_percent && !a->is_factor && !quantity_at(run, amount)->per.len;
}

/* The only quantity in [first, end) for which the test holds; NONE for none or several. */
static size_t only_amount(const struct rate_run *run, size_t first, size_t end, size_t rate) {
    size_t found = NONE;
    for (size_t q = first; q < end; q++)
        if (q != rate && is_amount_of(run, q, rate)) {
            if (found != NONE)
                return NONE;
            found = q;
        }
    return found;
}

static size_t only_time(const struct rate_run *run, size_t first, size_t end) {
    size_t found = NONE;
    for (size_t q = first; q < end; q++)
        if (is_time(run, q)) {
            if (found != NONE)
                return NONE;
            found = q;
        }
    return found;
}

/* --- what three quantities say --- */

static bool read(const struct rate_run *run, size_t q, struct interval *out) {
    if (q != NONE)
        return measure_interval(quantity_at(run, q), out);
    interval_from_ratio(out, 1, 1);
    return true;
}

/* The derived quantity as the others give it. */
static bool predict(const struct rate_run *run, const struct triple *t, struct interval *out) {
    struct interval other;
    interval_init(&other);
    bool ok = true;
    if (t->derived == t->amount && t->amount != NONE) {
        ok = read(run, t->rate, out) && read(run, t->time, &other);
        interval_multiply(out, out, &other);
    } else if (t->derived == t->time) {
        ok = read(run, t->amount, out) && read(run, t->rate, &other) &&
             interval_divide(out, out, &other);
    } else {
        ok = read(run, t->amount, out) && read(run, t->time, &other) &&
             interval_divide(out, out, &other);
    }
    interval_clear(&other);
    return ok;
}

static struct span expression_of(const struct rate_run *run, const struct triple *t) {
    struct span amount = t->amount == NONE ? SPAN("1") : quantity_at(run, t->amount)->printed;
    struct span time = quantity_at(run, t->time)->printed;
    struct arena *arena = run->document->arena;
    if (t->derived == t->time || t->derived == t->amount) {
        struct span rate = quantity_at(run, t->rate)->printed;
        bool times = t->derived == t->amount;
        return arena_printf(arena, times ? "%.*s * %.*s" : "%.*s/%.*s",
                            SPAN_ARG(times ? rate : amount), SPAN_ARG(times ? time : rate));
    }
    return arena_printf(arena, "%.*s/%.*s", SPAN_ARG(amount), SPAN_ARG(time));
}

static void say(const struct rate_run *run, const struct triple *t, const struct interval *value,
                bool holds) {
    const struct quantity *derived = quantity_at(run, t->derived);
    const struct measure *m = measure_at(run, t->derived);
    double scale = (double)m->scale_numerator / (double)m->scale_denominator;
    struct finding_draft d;
    finding_begin(&d, run->input, run->findings, "rate",
                  holds ? FINDING_CONFIRMED : FINDING_CONTRADICTION,
                  holds ? SEVERITY_INFO : SEVERITY_HIGH);
    finding_number(&d, "derived", t->derived);
    const size_t parts[] = {t->amount, t->time, t->rate};
    static const char *const names[] = {"amount", "time", "rate"};
    for (size_t i = 0; i < 3; i++)
        if (parts[i] != NONE && parts[i] != t->derived)
            finding_number(&d, names[i], parts[i]);
    d.finding.expected_lo = interval_lo(value) / scale;
    d.finding.expected_hi = interval_hi(value) / scale;
    struct span expression = expression_of(run, t);
    struct span quote = quantity_quote(run->document, t->derived);
    struct span interval =
        interval_text(run->document->arena, d.finding.expected_lo, d.finding.expected_hi);
    d.finding.expression =
        arena_printf(run->document->arena, "%.*s = %.*s", SPAN_ARG(expression), SPAN_ARG(quote));
    if (!holds && !derived->in_words)
        d.finding.replacement =
            mend_number(run->document->arena, derived->printed, derived->decimals,
                        d.finding.expected_lo, d.finding.expected_hi)
                .text;
    finding_say(&d, "%.*s lies in %.*s %.*s; %.*s is printed.", SPAN_ARG(expression),
                SPAN_ARG(interval), SPAN_ARG(derived->unit), SPAN_ARG(quote));
    finding_end(&d);
}

/* Binary prefixes for decimal ones and bits for bytes: another check's business. */
static bool is_prefix_slip(double ratio) {
    static const double slips[] = {1.024, 1.048576, 1.073741824, 8};
    ratio = ratio < 1 ? 1 / ratio : ratio;
    for (size_t i = 0; i < sizeof slips / sizeof *slips; i++)
        if (fabs(ratio / slips[i] - 1) < 0.01)
            return true;
    return false;
}

static void judge(const struct rate_run *run, const struct triple *t) {
    struct relation_run fit = {.input = run->input,
                               .document = run->document,
                               .findings = run->findings,
                               .compared = quantity_at(run, t->derived)};
    struct interval value;
    interval_init(&fit.printed);
    interval_init(&value);
    if (relation_run_printed(&fit) && predict(run, t, &value)) {
        enum fit how = relation_run_fit(&fit, &value);
        double ratio = (interval_lo(&value) + interval_hi(&value)) / 2 /
                       fmax(measure_at(run, t->derived)->value, 1e-300);
        bool data = measure_at(run, t->derived)->dimension.power[DIM_DATA] != 0;
        if (how >= FIT_CLOSE)
            say(run, t, &value, true);
        else if (t->firm && !(data && is_prefix_slip(ratio)))
            say(run, t, &value, false);
    }
    interval_clear(&value);
    interval_clear(&fit.printed);
}

/* --- statements of one sentence --- */

static const char *const extremes[] = {"peak",     "max",    "maximum", "min",         "minimum",
                                       "up to",    "limit",  "target",  "theoretical", "goal",
                                       "cap",      "capped", "of a",    "best",        "worst",
                                       "possible", "burst",  "bursts",  "sustained",   NULL};

static bool is_extreme(const struct rate_run *run, size_t q) {
    return prose_has_any(prose_before(run->document, q, 30), extremes, NULL) ||
           prose_starts_with_any(prose_after(run->document, q, 20), extremes, NULL);
}

static size_t gap(const struct rate_run *run, size_t a, size_t b) {
    size_t end = prose_end(quantity_at(run, a)), start = quantity_at(run, b)->start;
    return start > end ? start - end : 0;
}

static bool joined_by(const struct rate_run *run, size_t a, size_t b, const char *const *words) {
    struct span between = prose_between(run->document, a, b);
    while (between.len && strchr(",;( ", between.at[0]))
        between = span_slice(between, 1, between.len);
    return prose_starts_with_any(between, words, NULL);
}

static const char *const in_words[] = {"in", "within", "every", "per", "over", "during", NULL};
static const char *const equal_words[] = {"i.e.", "that is", "which is", "=", "or", "equals", NULL};

/* "3.2 GB in 1.4 s is 2.3 GB/s"; "takes 12 minutes and sends 1,008,000 requests, 1,400 per second"
 */
static void judge_throughput(const struct rate_run *run, size_t first, size_t end, size_t rate) {
    size_t amount = only_amount(run, first, end, rate), time = only_time(run, first, end);
    if (amount == NONE || time == NONE || is_extreme(run, rate))
        return;
    size_t a = amount < time ? amount : time, b = amount < time ? time : amount;
    struct triple t = {amount, time, rate, rate, false};
    bool in = a == amount && gap(run, a, b) < NEAR_BYTES && joined_by(run, a, b, in_words);
    bool apart = a == time && gap(run, a, b) < NEAR_BYTES;
    t.firm = rate > b && gap(run, b, rate) < NEAR_BYTES && (in || apart) && b == rate - 1;
    if (rate > b)
        judge(run, &t);
}

/* "118 GB each ... at 2.4 GB/s, which takes 49 s": the amount may stand in the sentence before. */
static void judge_duration(const struct rate_run *run, size_t before, size_t first, size_t end,
                           size_t rate) {
    static const char *const lasts[] = {"takes", "took",  "for",      "needs", "stalls", "lasts",
                                        "take",  "costs", "in about", "is",    "or",     NULL};
    size_t time = rate + 1;
    if (time >= end || !is_time(run, time) || gap(run, rate, time) > NEAR_BYTES)
        return;
    size_t amount = only_amount(run, first, rate, rate);
    if (amount == NONE)
        amount = only_amount(run, before, first, rate);
    struct span between = prose_between(run->document, rate, time);
    struct span ahead = prose_before(run->document, rate, 12);
    if (amount == NONE || !prose_has_any(between, lasts, NULL) || !span_ends(ahead, SPAN("at")))
        return;
    struct triple t = {amount, time, rate, time, true};
    judge(run, &t);
}

/* "20.1 ms, i.e. 50 frames per second", in either order. */
static void judge_reciprocal(const struct rate_run *run, size_t first, size_t end, size_t rate) {
    const struct measure *r = measure_at(run, rate);
    if (!r->noun.len)
        return;
    for (int side = -1; side <= 1; side += 2) {
        size_t time = rate + (size_t)side;
        if ((side < 0 && rate == first) || time >= end || !is_time(run, time))
            continue;
        size_t a = side < 0 ? time : rate, b = side < 0 ? rate : time;
        double items = measure_at(run, time)->value * r->value;
        bool of_one =
            same_noun(quantity_at(run, time)->per, r->noun) || same_noun(r->noun, SPAN("frame"));
        bool firm = gap(run, a, b) < 16 && joined_by(run, a, b, equal_words) &&
                    (of_one || (items < 1.45 && items > 0.5));
        struct triple t = {NONE, time, rate, b, firm};
        if (firm || (of_one && gap(run, a, b) < 16))
            judge(run, &t);
    }
}

/* "3,080 pauses, 4.0 s in total, mean 1.3 ms" */
static void judge_mean(const struct rate_run *run, size_t first, size_t end) {
    static const char *const totals[] = {"in total", "total", "altogether", "overall", NULL};
    static const char *const means[] = {"mean", "average", "avg", "averaging", "on average", NULL};
    size_t count = NONE, total = NONE, mean = NONE;
    for (size_t q = first; q < end; q++) {
        const struct measure *m = measure_at(run, q);
        bool counted = usable(run, q) && m->noun.len && dimension_is_none(m->dimension) &&
                       !quantity_at(run, q)->per.len && m->value >= 2;
        if (counted && count == NONE && total == NONE)
            count = q;
        if (!is_time(run, q))
            continue;
        struct span after = prose_after(run->document, q, 16);
        struct span before = prose_before(run->document, q, 14);
        if (count != NONE && total == NONE && prose_starts_with_any(after, totals, NULL))
            total = q;
        else if (total != NONE && mean == NONE &&
                 (prose_has_any(before, means, NULL) || prose_starts_with_any(after, means, NULL)))
            mean = q;
    }
    if (count == NONE || total == NONE || mean == NONE || mean > total + 1)
        return;
    /* the mean is total/count: the count takes the place of the divisor */
    struct triple t = {total, count, mean, mean, true};
    judge(run, &t);
}

/* "7,905,811,240 instructions", "6,210,377,915 cycles", "1.27 insn per cycle" in one printout. */
static void judge_per(const struct rate_run *run, size_t q) {
    enum { LOOK_BACK = 12, LEAST = 1000 };
    const struct quantity *x = quantity_at(run, q);
    const struct measure *m = measure_at(run, q);
    size_t above = NONE, below = NONE;
    if (!usable(run, q) || !x->per.len || !m->noun.len || !dimension_is_none(m->dimension))
        return;
    for (size_t i = q; i-- > 0 && q - i <= LOOK_BACK && (above == NONE || below == NONE);) {
        const struct quantity *a = quantity_at(run, i);
        if (a->block != x->block)
            break;
        if (!usable(run, i) || a->per.len || a->value < LEAST)
            continue;
        if (above == NONE && same_noun(a->unit, x->unit))
            above = i;
        else if (below == NONE && same_noun(a->unit, x->per))
            below = i;
    }
    if (above == NONE || below == NONE)
        return;
    struct triple t = {above, below, q, q, x->decimals > 0};
    judge(run, &t);
}

/* --- printouts --- */

struct in_pair {
    size_t amount, time, sentence;
    size_t data; /* "74.99MB read" behind them, or NONE */
};

/* "6,102,877 requests in 30.01s" */
static bool find_in_pair(const struct rate_run *run, size_t sentence, struct in_pair *pair) {
    const struct sentence *s = &run->document->sentences[sentence];
    for (size_t i = 0; i + 1 < s->quantity_count && i < MOST_QUANTITIES; i++) {
        size_t q = s->first_quantity + i;
        if (is_time(run, q + 1) && usable(run, q) && measure_at(run, q)->noun.len &&
            dimension_is_none(measure_at(run, q)->dimension) && gap(run, q, q + 1) < 8 &&
            joined_by(run, q, q + 1, in_words)) {
            bool read = i + 2 < s->quantity_count &&
                        measure_at(run, q + 2)->dimension.power[DIM_DATA] == 1 &&
                        prose_starts_with_any(prose_after(run->document, q + 2, 8),
                                              (const char *const[]){"read", NULL}, NULL);
            *pair = (struct in_pair){q, q + 1, sentence, read ? q + 2 : NONE};
            return true;
        }
    }
    return false;
}

static void judge_printout(const struct rate_run *run, size_t sentence,
                           const struct in_pair *pair) {
    const struct sentence *s = &run->document->sentences[sentence];
    if (pair->sentence == sentence || sentence - pair->sentence > LINES_BACK ||
        s->block != run->document->sentences[pair->sentence].block || s->quantity_count != 1)
        return;
    size_t rate = s->first_quantity;
    if (!is_rate(run, rate) || is_extreme(run, rate))
        return;
    struct span unit = quantity_at(run, rate)->unit; /* one prefix for both: binary or not */
    bool data = pair->data != NONE && span_starts(unit, quantity_at(run, pair->data)->unit) &&
                is_amount_of(run, pair->data, rate);
    if (!data && !is_amount_of(run, pair->amount, rate))
        return;
    struct triple t = {data ? pair->data : pair->amount, pair->time, rate, rate, true};
    judge(run, &t);
}

static bool applies(const struct claim *claim) {
    return claim->quantity_count > 1 && claim->block != BLOCK_CODE;
}

static void run(const struct check_input *input, struct findings *findings) {
    const struct document *d = input->document;
    struct rate_run r = {input, d, findings};
    struct in_pair pair = {NONE, NONE, 0, NONE};
    for (size_t i = 0; i < d->sentence_count; i++) {
        const struct sentence *s = &d->sentences[i];
        size_t first = s->first_quantity, end = first + s->quantity_count;
        size_t before = i && s[-1].block == s->block ? s[-1].first_quantity : first;
        if (end - first > MOST_QUANTITIES || first - before > MOST_QUANTITIES ||
            d->chapter->blocks[s->block].kind == BLOCK_CODE ||
            d->chapter->blocks[s->block].kind == BLOCK_TABLE)
            continue;
        for (size_t q = first; q < end; q++) {
            if (!is_rate(&r, q))
                continue;
            judge_throughput(&r, first, end, q);
            judge_duration(&r, before, first, end, q);
            judge_reciprocal(&r, first, end, q);
        }
        for (size_t q = first; q < end; q++)
            judge_per(&r, q);
        judge_mean(&r, first, end);
        if (pair.amount != NONE)
            judge_printout(&r, i, &pair);
        find_in_pair(&r, i, &pair);
    }
    coverage_claims(input, findings, "rate", applies, "holds no two numbers outside code");
}

const struct check check_rate = {"rate", "Amounts, times and the rates between them", run};
