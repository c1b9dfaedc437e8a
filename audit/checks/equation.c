/* Arithmetic that the text writes out: "12 x 8 = 96", "412.6/1000 + 38.5/100 = 0.798",
 * "3 * 640 MB / 0.01154 s = 166 GB/s". Worked out with the units where all are known, and with the
 * bare numbers (up to a factor that turns units into each other); contradicted when neither gives
 * what is printed. */
#include "audit/relation_run.h"

#include "audit/checks/checks.h"
#include "audit/measure.h"
#include "audit/mend.h"
#include "audit/prose.h"

#include <math.h>

enum { MOST_OPERANDS = 8 };

enum operator{ OP_NONE, OP_ADD, OP_SUBTRACT, OP_MULTIPLY, OP_DIVIDE, OP_EQUALS };

struct equation {
    size_t first, count; /* operands: consecutive quantities; the result follows them */
    enum operator operators[MOST_OPERANDS];
};

struct equation_run {
    const struct check_input *input;
    const struct document *document;
    struct findings *findings;
};

static const struct quantity *quantity_at(const struct equation_run *run, size_t q) {
    return &run->document->claims->quantities[q];
}

/* --- reading --- */

static const struct {
    const char *text;
    enum operator operator;
} operators[] = {
    {"+", OP_ADD},
    {"-", OP_SUBTRACT},
    {"\xe2\x88\x92", OP_SUBTRACT},
    {"*", OP_MULTIPLY},
    {"x", OP_MULTIPLY},
    {"\xc3\x97", OP_MULTIPLY},
    {"\xc2\xb7", OP_MULTIPLY},
    {"\\times", OP_MULTIPLY},
    {"\\cdot", OP_MULTIPLY},
    {"/", OP_DIVIDE},
    {"\xc3\xb7", OP_DIVIDE},
    {"=", OP_EQUALS},
    {"\xe2\x89\x88", OP_EQUALS},
    {"equals", OP_EQUALS},
};

/* What stands between a quantity and the next, but for the unit of the first. */
static enum operator operator_behind(const struct equation_run *run, size_t q) {
    enum { MOST_BYTES = 40 };
    const struct quantity *a = quantity_at(run, q), *b = quantity_at(run, q + 1);
    bool crossed =
        !a->unit.len || span_equal(a->unit, SPAN("x")); /* the cross itself was read as a unit */
    size_t from = !crossed && a->unit_end > a->end ? a->unit_end : a->end;
    if (b->start < from || b->start - from > MOST_BYTES || a->sentence != b->sentence)
        return OP_NONE;
    struct span between = span_trim(span_slice(run->document->chapter->view, from, b->start));
    if (span_ends(between, SPAN("$")))
        between = span_trim(span_slice(between, 0, between.len - 1));
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (span_equal(between, span_of(operators[i].text)))
            return operators[i].operator;
    return OP_NONE;
}

static bool is_operand(const struct equation_run *run, size_t q) {
    const struct quantity *x = quantity_at(run, q);
    return !x->malformed && !x->in_words && x->value == x->value_high &&
           !span_equal(x->unit, SPAN("date")) && x->value >= 0 && isfinite(x->value);
}

/* An equation that begins at q; the result is a single number. */
static bool read_equation(const struct equation_run *run, size_t q, size_t end,
                          struct equation *e) {
    *e = (struct equation){.first = q};
    for (size_t i = q; i + 1 < end && e->count < MOST_OPERANDS; i++) {
        enum operator op = is_operand(run, i) ? operator_behind(run, i) : OP_NONE;
        if (op == OP_NONE)
            return false;
        e->operators[e->count++] = op;
        if (op == OP_EQUALS)
            return e->count > 1 && is_operand(run, i + 1) &&
                   (i + 2 >= end || operator_behind(run, i + 1) == OP_NONE);
    }
    return false;
}

/* Whether the line or clause before the first operand leads into it: "a * 12 + 3" began earlier. */
static bool begins_before(const struct equation_run *run, size_t q) {
    struct span before = prose_before(run->document, q, 8);
    static const char marks[] = "+-*/^=(";
    return before.len && strchr(marks, before.at[before.len - 1]) &&
           before.at[before.len - 1] != '(' && before.at[before.len - 1] != '=';
}

/* --- working out --- */

/* Small whole numbers are counts ("4 bytes", "3 * 640 MB"); large bare ones may be rounded. */
static bool operand(const struct equation_run *run, size_t q, bool with_units,
                    struct interval *out) {
    enum { LARGEST_COUNT = 64, SMALLEST_ROUNDED = 100 };
    const struct quantity *x = quantity_at(run, q);
    bool whole = x->decimals == 0 && x->value == floor(x->value);
    if (whole && !with_units && x->value <= LARGEST_COUNT)
        return interval_from_doubles(out, x->value, x->value);
    if (whole && !with_units && x->value >= SMALLEST_ROUNDED && !x->unit.len)
        return interval_from_decimal(out, x->value, 0);
    const struct measure *m = &run->document->measures[q];
    if (whole && x->value <= LARGEST_COUNT && m->scale_numerator == m->scale_denominator &&
        (m->dimension.power[DIM_DATA] == 1 || m->noun.len))
        return interval_from_doubles(out, x->value, x->value);
    return with_units ? measure_interval(quantity_at(run, q), out)
                      : measure_printed(quantity_at(run, q), out);
}

/* Products first, then sums, from left to right. */
static bool evaluate(const struct equation_run *run, const struct equation *e, bool with_units,
                     struct interval *out) {
    struct interval product, next;
    interval_init(&product);
    interval_init(&next);
    interval_from_ratio(out, 0, 1);
    bool ok = operand(run, e->first, with_units, &product);
    bool minus = false;
    for (size_t i = 0; i + 1 < e->count && ok; i++) {
        ok = operand(run, e->first + i + 1, with_units, &next);
        if (e->operators[i] == OP_MULTIPLY) {
            interval_multiply(&product, &product, &next);
        } else if (e->operators[i] == OP_DIVIDE) {
            ok = ok && interval_divide(&product, &product, &next);
        } else {
            (minus ? interval_subtract : interval_add)(out, out, &product);
            minus = e->operators[i] == OP_SUBTRACT;
            interval_set(&product, &next);
        }
    }
    (minus ? interval_subtract : interval_add)(out, out, &product);
    interval_clear(&product);
    interval_clear(&next);
    return ok;
}

/* Factors between units that bare numbers leave out. */
static bool is_unit_factor(double ratio) {
    static const double factors[] = {10, 100,  1e3, 1e6, 1e9,  1e12,  1024, 1048576, 1.073741824e9,
                                     60, 3600, 8,   24,  1440, 86400, 8e3,  8e6,     8e9};
    if (!(ratio > 0))
        return false;
    ratio = ratio < 1 ? 1 / ratio : ratio;
    for (size_t i = 0; i < sizeof factors / sizeof *factors; i++)
        if (fabs(ratio / factors[i] - 1) < 0.01)
            return true;
    return false;
}

static bool units_known(const struct equation_run *run, const struct equation *e) {
    for (size_t i = 0; i <= e->count; i++)
        if (!run->document->measures[e->first + i].unit_known)
            return false;
    return true;
}

static bool holds(const struct equation_run *run, const struct equation *e, bool with_units,
                  struct interval *value, struct interval *printed) {
    size_t result = e->first + e->count;
    if (!evaluate(run, e, with_units, value) ||
        !(with_units ? measure_interval : measure_printed)(quantity_at(run, result), printed))
        return false;
    struct quantity plain = *quantity_at(run, result);
    if (!with_units)
        plain.unit = SPAN("");
    struct relation_run fit = {.input = run->input,
                               .document = run->document,
                               .findings = run->findings,
                               .compared = &plain};
    interval_init(&fit.printed);
    bool fits = relation_run_printed(&fit) && relation_run_fit(&fit, value) >= FIT_CLOSE;
    interval_clear(&fit.printed);
    double middle = (interval_lo(value) + interval_hi(value)) / 2;
    double size = (interval_lo(printed) + interval_hi(printed)) / 2;
    return fits || (!with_units && is_unit_factor(middle / fmax(size, 1e-300)));
}

/* --- saying it --- */

static void say(const struct equation_run *run, const struct equation *e,
                const struct interval *value, bool with_units, bool confirmed) {
    size_t result = e->first + e->count;
    const struct quantity *r = quantity_at(run, result);
    const struct measure *m = &run->document->measures[result];
    double scale = with_units ? (double)m->scale_numerator / (double)m->scale_denominator : 1;
    struct finding_draft d;
    finding_begin(&d, run->input, run->findings, "equation",
                  confirmed ? FINDING_CONFIRMED : FINDING_CONTRADICTION,
                  confirmed ? SEVERITY_INFO : SEVERITY_HIGH);
    finding_number(&d, "result", result);
    for (size_t i = 0; i < e->count; i++)
        finding_number(&d, "operand", e->first + i);
    d.finding.expected_lo = interval_lo(value) / scale;
    d.finding.expected_hi = interval_hi(value) / scale;
    size_t start = quantity_at(run, e->first)->start, end = prose_end(r);
    d.finding.expression = span_slice(run->document->chapter->view, start, end);
    if (!confirmed)
        d.finding.replacement = mend_number(run->document->arena, r->printed, r->decimals,
                                            d.finding.expected_lo, d.finding.expected_hi)
                                    .text;
    struct span interval =
        interval_text(run->document->arena, d.finding.expected_lo, d.finding.expected_hi);
    finding_say(&d, "%.*s: the left side lies in %.*s.", SPAN_ARG(d.finding.expression),
                SPAN_ARG(interval));
    finding_end(&d);
}

static void judge(const struct equation_run *run, const struct equation *e) {
    struct interval value, printed;
    interval_init(&value);
    interval_init(&printed);
    bool bare = holds(run, e, false, &value, &printed);
    if (bare || !units_known(run, e)) {
        say(run, e, &value, false, bare);
    } else {
        bool ok = holds(run, e, true, &value, &printed);
        say(run, e, &value, true, ok);
    }
    interval_clear(&value);
    interval_clear(&printed);
}

static bool applies(const struct claim *claim) {
    return claim->quantity_count > 2 && claim->block != BLOCK_CODE;
}

static void run(const struct check_input *input, struct findings *findings) {
    const struct document *d = input->document;
    struct equation_run r = {input, d, findings};
    for (size_t i = 0; i < d->sentence_count; i++) {
        const struct sentence *s = &d->sentences[i];
        size_t end = s->first_quantity + s->quantity_count;
        if (d->chapter->blocks[s->block].kind == BLOCK_CODE)
            continue;
        for (size_t q = s->first_quantity; q + 2 < end; q++) {
            struct equation e;
            if (!read_equation(&r, q, end, &e) || begins_before(&r, q))
                continue;
            judge(&r, &e);
            q = e.first + e.count;
        }
    }
    coverage_claims(input, findings, "equation", applies, "writes out no arithmetic");
}

const struct check check_equation = {"equation", "Arithmetic that the text writes out", run};
