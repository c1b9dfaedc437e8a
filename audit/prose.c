#include "audit/prose.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>

/* Letters and digits, and every byte of a multibyte character, are parts of words. */
static bool word_char(char c) {
    unsigned char u = (unsigned char)c;
    return (unsigned)(u | 32) - 'a' < 26 || (unsigned)u - '0' < 10 || u >= 128;
}

static char fold(char c) {
    if (c == ' ' || ((unsigned char)c >= '\t' && (unsigned char)c <= '\r'))
        return ' ';
    return c >= 'A' && c <= 'Z' ? (char)(c | 32) : c;
}

/* Length of text that matches word (a space in word is any run of spaces), or SIZE_MAX. */
static size_t match_length(struct span text, size_t at, const char *word) {
    size_t start = at;
    for (; *word; word++) {
        if (at >= text.len || fold(text.at[at]) != *word)
            return SIZE_MAX;
        at++;
        while (*word == ' ' && at < text.len && fold(text.at[at]) == ' ')
            at++;
    }
    return at - start;
}

static bool at_word(struct span text, size_t at, const char *word) {
    if (at && word_char(word[0]) && word_char(text.at[at - 1]))
        return false;
    size_t len = match_length(text, at, word);
    if (len == SIZE_MAX)
        return false;
    size_t end = at + len;
    return end == text.len || !word_char(text.at[end - 1]) || !word_char(text.at[end]);
}

size_t prose_find_word(struct span text, const char *word, size_t from) {
    for (size_t at = from; at < text.len; at++)
        if (fold(text.at[at]) == *word && at_word(text, at, word))
            return at;
    return SIZE_MAX;
}

bool prose_has_word(struct span text, const char *word) {
    return prose_find_word(text, word, 0) != SIZE_MAX;
}

/* The words of a list by the bytes they may begin with in a text, so that one pass over the text
 * looks for all of them. */
enum { MOST_WORDS = 254 };
struct word_set {
    const char *const *words;
    size_t count;
    uint8_t head[256], next[MOST_WORDS]; /* 1 + index into words; 0 ends a chain */
};

/* Takes the next words of the list. Chains keep its order. */
static void word_set_fill(struct word_set *set, const char *const *words) {
    set->words = words;
    set->count = 0;
    memset(set->head, 0, sizeof set->head);
    while (words[set->count] && set->count < MOST_WORDS)
        set->count++;
    for (size_t i = set->count; i-- > 0;) {
        uint8_t *head = &set->head[(unsigned char)words[i][0]];
        set->next[i] = *head;
        *head = (uint8_t)(i + 1);
    }
    for (int c = 'A'; c <= 'Z'; c++)
        set->head[c] = set->head[c | 32];
    for (int c = '\t'; c <= '\r'; c++)
        set->head[c] = set->head[' '];
}

/* The first word of the list, below limit, that stands at a place; limit where none does. */
static size_t word_set_at(const struct word_set *set, struct span text, size_t at, size_t limit) {
    bool inside = at && word_char(text.at[at - 1]);
    char second = at + 1 < text.len ? fold(text.at[at + 1]) : '\0';
    for (size_t i = set->head[(unsigned char)text.at[at]]; i && i - 1 < limit;
         i = set->next[i - 1]) {
        const char *word = set->words[i - 1];
        if (inside && word_char(word[0]))
            continue;
        if ((word[1] == second || word[0] == ' ' || !word[1]) && at_word(text, at, word))
            return i - 1;
    }
    return limit;
}

bool prose_has_any(struct span text, const char *const *words, const char **found) {
    struct word_set set;
    for (; *words; words += set.count) {
        word_set_fill(&set, words);
        size_t best = set.count;
        for (size_t at = 0; at < text.len && best > 0; at++) {
            if (!set.head[(unsigned char)text.at[at]])
                continue;
            best = word_set_at(&set, text, at, best);
            if (!found && best < set.count)
                return true;
        }
        if (best == set.count)
            continue;
        *found = words[best];
        return true;
    }
    return false;
}

size_t prose_find_any(struct span text, const char *const *words, const char **found) {
    struct word_set set;
    size_t first = SIZE_MAX;
    for (; *words; words += set.count) {
        word_set_fill(&set, words);
        for (size_t at = 0; at < text.len && at < first; at++) {
            if (!set.head[(unsigned char)text.at[at]])
                continue;
            size_t word = word_set_at(&set, text, at, set.count);
            if (word == set.count)
                continue;
            *found = words[word];
            first = at;
        }
    }
    return first;
}

bool prose_starts_with_any(struct span text, const char *const *words, const char **found) {
    for (; *words; words++)
        if (at_word(text, 0, *words)) {
            if (found)
                *found = *words;
            return true;
        }
    return false;
}

static bool is_mark(char c) {
    return c == '*' || c == '`' || c == '"' || c == '\'' || isspace((unsigned char)c);
}

bool prose_has_label(struct span text, struct span label) {
    enum { LONGEST_LABEL = 60 };
    char word[LONGEST_LABEL + 1];
    while (label.len && is_mark(label.at[0]))
        label = span_slice(label, 1, label.len);
    while (label.len && is_mark(label.at[label.len - 1]))
        label = span_slice(label, 0, label.len - 1);
    if (label.len < 2 || label.len > LONGEST_LABEL)
        return false;
    for (size_t i = 0; i < label.len; i++)
        word[i] = fold(label.at[i]);
    word[label.len] = 0;
    return prose_has_word(text, word);
}

size_t prose_end(const struct quantity *q) {
    return q->unit_end > q->end ? q->unit_end : q->end;
}

/* Where a quantity begins, with the currency sign or unit in front of its digits. */
static size_t start_of(const struct document *d, const struct quantity *q) {
    static const char *const signs[] = {"$", "\xe2\x82\xac", "\xc2\xa3"};
    struct span before = span_slice(d->chapter->view, 0, q->start);
    if (q->unit_end > q->unit_start && q->unit_start < q->start && q->unit_end <= q->start)
        return q->unit_start;
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (span_ends(before, span_of(signs[i])))
            return q->start - strlen(signs[i]);
    return q->start;
}

struct span prose_between(const struct document *d, size_t first, size_t second) {
    const struct quantity *a = &d->claims->quantities[first], *b = &d->claims->quantities[second];
    size_t from = prose_end(a), to = start_of(d, b);
    return from < to ? span_trim(span_slice(d->chapter->view, from, to)) : SPAN("");
}

struct span prose_sentence(const struct document *d, size_t sentence) {
    return span_slice(d->chapter->view, d->sentences[sentence].start, d->sentences[sentence].end);
}

struct span prose_before(const struct document *d, size_t quantity, size_t bytes) {
    const struct quantity *q = &d->claims->quantities[quantity];
    size_t start = q->sentence < d->sentence_count ? d->sentences[q->sentence].start : q->start;
    size_t end = start_of(d, q);
    size_t from = end > bytes && end - bytes > start ? end - bytes : start;
    return span_trim(span_slice(d->chapter->view, from, end));
}

struct span prose_after(const struct document *d, size_t quantity, size_t bytes) {
    const struct quantity *q = &d->claims->quantities[quantity];
    size_t from = prose_end(q);
    size_t end = q->sentence < d->sentence_count ? d->sentences[q->sentence].end : from;
    size_t to = from + bytes < end ? from + bytes : end;
    return from < to ? span_trim(span_slice(d->chapter->view, from, to)) : SPAN("");
}
