#include "report/diff.h"

#include "report/diff_pairs.h"

#include <math.h>
#include <stdint.h>

const char *const diff_part_words[DIFF_PART_COUNT] = {"claims",   "states of claims", "findings",
                                                      "verdicts", "measurements",     "sources"};

/* A list of one pass as the comparison sees it. */
typedef size_t lister(const struct view *view);
typedef struct span keyer(const struct view *view, size_t index);

struct mates {
    size_t *a, *b; /* SIZE_MAX: the other pass has none */
    size_t count_a, count_b;
};

static size_t *alone(struct arena *arena, size_t count) {
    size_t *mates = arena_array(arena, count, sizeof *mates);
    for (size_t i = 0; i < count; i++)
        mates[i] = SIZE_MAX;
    return mates;
}

static struct keyed *keys_of(struct arena *arena, const struct view *view, size_t count, keyer *key,
                             const size_t *taken, size_t *kept) {
    struct keyed *keys = arena_array(arena, count, sizeof *keys);
    *kept = 0;
    for (size_t i = 0; i < count; i++)
        if (!taken || taken[i] == SIZE_MAX)
            keys[(*kept)++] = (struct keyed){key(view, i), i};
    return keys;
}

/* Pairs what is still alone in both passes. */
static void pair_more(const struct diff *diff, struct mates *mates, keyer *key) {
    struct arena *arena = diff->b->arena;
    size_t left_a, left_b;
    struct keyed *a = keys_of(arena, diff->a, mates->count_a, key, mates->a, &left_a);
    struct keyed *b = keys_of(arena, diff->b, mates->count_b, key, mates->b, &left_b);
    diff_pair(a, left_a, mates->a, b, left_b, mates->b);
}

static struct mates pair(const struct diff *diff, lister *count, keyer *key) {
    struct mates mates = {.count_a = count(diff->a), .count_b = count(diff->b)};
    mates.a = alone(diff->b->arena, mates.count_a);
    mates.b = alone(diff->b->arena, mates.count_b);
    pair_more(diff, &mates, key);
    return mates;
}

static void put(struct diff *diff, enum diff_part part, const char *change, struct span name,
                struct span text, struct span before, struct span after) {
    struct diff_entry entry = {part, change, name, text, before, after};
    LIST_PUSH(diff->b->arena, diff->entries, diff->count, diff->capacity, entry);
}

static const struct span none = {"", 0};

/* Claims: the same id is the same text in the same context. */

static size_t claim_count(const struct view *view) {
    return view->claims.count;
}

static struct span claim_key(const struct view *view, size_t i) {
    return view->claims.claims[i].id;
}

/* The sentence without its digits: an edited figure is a change, not a removal and an addition. */
static struct span claim_skeleton(const struct view *view, size_t i) {
    struct span quote = view->claims.claims[i].quote;
    struct buffer out = {0};
    bool digit = false;
    for (size_t k = 0; k < quote.len; k++) {
        bool now = quote.at[k] >= '0' && quote.at[k] <= '9';
        if (!now || !digit)
            buffer_add_byte(&out, now ? '0' : quote.at[k]);
        digit = now || (digit && quote.at[k] == '.');
    }
    struct span skeleton = arena_copy(view->arena, buffer_span(&out));
    buffer_free(&out);
    return skeleton;
}

static void compare_state(struct diff *diff, size_t a, size_t b) {
    const struct view_claim *old = &diff->a->items[a], *new = &diff->b->items[b];
    if (old->state == new->state)
        diff->same[DIFF_STATES]++;
    else
        put(diff, DIFF_STATES, "moved", new->claim->label, new->claim->quote,
            span_of(word_of(&claim_state_words, (int)old->state)),
            span_of(word_of(&claim_state_words, (int)new->state)));
}

static void compare_claims(struct diff *diff) {
    struct mates mates = pair(diff, claim_count, claim_key);
    size_t *same = alone(diff->b->arena, mates.count_b);
    for (size_t i = 0; i < mates.count_b; i++)
        same[i] = mates.b[i];
    pair_more(diff, &mates, claim_skeleton);
    for (size_t i = 0; i < mates.count_b; i++) {
        const struct claim *claim = &diff->b->claims.claims[i];
        if (same[i] != SIZE_MAX)
            diff->same[DIFF_CLAIMS]++;
        else if (mates.b[i] != SIZE_MAX)
            put(diff, DIFF_CLAIMS, "changed", claim->label, none,
                diff->a->claims.claims[mates.b[i]].quote, claim->quote);
        else
            put(diff, DIFF_CLAIMS, "added", claim->label, claim->quote, none, none);
    }
    for (size_t i = 0; i < mates.count_a; i++)
        if (mates.a[i] == SIZE_MAX)
            put(diff, DIFF_CLAIMS, "removed", diff->a->claims.claims[i].label,
                diff->a->claims.claims[i].quote, none, none);
    for (size_t i = 0; i < mates.count_b; i++)
        if (mates.b[i] != SIZE_MAX)
            compare_state(diff, mates.b[i], i);
}

/* Findings: the same check saying the same of the same claim, wherever it stands now. */

static size_t finding_count(const struct view *view) {
    return view->findings.count;
}

static struct span finding_key(const struct view *view, size_t i) {
    const struct finding *f = &view->findings.findings[i];
    return arena_printf(view->arena, "%d\n%.*s\n%.*s\n%.*s", (int)finding_asks(f),
                        SPAN_ARG(f->check), SPAN_ARG(f->claim), SPAN_ARG(f->message));
}

static void put_finding(struct diff *diff, const struct view *view, const char *change, size_t i) {
    const struct finding *f = &view->findings.findings[i];
    const struct view_claim *item = view_claim_of(view, f->claim);
    if (finding_asks(f))
        put(diff, DIFF_FINDINGS, change, item ? item->claim->label : f->check, f->message, none,
            none);
}

static void compare_findings(struct diff *diff) {
    struct mates mates = pair(diff, finding_count, finding_key);
    for (size_t i = 0; i < mates.count_b; i++)
        if (mates.b[i] == SIZE_MAX)
            put_finding(diff, diff->b, "new", i);
        else
            diff->same[DIFF_FINDINGS] += finding_asks(&diff->b->findings.findings[i]);
    for (size_t i = 0; i < mates.count_a; i++)
        if (mates.a[i] == SIZE_MAX)
            put_finding(diff, diff->a, "gone", i);
}

/* Experiments: by kind and title, which the plan derives from the claim. */

static size_t result_count(const struct view *view) {
    return view->results.count;
}

static struct span result_key(const struct view *view, size_t i) {
    const struct result *r = &view->results.results[i];
    return arena_printf(view->arena, "%.*s\n%.*s", SPAN_ARG(r->kind), SPAN_ARG(r->title));
}

static const struct measured *measured_of(const struct result *result, struct span variant) {
    for (size_t i = 0; i < result->measured_count; i++)
        if (span_equal(result->measured[i].variant, variant))
            return &result->measured[i];
    return NULL;
}

static struct span interval_words(const struct view *view, const struct measured *m) {
    return arena_printf(view->arena, "%.6g %.*s (%.6g to %.6g)", m->median, SPAN_ARG(m->unit),
                        m->ci_lo, m->ci_hi);
}

/* Beyond noise: the 95 % intervals of the medians do not meet. An unknown interval decides nothing.
 */
static void compare_measured(struct diff *diff, const struct result *old,
                             const struct result *new) {
    for (size_t i = 0; i < new->measured_count; i++) {
        const struct measured *b = &new->measured[i], *a = measured_of(old, b->variant);
        if (!a || !span_equal(a->unit, b->unit))
            continue;
        if (a->ci_hi < b->ci_lo || b->ci_hi < a->ci_lo)
            put(diff, DIFF_MEASUREMENTS, "shifted", new->id, b->variant, interval_words(diff->b, a),
                interval_words(diff->b, b));
        else
            diff->same[DIFF_MEASUREMENTS]++;
    }
}

static void compare_verdict(struct diff *diff, const struct result *old, const struct result *new) {
    if (old->status == new->status)
        diff->same[DIFF_VERDICTS]++;
    else
        put(diff, DIFF_VERDICTS, "moved", new->id, new->title,
            span_of(word_of(&experiment_words, (int)old->status)),
            span_of(word_of(&experiment_words, (int)new->status)));
}

static void compare_results(struct diff *diff) {
    struct mates mates = pair(diff, result_count, result_key);
    for (size_t i = 0; i < mates.count_b; i++) {
        const struct result *new = &diff->b->results.results[i];
        if (mates.b[i] == SIZE_MAX)
            put(diff, DIFF_VERDICTS, "added", new->id, new->title, none,
                span_of(word_of(&experiment_words, (int)new->status)));
        else
            compare_verdict(diff, &diff->a->results.results[mates.b[i]], new);
    }
    for (size_t i = 0; i < mates.count_a; i++)
        if (mates.a[i] == SIZE_MAX)
            put(diff, DIFF_VERDICTS, "removed", diff->a->results.results[i].id,
                diff->a->results.results[i].title,
                span_of(word_of(&experiment_words, (int)diff->a->results.results[i].status)), none);
    for (size_t i = 0; i < mates.count_b; i++)
        if (mates.b[i] != SIZE_MAX)
            compare_measured(diff, &diff->a->results.results[mates.b[i]],
                             &diff->b->results.results[i]);
}

/* Sources: by canonical id. */

static size_t source_count(const struct view *view) {
    return view->sources.count;
}

static struct span source_key(const struct view *view, size_t i) {
    return view->sources.sources[i].id;
}

static bool is_dead(const struct source *source) {
    return source->reading == READING_NOT_ACCESSIBLE || source->http_status >= 400;
}

static struct span source_words(const struct view *view, const struct source *source) {
    const char *reading = word_of(&reading_words, (int)source->reading);
    return source->http_status
               ? arena_printf(view->arena, "%s, HTTP %d", reading, source->http_status)
               : span_of(reading);
}

static void compare_source(struct diff *diff, const struct source *old, const struct source *new) {
    struct span before = source_words(diff->b, old), after = source_words(diff->b, new);
    if (span_equal(before, after))
        diff->same[DIFF_SOURCES]++;
    else
        put(diff, DIFF_SOURCES, is_dead(new) && !is_dead(old) ? "died" : "moved", new->label,
            new->id, before, after);
}

static void compare_sources(struct diff *diff) {
    struct mates mates = pair(diff, source_count, source_key);
    for (size_t i = 0; i < mates.count_b; i++) {
        const struct source *new = &diff->b->sources.sources[i];
        if (mates.b[i] == SIZE_MAX)
            put(diff, DIFF_SOURCES, "added", new->label, new->id, none, none);
        else
            compare_source(diff, &diff->a->sources.sources[mates.b[i]], new);
    }
    for (size_t i = 0; i < mates.count_a; i++)
        if (mates.a[i] == SIZE_MAX)
            put(diff, DIFF_SOURCES, "removed", diff->a->sources.sources[i].label,
                diff->a->sources.sources[i].id, none, none);
}

void diff_views(const struct view *a, const struct view *b, struct diff *diff) {
    *diff = (struct diff){.a = a, .b = b};
    compare_claims(diff);
    compare_findings(diff);
    compare_results(diff);
    compare_sources(diff);
}
