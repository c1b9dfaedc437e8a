#include "fetch/sequence.h"

#include <stdlib.h>

enum { DEEPEST = 24, EXACT_CELLS = 1 << 16 };

struct match {
    struct arena *arena; /* for what lives during one call */
    const uint64_t *old, *now;
    size_t *to;
};

struct range {
    size_t old, old_end, now, now_end;
};

/* A key with where it stands; sorted by key, then side, then index. */
struct place {
    uint64_t key;
    size_t index;
    bool is_now;
};

/* A key that stands once in each. */
struct anchor {
    size_t old, now;
    size_t before; /* index of the anchor before it in the longest chain, or SIZE_MAX */
};

static int by_key(const void *left, const void *right) {
    const struct place *a = left, *b = right;
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    return a->is_now != b->is_now ? (int)a->is_now - (int)b->is_now
                                  : (a->index > b->index) - (a->index < b->index);
}

static int by_old(const void *left, const void *right) {
    const struct anchor *a = left, *b = right;
    return (a->old > b->old) - (a->old < b->old);
}

static struct anchor *find_anchors(struct match *match, struct range r, size_t *count) {
    size_t places = 0, all = r.old_end - r.old + r.now_end - r.now;
    struct place *place = arena_array(match->arena, all, sizeof *place);
    struct anchor *anchors = arena_array(match->arena, all / 2 + 1, sizeof *anchors);
    for (size_t i = r.old; i < r.old_end; i++)
        place[places++] = (struct place){match->old[i], i, false};
    for (size_t i = r.now; i < r.now_end; i++)
        place[places++] = (struct place){match->now[i], i, true};
    qsort(place, places, sizeof *place, by_key);
    *count = 0;
    for (size_t i = 0, end; i < places; i = end) {
        for (end = i + 1; end < places && place[end].key == place[i].key;)
            end++;
        if (end - i == 2 && !place[i].is_now && place[i + 1].is_now)
            anchors[(*count)++] = (struct anchor){place[i].index, place[i + 1].index, SIZE_MAX};
    }
    qsort(anchors, *count, sizeof *anchors, by_old);
    return anchors;
}

/* Marks the longest chain of anchors that increases in both (Fredman 1975); returns its last. */
static size_t longest_chain(struct arena *arena, struct anchor *anchors, size_t count) {
    size_t *tops = arena_array(arena, count, sizeof *tops), piles = 0;
    for (size_t i = 0; i < count; i++) {
        size_t from = 0, to = piles;
        while (from < to) {
            size_t middle = from + (to - from) / 2;
            if (anchors[tops[middle]].now < anchors[i].now)
                from = middle + 1;
            else
                to = middle;
        }
        anchors[i].before = from ? tops[from - 1] : SIZE_MAX;
        tops[from] = i;
        piles += from == piles;
    }
    return piles ? tops[piles - 1] : SIZE_MAX;
}

/* lengths is (old + 1, now + 1), row-major: of the longest common subsequence of the rests. */
static void match_exactly(struct match *match, struct range r) {
    size_t rows = r.old_end - r.old, columns = r.now_end - r.now, stride = columns + 1;
    if (rows == 0 || columns == 0 || rows > EXACT_CELLS / columns)
        return;
    uint32_t *lengths = memory_alloc((rows + 1) * stride * sizeof *lengths);
    memset(lengths, 0, (rows + 1) * stride * sizeof *lengths);
    for (size_t i = rows; i-- > 0;)
        for (size_t j = columns; j-- > 0;) {
            uint32_t down = lengths[(i + 1) * stride + j], right = lengths[i * stride + j + 1];
            bool equal = match->old[r.old + i] == match->now[r.now + j];
            lengths[i * stride + j] = equal          ? lengths[(i + 1) * stride + j + 1] + 1
                                      : down > right ? down
                                                     : right;
        }
    for (size_t i = 0, j = 0; i < rows && j < columns;) {
        if (match->old[r.old + i] == match->now[r.now + j])
            match->to[r.old + i++] = r.now + j++;
        else if (lengths[(i + 1) * stride + j] >= lengths[i * stride + j + 1])
            i++;
        else
            j++;
    }
    free(lengths);
}

static struct range trim(struct match *match, struct range r) {
    while (r.old < r.old_end && r.now < r.now_end && match->old[r.old] == match->now[r.now])
        match->to[r.old++] = r.now++;
    while (r.old < r.old_end && r.now < r.now_end &&
           match->old[r.old_end - 1] == match->now[r.now_end - 1])
        match->to[--r.old_end] = --r.now_end;
    return r;
}

static void match_range(struct match *match, struct range r, int depth) {
    r = trim(match, r);
    if (r.old == r.old_end || r.now == r.now_end)
        return;
    size_t count, last = SIZE_MAX;
    struct anchor *anchors = find_anchors(match, r, &count);
    if (depth < DEEPEST)
        last = longest_chain(match->arena, anchors, count);
    if (last == SIZE_MAX) {
        match_exactly(match, r);
        return;
    }
    /* From the last anchor backwards, so that the chain needs no turning. */
    struct range rest = r;
    for (size_t at = last; at != SIZE_MAX; at = anchors[at].before) {
        match->to[anchors[at].old] = anchors[at].now;
        match_range(
            match,
            (struct range){anchors[at].old + 1, rest.old_end, anchors[at].now + 1, rest.now_end},
            depth + 1);
        rest.old_end = anchors[at].old;
        rest.now_end = anchors[at].now;
    }
    match_range(match, rest, depth + 1);
}

size_t *sequence_match(struct arena *arena, struct sequence old, struct sequence now) {
    struct arena scratch;
    arena_init(&scratch);
    size_t *to = arena_array(arena, old.count, sizeof *to);
    for (size_t i = 0; i < old.count; i++)
        to[i] = SIZE_MAX;
    struct match match = {.arena = &scratch, .old = old.keys, .now = now.keys, .to = to};
    match_range(&match, (struct range){0, old.count, 0, now.count}, 0);
    arena_free(&scratch);
    return to;
}
