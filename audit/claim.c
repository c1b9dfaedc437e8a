#include "audit/claim.h"

#include "audit/contract.h"
#include "audit/grid.h"
#include "audit/printout.h"
#include "audit/prose.h"
#include "core/hash.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>

static const char *const universal_words[] = {"never",  "always",  "none",       "every", "all",
                                              "no one", "nothing", "impossible", NULL};
static const char *const causal_words[] = {"because",     "the reason", "therefore", "due to",
                                           "this is why", "caused by",  NULL};

static enum claim_kind kind_of(const struct document *d, const struct sentence *s) {
    bool seen[5] = {false};
    bool version = false;
    for (size_t i = 0; i < s->quantity_count; i++) {
        const struct quantity *q = &d->claims->quantities[s->first_quantity + i];
        seen[q->role] = true;
        version |= span_equal(q->unit, SPAN("version"));
    }
    if (seen[ROLE_MEASUREMENT])
        return CLAIM_MEASUREMENT;
    if (seen[ROLE_RATIO])
        return CLAIM_RATIO;
    if (seen[ROLE_SPEC] || version || d->chapter->blocks[s->block].kind == BLOCK_CONTRACT)
        return CLAIM_ENVIRONMENT;
    return CLAIM_REFERENCE;
}

static size_t count_blanks(struct span text) {
    size_t blanks = 0;
    for (size_t i = 0; i < text.len; i++)
        blanks += text.at[i] == ' ';
    return blanks;
}

/* A sentence without numbers is a claim when it says something of all cases or gives a cause. */
static bool is_worded_claim(const struct document *d, const struct sentence *s,
                            enum claim_kind *kind) {
    enum { MOST_BYTES = 600, LEAST_WORDS = 4 };
    enum block_kind block = d->chapter->blocks[s->block].kind;
    if ((block != BLOCK_PROSE && block != BLOCK_LIST) || s->end - s->start > MOST_BYTES)
        return false;
    struct span text = span_slice(d->chapter->view, s->start, s->end);
    if (count_blanks(text) + 1 < LEAST_WORDS)
        return false; /* "Nothing fancy." says nothing to check */
    const char *found = NULL;
    *kind = CLAIM_UNIVERSAL;
    if (prose_has_any(text, universal_words, &found))
        return true;
    *kind = CLAIM_MECHANISM;
    return prose_has_any(text, causal_words, &found);
}

/* "c-" and 8 digits of SHA-256 over kind, quote, heading path, and how often that came before. */
static struct span id_of(const struct document *d, const struct claim *c, size_t ordinal) {
    struct span parts[32], dash = SPAN("\n");
    size_t count = 0;
    parts[count++] = span_of(word_of(&claim_kind_words, (int)c->kind));
    parts[count++] = dash;
    parts[count++] = c->quote;
    for (size_t i = 0; i < c->heading_count && count + 4 < 32; i++) {
        parts[count++] = dash;
        parts[count++] = c->heading[i];
    }
    if (ordinal)
        parts[count++] = arena_printf(d->arena, "\n#%zu", ordinal);
    struct span hex = sha256_hex_parts(d->arena, parts, count);
    return arena_printf(d->arena, "c-%.8s", hex.at);
}

struct by_id {
    struct span id;
    size_t claim;
};

static int compare_ids(const void *a, const void *b) {
    const struct by_id *x = a, *y = b;
    int order = memcmp(x->id.at, y->id.at, x->id.len);
    return order ? order : (x->claim < y->claim ? -1 : x->claim > y->claim);
}

/* Equal claims (a table that repeats) get their ordinal, so that every id is one claim's. */
static void settle_ids(const struct document *d) {
    struct claims *claims = d->claims;
    struct by_id *ids = arena_array(d->arena, claims->count, sizeof *ids);
    for (size_t i = 0; i < claims->count; i++) {
        claims->claims[i].id = id_of(d, &claims->claims[i], 0);
        ids[i] = (struct by_id){claims->claims[i].id, i};
    }
    qsort(ids, claims->count, sizeof *ids, compare_ids);
    for (size_t i = 1, ordinal = 0; i < claims->count; i++) {
        ordinal = span_equal(ids[i].id, ids[i - 1].id) ? ordinal + 1 : 0;
        if (ordinal)
            claims->claims[ids[i].claim].id = id_of(d, &claims->claims[ids[i].claim], ordinal);
    }
}

/* "The rebuild went": the words that begin a sentence, up to its first number or mark. */
static struct span head_of(const struct document *d, const struct sentence *s) {
    enum { MOST_BYTES = 60 };
    struct span view = d->chapter->view;
    size_t limit = s->quantity_count ? d->claims->quantities[s->first_quantity].start : s->end;
    limit = limit - s->start > MOST_BYTES ? s->start + MOST_BYTES : limit;
    size_t end = s->start;
    while (end < limit && !strchr(",;:.()\n", view.at[end]))
        end++;
    while (end == limit && end < s->end && end > s->start &&
           isalnum((unsigned char)view.at[end - 1]))
        end--;
    return grid_label(d, s->start, end);
}

/* The head of a sentence; of the one before it where it only points back ("That is ..."). */
static struct span subject_of(const struct document *d, const struct sentence *s) {
    static const char *const pointers[] = {"that",  "this", "it",   "so",  "these", "those", "they",
                                           "which", "i.e.", "thus", "das", "cela",  "he",    NULL};
    struct span head = head_of(d, s);
    bool first = s == d->sentences || s[-1].block != s->block;
    return !first && prose_starts_with_any(head, pointers, NULL) ? head_of(d, s - 1) : head;
}

static size_t count_words(struct span text) {
    size_t words = 0;
    for (size_t i = 0; i < text.len; i++)
        words += isalpha((unsigned char)text.at[i]) &&
                 (i == 0 || !isalnum((unsigned char)text.at[i - 1])) && i + 2 < text.len &&
                 isalpha((unsigned char)text.at[i + 1]) && isalpha((unsigned char)text.at[i + 2]);
    return words;
}

/* The one of two compared values that a number is: "from" and "was" lead the old one in. */
static const char *side_of(struct span before, struct span after) {
    static const char *const now[] = {"now", "after", NULL};
    static const char *const then[] = {"before", "previously", NULL};
    static const char *const old[] = {"from", "from about", "was", "instead of", "old", NULL};
    for (const char *const *w = old; *w; w++)
        if (span_ends(before, span_of(*w)))
            return " before";
    if (prose_starts_with_any(after, now, NULL) || span_equal(before, SPAN("to")) ||
        span_equal(before, SPAN("down to")) || span_equal(before, SPAN("now")))
        return " after";
    return prose_starts_with_any(after, then, NULL) ? " before" : "";
}

/* What a number of prose is about: the words around it, up to its neighbours and clause marks, led
 * by the sentence's subject where those are few. */
static struct span words_around(const struct document *d, const struct sentence *s, size_t i,
                                struct span subject) {
    enum { MOST_BYTES = 60, FEW_WORDS = 3 };
    struct span view = d->chapter->view;
    const struct quantity *q = &d->claims->quantities[i];
    size_t from = i > s->first_quantity ? prose_end(q - 1) : s->start;
    size_t start = q->start, end = prose_end(q);
    while (start > from && q->start - start < MOST_BYTES && !strchr(",;:()", view.at[start - 1]))
        start--;
    while (start > from && start < q->start && isalnum((unsigned char)view.at[start - 1]))
        start++;
    size_t limit = i + 1 < s->first_quantity + s->quantity_count ? (q + 1)->start : s->end;
    size_t stop = end;
    while (stop < limit && stop - end < MOST_BYTES / 2 && !strchr(",;:.()", view.at[stop]))
        stop++;
    while (stop < limit && stop > end && isalnum((unsigned char)view.at[stop]))
        stop--;
    struct span before = grid_label(d, start, q->start), after = grid_label(d, end, stop);
    struct span unit = span_slice(view, q->unit_start, q->unit_end);
    struct span local = arena_printf(
        d->arena, "%.*s%s%.*s%s%.*s%s", SPAN_ARG(before), before.len ? " " : "", SPAN_ARG(unit),
        unit.len && after.len ? " " : "", SPAN_ARG(after), side_of(before, after));
    if (!subject.len || start == s->start || count_words(before) >= FEW_WORDS)
        return local;
    return arena_printf(d->arena, "%.*s / %.*s", SPAN_ARG(subject), SPAN_ARG(local));
}

/* Numbers of a printout under the title of their lines. */
static void add_title(const struct document *d, const struct sentence *s, struct span title) {
    for (size_t i = s->first_quantity; i < s->first_quantity + s->quantity_count; i++) {
        struct span *subject = &d->claims->quantities[i].subject;
        if (title.len && span_find(*subject, title, 0) == SIZE_MAX)
            *subject = subject->len ? arena_printf(d->arena, "%.*s / %.*s", SPAN_ARG(title),
                                                   SPAN_ARG(*subject))
                                    : title;
    }
}

static bool is_printout(const struct document *d, const struct sentence *s) {
    enum block_kind kind = d->chapter->blocks[s->block].kind;
    return kind == BLOCK_OUTPUT || kind == BLOCK_TEXT;
}

static void add_claim(struct document *d, const struct sentence *s, enum claim_kind kind,
                      struct span title) {
    struct claims *claims = d->claims;
    const struct chapter_block *block = &d->chapter->blocks[s->block];
    struct claim c = {.kind = kind,
                      .start = s->start,
                      .end = s->end,
                      .quote = span_slice(d->chapter->text, s->start, s->end),
                      .block = block->kind,
                      .first_quantity = s->first_quantity,
                      .quantity_count = s->quantity_count,
                      .label = arena_printf(d->arena, "C%zu", claims->count + 1)};
    if (block->heading != SIZE_MAX)
        c.heading = chapter_heading_path(d->arena, d->chapter, block->heading, &c.heading_count);
    struct span subject = s->quantity_count ? subject_of(d, s) : SPAN("");
    for (size_t i = s->first_quantity; i < s->first_quantity + s->quantity_count; i++) {
        struct quantity *q = &claims->quantities[i];
        q->claim = claims->count;
        if (q->subject.len == 0)
            q->subject = words_around(d, s, i, subject);
    }
    add_title(d, s, title);
    if (s->quantity_count)
        c.subject = claims->quantities[s->first_quantity].subject;
    LIST_PUSH(d->arena, claims->claims, claims->count, claims->capacity, c);
}

/* The contract of a document governs all its measurements; a field stated again later governs what
 * follows it. Claims share one list as long as nothing changes. */
static void add_contracts(struct document *d) {
    struct contract stated = contract_find(d);
    enum { MOST_FIELDS = 64 };
    size_t count = stated.count < MOST_FIELDS ? stated.count : MOST_FIELDS;
    for (size_t i = 0; i < d->claims->count; i++) {
        struct claim *c = &d->claims->claims[i];
        if (c->kind == CLAIM_MEASUREMENT || c->kind == CLAIM_RATIO || c->kind == CLAIM_RELATION) {
            c->contract = stated.fields;
            c->contract_count = count;
        }
    }
}

void claim_build(struct document *d) {
    struct claims *claims = d->claims;
    LIST_RESERVE(d->arena, claims->claims, claims->count, claims->capacity, d->sentence_count);
    struct printout printout = {0};
    for (size_t i = 0; i < d->sentence_count; i++) {
        const struct sentence *s = &d->sentences[i];
        enum claim_kind kind = CLAIM_MEASUREMENT;
        struct span title = SPAN("");
        if (is_printout(d, s))
            title = printout_title(&printout, d, s);
        else
            printout = (struct printout){0};
        if (d->chapter->blocks[s->block].kind == BLOCK_CODE && s->quantity_count == 0)
            continue;
        if (s->quantity_count)
            add_claim(d, s, kind_of(d, s), title);
        else if (is_worded_claim(d, s, &kind))
            add_claim(d, s, kind, SPAN(""));
    }
    settle_ids(d);
    add_contracts(d);
}
