#include "audit/relation.h"

#include "audit/measure.h"
#include "audit/prose.h"

#include <math.h>
#include <stdint.h>

static const struct quantity *quantity_at(const struct document *d, size_t i) {
    return &d->claims->quantities[i];
}

/* --- comparing numbers --- */

static const char *const less_words[] = {"less",
                                         "fewer",
                                         "lower",
                                         "smaller",
                                         "shorter",
                                         "reduction",
                                         "decrease",
                                         "drop",
                                         "saving",
                                         "savings",
                                         "saved",
                                         "cut",
                                         "decline",
                                         "cheaper",
                                         "lighter",
                                         "fell",
                                         "falls",
                                         "dropped",
                                         "drops",
                                         "reduced",
                                         "reduces",
                                         "reducing",
                                         "cuts",
                                         "cutting",
                                         "decreased",
                                         "decreases",
                                         "shrank",
                                         "shrunk",
                                         "shrinks",
                                         "saves",
                                         "down",
                                         "save",
                                         "lowers",
                                         "lowered",
                                         "removes",
                                         "removed",
                                         "reduce",
                                         "shrink",
                                         "drop",
                                         "shaves",
                                         "weniger",
                                         "baisse",
                                         "de moins",
                                         "r\xc3\xa9"
                                         "duit",
                                         NULL};
static const char *const more_words[] = {
    "more",     "higher",    "larger",    "bigger", "increase", "growth", "rise",  "rose",
    "grew",     "increased", "increases", "grows",  "rises",    "up",     "extra", "mehr",
    "augmente", "de plus",   "adds",      "raises", "raised",   "added",  NULL};
/* which side these count from differs between authors */
static const char *const speed_words[] = {
    "faster",      "speedup",   "speed-up",  "quicker",     "sooner",    "better",
    "improvement", "slower",    "longer",    "overhead",    "gain",      "gains",
    "improved",    "worse",     "heavier",   "throughput",  "boost",     "improves",
    "efficient",   "schneller", "langsamer", "plus rapide", "plus lent", NULL};

/* Cuts at the first mark that ends the phrase the number belongs to. */
static struct span phrase_after(const struct document *d, size_t q) {
    struct span text = prose_after(d, q, 40);
    for (size_t i = 0; i < text.len; i++)
        if (strchr(",;:.()\n", text.at[i]) && text.at[i])
            return span_slice(text, 0, i);
    return text;
}

static struct span phrase_before(const struct document *d, size_t q) {
    struct span text = prose_before(d, q, 40);
    for (size_t i = text.len; i-- > 0;)
        if (strchr(",;:.()\n", text.at[i]) && text.at[i])
            return span_slice(text, i + 1, text.len);
    return text;
}

static int sign_of(const struct document *d, const struct quantity *q) {
    struct span text = d->chapter->view;
    if (q->value < 0)
        return -1;
    if (q->printed.len && q->printed.at[0] == '+')
        return 1;
    if (q->start && text.at[q->start - 1] == '-')
        return -1;
    if (q->start >= 3 && memcmp(text.at + q->start - 3, "\xe2\x88\x92", 3) == 0)
        return -1;
    return q->start && text.at[q->start - 1] == '+' ? 1 : 0;
}

static void read_percent(const struct document *d, struct comparison *c) {
    struct span after = phrase_after(d, c->quantity), before = phrase_before(d, c->quantity);
    const unsigned lenient = READ_DECREASE | READ_INCREASE | READ_GAIN | READ_SHARE | READ_POINTS;
    int sign = sign_of(d, quantity_at(d, c->quantity));
    c->readings = lenient;
    if (prose_starts_with_any(after, (const char *const[]){"of", "points", NULL}, NULL))
        return;
    bool less = prose_has_any(after, less_words, NULL) || prose_has_any(before, less_words, NULL);
    bool more = prose_has_any(after, more_words, NULL) || prose_has_any(before, more_words, NULL);
    bool speed =
        prose_has_any(after, speed_words, NULL) || prose_has_any(before, speed_words, NULL);
    c->strict = !(less && more);
    if (speed) {
        c->readings = READ_DECREASE | READ_INCREASE | READ_GAIN;
        c->ambiguous = true;
    } else if ((less && !more) || sign < 0) {
        c->readings = READ_DECREASE | READ_POINTS;
    } else if ((more && !less) || sign > 0) {
        c->readings = READ_INCREASE | READ_POINTS;
    } else {
        c->strict = false;
    }
}

static bool ends_with_word(struct span text, const char *word) {
    struct span w = span_of(word);
    return span_ends(text, w) && (text.len == w.len || text.at[text.len - w.len - 1] == ' ');
}

static void read_factor(const struct document *d, struct comparison *c) {
    struct span after = phrase_after(d, c->quantity), before = phrase_before(d, c->quantity);
    if (quantity_at(d, c->quantity)->value < 1 && ends_with_word(before, "by")) {
        c->readings = READ_DECREASE | READ_INCREASE; /* "dropped by a third" */
        c->strict = true;
        return;
    }
    c->readings = READ_RATIO | READ_INVERSE;
    bool compares = prose_has_any(after, less_words, NULL) ||
                    prose_has_any(after, more_words, NULL) ||
                    prose_has_any(after, speed_words, NULL);
    if (compares) {
        c->readings |= READ_TIMES_MORE;
        c->ambiguous = true;
    }
    c->strict =
        compares || prose_has_any(before, speed_words, NULL) ||
        prose_starts_with_any(after, (const char *const[]){"as", NULL}, NULL) ||
        prose_has_any(before, (const char *const[]){"factor", "by a factor of", NULL}, NULL);
}

static const char *const not_a_difference[] = {"down to", "up to",   "down from",
                                               "up from", "drop to", NULL};
static const char *const differs_by[] = {
    "save", "saves", "saved", "saving", "savings of", "gains", "loses", "a difference of", NULL};

static bool read_difference(const struct document *d, struct comparison *c) {
    struct span after = phrase_after(d, c->quantity), before = phrase_before(d, c->quantity);
    c->readings = READ_DIFFERENCE;
    c->strict =
        prose_starts_with_any(after, less_words, NULL) ||
        prose_starts_with_any(after, more_words, NULL) ||
        prose_starts_with_any(
            after, (const char *const[]){"faster", "slower", "longer", "difference", NULL}, NULL);
    for (const char *const *w = differs_by; *w && !c->strict; w++)
        c->strict = span_ends(before, span_of(*w));
    return c->strict && !prose_starts_with_any(after, not_a_difference, NULL);
}

void relation_tie(const struct document *d, const struct value_pair *pair, struct comparison *c) {
    enum { MOST_BETWEEN = 40 };
    const struct quantity *q = quantity_at(d, c->quantity);
    struct measure m = measure_of(q);
    if (c->strict || c->quantity <= pair->last || (!m.is_percent && !m.is_factor))
        return;
    struct span between = prose_between(d, pair->last, c->quantity);
    struct span after = prose_after(d, c->quantity, 1);
    bool by = ends_with_word(between, "by");
    bool opens = between.len && between.len <= MOST_BETWEEN &&
                 span_find_byte(between, '(', 0) + 4 >= between.len;
    bool alone = opens && after.len && after.at[0] == ')';
    if (m.is_percent && by)
        c->readings &= ~(unsigned)READ_SHARE;
    c->strict = by || alone;
}

bool relation_comparison(const struct document *d, size_t quantity, struct comparison *c) {
    const struct quantity *q = quantity_at(d, quantity);
    struct measure m = measure_of(q);
    *c = (struct comparison){.quantity = quantity};
    if (q->malformed || q->role == ROLE_OTHER || q->value != q->value_high)
        return false;
    if (m.is_percent)
        read_percent(d, c);
    else if (m.is_factor)
        read_factor(d, c);
    else
        return read_difference(d, c);
    return true;
}

/* --- values of readings --- */

static void less_one(struct interval *out, bool from_one) {
    struct interval one;
    interval_init(&one);
    interval_from_ratio(&one, 1, 1);
    if (from_one)
        interval_subtract(out, &one, out);
    else
        interval_subtract(out, out, &one);
    interval_clear(&one);
}

static bool larger_first(const struct document *d, size_t from, size_t to) {
    return d->measures[from].value >= d->measures[to].value;
}

bool relation_value(const struct document *d, enum reading reading, size_t from, size_t to,
                    struct interval *out) {
    struct interval a, b;
    if (reading == READ_POINTS && !d->measures[from].is_percent)
        return false;
    interval_init(&a);
    interval_init(&b);
    bool ok =
        measure_interval(quantity_at(d, from), &a) && measure_interval(quantity_at(d, to), &b);
    bool falls = ok && larger_first(d, from, to);
    const struct interval *large = falls ? &a : &b, *small = falls ? &b : &a;
    switch (reading) {
    case READ_RATIO:
    case READ_TIMES_MORE:
        ok = ok && interval_divide(out, large, small);
        break;
    case READ_INVERSE:
        ok = ok && interval_divide(out, small, large);
        break;
    case READ_DECREASE:
    case READ_INCREASE:
    case READ_SHARE:
        ok = ok && interval_divide(out, &b, &a);
        break;
    case READ_GAIN:
        ok = ok && interval_divide(out, &a, &b);
        break;
    default:
        if (ok)
            interval_subtract(out, large, small);
    }
    if (ok && reading == READ_DECREASE)
        less_one(out, true);
    if (ok && (reading == READ_INCREASE || reading == READ_GAIN || reading == READ_TIMES_MORE))
        less_one(out, false);
    interval_clear(&a);
    interval_clear(&b);
    return ok;
}

/* Above over below, both of them positive. */
static const struct measure *above_of(enum reading reading, const struct measure *from,
                                      const struct measure *to) {
    bool falls = from->value >= to->value;
    switch (reading) {
    case READ_DECREASE:
    case READ_INCREASE:
    case READ_SHARE:
        return to;
    case READ_GAIN:
        return from;
    case READ_INVERSE:
        return falls ? to : from;
    default:
        return falls ? from : to;
    }
}

bool relation_estimate(const struct document *d, enum reading reading, size_t from, size_t to,
                       double *lo, double *hi) {
    const double slack = 1e-5;
    const struct measure *a = &d->measures[from], *b = &d->measures[to];
    if (!a->tame || !b->tame)
        return false;
    const struct measure *above = above_of(reading, a, b), *below = above == a ? b : a;
    if (reading == READ_DIFFERENCE || reading == READ_POINTS) {
        *lo = above->lo - below->hi - slack * above->hi;
        *hi = above->hi - below->lo + slack * above->hi;
        return true;
    }
    *lo = above->lo / below->hi * (1 - slack);
    *hi = above->hi / below->lo * (1 + slack);
    if (reading == READ_DECREASE) {
        double least = 1 - *hi;
        *hi = 1 - *lo;
        *lo = least;
    } else if (reading != READ_RATIO && reading != READ_INVERSE && reading != READ_SHARE) {
        *lo -= 1;
        *hi -= 1;
    }
    return true;
}

struct span relation_expression(const struct document *d, enum reading reading, size_t from,
                                size_t to) {
    static const char *const forms[] = {"%.*s/%.*s", "%.*s/%.*s - 1", "1 - %.*s/%.*s",
                                        "%.*s - %.*s"};
    bool falls = larger_first(d, from, to);
    struct span a = quantity_at(d, from)->printed, b = quantity_at(d, to)->printed;
    struct span large = falls ? a : b, small = falls ? b : a;
    struct arena *arena = d->arena;
    switch (reading) {
    case READ_RATIO:
        return arena_printf(arena, forms[0], SPAN_ARG(large), SPAN_ARG(small));
    case READ_TIMES_MORE:
        return arena_printf(arena, forms[1], SPAN_ARG(large), SPAN_ARG(small));
    case READ_INVERSE:
        return arena_printf(arena, forms[0], SPAN_ARG(small), SPAN_ARG(large));
    case READ_SHARE:
        return arena_printf(arena, forms[0], SPAN_ARG(b), SPAN_ARG(a));
    case READ_DECREASE:
        return arena_printf(arena, forms[2], SPAN_ARG(b), SPAN_ARG(a));
    case READ_INCREASE:
        return arena_printf(arena, forms[1], SPAN_ARG(b), SPAN_ARG(a));
    case READ_GAIN:
        return arena_printf(arena, forms[1], SPAN_ARG(a), SPAN_ARG(b));
    default:
        return arena_printf(arena, forms[3], SPAN_ARG(large), SPAN_ARG(small));
    }
}

const char *relation_reading_words(enum reading reading) {
    switch (reading) {
    case READ_RATIO:
        return "the ratio";
    case READ_INVERSE:
        return "the smaller over the larger";
    case READ_TIMES_MORE:
        return "times more on top of one";
    case READ_DECREASE:
        return "the decrease against the first value";
    case READ_INCREASE:
        return "the increase against the first value";
    case READ_GAIN:
        return "the gain in rate";
    case READ_SHARE:
        return "the second value as a part of the first";
    case READ_POINTS:
        return "the difference in percentage points";
    default:
        return "the difference";
    }
}
