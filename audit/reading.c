#include "audit/reading.h"

#include "audit/prose.h"

enum { MOST_NOTES = 12, MOST_SENTENCE = 600 };

static const char *const thesis[] = {"this chapter shows", "in this chapter we", "this post shows",
                                     "this article shows", "we show that",       "the point is",
                                     "the principle",      "the thesis",         NULL};
static const char *const question[] = {"central question", "question of this chapter",
                                       "we ask",           "the question is",
                                       "question we",      NULL};
static const char *const assumption[] = {"assume",       "assumes",      "assuming",
                                         "suppose",      "given a",      "starting condition",
                                         "every number", "was produced", NULL};
static const char *const term[] = {"is called",   "are called", "we call",    "is defined as",
                                   "is known as", "refers to",  "stands for", NULL};
static const char *const dependency[] = {
    "chapter 1",  "chapter 2",        "chapter 3",    "chapter 4",    "chapter 5",  "chapter 6",
    "chapter 7",  "chapter 8",        "chapter 9",    "chapter 10",   "chapter 11", "chapter 12",
    "chapter 13", "previous chapter", "next chapter", "last chapter", NULL};
static const char *const reader[] = {
    "prerequisite", "prerequisites",      "familiar with", "you should know",
    "readers who",  "no prior knowledge", "beginners",     NULL};

static const struct reading_rule {
    const char *topic;
    const char *const *words;
    const char *rule; /* for what is not found */
} rules[] = {
    {"thesis", thesis,
     "no sentence says \"this chapter shows\", \"we show that\", \"the point is\""},
    {"question", question,
     "no sentence says \"central question\", \"we ask\", \"the question is\""},
    {"assumption", assumption, "no sentence says \"assume\", \"suppose\", \"given a\""},
    {"term", term, "no sentence says \"is called\", \"we call\", \"is defined as\""},
    {"dependency", dependency, "no sentence names another chapter"},
    {"reader", reader, "no sentence says \"prerequisite\", \"familiar with\", \"beginners\""},
};

struct reading_run {
    const struct document *document;
    struct findings *findings;
};

static void add(const struct reading_run *run, const char *topic, size_t start, size_t end,
                const char *note) {
    struct findings *all = run->findings;
    struct arena *arena = run->document->arena;
    struct span quote =
        end > start ? span_slice(run->document->chapter->text, start, end) : SPAN("");
    LIST_PUSH(arena, all->reading, all->reading_count, all->reading_capacity,
              (struct reading_note){.topic = span_of(topic),
                                    .quote = quote,
                                    .start = start,
                                    .end = end,
                                    .note = note ? arena_copy(arena, span_of(note)) : SPAN("")});
}

static bool is_readable(const struct document *d, const struct sentence *s) {
    enum block_kind kind =
        s->block < d->chapter->block_count ? d->chapter->blocks[s->block].kind : BLOCK_TEXT;
    return (kind == BLOCK_PROSE || kind == BLOCK_LIST) && s->end - s->start <= MOST_SENTENCE;
}

static struct span trimmed(const struct document *d, size_t sentence, size_t *start) {
    struct span text = span_trim(prose_sentence(d, sentence));
    *start = text.len ? (size_t)(text.at - d->chapter->view.at) : d->sentences[sentence].start;
    return text;
}

/* A question is often announced and then asked: "The central question: / When is ...?" */
static size_t quote_end(const struct document *d, size_t sentence, struct span text, size_t start) {
    bool announces = text.len && text.at[text.len - 1] == ':';
    if (!announces || sentence + 1 >= d->sentence_count ||
        !is_readable(d, &d->sentences[sentence + 1]))
        return start + text.len;
    size_t next;
    struct span after = trimmed(d, sentence + 1, &next);
    return after.len ? next + after.len : start + text.len;
}

static void take_rule(const struct reading_run *run, const struct reading_rule *rule) {
    const struct document *d = run->document;
    size_t found = 0;
    for (size_t i = 0; i < d->sentence_count && found < MOST_NOTES; i++) {
        const char *word;
        size_t start;
        if (!is_readable(d, &d->sentences[i]))
            continue;
        struct span text = trimmed(d, i, &start);
        if (!prose_has_any(text, rule->words, &word))
            continue;
        add(run, rule->topic, start, quote_end(d, i, text, start),
            arena_printf(d->arena, "by the words \"%s\"", word).at);
        found++;
    }
    if (!found)
        add(run, rule->topic, 0, 0, arena_printf(d->arena, "not found: %s", rule->rule).at);
}

static void take_examples(const struct reading_run *run) {
    const struct chapter *chapter = run->document->chapter;
    size_t found = 0;
    for (size_t i = 0; i < chapter->block_count && found < MOST_NOTES; i++) {
        const struct chapter_block *b = &chapter->blocks[i];
        if (b->kind != BLOCK_CODE)
            continue;
        struct span language = b->language.len ? b->language : SPAN("language not stated");
        add(run, "example", b->start, b->end,
            arena_printf(run->document->arena, "code, %.*s", SPAN_ARG(language)).at);
        found++;
    }
    if (!found)
        add(run, "example", 0, 0, "not found: no block of code");
}

static void take_claims(const struct reading_run *run) {
    const struct claims *claims = run->document->claims;
    size_t found = 0;
    for (size_t i = 0; i < claims->count && found < MOST_NOTES; i++) {
        const struct claim *c = &claims->claims[i];
        bool main =
            c->kind == CLAIM_UNIVERSAL || c->kind == CLAIM_MECHANISM || c->kind == CLAIM_RATIO;
        if (!main || c->block != BLOCK_PROSE || c->end - c->start > MOST_SENTENCE)
            continue;
        const char *kind = word_of(&claim_kind_words, (int)c->kind);
        add(run, "claim", c->start, c->end,
            arena_printf(run->document->arena, "a claim of kind %s", kind).at);
        found++;
    }
    if (!found)
        add(run, "claim", 0, 0, "not found: no universal, causal or comparing sentence");
}

void reading_take(const struct check_input *input, struct findings *findings) {
    struct reading_run run = {input->document, findings};
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        take_rule(&run, &rules[i]);
    take_claims(&run);
    take_examples(&run);
}
