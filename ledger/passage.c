#include "ledger/passage.h"

#include <stdint.h>

static bool is_space(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Behind the paragraph that starts at `at`: at its blank line or page break, or the text's end. */
static size_t paragraph_end(struct span text, size_t at, size_t most) {
    for (size_t i = at; i < text.len && i <= most; i++) {
        if (text.at[i] == '\f')
            return i;
        if (text.at[i] != '\n')
            continue;
        size_t next = i + 1;
        while (next < text.len &&
               (text.at[next] == ' ' || text.at[next] == '\t' || text.at[next] == '\r') &&
               next - i < PASSAGE_BYTES)
            next++;
        if (next >= text.len || text.at[next] == '\n' || text.at[next] == '\f')
            return i;
    }
    return text.len <= most ? text.len : SIZE_MAX;
}

static bool ends_sentence(struct span text, size_t at) {
    if (!is_space(text.at[at]) || at == 0)
        return false;
    size_t mark = at - 1;
    while (mark > 0 && strchr("\"')]", text.at[mark]) && text.at[mark])
        mark--;
    return text.at[mark] && strchr(".!?", text.at[mark]);
}

/* Where to cut [start, start + PASSAGE_BYTES): behind the last sentence of its second half, else
 * the last word, else the last whole code point. */
static size_t cut(struct span text, size_t start) {
    size_t most = start + PASSAGE_BYTES, word = 0;
    for (size_t i = most; i > start + PASSAGE_BYTES / 2; i--) {
        if (ends_sentence(text, i))
            return i;
        if (!word && is_space(text.at[i]))
            word = i;
    }
    while (!word && ((unsigned char)text.at[most] & 0xC0) == 0x80 && most > start + 1)
        most--;
    return word ? word : most;
}

static size_t skip_space(struct span text, size_t at) {
    while (at < text.len && is_space(text.at[at]))
        at++;
    return at;
}

bool passage_next(struct span text, size_t *at, struct passage *passage) {
    size_t start = skip_space(text, *at), end = start;
    if (start >= text.len)
        return false;
    for (size_t from = start; from < text.len;) {
        size_t stop = paragraph_end(text, from, start + PASSAGE_BYTES);
        if (stop == SIZE_MAX)
            break;
        end = stop;
        from = skip_space(text, stop);
        if (stop >= text.len || text.at[stop] == '\f' || from > start + PASSAGE_BYTES)
            break;
    }
    if (end == start)
        end = cut(text, start);
    *at = end;
    while (end > start && is_space(text.at[end - 1]))
        end--;
    *passage = (struct passage){start, end};
    return true;
}

struct passage passage_around(struct span text, size_t start, size_t end) {
    struct passage all = {start, end}, one;
    for (size_t at = 0; at < end && passage_next(text, &at, &one) && one.start < end;) {
        if (one.end <= start)
            continue;
        if (one.start < all.start)
            all.start = one.start;
        if (one.end > all.end)
            all.end = one.end;
    }
    return all;
}
