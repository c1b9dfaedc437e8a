#include "fetch/fold.h"

#include "core/utf8.h"

#include <stdint.h>
#include <stdlib.h>
#include <utf8proc.h>

/* Letters that Unicode does not decompose, as they are usually transliterated. */
static const struct letter {
    uint32_t code;
    const char *plain;
} letters[] = {
    {0xDF, "ss"}, {0xE6, "ae"}, {0xF8, "o"},  {0xF0, "d"},   {0xFE, "th"}, {0x111, "d"},
    {0x127, "h"}, {0x131, "i"}, {0x142, "l"}, {0x153, "oe"}, {0x167, "t"}, {0x138, "k"},
    {0x14B, "n"}, {0x259, "e"}, {0x3B1, "a"}, {0x3B2, "b"},
};

static bool is_mark(utf8proc_category_t category) {
    return category == UTF8PROC_CATEGORY_MN || category == UTF8PROC_CATEGORY_MC ||
           category == UTF8PROC_CATEGORY_ME;
}

static bool is_word(utf8proc_category_t category) {
    return (category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_LO) ||
           (category >= UTF8PROC_CATEGORY_ND && category <= UTF8PROC_CATEGORY_NO);
}

static void add_code(struct buffer *out, uint32_t code) {
    utf8proc_category_t category = utf8proc_category((utf8proc_int32_t)code);
    if (is_mark(category) || code == '\'' || code == 0x2019)
        return;
    if (!is_word(category)) {
        if (out->len > 0 && out->at[out->len - 1] != ' ')
            buffer_add_byte(out, ' ');
        return;
    }
    for (size_t i = 0; i < sizeof letters / sizeof *letters; i++)
        if (letters[i].code == code) {
            buffer_add_string(out, letters[i].plain);
            return;
        }
    utf8_encode(out, code);
}

/* End of a tag ("<i>", "</jats:p>") or entity ("&amp;", "&#38;") at `at`, or 0. */
static size_t markup_end(struct span text, size_t at) {
    enum { LONGEST_ENTITY = 10, LONGEST_TAG = 200 };
    char c = text.at[at], next = at + 1 < text.len ? text.at[at + 1] : '\0';
    bool letter = (next | 32) >= 'a' && (next | 32) <= 'z';
    if (c == '<' && (letter || next == '/')) {
        size_t end = span_find_byte(span_slice(text, 0, at + LONGEST_TAG), '>', at);
        return end == SIZE_MAX ? 0 : end + 1;
    }
    if (c == '&' && (letter || next == '#')) {
        size_t end = span_find_byte(span_slice(text, 0, at + LONGEST_ENTITY), ';', at);
        return end == SIZE_MAX ? 0 : end + 1;
    }
    return 0;
}

static struct span strip_markup(struct arena *arena, struct span text) {
    char *out = arena_alloc(arena, text.len + 1);
    size_t len = 0;
    for (size_t i = 0; i < text.len;) {
        size_t end = markup_end(text, i);
        out[len] = end ? ' ' : text.at[i];
        len += end == 0 || text.at[i] == '&'; /* a tag inside a word leaves no gap */
        i = end ? end : i + 1;
    }
    return span_make(out, len);
}

struct span fold_text(struct arena *arena, struct span text) {
    struct buffer valid = {0}, out = {0};
    utf8_repair(&valid, strip_markup(arena, text));
    utf8proc_uint8_t *mapped = NULL;
    utf8proc_ssize_t length = utf8proc_map(
        (const utf8proc_uint8_t *)buffer_span(&valid).at, (utf8proc_ssize_t)valid.len, &mapped,
        UTF8PROC_COMPAT | UTF8PROC_DECOMPOSE | UTF8PROC_CASEFOLD | UTF8PROC_IGNORE);
    struct span rest = length > 0 ? span_make((const char *)mapped, (size_t)length) : SPAN("");
    uint32_t code;
    for (size_t size; (size = utf8_decode(rest, &code)) > 0;
         rest = span_slice(rest, size, rest.len))
        add_code(&out, code);
    free(mapped);
    struct span folded = span_trim(arena_copy(arena, buffer_span(&out)));
    buffer_free(&valid);
    buffer_free(&out);
    return folded;
}

struct span fold_main_title(struct span title) {
    static const char *const breaks[] = {": ",           " - ", " \xE2\x80\x93 ", " \xE2\x80\x94 ",
                                         "\xE2\x80\x94", "? "};
    size_t first = title.len;
    for (size_t i = 0; i < sizeof breaks / sizeof *breaks; i++) {
        size_t at = span_find(title, span_of(breaks[i]), 0);
        first = at != SIZE_MAX && at < first ? at : first;
    }
    struct span main_part = span_trim(span_slice(title, 0, first));
    return span_find_byte(main_part, ' ', 0) == SIZE_MAX ? title : main_part;
}

struct fold_words fold_split(struct arena *arena, struct span folded) {
    struct fold_words words = {.words =
                                   arena_array(arena, folded.len / 2 + 1, sizeof(struct span))};
    struct span word;
    while (span_next_field(&folded, ' ', &word))
        if (word.len > 0)
            words.words[words.count++] = word;
    return words;
}

double fold_similarity(struct arena *arena, struct span a, struct span b) {
    enum { LONGEST = 500 };
    a = span_slice(a, 0, LONGEST);
    b = span_slice(b, 0, LONGEST);
    size_t longer = a.len > b.len ? a.len : b.len;
    if (longer == 0)
        return 1;
    size_t *row = arena_array(arena, b.len + 1, sizeof *row);
    for (size_t j = 0; j <= b.len; j++)
        row[j] = j;
    for (size_t i = 1; i <= a.len; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= b.len; j++) {
            size_t best = diagonal + (a.at[i - 1] != b.at[j - 1]);
            diagonal = row[j];
            best = row[j] + 1 < best ? row[j] + 1 : best;
            row[j] = row[j - 1] + 1 < best ? row[j - 1] + 1 : best;
        }
    }
    return 1 - (double)row[b.len] / (double)longer;
}

double fold_containment(struct arena *arena, struct fold_words part, struct fold_words whole) {
    enum { MOST_PART = 60, MOST_WHOLE = 4000 };
    size_t n = part.count < MOST_PART ? part.count : MOST_PART;
    size_t m = whole.count < MOST_WHOLE ? whole.count : MOST_WHOLE;
    if (n == 0)
        return 0;
    size_t *row = arena_array(arena, n + 1, sizeof *row);
    for (size_t i = 0; i < m; i++) {
        size_t diagonal = 0;
        for (size_t j = 1; j <= n; j++) {
            size_t above = row[j];
            if (span_equal(whole.words[i], part.words[j - 1]))
                row[j] = diagonal + 1;
            else
                row[j] = row[j] > row[j - 1] ? row[j] : row[j - 1];
            diagonal = above;
        }
    }
    return (double)row[n] / (double)n;
}
