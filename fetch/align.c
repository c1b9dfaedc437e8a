#include "fetch/align.h"

#include "fetch/align_anchor.h"

enum {
    NEAR = 8,      /* a short difference has at most so many characters on either side */
    AGREEING = 12, /* and so many equal ones behind it */
};

size_t align_width(struct span text, size_t at) {
    unsigned char lead = (unsigned char)text.at[at];
    size_t width = lead < 0xC0 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    return width < text.len - at ? width : text.len - at;
}

/* Width of the white space at `at`, or 0. */
static size_t blank_width(struct span text, size_t at) {
    unsigned char lead = (unsigned char)text.at[at];
    if (lead <= 0x20 || lead == 0x7F)
        return 1;
    if (lead < 0xC2 || text.len - at < 2)
        return 0;
    const unsigned char *c = (const unsigned char *)text.at + at;
    if (c[0] == 0xC2 && c[1] == 0xA0)
        return 2;
    if (text.len - at < 3)
        return 0;
    bool spaces = c[0] == 0xE2 && c[1] == 0x80 &&
                  ((c[2] >= 0x80 && c[2] <= 0x8D) || c[2] == 0xA8 || c[2] == 0xA9 || c[2] == 0xAF);
    bool joiner = c[0] == 0xE2 && c[1] == 0x81 && c[2] == 0xA0;
    bool mark = c[0] == 0xEF && c[1] == 0xBB && c[2] == 0xBF;
    return spaces || joiner || mark ? 3 : 0;
}

size_t align_skip_blank(struct span text, size_t at) {
    while (at < text.len) {
        size_t width = blank_width(text, at);
        if (width == 0)
            break;
        at += width;
    }
    return at < text.len ? at : text.len;
}

size_t align_last_visible(struct span text, size_t from, size_t end) {
    while (end > from) {
        size_t at = end - 1;
        while (at > from && end - at < 4 && ((unsigned char)text.at[at] & 0xC0) == 0x80)
            at--;
        if (blank_width(text, at) == 0)
            return at;
        end = at;
    }
    return SIZE_MAX;
}

static size_t step(struct span text, size_t at) {
    return align_skip_blank(text, at + align_width(text, at));
}

static bool same(struct span a, size_t i, struct span b, size_t j) {
    size_t width = align_width(a, i);
    return width == align_width(b, j) && memcmp(a.at + i, b.at + j, width) == 0;
}

struct walk {
    struct span a, b;
    size_t i, j; /* the next characters to compare */
    size_t a_count, b_count, matched;
    struct align_mark *marks;
    size_t mark_count, mark;
    struct anchors anchors;
    bool anchored; /* anchors were computed */
    size_t anchor; /* the next of them */
    size_t budget; /* comparisons that short differences may still cost */
};

static void pass_marks(struct walk *w, size_t to) {
    for (; w->mark < w->mark_count && w->marks[w->mark].from <= w->i; w->mark++) {
        struct align_mark *mark = &w->marks[w->mark];
        mark->to = mark->from == w->i ? to : SIZE_MAX;
        mark->from_count = w->a_count;
        mark->to_count = w->b_count;
        mark->matched = w->matched;
    }
}

static void match_forward(struct walk *w) {
    while (w->i < w->a.len && w->j < w->b.len && same(w->a, w->i, w->b, w->j)) {
        pass_marks(w, w->j);
        w->i = step(w->a, w->i);
        w->j = step(w->b, w->j);
        w->a_count++;
        w->b_count++;
        w->matched++;
    }
}

/* Moves to (i, j) over characters that are not matched. */
static void move_to(struct walk *w, size_t i, size_t j) {
    for (; w->i < i; w->i = step(w->a, w->i), w->a_count++)
        pass_marks(w, SIZE_MAX);
    for (; w->j < j; w->j = step(w->b, w->j))
        w->b_count++;
}

static bool agrees(struct walk *w, size_t i, size_t j) {
    for (int n = 0; n < AGREEING; n++) {
        if (i >= w->a.len || j >= w->b.len)
            return i >= w->a.len && j >= w->b.len;
        if (w->budget > 0)
            w->budget--;
        if (!same(w->a, i, w->b, j))
            return false;
        i = step(w->a, i);
        j = step(w->b, j);
    }
    return true;
}

static int places_ahead(struct span text, size_t at, size_t *places) {
    int count = 0;
    for (; count <= NEAR; at = step(text, at)) {
        places[count++] = at;
        if (at >= text.len)
            break;
    }
    return count;
}

/* The smallest short difference behind which both texts agree. */
static bool step_over(struct walk *w) {
    size_t ahead_a[NEAR + 1], ahead_b[NEAR + 1];
    if (w->budget == 0)
        return false;
    int a_count = places_ahead(w->a, w->i, ahead_a), b_count = places_ahead(w->b, w->j, ahead_b);
    for (int sum = 1; sum <= 2 * NEAR; sum++) {
        for (int da = 0; da <= sum; da++) {
            int db = sum - da;
            if (da < a_count && db < b_count && agrees(w, ahead_a[da], ahead_b[db])) {
                move_to(w, ahead_a[da], ahead_b[db]);
                return true;
            }
        }
    }
    return false;
}

/* Both positions back to where the equal run that holds them starts, not before the walk's own. */
static void extend_back(const struct walk *w, size_t *i, size_t *j) {
    for (;;) {
        size_t before_a = align_last_visible(w->a, w->i, *i);
        size_t before_b = align_last_visible(w->b, w->j, *j);
        if (before_a == SIZE_MAX || before_b == SIZE_MAX || !same(w->a, before_a, w->b, before_b))
            return;
        *i = before_a;
        *j = before_b;
    }
}

static bool jump_to_anchor(struct walk *w) {
    if (!w->anchored)
        w->anchors = anchors_find(w->a, w->b, w->i, w->j);
    w->anchored = true;
    for (; w->anchor < w->anchors.count; w->anchor++) {
        size_t i = w->anchors.at[w->anchor].a, j = w->anchors.at[w->anchor].b;
        if (i < w->i || j < w->j || !same(w->a, i, w->b, j))
            continue;
        extend_back(w, &i, &j);
        move_to(w, i, j);
        return true;
    }
    return false;
}

void align_texts(struct span from, struct span to, struct align_mark *marks, size_t mark_count) {
    struct walk w = {.a = from,
                     .b = to,
                     .i = align_skip_blank(from, 0),
                     .j = align_skip_blank(to, 0),
                     .marks = marks,
                     .mark_count = mark_count,
                     .budget = 4096 + 8 * (from.len + to.len)};
    do
        match_forward(&w);
    while (w.i < from.len && w.j < to.len && (step_over(&w) || jump_to_anchor(&w)));
    move_to(&w, from.len, to.len);
    w.i = SIZE_MAX; /* marks behind the last character were never reached */
    pass_marks(&w, SIZE_MAX);
    anchors_free(&w.anchors);
}
