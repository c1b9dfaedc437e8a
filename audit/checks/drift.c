/* Ratios across contracts: two values that the text compares as a ratio although their contracts
 * differ in several fields, so that nobody can say which change made the difference. A field is
 * known for a value from its own words (row label, words beside it) or from the contract listing
 * that governs its place; a field that only one side states counts as nothing. */
#include "audit/checks/checks.h"
#include "audit/contract.h"
#include "audit/prose.h"
#include "audit/relation.h"

#include <ctype.h>

enum { LEAST_DRIFTS = 2, MOST_COMPARISONS = 1000 };

/* Spellings of one value share their first word. */
static const struct spelling {
    const char *field, *word, *value;
} spellings[] = {
    {"dtype", "float32", "float32"},
    {"dtype", "fp32", "float32"},
    {"dtype", "tf32", "tf32"},
    {"dtype", "float16", "float16"},
    {"dtype", "fp16", "float16"},
    {"dtype", "bfloat16", "bfloat16"},
    {"dtype", "bf16", "bfloat16"},
    {"dtype", "fp8", "fp8"},
    {"dtype", "int8", "int8"},
    {"dtype", "float64", "float64"},
    {"dtype", "fp64", "float64"},
    {"execution", "eager", "eager"},
    {"execution", "compiled", "compiled"},
    {"execution", "torch.compile", "compiled"},
    {"mode", "train", "train"},
    {"mode", "training", "train"},
    {"mode", "inference", "inference"},
    {"mode", "eval", "inference"},
    {"device", "cpu", "cpu"},
    {"device", "gpu", "gpu"},
    {"device", "cuda", "gpu"},
};
static const char *const fields[] = {"dtype",    "execution", "mode",     "device",
                                     "batch",    "input",     "hardware", "runtime",
                                     "workload", "model",     "window"};
enum { FIELDS = sizeof fields / sizeof *fields };

struct side {
    struct span value[FIELDS];
    size_t start[FIELDS], end[FIELDS]; /* where it is stated */
};

struct drift_run {
    const struct check_input *input;
    const struct document *document;
    struct findings *findings;
    struct contract stated;
    const size_t (*last)[FIELDS]; /* (stated.count + 1, FIELDS), see index_listing */
};

static size_t field_index(struct span name) {
    for (size_t i = 0; i < FIELDS; i++)
        if (span_equal(name, span_of(fields[i])))
            return i;
    return FIELDS;
}

/* "batch 512", "batch size of 512": the digits. */
static struct span batch_of(struct span text) {
    size_t at = prose_find_word(text, "batch", 0);
    enum { NEAR = 14 };
    if (at == SIZE_MAX)
        return SPAN("");
    size_t from = at;
    while (from < text.len && from < at + NEAR && !isdigit((unsigned char)text.at[from]))
        from++;
    size_t end = from;
    while (end < text.len && isdigit((unsigned char)text.at[end]))
        end++;
    return span_slice(text, from, end);
}

/* The words that belong to a value: its clause back to the measured value before it in prose, its
 * labels elsewhere. */
static struct span words_of(const struct document *d, size_t quantity) {
    const struct quantity *all = d->claims->quantities, *q = &all[quantity];
    if (q->sentence >= d->sentence_count || d->chapter->blocks[q->block].kind != BLOCK_PROSE)
        return q->subject;
    const struct sentence *s = &d->sentences[q->sentence];
    enum { MOST_CLAUSE = 1000 };
    size_t from = q->start - s->start > MOST_CLAUSE ? q->start - MOST_CLAUSE : s->start;
    for (size_t i = quantity; i-- > s->first_quantity && all[i].start >= from;)
        if (all[i].role == ROLE_MEASUREMENT || all[i].role == ROLE_RATIO) {
            from = prose_end(&all[i]);
            break;
        }
    return span_slice(d->chapter->view, from, q->start);
}

/* What the value's own words say. A field with two values in them says nothing. */
static void read_words(const struct drift_run *run, struct side *side, size_t quantity) {
    const struct quantity *q = &run->document->claims->quantities[quantity];
    struct span text = words_of(run->document, quantity);
    bool twice[FIELDS] = {false};
    for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++) {
        if (!prose_has_word(text, spellings[i].word))
            continue;
        size_t field = field_index(span_of(spellings[i].field));
        struct span value = span_of(spellings[i].value);
        twice[field] |= side->value[field].len && !span_equal(side->value[field], value);
        side->value[field] = value;
        side->start[field] = q->start;
        side->end[field] = q->end;
    }
    struct span batch = batch_of(text);
    size_t field = field_index(SPAN("batch"));
    if (batch.len) {
        side->value[field] = batch;
        side->start[field] = q->start;
        side->end[field] = q->end;
    }
    for (size_t i = 0; i < FIELDS; i++)
        if (twice[i])
            side->value[i] = SPAN("");
}

/* For each stated field, which was the last of each name up to it: 1 + index, 0 for none. */
static void index_listing(struct drift_run *run) {
    size_t(*last)[FIELDS] = arena_array(run->document->arena, run->stated.count + 1, sizeof *last);
    for (size_t i = 0; i < run->stated.count; i++) {
        size_t field = field_index(run->stated.fields[i].name);
        memcpy(last[i + 1], last[i], sizeof *last);
        if (field < FIELDS)
            last[i + 1][field] = i + 1;
    }
    run->last = (const size_t(*)[FIELDS])last;
}

/* How many fields are stated up to a place of the text. */
static size_t stated_before(const struct contract *stated, size_t place) {
    size_t low = 0, high = stated->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (stated->fields[middle].start <= place)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The last statement of a field before the value governs it. */
static void read_listing(const struct drift_run *run, struct side *side, const struct quantity *q) {
    const size_t *last = run->last[stated_before(&run->stated, q->start)];
    for (size_t i = 0; i < FIELDS; i++) {
        if (side->value[i].len || !last[i])
            continue;
        const struct contract_field *f = &run->stated.fields[last[i] - 1];
        side->value[i] = f->value;
        side->start[i] = f->start;
        side->end[i] = f->end;
    }
}

static struct side side_of(const struct drift_run *run, size_t quantity) {
    struct side side = {0};
    read_words(run, &side, quantity);
    read_listing(run, &side, &run->document->claims->quantities[quantity]);
    return side;
}

static bool differs(const struct side *a, const struct side *b, size_t field) {
    return a->value[field].len && b->value[field].len &&
           !span_equal_nocase(a->value[field], b->value[field]);
}

static void report(const struct drift_run *run, size_t stated, size_t from, size_t to,
                   const struct side *a, const struct side *b) {
    struct finding_draft d;
    struct buffer list = {0};
    finding_begin(&d, run->input, run->findings, "drift", FINDING_INCOMPLETE, SEVERITY_MEDIUM);
    finding_number(&d, "stated", stated);
    finding_number(&d, "from", from);
    finding_number(&d, "to", to);
    for (size_t i = 0; i < FIELDS; i++) {
        if (!differs(a, b, i))
            continue;
        buffer_printf(&list, "%s%s (%.*s, %.*s)", list.len ? ", " : "", fields[i],
                      SPAN_ARG(a->value[i]), SPAN_ARG(b->value[i]));
        finding_place(&d, a->start[i], a->end[i]);
        finding_place(&d, b->start[i], b->end[i]);
    }
    finding_say(&d,
                "%.*s compares %.*s with %.*s, whose contracts differ in several fields: %.*s. The "
                "ratio cannot be laid to one of them.",
                SPAN_ARG(quantity_quote(run->document, stated)),
                SPAN_ARG(quantity_quote(run->document, from)),
                SPAN_ARG(quantity_quote(run->document, to)), SPAN_ARG(buffer_span(&list)));
    buffer_free(&list);
    finding_end(&d);
}

static void judge(const struct drift_run *run, size_t stated, size_t from, size_t to) {
    struct side a = side_of(run, from), b = side_of(run, to);
    size_t drifts = 0;
    for (size_t i = 0; i < FIELDS; i++)
        drifts += differs(&a, &b, i);
    if (drifts >= LEAST_DRIFTS)
        report(run, stated, from, to, &a, &b);
}

/* --- which values are compared --- */

/* The measured values of a sentence up to a number. */
struct measured {
    size_t sentence, count, first, last;
};

/* A factor with just two measured values of one unit before it in its sentence compares these. */
static bool compares_two(const struct drift_run *run, size_t stated, const struct measured *m) {
    const struct quantity *all = run->document->claims->quantities, *q = &all[stated];
    struct comparison comparison;
    return m->count == 2 && q->role == ROLE_RATIO &&
           span_equal(all[m->first].unit, all[m->last].unit) &&
           relation_comparison(run->document, stated, &comparison) &&
           (comparison.readings & READ_RATIO);
}

static void judge_sentences(const struct drift_run *run, const bool *tied) {
    const struct claims *claims = run->document->claims;
    struct measured m = {NONE, 0, 0, 0};
    for (size_t i = 0; i < claims->quantity_count; i++) {
        const struct quantity *q = &claims->quantities[i];
        if (q->sentence >= run->document->sentence_count)
            continue;
        if (q->sentence != m.sentence)
            m = (struct measured){q->sentence, 0, 0, 0};
        if (!tied[i] && compares_two(run, i, &m))
            judge(run, i, m.first, m.last);
        if (q->role != ROLE_MEASUREMENT)
            continue;
        m.first = m.count ? m.first : i;
        m.last = i;
        m.count++;
    }
}

/* --- and what the checks before this one tied together --- */

static size_t quantity_at(const struct claims *claims, size_t start) {
    size_t low = 0, high = claims->quantity_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (claims->quantities[middle].start < start)
            low = middle + 1;
        else
            high = middle;
    }
    return low < claims->quantity_count && claims->quantities[low].start == start ? low : NONE;
}

static bool is_comparison(const struct finding *f) {
    return span_equal(f->check, SPAN("relation")) && f->number_count == 3;
}

static bool is_ratio(const struct claim *claim) {
    return claim->kind == CLAIM_RATIO || claim->kind == CLAIM_RELATION;
}

static void run(const struct check_input *input, struct findings *findings) {
    struct drift_run r = {input, input->document, findings, contract_find(input->document), NULL};
    index_listing(&r);
    const struct claims *claims = input->document->claims;
    size_t known = findings->count, judged = 0;
    bool *tied = arena_array(r.document->arena, claims->quantity_count, sizeof *tied);
    for (size_t i = 0; i < known && judged < MOST_COMPARISONS; i++) {
        if (!is_comparison(&findings->findings[i]))
            continue;
        const struct finding_number *n = findings->findings[i].numbers;
        size_t stated = quantity_at(claims, n[0].start), from = quantity_at(claims, n[1].start),
               to = quantity_at(claims, n[2].start);
        if (stated == NONE || from == NONE || to == NONE)
            continue;
        tied[stated] = true;
        judge(&r, stated, from, to);
        judged++;
    }
    judge_sentences(&r, tied);
    coverage_claims(input, findings, "drift", is_ratio, "compares nothing");
}

const struct check check_drift = {"drift", "Ratios across different contracts", run};
