#include "fetch/align_anchor.h"

#include "fetch/align.h"

#include <stdlib.h>

/* One run by its hash: how often it stands in each text, and where it stood first. */
struct entry {
    uint64_t hash; /* 0 = empty slot */
    size_t a, b;
    uint8_t a_count, b_count; /* stop at 2: not unique */
};

struct runs {
    struct entry *entries;
    size_t slots; /* power of two */
    size_t used;
};

static struct entry *slot_of(const struct runs *runs, uint64_t hash) {
    size_t at = (size_t)(hash ^ hash >> 32) & (runs->slots - 1);
    while (runs->entries[at].hash != 0 && runs->entries[at].hash != hash)
        at = (at + 1) & (runs->slots - 1);
    return &runs->entries[at];
}

static void grow(struct runs *runs) {
    struct runs larger = {.slots = runs->slots ? runs->slots * 2 : 1024, .used = runs->used};
    larger.entries = memory_alloc(larger.slots * sizeof *larger.entries);
    for (size_t i = 0; i < runs->slots; i++)
        if (runs->entries[i].hash != 0)
            *slot_of(&larger, runs->entries[i].hash) = runs->entries[i];
    free(runs->entries);
    *runs = larger;
}

static void record(struct runs *runs, uint64_t hash, size_t at, bool second) {
    if (2 * (runs->used + 1) > runs->slots)
        grow(runs);
    struct entry *entry = slot_of(runs, hash);
    runs->used += entry->hash == 0;
    entry->hash = hash;
    uint8_t *count = second ? &entry->b_count : &entry->a_count;
    if (*count == 0)
        *(second ? &entry->b : &entry->a) = at;
    *count = *count < 2 ? *count + 1 : 2;
}

static uint64_t mix(uint64_t x) {
    /* the finalizer of MurmurHash3 (Appleby, public domain) */
    x = (x ^ x >> 33) * 0xff51afd7ed558ccdULL;
    x = (x ^ x >> 33) * 0xc4ceb9fe1a85ec53ULL;
    return x ^ x >> 33;
}

/* Rabin-Karp over characters: hash = sum of mix(character) * BASE^k, modulo 2^64. */
enum { SAMPLED_MOST = 1 << 20 };
static const uint64_t BASE = 0x9E3779B97F4A7C15ULL | 1;

static void record_runs(struct runs *runs, struct span text, size_t start, uint64_t every,
                        bool second) {
    uint64_t values[ANCHOR_LENGTH], hash = 0, leaving = 1;
    size_t places[ANCHOR_LENGTH], count = 0;
    for (int k = 0; k < ANCHOR_LENGTH; k++)
        leaving *= BASE;
    for (size_t at = align_skip_blank(text, start); at < text.len; count++) {
        size_t width = align_width(text, at), slot = count % ANCHOR_LENGTH;
        uint64_t character = 0;
        memcpy(&character, text.at + at, width);
        uint64_t value = mix(character + 1);
        hash = hash * BASE + value - (count >= ANCHOR_LENGTH ? values[slot] * leaving : 0);
        values[slot] = value;
        places[slot] = at;
        uint64_t mixed = mix(hash);
        if (count + 1 >= ANCHOR_LENGTH && mixed % every == 0)
            record(runs, mixed ? mixed : 1, places[(count + 1) % ANCHOR_LENGTH], second);
        at = align_skip_blank(text, at + width);
    }
}

static int by_a(const void *x, const void *y) {
    const struct anchor *a = x, *b = y;
    return (a->a > b->a) - (a->a < b->a);
}

static struct anchors unique_runs(const struct runs *runs) {
    struct anchors found = {.at = memory_alloc((runs->used + 1) * sizeof *found.at)};
    for (size_t i = 0; i < runs->slots; i++) {
        const struct entry *entry = &runs->entries[i];
        if (entry->a_count == 1 && entry->b_count == 1)
            found.at[found.count++] = (struct anchor){entry->a, entry->b};
    }
    qsort(found.at, found.count, sizeof *found.at, by_a);
    return found;
}

/* Keeps the longest subsequence in which b increases too (patience sorting, O(n log n)). */
static void keep_chain(struct anchors *anchors) {
    size_t n = anchors->count, length = 0;
    size_t *tails = memory_alloc((n + 1) * sizeof *tails);
    size_t *before = memory_alloc((n + 1) * sizeof *before);
    for (size_t i = 0; i < n; i++) {
        size_t low = 0, high = length;
        while (low < high) {
            size_t middle = (low + high) / 2;
            if (anchors->at[tails[middle]].b < anchors->at[i].b)
                low = middle + 1;
            else
                high = middle;
        }
        before[i] = low > 0 ? tails[low - 1] : SIZE_MAX;
        tails[low] = i;
        length += low == length;
    }
    size_t at = length > 0 ? tails[length - 1] : SIZE_MAX;
    for (size_t k = length; k > 0; k--, at = before[at])
        tails[k - 1] = at;
    for (size_t k = 0; k < length; k++)
        anchors->at[k] = anchors->at[tails[k]];
    anchors->count = length;
    free(tails);
    free(before);
}

struct anchors anchors_find(struct span a, struct span b, size_t a_start, size_t b_start) {
    struct runs runs = {0};
    uint64_t every = 1 + (a.len - a_start + b.len - b_start) / SAMPLED_MOST;
    record_runs(&runs, a, a_start, every, false);
    record_runs(&runs, b, b_start, every, true);
    struct anchors anchors = unique_runs(&runs);
    free(runs.entries);
    keep_chain(&anchors);
    return anchors;
}

void anchors_free(struct anchors *anchors) {
    free(anchors->at);
    *anchors = (struct anchors){0};
}
