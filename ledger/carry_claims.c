#include "ledger/carry_claims.h"

#include <stdlib.h>

#define NONE ((size_t)-1)

static int compare_spans(struct span a, struct span b) {
    size_t common = a.len < b.len ? a.len : b.len;
    int order = common ? memcmp(a.at, b.at, common) : 0;
    return order ? order : (a.len > b.len) - (a.len < b.len);
}

static int compare_keys(const void *a, const void *b) {
    const struct carry_key *x = a, *y = b;
    int order = compare_spans(x->key, y->key);
    return order ? order : (x->claim > y->claim) - (x->claim < y->claim);
}

/* What is left of a claim when its figures change: words without digits, runs of blanks as one. */
static struct span skeleton(struct arena *arena, struct span quote) {
    char *kept = arena_array(arena, quote.len + 1, 1);
    size_t len = 0;
    for (size_t i = 0; i < quote.len; i++) {
        char c = quote.at[i];
        bool blank = strchr(" \t\r\n", c) && c;
        if ((c >= '0' && c <= '9') || (blank && len && kept[len - 1] == ' '))
            continue;
        kept[len++] = blank ? ' ' : c;
    }
    return span_make(kept, len);
}

/* Fewer letters than this say too little to point at a claim. */
static bool is_telling(struct span bones) {
    enum { LEAST_LETTERS = 8 };
    size_t letters = 0;
    for (size_t i = 0; i < bones.len; i++)
        letters += (bones.at[i] | 32) >= 'a' && (bones.at[i] | 32) <= 'z';
    return letters >= LEAST_LETTERS;
}

static struct carry_key *keys(struct arena *arena, size_t count) {
    return arena_array(arena, count + 1, sizeof(struct carry_key));
}

void carry_index_make(struct arena *arena, struct span text, const struct claims *claims,
                      struct carry_index *index) {
    *index = (struct carry_index){arena,
                                  text,
                                  claims,
                                  keys(arena, claims->count),
                                  keys(arena, claims->count),
                                  keys(arena, claims->count),
                                  arena_array(arena, claims->count + 1, sizeof(bool))};
    memset(index->known, 0, (claims->count + 1) * sizeof *index->known);
    for (size_t i = 0; i < claims->count; i++) {
        const struct claim *c = &claims->claims[i];
        index->by_id[i] = (struct carry_key){c->id, i};
        index->by_quote[i] = (struct carry_key){c->quote, i};
        index->by_skeleton[i] = (struct carry_key){skeleton(arena, c->quote), i};
    }
    qsort(index->by_id, claims->count, sizeof *index->by_id, compare_keys);
    qsort(index->by_quote, claims->count, sizeof *index->by_quote, compare_keys);
    qsort(index->by_skeleton, claims->count, sizeof *index->by_skeleton, compare_keys);
}

/* First of the rows with that key, *count of them. */
static const struct carry_key *rows_of(const struct carry_key *rows, size_t total, struct span key,
                                       size_t *count) {
    size_t low = 0, high = total;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (compare_spans(rows[middle].key, key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    *count = 0;
    while (low + *count < total && span_equal(rows[low + *count].key, key))
        ++*count;
    return rows + low;
}

static bool has_prefix(const struct carry_index *index, const struct claim *c, struct span prefix) {
    return prefix.len == 0
               ? c->start == 0
               : c->start >= prefix.len &&
                     span_equal(span_slice(index->text, c->start - prefix.len, c->start), prefix);
}

static bool has_suffix(const struct carry_index *index, const struct claim *c, struct span suffix) {
    return suffix.len == 0
               ? c->end == index->text.len
               : c->end + suffix.len <= index->text.len &&
                     span_equal(span_slice(index->text, c->end, c->end + suffix.len), suffix);
}

static int context_of(const struct carry_index *index, size_t claim,
                      const struct ledger_anchor *anchor) {
    const struct claim *c = &index->claims->claims[claim];
    return has_prefix(index, c, anchor->prefix) + has_suffix(index, c, anchor->suffix);
}

/* Of several places with the same words the one whose surroundings fit best, if it is one. */
static struct carry_match choose(const struct carry_index *index, const struct carry_key *rows,
                                 size_t count, const struct ledger_anchor *anchor) {
    size_t best = NONE;
    int most = 0;
    for (size_t i = 0; anchor && i < count; i++) {
        int fits = context_of(index, rows[i].claim, anchor);
        if (fits > most) {
            most = fits;
            best = rows[i].claim;
        } else if (fits == most) {
            best = NONE;
        }
    }
    return best == NONE ? (struct carry_match){FOUND_UNCLEAR, NONE}
                        : (struct carry_match){FOUND_MOVED, best};
}

/* The one new claim that stands between what stood on both sides of the old one. */
static size_t between(const struct carry_index *index, const struct ledger_anchor *anchor) {
    size_t found = NONE;
    for (size_t i = 0; i < index->claims->count; i++) {
        if (index->known[i] || context_of(index, i, anchor) < 2)
            continue;
        if (found != NONE)
            return NONE;
        found = i;
    }
    return found;
}

struct carry_match carry_match_claim(const struct carry_index *index, struct span id,
                                     struct span quote, const struct ledger_anchor *anchor) {
    size_t total = index->claims->count, count;
    const struct carry_key *rows = rows_of(index->by_id, total, id, &count);
    if (count)
        return (struct carry_match){FOUND_SAME, rows->claim};
    rows = rows_of(index->by_quote, total, quote, &count);
    if (count == 1)
        return (struct carry_match){FOUND_MOVED, rows->claim};
    if (count > 1)
        return choose(index, rows, count, anchor);
    struct span bones = skeleton(index->arena, quote);
    rows = rows_of(index->by_skeleton, total, bones, &count);
    size_t claim =
        count == 1 && is_telling(bones) && !index->known[rows->claim] ? rows->claim : NONE;
    if (claim == NONE && anchor)
        claim = between(index, anchor);
    return (struct carry_match){claim == NONE ? FOUND_NOT : FOUND_PROPOSED, claim};
}

/* A claim of the same words that no other old claim has taken. */
static size_t take_words(struct carry_index *now, struct span quote) {
    size_t count;
    const struct carry_key *rows = rows_of(now->by_quote, now->claims->count, quote, &count);
    for (size_t i = 0; i < count; i++)
        if (!now->known[rows[i].claim])
            return rows[i].claim;
    return NONE;
}

/* First what stands word for word, so that what is left over can only be a change. */
void carry_compare_claims(struct arena *arena, const struct claims *before, struct carry_index *now,
                          struct carry_over *carry) {
    size_t *left = arena_array(arena, before->count + 1, sizeof *left), left_count = 0;
    for (size_t i = 0; i < before->count; i++) {
        const struct claim *old = &before->claims[i];
        size_t count, claim;
        const struct carry_key *same = rows_of(now->by_id, now->claims->count, old->id, &count);
        claim = count && !now->known[same->claim] ? same->claim : take_words(now, old->quote);
        if (claim == NONE) {
            left[left_count++] = i;
            continue;
        }
        now->known[claim] = true;
        carry->claims_kept++;
    }
    bool *known = arena_array(arena, now->claims->count + 1, sizeof *known);
    memcpy(known, now->known, now->claims->count * sizeof *known);
    for (size_t i = 0; i < left_count; i++) {
        const struct claim *old = &before->claims[left[i]];
        struct carry_match match = carry_match_claim(now, old->id, old->quote, NULL);
        if (match.found != FOUND_PROPOSED || known[match.claim]) {
            carry->claims_removed++;
            continue;
        }
        known[match.claim] = true;
        const struct claim *new = &now->claims->claims[match.claim];
        LIST_PUSH(arena, carry->changes, carry->change_count, carry->change_capacity,
                  (struct carry_change){old->id, new->id, old->quote, new->quote});
    }
    for (size_t i = 0; i < now->claims->count; i++)
        carry->claims_added += !known[i];
}
