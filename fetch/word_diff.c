#include "fetch/word_diff.h"

#include "core/hash.h"
#include "fetch/sequence.h"

#include <stdlib.h>

enum { CONTEXT_WORDS = 6 };

struct words {
    struct span *items;
    uint64_t *keys;
    size_t count, capacity;
};

static bool is_blank(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* FNV-1a (Fowler, Noll, Vo), 64 bits. */
static uint64_t hash(uint64_t state, struct span text) {
    for (size_t i = 0; i < text.len; i++)
        state = (state ^ (unsigned char)text.at[i]) * 0x100000001B3u;
    return state;
}

static const uint64_t hash_start = 0xCBF29CE484222325u;

static bool next_word(struct span text, size_t *at, struct span *word) {
    while (*at < text.len && is_blank(text.at[*at]))
        ++*at;
    size_t from = *at;
    while (*at < text.len && !is_blank(text.at[*at]))
        ++*at;
    *word = span_slice(text, from, *at);
    return word->len > 0;
}

uint64_t word_key(struct arena *arena, struct span text) {
    struct buffer words = {0};
    struct span word;
    for (size_t at = 0; next_word(text, &at, &word);) {
        buffer_add(&words, word);
        buffer_add_byte(&words, ' ');
    }
    uint64_t key = strtoull(
        arena_string(arena, span_slice(sha256_hex(arena, buffer_span(&words)), 0, 16)), NULL, 16);
    buffer_free(&words);
    return key;
}

static struct words split(struct arena *arena, struct span text) {
    struct words words = {0};
    struct span word;
    for (size_t at = 0; next_word(text, &at, &word);)
        LIST_PUSH(arena, words.items, words.count, words.capacity, word);
    words.keys = arena_array(arena, words.count, sizeof *words.keys);
    for (size_t i = 0; i < words.count; i++)
        words.keys[i] = hash(hash_start, words.items[i]);
    return words;
}

static size_t *match(struct arena *arena, const struct words *old, const struct words *now) {
    return sequence_match(arena, (struct sequence){old->keys, old->count},
                          (struct sequence){now->keys, now->count});
}

double word_likeness(struct arena *arena, struct span old_text, struct span now_text) {
    struct words old = split(arena, old_text), now = split(arena, now_text);
    size_t most = old.count > now.count ? old.count : now.count, common = 0;
    size_t *to = match(arena, &old, &now);
    for (size_t i = 0; i < old.count; i++)
        common += to[i] != SIZE_MAX;
    return most ? (double)common / (double)most : 1;
}

static void put_words(struct buffer *out, const struct words *words, size_t from, size_t to) {
    for (size_t i = from; i < to; i++) {
        if (i > from)
            buffer_add_byte(out, ' ');
        buffer_add(out, words->items[i]);
    }
}

static void put_changed(struct buffer *out, const char *open, const char *close,
                        const struct words *words, size_t from, size_t to) {
    if (from == to)
        return;
    buffer_add_string(out, open);
    put_words(out, words, from, to);
    buffer_add_string(out, close);
}

/* Unchanged words [from, to): those beside a change, and what was left out between them. */
static void put_context(struct buffer *out, const struct words *words, size_t from, size_t to,
                        bool at_start, bool at_end) {
    size_t before = at_start ? 0 : CONTEXT_WORDS, behind = at_end ? 0 : CONTEXT_WORDS;
    if (to - from <= before + behind + 1) {
        put_words(out, words, from, to);
        return;
    }
    put_words(out, words, from, from + before);
    buffer_add_string(out, at_start ? "... " : at_end ? " ..." : " ... ");
    put_words(out, words, to - behind, to);
}

static void separate(struct buffer *out) {
    if (out->len)
        buffer_add_byte(out, ' ');
}

static struct span finish(struct arena *arena, struct buffer *out, size_t most) {
    struct span text = buffer_span(out);
    size_t end = most;
    while (text.len > most && end > 0 && ((unsigned char)text.at[end] & 0xC0) == 0x80)
        end--;
    struct span cut = text.len > most ? arena_printf(arena, "%.*s ...", (int)end, text.at)
                                      : arena_copy(arena, text);
    buffer_free(out);
    return cut;
}

struct span word_diff(struct arena *arena, struct span old_text, struct span now_text,
                      size_t most) {
    struct words old = split(arena, old_text), now = split(arena, now_text);
    size_t *to = match(arena, &old, &now), i = 0, j = 0;
    struct buffer out = {0};
    bool changed = false;
    while ((i < old.count || j < now.count) && out.len <= most) {
        size_t from = i, new_from = j;
        while (i < old.count && to[i] == SIZE_MAX)
            i++;
        j = i < old.count ? to[i] : now.count;
        if (i > from || j > new_from) {
            separate(&out);
            put_changed(&out, "[-", "-]", &old, from, i);
            put_changed(&out, "{+", "+}", &now, new_from, j);
            changed = true;
        }
        from = j;
        while (i < old.count && to[i] == j) {
            i++;
            j++;
        }
        if (j > from) {
            separate(&out);
            put_context(&out, &now, from, j, !changed, i == old.count && j == now.count);
        }
    }
    if (!changed)
        buffer_clear(&out);
    return finish(arena, &out, most);
}
