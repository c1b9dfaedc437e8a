/* Paragraphs of two texts, matched where they are equal, then paired where they are alike. */
#include "fetch/revision.h"

#include "fetch/sequence.h"
#include "fetch/word_diff.h"

enum { WRAPPED_LINE_MOST = 160, DIFF_BYTES_MOST = 1200, WEIGHED_BYTES_MOST = 8 << 20 };

/* Two paragraphs with so much in common are one that was edited. */
static const double alike = 0.4;

struct paragraph {
    size_t start, end;
};

struct paragraphs {
    struct span view;
    struct paragraph *items;
    uint64_t *keys;
    size_t count, capacity;
};

static void add_paragraph(struct arena *arena, struct paragraphs *list, size_t start, size_t end) {
    struct span part = span_trim(span_slice(list->view, start, end));
    if (part.len == 0)
        return;
    size_t at = (size_t)(part.at - list->view.at);
    struct paragraph paragraph = {at, at + part.len};
    LIST_PUSH(arena, list->items, list->count, list->capacity, paragraph);
}

/* Lines that stand together are one paragraph; a line too long to have been wrapped is one alone.
 */
static struct paragraphs split(struct arena *arena, struct span view) {
    struct paragraphs list = {.view = view};
    struct span rest = view, line;
    size_t start = 0;
    while (span_next_line(&rest, &line)) {
        size_t at = (size_t)(line.at - view.at), next = view.len - rest.len;
        bool blank = span_trim(line).len == 0, alone = line.len > WRAPPED_LINE_MOST;
        if (!blank && !alone)
            continue;
        add_paragraph(arena, &list, start, at);
        if (alone)
            add_paragraph(arena, &list, at, next);
        start = next;
    }
    add_paragraph(arena, &list, start, view.len);
    list.keys = arena_array(arena, list.count, sizeof *list.keys);
    for (size_t i = 0; i < list.count; i++)
        list.keys[i] = word_key(arena, span_slice(view, list.items[i].start, list.items[i].end));
    return list;
}

struct comparison {
    struct arena *arena, scratch;
    struct paragraphs old, now;
    struct snapshot *snapshot;
    size_t capacity, weighed_bytes;
};

static struct span part_of(const struct paragraphs *list, size_t index) {
    return span_slice(list->view, list->items[index].start, list->items[index].end);
}

/* Where paragraph index would stand in a text that has none: behind the one before it. */
static struct paragraph place_of(const struct paragraphs *list, size_t index, bool is_there) {
    if (is_there)
        return list->items[index];
    size_t at = index ? list->items[index - 1].end : 0;
    return (struct paragraph){at, at};
}

static void add_change(struct comparison *c, size_t old, bool in_old, size_t now, bool in_now) {
    struct snapshot *snapshot = c->snapshot;
    if (snapshot->change_count >= REVISION_CHANGES_MOST) {
        snapshot->changes_left_out++;
        return;
    }
    struct paragraph before = place_of(&c->old, old, in_old),
                     behind = place_of(&c->now, now, in_now);
    struct snapshot_change change = {
        .kind = !in_old   ? SPAN("added")
                : !in_now ? SPAN("removed")
                          : SPAN("edited"),
        .old_start = before.start,
        .old_end = before.end,
        .new_start = behind.start,
        .new_end = behind.end,
        .diff = word_diff(&c->scratch, in_old ? part_of(&c->old, old) : SPAN(""),
                          in_now ? part_of(&c->now, now) : SPAN(""), DIFF_BYTES_MOST),
    };
    change.diff = arena_copy(c->arena, change.diff);
    LIST_PUSH(c->arena, snapshot->changes, snapshot->change_count, c->capacity, change);
}

static bool are_alike(struct comparison *c, size_t old, size_t now) {
    struct span a = part_of(&c->old, old), b = part_of(&c->now, now);
    struct arena scratch;
    c->weighed_bytes += a.len + b.len;
    arena_init(&scratch);
    double likeness = word_likeness(&scratch, a, b);
    arena_free(&scratch);
    return likeness >= alike;
}

/* The first paragraph of [now, now_end) that is alike, or now_end: also when texts so different
 * were compared before that more would take too long. */
static size_t partner(struct comparison *c, size_t old, size_t now, size_t now_end) {
    for (size_t i = now; i < now_end && c->weighed_bytes < WEIGHED_BYTES_MOST; i++)
        if (are_alike(c, old, i))
            return i;
    return now_end;
}

/* Paragraphs [old, old_end) stand where [now, now_end) stand, and none is equal to one of these. */
static void compare_gap(struct comparison *c, size_t old, size_t old_end, size_t now,
                        size_t now_end) {
    for (; old < old_end; old++) {
        size_t found = partner(c, old, now, now_end);
        if (found == now_end) {
            add_change(c, old, true, now, false);
            continue;
        }
        for (; now < found; now++)
            add_change(c, old, false, now, true);
        add_change(c, old, true, now++, true);
    }
    for (; now < now_end; now++)
        add_change(c, old, false, now, true);
}

void revision_compare(struct arena *arena, struct span old, struct span now,
                      struct snapshot *snapshot) {
    struct comparison c = {.arena = arena, .snapshot = snapshot};
    arena_init(&c.scratch);
    c.old = split(&c.scratch, old);
    c.now = split(&c.scratch, now);
    size_t *to = sequence_match(&c.scratch, (struct sequence){c.old.keys, c.old.count},
                                (struct sequence){c.now.keys, c.now.count});
    for (size_t i = 0, from = 0, at = 0; i <= c.old.count; i++) {
        if (i < c.old.count && to[i] == SIZE_MAX)
            continue;
        size_t end = i < c.old.count ? to[i] : c.now.count;
        compare_gap(&c, from, i, at, end);
        from = i + 1;
        at = end + 1;
    }
    arena_free(&c.scratch);
}
