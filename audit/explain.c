/* assay audit --explain: one claim, with everything that was done with it. */
#include "audit/audit.h"

#include <math.h>

static void put_numbers(struct buffer *out, const struct claims *claims, const struct claim *c) {
    if (c->quantity_count)
        buffer_add_string(out, "\nnumbers:\n");
    for (size_t i = c->first_quantity; i < c->first_quantity + c->quantity_count; i++) {
        const struct quantity *q = &claims->quantities[i];
        buffer_printf(out, "  %.*s", SPAN_ARG(q->printed));
        if (q->unit.len)
            buffer_printf(out, " %.*s", SPAN_ARG(q->unit));
        if (q->per.len)
            buffer_printf(out, "/%.*s", SPAN_ARG(q->per));
        buffer_printf(out, "  in [%.10g, %.10g]  %s  at %zu..%zu", q->lo, q->hi,
                      word_of(&role_words, (int)q->role), q->start, q->end);
        if (q->subject.len)
            buffer_printf(out, "  (%.*s)", SPAN_ARG(q->subject));
        buffer_add_byte(out, '\n');
    }
}

static void put_finding(struct buffer *out, const struct finding *f) {
    buffer_printf(out, "\n%.*s  %s, %s, by check %.*s\n  %.*s\n", SPAN_ARG(f->id),
                  word_of(&finding_words, (int)f->class),
                  word_of(&severity_words, (int)f->severity), SPAN_ARG(f->check),
                  SPAN_ARG(f->message));
    if (f->expression.len)
        buffer_printf(out, "  derivation: %.*s\n", SPAN_ARG(f->expression));
    if (!isnan(f->expected_lo))
        buffer_printf(out, "  expected in [%.10g, %.10g]\n", f->expected_lo, f->expected_hi);
    for (size_t i = 0; i < f->number_count; i++)
        buffer_printf(out, "  %.*s = %.*s %.*s in [%.10g, %.10g]\n", SPAN_ARG(f->numbers[i].name),
                      SPAN_ARG(f->numbers[i].printed), SPAN_ARG(f->numbers[i].unit),
                      f->numbers[i].lo, f->numbers[i].hi);
    if (!isnan(f->chance))
        buffer_printf(out, "  chance of this by luck: %.2g\n", f->chance);
    buffer_printf(out, "  response: %s\n", word_of(&response_words, (int)f->response));
    if (f->suppressed)
        buffer_printf(out, "  suppressed: %.*s\n", SPAN_ARG(f->suppression));
}

/* Whether one of the finding's places lies in the claim: a comparison belongs to both its sides. */
static bool concerns(const struct finding *f, const struct claim *c) {
    if (span_equal(f->claim, c->id))
        return true;
    for (size_t i = 0; i < f->place_count; i++)
        if (f->places[i].start < c->end && f->places[i].end > c->start)
            return true;
    return false;
}

bool audit_explain(struct arena *arena, struct span text, const struct claims *claims,
                   const struct findings *findings, struct span claim, struct buffer *out,
                   struct error *error) {
    (void)arena;
    const struct claim *c = claims_find(claims, claim);
    if (!c)
        return error_set(error, ERROR_USAGE, "--explain",
                         "Take a label or an id from the report or from claims.json.",
                         "expected a claim of this text, found \"%.*s\"", SPAN_ARG(claim));
    buffer_printf(out, "%.*s  %.*s  %s  bytes %zu..%zu of %zu\n", SPAN_ARG(c->label),
                  SPAN_ARG(c->id), word_of(&claim_kind_words, (int)c->kind), c->start, c->end,
                  text.len);
    buffer_printf(out, "\n  %.*s\n", SPAN_ARG(span_slice(text, c->start, c->end)));
    put_numbers(out, claims, c);
    for (size_t i = 0; i < c->contract_count; i++)
        buffer_printf(out, "%s  %.*s: %.*s\n", i ? "" : "\ncontract:\n",
                      SPAN_ARG(c->contract[i].name), SPAN_ARG(c->contract[i].value));
    size_t count = 0;
    for (size_t i = 0; i < findings->count; i++)
        if (concerns(&findings->findings[i], c)) {
            put_finding(out, &findings->findings[i]);
            count++;
        }
    buffer_printf(out, "\n%zu findings on this claim; %zu of %zu checks completed\n", count,
                  findings->checks_completed, findings->checks_total);
    for (size_t i = 0; i < findings->coverage_count; i++) {
        const struct coverage *v = &findings->coverage[i];
        if (v->claim.len == 0 || span_equal(v->claim, c->id))
            buffer_printf(out, "  %.*s: %s%s%.*s\n", SPAN_ARG(v->check),
                          word_of(&coverage_words, (int)v->outcome), v->why.len ? ": " : "",
                          SPAN_ARG(v->why));
    }
    return true;
}
