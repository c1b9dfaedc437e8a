#include "fetch/sources_mention.h"

#include <stdint.h>

enum { LONGEST_MENTION = 120 };

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool is_upper(struct span text, size_t at) {
    return at < text.len && text.at[at] >= 'A' && text.at[at] <= 'Z';
}

/* Letters of a name, also hyphens and letters beyond ASCII. */
static size_t word_end(struct span text, size_t at) {
    while (at < text.len && ((text.at[at] >= 'a' && text.at[at] <= 'z') ||
                             (text.at[at] >= 'A' && text.at[at] <= 'Z') || text.at[at] == '-' ||
                             ((unsigned char)text.at[at] >= 0x80)))
        at++;
    return at;
}

/* "(2022)", ", 2022", " 2022", "[2022]": its end, or 0. */
static size_t year_end(struct span text, size_t at) {
    size_t digits = at;
    while (digits < text.len && digits - at < 3 && text.at[digits] &&
           strchr(" ,([", text.at[digits]))
        digits++;
    if (digits + 4 > text.len || digits == at ||
        !(text.at[digits] == '1' ? text.at[digits + 1] == '9' : text.at[digits] == '2'))
        return 0;
    for (int i = 0; i < 4; i++)
        if (!is_digit(text.at[digits + i]))
            return 0;
    if (digits + 4 < text.len && is_digit(text.at[digits + 4]))
        return 0;
    bool open = text.at[digits - 1] == '(' || text.at[digits - 1] == '[';
    bool closed = digits + 4 < text.len && strchr(")]", text.at[digits + 4]) && text.at[digits + 4];
    return digits + 4 + (open && closed);
}

/* "Dao et al." with or without a year; "Hennessy and Patterson (2019)" only with one. */
static size_t authors_end(struct span text, size_t at) {
    if (!is_upper(text, at))
        return 0;
    size_t name = word_end(text, at);
    if (name - at < 2 || name - at > 40)
        return 0;
    struct span rest = span_slice(text, name, name + 60);
    if (span_starts(rest, SPAN(" et al"))) {
        size_t end = name + 6 + (name + 6 < text.len && text.at[name + 6] == '.');
        size_t year = year_end(text, end);
        return year ? year : end;
    }
    size_t joint = span_starts(rest, SPAN(" and ")) ? 5 : span_starts(rest, SPAN(" & ")) ? 3 : 0;
    if (joint == 0 || !is_upper(text, name + joint))
        return 0;
    size_t second = word_end(text, name + joint);
    return second - name > 3 && second - name < 45 ? year_end(text, second) : 0;
}

static const char *const openings[] = {
    "as shown in ",     "as described in ",    "as reported in ",  "as reported by ",
    "according to ",    "as argued in ",       "as explained in ", "as documented in ",
    "as discussed in ", "following the paper "};

/* Parts of the text itself, and words that name nothing. */
static const char *const inner[] = {"Chapter", "Section",   "Figure",  "Fig",     "Table",
                                    "Listing", "Appendix",  "Part",    "Step",    "Equation",
                                    "Eq",      "Algorithm", "Example", "Theorem", "Exercise",
                                    "Volume",  "Page"};

static bool is_inner(struct span word) {
    for (size_t i = 0; i < sizeof inner / sizeof *inner; i++)
        if (span_equal_nocase(word, span_of(inner[i])))
            return true;
    return false;
}

/* End of a title or name: a quoted or bracketed run, else words that start with a capital, joined
 * by small words. 0 when none stands there. */
static size_t title_end(struct span text, size_t at) {
    static const char *const small[] = {"of", "the", "and", "for",  "in",
                                        "on", "to",  "a",   "with", "by"};
    size_t limit = at + LONGEST_MENTION < text.len ? at + LONGEST_MENTION : text.len, end = 0;
    if (at < text.len && (text.at[at] == '"' || text.at[at] == '*' || text.at[at] == '_')) {
        size_t close = span_find_byte(span_slice(text, 0, limit), text.at[at], at + 1);
        return close == SIZE_MAX || close == at + 1 ? 0 : close + 1;
    }
    while (at < limit) {
        size_t word = word_end(text, at);
        bool capital = is_upper(text, at), joins = false;
        for (size_t i = 0; i < sizeof small / sizeof *small; i++)
            joins = joins || span_equal(span_slice(text, at, word), span_of(small[i]));
        if (word == at || (!capital && !joins))
            break;
        end = capital ? word : end;
        if (word >= limit || text.at[word] != ' ')
            break;
        at = word + 1;
    }
    return end;
}

/* "as shown in [the] Title": the mention is the title with its year. */
static size_t phrase_end(struct span text, size_t at, size_t *title) {
    for (size_t i = 0; i < sizeof openings / sizeof *openings; i++) {
        struct span opening = span_of(openings[i]);
        if (!span_starts_nocase(span_slice(text, at, at + opening.len), opening))
            continue;
        *title = at + opening.len;
        if (span_starts(span_slice(text, *title, *title + 4), SPAN("the ")))
            *title += 4;
        if (is_inner(span_slice(text, *title, word_end(text, *title))))
            return 0;
        size_t end = authors_end(text, *title);
        end = end ? end : title_end(text, *title);
        size_t year = end ? year_end(text, end) : 0;
        return year ? year : end;
    }
    return 0;
}

/* The words in lower case with single hyphens: "dao-et-al-2022". */
static struct span slug_of(struct arena *arena, struct span text) {
    char *out = arena_alloc(arena, text.len + 1);
    size_t len = 0;
    for (size_t i = 0; i < text.len; i++) {
        char c = text.at[i] >= 'A' && text.at[i] <= 'Z' ? (char)(text.at[i] + 32) : text.at[i];
        bool plain = (c >= 'a' && c <= 'z') || is_digit(c) || ((unsigned char)c & 0x80);
        if (plain)
            out[len++] = c;
        else if (len > 0 && out[len - 1] != '-')
            out[len++] = '-';
    }
    len -= len > 0 && out[len - 1] == '-';
    return span_make(out, len);
}

size_t source_mention(struct arena *arena, struct span text, size_t at, struct source_name *name) {
    size_t title = at, end = authors_end(text, at);
    if (end == 0)
        end = phrase_end(text, at, &title);
    if (end <= title)
        return 0;
    *name = (struct source_name){
        .id = arena_printf(arena, "mention:%.*s",
                           SPAN_ARG(slug_of(arena, span_slice(text, title, end)))),
        .kind = SPAN("paper"),
        .url = SPAN(""),
        .note = SPAN("only mentioned, without an identifier: nobody has looked it up"),
    };
    return name->id.len > 8 ? end : 0;
}
