/* Are the numbers of a note those of the passage? */
#include "core/utf8.h"
#include "ledger/word.h"

struct numbers {
    struct span *items;
    size_t count, capacity;
    struct arena *arena;
};

static bool is_digit(struct span text, size_t at) {
    return at < text.len && text.at[at] >= '0' && text.at[at] <= '9';
}

static size_t digits_at(struct span text, size_t at) {
    size_t end = at;
    while (is_digit(text, end))
        end++;
    return end - at;
}

/* A separator of thousands at `at`: its bytes; it counts only before exactly three digits. */
static size_t group_mark(struct span text, size_t at) {
    static const char *const marks[] = {",", "'",        "\xE2\x80\x99", "_",
                                        " ", "\xC2\xA0", "\xE2\x80\x89", "\xE2\x80\xAF"};
    struct span rest = span_slice(text, at, text.len);
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (span_starts(rest, span_of(marks[i])) && digits_at(text, at + strlen(marks[i])) == 3)
            return strlen(marks[i]);
    return 0;
}

/* "e-5" behind digits: its bytes. */
static size_t exponent_at(struct span text, size_t at) {
    if (at >= text.len || (text.at[at] | 32) != 'e')
        return 0;
    size_t sign = at + 1 < text.len && strchr("+-", text.at[at + 1]) && text.at[at + 1] ? 1 : 0;
    size_t digits = digits_at(text, at + 1 + sign);
    return digits ? 1 + sign + digits : 0;
}

/* The number whose first digit is at *at, without separators of thousands; moves *at behind it. */
static void add_number(struct numbers *list, struct span word, size_t *at, bool negative) {
    struct buffer out = {0};
    if (negative)
        buffer_add_byte(&out, '-');
    for (bool whole = true;;) {
        size_t digits = digits_at(word, *at), mark;
        buffer_add(&out, span_slice(word, *at, *at + digits));
        *at += digits;
        if (whole && digits <= 3 && (mark = group_mark(word, *at))) {
            *at += mark;
        } else if (*at < word.len && strchr(".,", word.at[*at]) && is_digit(word, *at + 1)) {
            buffer_add_byte(&out, word.at[(*at)++]);
            whole = false;
        } else {
            break;
        }
    }
    size_t exponent = exponent_at(word, *at);
    buffer_add(&out, span_slice(word, *at, *at + exponent));
    *at += exponent;
    LIST_PUSH(list->arena, list->items, list->count, list->capacity,
              arena_copy(list->arena, buffer_span(&out)));
    buffer_free(&out);
}

static bool starts_negative(struct span word, size_t *at) {
    static const struct span minus[] = {{"-", 1}, {"\xE2\x88\x92", 3}, {"\xE2\x80\x90", 3}};
    for (size_t i = 0; i < sizeof minus / sizeof *minus; i++)
        if (span_starts(word, minus[i]) && is_digit(word, minus[i].len)) {
            *at = minus[i].len;
            return true;
        }
    return false;
}

/* A word that starts with something else than a digit, a sign or a point is a name: it stands or
 * falls as a whole. */
static bool is_name(struct span word) {
    return word.len && !is_digit(word, 0) && !strchr("-+.~", word.at[0]) &&
           !span_starts(word, SPAN("\xE2\x88\x92")) && !span_starts(word, SPAN("\xE2\x80\x90"));
}

static void add_word(struct numbers *list, struct span word) {
    if (is_name(word)) {
        LIST_PUSH(list->arena, list->items, list->count, list->capacity, word);
        return;
    }
    size_t at = 0;
    bool negative = starts_negative(word, &at);
    while (at < word.len) {
        if (is_digit(word, at)) {
            add_number(list, word, &at, negative);
            negative = false;
        } else {
            at++;
        }
    }
}

static struct numbers numbers_of(struct arena *arena, struct span text) {
    struct numbers list = {.arena = arena};
    struct span word;
    for (size_t at = 0; word_next_number(text, &at, &word);)
        add_word(&list, word);
    return list;
}

bool word_numbers_stand(struct arena *arena, struct span note, struct span passage,
                        struct span *missing) {
    struct numbers wanted = numbers_of(arena, note), there = numbers_of(arena, passage);
    for (size_t i = 0; i < wanted.count; i++) {
        bool found = false;
        for (size_t j = 0; !found && j < there.count; j++)
            found = span_equal_nocase(wanted.items[i], there.items[j]);
        if (!found) {
            *missing = wanted.items[i];
            return false;
        }
    }
    return true;
}
