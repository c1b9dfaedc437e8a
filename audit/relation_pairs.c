/* Pairs of values that words tie together. */
#include "audit/relation.h"

#include "audit/measure.h"
#include "audit/prose.h"

#include <stdint.h>

static const struct quantity *quantity_at(const struct document *d, size_t i) {
    return &d->claims->quantities[i];
}

/* Two positive single values of one dimension. */
static bool same_kind(const struct document *d, size_t a, size_t b) {
    const struct quantity *x = quantity_at(d, a), *y = quantity_at(d, b);
    const struct measure *m = &d->measures[a], *n = &d->measures[b];
    if (x->malformed || y->malformed || x->role == ROLE_OTHER || y->role == ROLE_OTHER)
        return false;
    if (m->is_factor || n->is_factor || x->value != x->value_high || y->value != y->value_high)
        return false;
    return m->is_percent == n->is_percent && dimension_equal(m->dimension, n->dimension) &&
           m->lo > 0 && n->lo > 0;
}

static bool ends_with(struct span text, const char *word) {
    struct span w = span_of(word);
    if (text.len < w.len)
        return false;
    struct span tail = span_slice(text, text.len - w.len, text.len);
    bool left = text.len == w.len || text.at[text.len - w.len - 1] == ' ' ||
                text.at[text.len - w.len - 1] == '\n' || text.at[text.len - w.len - 1] == '(';
    return left && span_equal_nocase(tail, w);
}

static bool ends_with_any(struct span text, const char *const *words) {
    for (; *words; words++)
        if (ends_with(text, *words))
            return true;
    return false;
}

static bool is_one_of(struct span text, const char *const *words) {
    for (; *words; words++)
        if (span_equal_nocase(text, span_of(*words)))
            return true;
    return false;
}

static const char *const hedges[] = {"about", "around",       "roughly", "nearly", "almost", "some",
                                     "~",     "\xe2\x89\x88", "just",    "over",   "under",  NULL};

/* The text before a quantity without a hedge at its end. */
static struct span before_unhedged(const struct document *d, size_t q, size_t bytes) {
    struct span text = prose_before(d, q, bytes);
    for (const char *const *h = hedges; *h; h++)
        if (ends_with(text, *h))
            return span_trim(span_slice(text, 0, text.len - strlen(*h)));
    return text;
}

static struct span between_unhedged(const struct document *d, size_t a, size_t b) {
    struct span text = prose_between(d, a, b);
    for (const char *const *h = hedges; *h; h++)
        if (ends_with(text, *h) && text.len > strlen(*h))
            return span_trim(span_slice(text, 0, text.len - strlen(*h)));
    return text;
}

static const char *const to_words[] = {"to",       "down to",  "up to",     "to just",
                                       "to only",  "to about", "to around", "to roughly",
                                       "\xc3\xa0", "auf",      NULL};
/* without "from" before */
static const char *const turned_to[] = {"down to", "up to", "became", "becomes", NULL};
static const char *const from_words[] = {"from", "de", "von", "was", "out of", NULL};
static const char *const arrows[] = {"\xe2\x86\x92", "->", "=>", "-->", "\xe2\x9e\x9c", NULL};
/* what follows is the base */
static const char *const against[] = {"vs",
                                      "vs.",
                                      "versus",
                                      "instead of",
                                      "rather than",
                                      "compared to",
                                      "compared with",
                                      "against",
                                      "compared to just",
                                      "statt",
                                      "au lieu de",
                                      NULL};
static const char *const earlier[] = {
    ", down from", ", up from", "(down from",  "(up from",     "down from",  "up from",
    "(was",        ", was",     "(previously", ", previously", "(from",      ", from",
    "(before",     "(formerly", "(old",        "(baseline",    ", formerly", NULL};
static const char *const now_words[] = {"now",          "after",   "afterwards", "today",
                                        "apr\xc3\xa8s", "nachher", "jetzt",      NULL};
static const char *const then_words[] = {"before", "previously", "avant", "vorher", NULL};

/* "from 288.90 in February to 340.05": a short phrase says when or where the first value was. */
static bool is_qualified_to(struct span between) {
    static const char *const opens[] = {"in", "on", "at", "with", "for", "under", NULL};
    enum { MOST_BYTES = 40 };
    for (size_t i = 0; i < between.len; i++)
        if (strchr(",;:.()", between.at[i]) && between.at[i])
            return false;
    return between.len <= MOST_BYTES && prose_starts_with_any(between, opens, NULL) &&
           ends_with(between, "to");
}

/* Behind a mark or a remark in parentheses: ", compared to", "(46% MFU), against". */
static struct span past_remark(struct span between, bool remarked) {
    size_t close = remarked ? span_find_byte(between, ')', 0) : SIZE_MAX;
    if (close != SIZE_MAX)
        between = span_slice(between, close + 1, between.len);
    if (between.len > 1 && between.at[0] == ',')
        between = span_slice(between, 1, between.len);
    return span_trim(between);
}

static bool match_pair(const struct document *d, size_t a, size_t b, struct value_pair *pair) {
    struct span between = between_unhedged(d, a, b);
    *pair = (struct value_pair){a, b, a, b, NULL};
    if ((is_one_of(between, to_words) || is_qualified_to(between)) &&
        ends_with_any(before_unhedged(d, a, 60), from_words))
        pair->pattern = "from ... to";
    else if (is_one_of(between, turned_to))
        pair->pattern = "down to";
    else if (is_one_of(between, arrows))
        pair->pattern = "arrow";
    else if (prose_starts_with_any(between, then_words, NULL) && between.len < 16 &&
             prose_starts_with_any(prose_after(d, b, 20), now_words, NULL))
        pair->pattern = "before ... now";
    if (pair->pattern)
        return true;
    *pair = (struct value_pair){b, a, a, b, NULL};
    if (is_one_of(past_remark(between, b > a + 1), against))
        pair->pattern = "against";
    else if (is_one_of(between, earlier))
        pair->pattern = "earlier value behind";
    return pair->pattern != NULL;
}

/* Whether the second stands in a remark right behind the first. */
static bool in_parentheses(const struct document *d, size_t a, size_t b) {
    struct span between = prose_between(d, a, b);
    return between.len && between.at[0] == '(';
}

size_t relation_pairs(const struct document *d, size_t sentence, struct value_pair *pairs,
                      size_t max) {
    const struct sentence *s = &d->sentences[sentence];
    size_t count = 0;
    for (size_t i = 0; i + 1 < s->quantity_count && count < max; i++) {
        size_t a = s->first_quantity + i, b = a + 1;
        if (same_kind(d, a, b) && match_pair(d, a, b, &pairs[count]))
            count++;
        else if (i + 2 < s->quantity_count && in_parentheses(d, a, b) && same_kind(d, a, b + 1) &&
                 match_pair(d, a, b + 1, &pairs[count]))
            count++;
    }
    return count;
}

/* --- pairs that no word ties together --- */

/* Percentages are compared as well ("wrong on 19.0% of the items"), factors are not. */
static bool is_measured(const struct document *d, size_t q) {
    return quantity_at(d, q)->role == ROLE_MEASUREMENT || d->measures[q].is_percent;
}

/* As same_kind, and both units are known and count the same thing. */
static bool one_kind(const struct document *d, size_t a, size_t b) {
    const struct measure *m = &d->measures[a], *n = &d->measures[b];
    return same_kind(d, a, b) && m->unit_known && n->unit_known && span_equal(m->noun, n->noun) &&
           is_measured(d, a) && is_measured(d, b);
}

static const char *const joins[] = {"and is",  "and runs",      ", which is", "which is", ", i.e.",
                                    "i.e.",    ", that is",     "(",          ",",        "- ",
                                    ", so",    "and therefore", ", a",        ", thus",   "and was",
                                    "that is", "; it is",       NULL};

/* The value right before the comparing number, joined to it by a few plain words; or NONE. */
static size_t joined_value(const struct document *d, size_t q) {
    enum { MOST_BYTES = 24, MOST_WITH_END = 60 };
    static const char *const leads[] = {", i.e.", ", that is", ", which is", NULL};
    static const char *const ends[] = {"i.e.", "that is", "which is", ", or", "thus", NULL};
    const struct sentence *s = &d->sentences[quantity_at(d, q)->sentence];
    if (q <= s->first_quantity || !is_measured(d, q - 1))
        return NONE;
    struct span between = between_unhedged(d, q - 1, q);
    bool joined = between.len <= MOST_BYTES && prose_starts_with_any(between, joins, NULL);
    joined |= between.len <= MOST_WITH_END &&
              (ends_with_any(between, ends) || prose_starts_with_any(between, leads, NULL));
    return joined ? q - 1 : NONE;
}

/* "than the old build": the base is a thing, and which value is its is not known. */
static bool names_base(const struct document *d, size_t q) {
    static const char *const names[] = {"than", "over", "of", "compared", "versus", "vs", NULL};
    return prose_has_any(prose_after(d, q, 60), names, NULL);
}

size_t relation_lone_pairs(const struct document *d, size_t q, struct value_pair *pairs,
                           size_t max) {
    size_t value = joined_value(d, q), count = 0, sentence = quantity_at(d, q)->sentence;
    if (value == NONE || names_base(d, q))
        return 0;
    const struct sentence *s = &d->sentences[sentence];
    for (size_t i = s->first_quantity; i < value && count < max; i++)
        if (one_kind(d, i, value))
            pairs[count++] = (struct value_pair){i, value, i, value, "in one sentence"};
    if (count || sentence == 0 || s[-1].block != s->block)
        return count;
    for (size_t i = s[-1].first_quantity; i < s->first_quantity && count < max; i++)
        if (one_kind(d, i, value))
            pairs[count++] = (struct value_pair){i, value, i, value, "the sentence before"};
    return count;
}
