#include "audit/finding.h"

#include "core/hash.h"

#include <math.h>
#include <stdlib.h>

/* docs/checks.md lists the same table. */
static const enum response usual_response[] = {
    [FINDING_CONTRADICTION] = RESPONSE_CORRECTION, [FINDING_INCONSISTENCY] = RESPONSE_CORRECTION,
    [FINDING_UNSUPPORTED] = RESPONSE_CITATION,     [FINDING_DATED] = RESPONSE_CLARIFICATION,
    [FINDING_INCOMPLETE] = RESPONSE_CLARIFICATION, [FINDING_IMPLAUSIBLE] = RESPONSE_CORRECTION,
    [FINDING_CONFIRMED] = RESPONSE_NO_CHANGE,      [FINDING_NOTE] = RESPONSE_NO_CHANGE,
};

void finding_begin(struct finding_draft *draft, const struct check_input *input,
                   struct findings *findings, const char *check, enum finding_class class,
                   enum severity severity) {
    *draft = (struct finding_draft){
        .input = input,
        .findings = findings,
        .finding = {.check = span_of(check),
                    .class = class,
                    .severity = severity,
                    .expected_lo = NAN,
                    .expected_hi = NAN,
                    .chance = NAN,
                    .response = usual_response[class]},
    };
}

void finding_place(struct finding_draft *draft, size_t start, size_t end) {
    struct finding *f = &draft->finding;
    LIST_PUSH(draft->input->document->arena, f->places, f->place_count, draft->place_capacity,
              (struct finding_place){start, end});
}

static void push_number(struct finding_draft *draft, struct finding_number number) {
    struct finding *f = &draft->finding;
    LIST_PUSH(draft->input->document->arena, f->numbers, f->number_count, draft->number_capacity,
              number);
}

void finding_number(struct finding_draft *draft, const char *name, size_t quantity) {
    const struct quantity *q = &draft->input->document->claims->quantities[quantity];
    finding_place(draft, q->start, q->end);
    push_number(draft, (struct finding_number){span_of(name), q->printed, q->unit, q->lo, q->hi,
                                               q->start, q->end});
    if (!draft->finding.claim.len)
        finding_claim(draft, q->claim);
}

void finding_derived(struct finding_draft *draft, const char *name, struct span printed,
                     struct span unit, double lo, double hi) {
    push_number(draft, (struct finding_number){span_of(name), printed, unit, lo, hi, 0, 0});
}

void finding_claim(struct finding_draft *draft, size_t claim) {
    const struct claims *claims = draft->input->document->claims;
    if (claim < claims->count)
        draft->finding.claim = claims->claims[claim].id;
}

void finding_claim_at(struct finding_draft *draft, size_t start, size_t end) {
    const struct claims *claims = draft->input->document->claims;
    size_t low = 0, high = claims->count; /* claims stand one behind the other */
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (claims->claims[middle].end <= start)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < claims->count && claims->claims[low].start < end)
        finding_claim(draft, low);
}

void finding_say(struct finding_draft *draft, const char *format, ...) {
    struct buffer text = {0};
    va_list arguments;
    va_start(arguments, format);
    buffer_vprintf(&text, format, arguments);
    va_end(arguments);
    draft->finding.message = arena_copy(draft->input->document->arena, buffer_span(&text));
    buffer_free(&text);
}

void finding_end(struct finding_draft *draft) {
    struct findings *all = draft->findings;
    LIST_PUSH(draft->input->document->arena, all->findings, all->count, all->capacity,
              draft->finding);
}

static void push_coverage(const struct check_input *input, struct findings *findings,
                          struct coverage coverage) {
    LIST_PUSH(input->document->arena, findings->coverage, findings->coverage_count,
              findings->coverage_capacity, coverage);
}

void coverage_add(const struct check_input *input, struct findings *findings, const char *check,
                  size_t claim, enum coverage_outcome outcome, const char *why) {
    const struct claims *claims = input->document->claims;
    push_coverage(input, findings,
                  (struct coverage){
                      span_of(check), claim < claims->count ? claims->claims[claim].id : SPAN(""),
                      outcome, why ? arena_copy(input->document->arena, span_of(why)) : SPAN("")});
}

void coverage_claims(const struct check_input *input, struct findings *findings, const char *check,
                     bool (*applies)(const struct claim *), const char *why) {
    const struct claims *claims = input->document->claims;
    size_t left_out = 0;
    struct span name = span_of(check), reason = arena_copy(input->document->arena, span_of(why));
    for (size_t i = 0; i < claims->count; i++) {
        struct span id = claims->claims[i].id;
        if (applies(&claims->claims[i]))
            push_coverage(input, findings, (struct coverage){name, id, COVERAGE_RAN, SPAN("")});
        else if (claims->count > COVERAGE_MOST_CLAIMS)
            left_out++;
        else
            push_coverage(input, findings,
                          (struct coverage){name, id, COVERAGE_NOT_APPLICABLE, reason});
    }
    if (!left_out)
        return;
    struct span text =
        arena_printf(input->document->arena, "%zu claims of other kinds: %s", left_out, why);
    coverage_add(input, findings, check, NONE, COVERAGE_NOT_APPLICABLE, text.at);
}

static size_t first_start(const struct finding *f) {
    return f->place_count ? f->places[0].start : 0;
}

static int by_place(const void *a, const void *b) {
    const struct finding *x = a, *y = b;
    size_t p = first_start(x), q = first_start(y);
    if (p != q)
        return p < q ? -1 : 1;
    if (x->place_count && y->place_count && x->places[0].end != y->places[0].end)
        return x->places[0].end < y->places[0].end ? -1 : 1;
    size_t shorter = x->check.len < y->check.len ? x->check.len : y->check.len;
    int order = memcmp(x->check.at, y->check.at, shorter);
    if (order)
        return order;
    if (x->class != y->class)
        return x->class < y->class ? -1 : 1;
    shorter = x->message.len < y->message.len ? x->message.len : y->message.len;
    return memcmp(x->message.at, y->message.at, shorter);
}

/* Two findings whose check, class, claim and quotes are alike differ by their order of place. */
static struct span finding_key(struct arena *arena, struct span text, const struct finding *f,
                               size_t twin) {
    enum { FIXED = 4, MOST_PLACES = 16 };
    struct span parts[FIXED + 2 * MOST_PLACES];
    size_t count = 0;
    parts[count++] = f->check;
    parts[count++] = span_of(word_of(&finding_words, (int)f->class));
    parts[count++] = f->claim;
    parts[count++] = arena_printf(arena, "|%zu", twin);
    for (size_t i = 0; i < f->place_count && i < MOST_PLACES; i++) {
        parts[count++] = SPAN("|");
        parts[count++] = span_slice(text, f->places[i].start, f->places[i].end);
    }
    return sha256_hex_parts(arena, parts, count);
}

struct keyed {
    struct finding *finding;
    struct span key;
};

static int by_key(const void *a, const void *b) {
    const struct keyed *x = a, *y = b;
    int order = memcmp(x->key.at, y->key.at, SHA256_HEX_LEN);
    return order ? order : (x->finding > y->finding) - (x->finding < y->finding);
}

static struct span id_of(struct arena *arena, struct span key) {
    return arena_printf(arena, "f-%.8s", key.at);
}

void findings_settle(struct arena *arena, struct span text, struct findings *findings) {
    size_t count = findings->count;
    if (!count)
        return;
    qsort(findings->findings, count, sizeof *findings->findings, by_place);
    struct keyed *keyed = arena_array(arena, count, sizeof *keyed);
    for (size_t i = 0; i < count; i++)
        keyed[i] = (struct keyed){&findings->findings[i],
                                  finding_key(arena, text, &findings->findings[i], 0)};
    qsort(keyed, count, sizeof *keyed, by_key);
    for (size_t i = 0, twin = 0; i < count; i++) {
        bool same = i && memcmp(keyed[i].key.at, keyed[i - 1].key.at, 8) == 0;
        twin = same ? twin + 1 : 0;
        struct span key = same ? finding_key(arena, text, keyed[i].finding, twin) : keyed[i].key;
        keyed[i].finding->id = id_of(arena, key);
    }
}

struct span quantity_quote(const struct document *document, size_t quantity) {
    const struct quantity *q = &document->claims->quantities[quantity];
    size_t end = q->unit_end > q->end && q->unit_end - q->end < 24 ? q->unit_end : q->end;
    return span_slice(document->chapter->text, q->start, end);
}
