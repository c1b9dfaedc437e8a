#include "audit/prose.h"

#include <ctype.h>
#include <stdint.h>

static bool word_char(char c) {
    return isalnum((unsigned char)c) || (unsigned char)c >= 128;
}

static char fold(char c) {
    return isspace((unsigned char)c) ? ' ' : (char)tolower((unsigned char)c);
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
    size_t len = match_length(text, at, word);
    if (len == SIZE_MAX)
        return false;
    bool left = at == 0 || !word_char(word[0]) || !word_char(text.at[at - 1]);
    size_t end = at + len;
    bool right = end == text.len || !word_char(text.at[end - 1]) || !word_char(text.at[end]);
    return left && right;
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

bool prose_has_any(struct span text, const char *const *words, const char **found) {
    for (; *words; words++)
        if (prose_has_word(text, *words)) {
            if (found)
                *found = *words;
            return true;
        }
    return false;
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

struct span prose_between(const struct document *d, size_t first, size_t second) {
    const struct quantity *a = &d->claims->quantities[first], *b = &d->claims->quantities[second];
    size_t from = prose_end(a),
           to = b->unit_start < b->start && b->unit_end <= b->start && b->unit_end > b->unit_start
                    ? b->unit_start
                    : b->start;
    return from < to ? span_trim(span_slice(d->chapter->view, from, to)) : SPAN("");
}

struct span prose_sentence(const struct document *d, size_t sentence) {
    return span_slice(d->chapter->view, d->sentences[sentence].start, d->sentences[sentence].end);
}

struct span prose_before(const struct document *d, size_t quantity, size_t bytes) {
    const struct quantity *q = &d->claims->quantities[quantity];
    size_t start = q->sentence < d->sentence_count ? d->sentences[q->sentence].start : q->start;
    size_t end = q->unit_end > q->unit_start && q->unit_start < q->start ? q->unit_start : q->start;
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
