#include "fetch/leads_query.h"

#include "core/table.h"
#include "fetch/fold.h"

#include <stdint.h>
#include <stdlib.h>

enum {
    CLAIMS_MOST = 2000, /* whose words are counted */
    QUOTE_BYTES = 400,
    TITLE_WEIGHT = 3,
    TERM_WEIGHT = 2,
    TOPIC_WORDS = 4,
    SHARED_WORDS = 2,
    OWN_WORDS = 3,
    TERM_QUERIES = 2,
};

/* One word in one text (claim); `text` counts claims from 0. */
struct use {
    struct span word;
    size_t text;
};

struct weighed {
    struct span word;
    size_t claims, weight;
};

struct vocabulary {
    struct arena *arena;
    struct table stops;
    struct use *uses;
    size_t use_count, use_capacity;
    struct weighed *words; /* by weight, heaviest first */
    size_t count;
};

static bool is_stop(const struct vocabulary *v, struct span word) {
    for (size_t i = 0; i < v->stops.row_count; i++)
        if (span_equal(table_cell(&v->stops, i, 0), word))
            return true;
    return false;
}

static bool is_telling(const struct vocabulary *v, struct span word) {
    return word.len >= 3 && (word.at[0] < '0' || word.at[0] > '9') && !is_stop(v, word);
}

static struct fold_words words_of(struct vocabulary *v, struct span text) {
    struct fold_words all =
        fold_split(v->arena, fold_text(v->arena, span_slice(text, 0, QUOTE_BYTES)));
    struct fold_words kept = {.words = all.words};
    for (size_t i = 0; i < all.count; i++)
        if (is_telling(v, all.words[i]))
            kept.words[kept.count++] = all.words[i];
    return kept;
}

static void use(struct vocabulary *v, struct span text, size_t number) {
    struct fold_words words = words_of(v, text);
    for (size_t i = 0; i < words.count; i++)
        LIST_PUSH(v->arena, v->uses, v->use_count, v->use_capacity,
                  (struct use){words.words[i], number});
}

static int compare_words(struct span a, struct span b) {
    int order = memcmp(a.at, b.at, a.len < b.len ? a.len : b.len);
    return order ? order : (a.len > b.len) - (a.len < b.len);
}

static int by_word(const void *x, const void *y) {
    const struct use *a = x, *b = y;
    int order = compare_words(a->word, b->word);
    return order ? order : (a->text > b->text) - (a->text < b->text);
}

static int by_weight(const void *x, const void *y) {
    const struct weighed *a = x, *b = y;
    if (a->weight != b->weight)
        return a->weight < b->weight ? 1 : -1;
    return compare_words(a->word, b->word);
}

/* Different texts for each word. */
static void count_words(struct vocabulary *v) {
    v->words = arena_array(v->arena, v->use_count, sizeof *v->words);
    if (v->use_count > 0)
        qsort(v->uses, v->use_count, sizeof *v->uses, by_word);
    for (size_t i = 0; i < v->use_count; i++) {
        bool same = i > 0 && span_equal(v->uses[i].word, v->uses[i - 1].word);
        if (!same)
            v->words[v->count++] = (struct weighed){v->uses[i].word, 1, 1};
        else if (v->uses[i].text != v->uses[i - 1].text)
            v->words[v->count - 1].weight = ++v->words[v->count - 1].claims;
    }
}

static struct weighed *find(const struct vocabulary *v, struct span word) {
    for (size_t i = 0; i < v->count; i++)
        if (span_equal(v->words[i].word, word))
            return &v->words[i];
    return NULL;
}

static void favour(struct vocabulary *v, struct span text, size_t weight) {
    struct fold_words words = words_of(v, text);
    for (size_t i = 0; i < words.count; i++) {
        struct weighed *word = find(v, words.words[i]);
        if (word)
            word->weight += weight;
    }
}

static bool is_term(const struct reading_note *note) {
    return span_equal(note->topic, SPAN("term")) && note->quote.len > 0;
}

static void build(struct vocabulary *v, const struct brief *brief, const struct claims *claims,
                  const struct findings *findings) {
    size_t count = claims->count < CLAIMS_MOST ? claims->count : CLAIMS_MOST;
    v->stops = table_parse(v->arena, data_file("fetch/data/stopwords.tsv"));
    for (size_t i = 0; i < count; i++) {
        use(v, claims->claims[i].subject, i);
        use(v, claims->claims[i].quote, i);
    }
    use(v, brief->chapter, count);
    count_words(v);
    favour(v, brief->chapter, TITLE_WEIGHT);
    for (size_t i = 0; i < findings->reading_count; i++)
        if (is_term(&findings->reading[i]))
            favour(v, findings->reading[i].quote, TERM_WEIGHT);
    if (v->count > 0)
        qsort(v->words, v->count, sizeof *v->words, by_weight);
}

static void add_word(struct lead_query *query, struct span word) {
    for (size_t i = 0; i < query->word_count; i++)
        if (span_equal(query->words[i], word))
            return;
    if (query->word_count < QUERY_WORDS)
        query->words[query->word_count++] = word;
}

static void add_heaviest(const struct vocabulary *v, struct lead_query *query, size_t most) {
    for (size_t i = 0; i < v->count && i < most; i++)
        add_word(query, v->words[i].word);
}

/* Whether a is the better word to search a claim by. */
static bool is_rarer(const struct vocabulary *v, struct span a, struct span b) {
    const struct weighed *x = find(v, a), *y = find(v, b);
    size_t p = x ? x->claims : 1, q = y ? y->claims : 1;
    return p != q ? p < q : a.len > b.len;
}

static struct lead_query claim_query(struct vocabulary *v, const struct claim *claim) {
    struct lead_query query = {.from = "claim", .claim = claim->label};
    struct fold_words words = words_of(v, claim->quote);
    for (size_t k = 0; k < OWN_WORDS && words.count > 0; k++) {
        size_t best = 0;
        for (size_t i = 1; i < words.count; i++)
            if (is_rarer(v, words.words[i], words.words[best]))
                best = i;
        add_word(&query, words.words[best]);
        words.words[best] = words.words[--words.count];
    }
    if (query.word_count > 0)
        add_heaviest(v, &query, SHARED_WORDS);
    return query;
}

static void push(struct lead_query *queries, size_t *count, const struct lead_query *query) {
    if (query->word_count < 2 || *count == QUERIES_MOST)
        return;
    for (size_t i = 0; i < *count; i++) {
        bool same = queries[i].word_count == query->word_count;
        for (size_t k = 0; same && k < query->word_count; k++)
            same = span_equal(queries[i].words[k], query->words[k]);
        if (same)
            return;
    }
    queries[(*count)++] = *query;
}

/* Terms stand in backquotes, asterisks or quotes in the sentence that defines them; else its first
 * words count. */
static struct lead_query term_query(struct vocabulary *v, const struct reading_note *note) {
    struct lead_query query = {.from = "term"};
    struct fold_words words = words_of(v, note->quote);
    for (size_t i = 0; i < words.count && query.word_count < OWN_WORDS; i++)
        add_word(&query, words.words[i]);
    if (query.word_count > 0)
        add_heaviest(v, &query, SHARED_WORDS);
    return query;
}

size_t leads_queries(struct arena *arena, const struct brief *brief, const struct claims *claims,
                     const struct findings *findings, struct lead_query *queries) {
    struct vocabulary v = {.arena = arena};
    struct lead_query topic = {.from = "topic"};
    size_t count = 0, terms = 0;
    build(&v, brief, claims, findings);
    add_heaviest(&v, &topic, TOPIC_WORDS);
    push(queries, &count, &topic);
    for (size_t i = 0; i < findings->reading_count && terms < TERM_QUERIES; i++)
        if (is_term(&findings->reading[i])) {
            struct lead_query query = term_query(&v, &findings->reading[i]);
            push(queries, &count, &query);
            terms++;
        }
    for (int priority = SEVERITY_HIGH; priority >= SEVERITY_INFO; priority--)
        for (size_t i = 0; i < claims->count && count < QUERIES_MOST; i++) {
            if ((int)claims->claims[i].priority != priority)
                continue;
            struct lead_query query = claim_query(&v, &claims->claims[i]);
            push(queries, &count, &query);
        }
    return count;
}

struct span lead_query_text(struct arena *arena, const struct lead_query *query, size_t most) {
    struct span text = SPAN("");
    for (size_t i = 0; i < query->word_count && i < most; i++)
        text = arena_printf(arena, "%.*s%s%.*s", SPAN_ARG(text), i ? " " : "",
                            SPAN_ARG(query->words[i]));
    return text;
}
