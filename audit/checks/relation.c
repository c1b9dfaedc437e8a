/* What a sentence says about two values: "from 41.0 to 12.3 seconds (3.3x)", "37% less". The number
 * that compares is tied to the pair it stands by, worked out under every reading its words allow,
 * and confirmed or contradicted. Without an explicit pair the values of the sentence, of the one
 * before and of the table rows it names are tried; that can confirm, not contradict, unless the
 * sentence names both rows. */
#include "audit/relation_run.h"

#include "audit/checks/checks.h"
#include "audit/measure.h"
#include "audit/prose.h"

#include <math.h>

enum {
    MOST_PAIRS = 16,
    MOST_LONE = 8,
    NEAR_PAIR_BYTES = 160, /* a comparing number further from its pair is not tied to it */
    MOST_MENTIONS = 6,     /* table rows that one sentence names */
    TABLES_BACK = 3,       /* tables before a sentence that it may speak of */
    MOST_LATER = 64,       /* tables of one block that begin behind it */
    MOST_SENTENCE = 4000,  /* longer stretches are no sentences that name rows */
};
/* Chance of luck up to which values that no word ties together confirm a comparison. */
static const double confirm_chance = 0.05;
/* --- explicit pairs --- */

/* "2.4x faster for joins over 10 tables (from 118 ms to 49 ms)": no other comparing number and no
 * value of the pair's unit between. */
static bool leads_to(const struct document *d, size_t q, const struct value_pair *p) {
    const struct quantity *all = d->claims->quantities;
    if (all[p->first].start - all[q].end >= NEAR_PAIR_BYTES)
        return false;
    for (size_t i = q + 1; i < p->first; i++)
        if (all[i].role == ROLE_RATIO || span_equal(all[i].unit, all[p->first].unit))
            return false;
    return true;
}

/* A number before its pair leads to it; behind the pair other comparing numbers may
 * follow each other. */
static size_t distance(const struct document *d, const struct value_pair *p, size_t q) {
    const struct quantity *all = d->claims->quantities;
    if (q < p->first)
        return leads_to(d, q, p) ? all[p->first].start - all[q].end : SIZE_MAX;
    if (q > p->last && all[q].start - all[p->last].end >= NEAR_PAIR_BYTES)
        return SIZE_MAX;
    for (size_t i = p->last + 1; i < q; i++)
        if (all[i].role == ROLE_MEASUREMENT && span_equal(all[i].unit, all[p->last].unit))
            return SIZE_MAX;
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
    const struct comparison *plain = run->comparison;
    struct comparison tied = *plain;
    relation_tie(run->document, pair, &tied);
    run->comparison = &tied;
    struct reading_fit r = relation_run_best(run, pair->from, pair->to);
    bool far = r.fit == FIT_FAR && tied.strict;
    if (r.fit == FIT_HOLDS || r.fit == FIT_CLOSE)
        relation_run_confirm(run, &r, pair->from, pair->to, NAN);
    else if (far)
        relation_run_contradict(run, pair->from, pair->to, FINDING_CONTRADICTION, SEVERITY_HIGH);
    run->comparison = plain;
    return far || r.fit > FIT_FAR;
}

typedef size_t pair_finder(const struct document *, size_t, struct value_pair *, size_t);

/* What is said of several things at once, or of the best of them, is not worked out from one pair.
 */
static bool is_summary(const struct relation_run *run) {
    static const char *const words[] = {
        "average",   "averages", "averaged", "geomean",  "geometric", "typical", "typically",
        "best case", "across",   "overall",  "combined", "together",  NULL};
    enum bound bound = run->compared->bound;
    return (bound != BOUND_NONE && bound != BOUND_ABOUT) ||
           prose_has_any(prose_before(run->document, run->comparison->quantity, 120), words,
                         NULL) ||
           prose_has_any(prose_after(run->document, run->comparison->quantity, 80), words, NULL);
}

/* Values that no word ties together contradict only when none of those meant gives the number. */
static bool judge_meant(struct relation_run *run, pair_finder *find) {
    struct value_pair pairs[MOST_LONE];
    size_t count = find(run->document, run->comparison->quantity, pairs, MOST_LONE);
    if (!count || count == MOST_LONE || !run->comparison->strict || is_summary(run))
        return false;
    for (size_t i = 0; i < count; i++) {
        struct reading_fit r = relation_run_best(run, pairs[i].from, pairs[i].to);
        if (!suits(run, &pairs[i]) || r.fit == FIT_NONE)
            return false;
        if (r.fit > FIT_FAR) {
            relation_run_confirm(run, &r, pairs[i].from, pairs[i].to, NAN);
            return true;
        }
    }
    const struct value_pair *last = &pairs[count - 1];
    relation_run_contradict(run, last->from, last->to, FINDING_INCONSISTENCY, SEVERITY_MEDIUM);
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

/* true when a confirmation was made (or luck has become too likely to go on). */
static bool try_values(struct relation_run *run, size_t a, size_t b) {
    if (!comparable(run->document, a, b) || a == run->comparison->quantity ||
        b == run->comparison->quantity || relation_run_apart(run, a, b))
        return false;
    struct reading_fit r = relation_run_best(run, a, b);
    double chance = (double)run->tried * r.width / log(10);
    if (r.fit != FIT_HOLDS)
        return false;
    if (chance < confirm_chance)
        relation_run_confirm(run, &r, a, b, chance);
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

/* How many tables stand in the blocks up to one; they are listed block by block. */
static size_t grids_up_to(const struct document *d, size_t block) {
    size_t low = 0, high = d->grid_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (d->grids[middle].block <= block)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool try_tables(struct relation_run *run, const struct sentence *s, size_t sentence) {
    struct span text = prose_sentence(run->document, sentence);
    size_t seen = 0, later = 0;
    if (text.len > MOST_SENTENCE)
        return false;
    for (size_t i = grids_up_to(run->document, s->block);
         i-- > 0 && seen < TABLES_BACK && later < MOST_LATER;) {
        const struct grid *g = &run->document->grids[i];
        if (g->start >= s->start) {
            later++;
            continue;
        }
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
    if (try_sentence(run, s, s) || try_tables(run, s, sentence) ||
        (sentence && try_sentence(run, s, s - 1)))
        return;
    if (!judge_meant(run, relation_lone_pairs))
        judge_meant(run, relation_row_pairs);
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
            if (relation_run_printed(&r))
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
