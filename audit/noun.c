#include "audit/noun.h"

#include <ctype.h>

/* Closed classes: prepositions, conjunctions, pronouns, auxiliaries, and the adverbs of degree that
 * stand behind numbers. Words of one to three letters that could follow a number are among them. */
static const char *const function_words[] = {
    "a",        "about",   "above",  "across",  "after",   "again",   "against", "all",
    "also",     "always",  "an",     "and",     "apart",   "are",     "as",      "at",
    "be",       "because", "been",   "before",  "behind",  "being",   "below",   "best",
    "better",   "between", "both",   "but",     "by",      "can",     "cannot",  "could",
    "did",      "do",      "does",   "down",    "during",  "each",    "else",    "even",
    "every",    "except",  "faster", "few",     "fewer",   "for",     "from",    "had",
    "has",      "have",    "higher", "how",     "if",      "in",      "inside",  "instead",
    "into",     "is",      "it",     "its",     "just",    "larger",  "least",   "less",
    "like",     "longer",  "lower",  "many",    "may",     "might",   "more",    "most",
    "much",     "must",    "near",   "never",   "no",      "nor",     "not",     "now",
    "of",       "off",     "on",     "once",    "only",    "or",      "other",   "our",
    "out",      "over",    "per",    "perhaps", "plus",    "rather",  "same",    "shall",
    "should",   "since",   "slower", "smaller", "so",      "some",    "still",   "such",
    "than",     "that",    "the",    "their",   "them",    "then",    "there",   "these",
    "they",     "this",    "those",  "though",  "through", "thus",    "times",   "to",
    "together", "too",     "toward", "towards", "twice",   "under",   "unless",  "until",
    "up",       "upon",    "versus", "very",    "via",     "vs",      "was",     "we",
    "were",     "what",    "when",   "where",   "whereas", "whether", "which",   "while",
    "who",      "whose",   "why",    "will",    "with",    "within",  "without", "worse",
    "would",    "yet",     "you",    "your",    NULL};

bool noun_is_function_word(struct span word) {
    for (const char *const *w = function_words; *w && word.len; w++)
        if ((word.at[0] | 32) == **w && span_equal_nocase(word, span_of(*w)))
            return true;
    return false;
}

static bool is_vowel(char c) {
    return c == 'a' || c == 'e' || c == 'i' || c == 'o' || c == 'u';
}

/* "batches", "reaches" lose "es"; "caches", "niches" (one vowel before "ch") lose "s". */
static bool loses_es(struct span w) {
    if (span_ends(w, SPAN("sses")) || span_ends(w, SPAN("shes")) || span_ends(w, SPAN("xes")) ||
        span_ends(w, SPAN("zzes")))
        return true;
    if (!span_ends(w, SPAN("ches")) || w.len < 6)
        return false;
    return !is_vowel(w.at[w.len - 5]) || is_vowel(w.at[w.len - 6]);
}

struct span noun_singular(struct arena *arena, struct span word) {
    struct span w = word;
    if (w.len < 3 || w.at[w.len - 1] != 's' || span_ends(w, SPAN("ss")) ||
        span_ends(w, SPAN("us")) || span_ends(w, SPAN("is")))
        return w;
    if (w.len > 4 && span_ends(w, SPAN("ies")))
        return arena_printf(arena, "%.*sy", (int)(w.len - 3), w.at);
    return span_slice(w, 0, w.len - (loses_es(w) ? 2 : 1));
}

struct span noun_plural(struct arena *arena, struct span word) {
    struct span w = word;
    if (w.len < 2 || (w.at[w.len - 1] == 's' && !span_ends(w, SPAN("ss"))))
        return w;
    if (w.at[w.len - 1] == 'y' && !is_vowel(w.at[w.len - 2]))
        return arena_printf(arena, "%.*sies", (int)(w.len - 1), w.at);
    bool hisses = span_ends(w, SPAN("ss")) || span_ends(w, SPAN("ch")) ||
                  span_ends(w, SPAN("sh")) || span_ends(w, SPAN("x"));
    return arena_printf(arena, "%.*s%s", SPAN_ARG(w), hisses ? "es" : "s");
}

bool noun_is_plural(struct span word) {
    if (word.len < 4 || word.at[word.len - 1] != 's' || span_ends(word, SPAN("ss")) ||
        span_ends(word, SPAN("us")) || span_ends(word, SPAN("is")))
        return false;
    for (size_t i = 0; i < word.len; i++)
        if (!islower((unsigned char)word.at[i]))
            return false;
    return !noun_is_function_word(word);
}
