/* Lines that repeat one shape: "NAME: A ms + B ms -> C ms" again and again, also where a page
 * collapsed them into one paragraph. Two sentences have one shape when their numbers have the same
 * units and the same words between and behind them; in prose the words before must agree as well.
 */
#include "audit/grid.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct shape {
    uint64_t key;
    size_t sentence, count;
};

/* FNV-1a, 64 bits (RFC draft "The FNV Non-Cryptographic Hash Algorithm"). */
static uint64_t mix(uint64_t hash, struct span text) {
    bool blank = true;
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)tolower((unsigned char)text.at[i]);
        bool is_blank = isspace(c);
        if (is_blank && blank)
            continue;
        blank = is_blank;
        hash = (hash ^ (is_blank ? ' ' : c)) * 0x100000001b3ULL;
    }
    return (hash ^ 0xff) * 0x100000001b3ULL;
}

static const struct quantity *quantity_at(const struct document *d, size_t i) {
    return &d->claims->quantities[i];
}

static size_t end_of(const struct quantity *q) {
    return q->unit_end > q->end ? q->unit_end : q->end;
}

/* A line names its value before it, with a colon or an equals sign, and is no full sentence. */
static bool is_line(const struct document *d, const struct sentence *s) {
    enum block_kind kind = d->chapter->blocks[s->block].kind;
    if (kind != BLOCK_PROSE && kind != BLOCK_LIST)
        return true;
    size_t first = quantity_at(d, s->first_quantity)->start;
    struct span text = span_slice(d->chapter->view, s->start, s->end);
    struct span rest = span_slice(d->chapter->view, first, s->end),
                before = span_slice(d->chapter->view, s->start, first);
    size_t colon = span_find_byte(rest, ':', 0);
    bool pair = (colon != SIZE_MAX && colon < 16) || span_find_byte(before, '=', 0) != SIZE_MAX ||
                span_find_byte(before, ':', 0) != SIZE_MAX;
    return pair && text.at[text.len - 1] != '.';
}

static uint64_t key_of(const struct document *d, const struct sentence *s) {
    uint64_t key = 0xcbf29ce484222325ULL;
    struct span view = d->chapter->view;
    size_t from = quantity_at(d, s->first_quantity)->start;
    if (!is_line(d, s))
        key = mix(key, span_slice(view, s->start, from));
    for (size_t i = 0; i < s->quantity_count; i++) {
        const struct quantity *q = quantity_at(d, s->first_quantity + i);
        if (i)
            key = mix(key, span_slice(view, from, q->start));
        key = mix(mix(key, q->unit), q->per);
        from = end_of(q);
    }
    return s->quantity_count > 1 ? mix(key, span_slice(view, from, s->end)) : key;
}

static int compare(const void *a, const void *b) {
    const struct shape *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->sentence < y->sentence ? -1 : x->sentence > y->sentence;
}

/* "naive loop of 20" for "naive loop of 20: 9.4 ms": up to the colon, the equals sign, a gap, or
 * else to the first number. */
static struct span row_label(const struct document *d, const struct sentence *s) {
    struct span view = d->chapter->view;
    const struct quantity *first = quantity_at(d, s->first_quantity);
    size_t end = first->start, behind = end_of(first);
    while (behind < s->end && view.at[behind] == ' ')
        behind++;
    if (first->role == ROLE_CONFIG && behind < s->end && strchr(":=", view.at[behind]))
        end = behind;
    return grid_label(d, s->start, end);
}

static struct span column_label(struct document *d, const struct sentence *s, size_t i) {
    const struct quantity *q = quantity_at(d, s->first_quantity + i);
    size_t from = i ? end_of(q - 1) : s->start;
    struct span before = grid_label(d, from, q->start);
    size_t next = i + 1 < s->quantity_count ? (q + 1)->start : s->end;
    struct span behind = grid_label(d, end_of(q), next);
    if (i && before.len == 0)
        return behind;
    if (i && behind.len && behind.len < 48 && before.len < 48)
        return arena_printf(d->arena, "%.*s %.*s", SPAN_ARG(before), SPAN_ARG(behind));
    return before;
}

static void add_grid(struct document *d, const struct shape *shapes, size_t rows) {
    const struct sentence *top = &d->sentences[shapes[0].sentence];
    struct grid g = {.source = SPAN("template"),
                     .block = top->block,
                     .start = top->start,
                     .end = d->sentences[shapes[rows - 1].sentence].end,
                     .row_count = rows,
                     .column_count = top->quantity_count};
    g.columns = arena_array(d->arena, g.column_count, sizeof *g.columns);
    g.cells = arena_array(d->arena, rows * g.column_count, sizeof *g.cells);
    g.row_labels = arena_array(d->arena, rows, sizeof *g.row_labels);
    for (size_t i = 0; i < g.column_count; i++) {
        g.columns[i].label = column_label(d, top, i);
        g.columns[i].unit = quantity_at(d, top->first_quantity + i)->unit;
    }
    for (size_t row = 0; row < rows; row++) {
        const struct sentence *s = &d->sentences[shapes[row].sentence];
        g.row_labels[row] = row_label(d, s);
        for (size_t i = 0; i < g.column_count; i++)
            g.cells[row * g.column_count + i] = s->first_quantity + i;
    }
    LIST_PUSH(d->arena, d->grids, d->grid_count, d->grid_capacity, g);
}

/* A row's numbers are named by what stands before the first of them. */
static void name_rows(struct document *d, const struct sentence *s) {
    if (!is_line(d, s))
        return;
    struct span label = row_label(d, s);
    for (size_t i = 0; label.len && label.len < 96 && i < s->quantity_count; i++) {
        struct quantity *q = &d->claims->quantities[s->first_quantity + i];
        struct span column = i ? column_label(d, s, i) : (struct span){0};
        bool both = column.len && column.len < 64;
        q->subject =
            both ? arena_printf(d->arena, "%.*s / %.*s", SPAN_ARG(label), SPAN_ARG(column)) : label;
    }
}

void grid_from_templates(struct document *d, size_t first, size_t last) {
    enum { MOST_COLUMNS = 64 };
    struct shape *shapes = arena_array(d->arena, last - first, sizeof *shapes);
    size_t count = 0;
    for (size_t i = first; i < last; i++) {
        const struct sentence *s = &d->sentences[i];
        if (s->quantity_count == 0 || s->quantity_count > MOST_COLUMNS)
            continue;
        shapes[count++] = (struct shape){.key = key_of(d, s), .sentence = i};
        name_rows(d, s);
    }
    qsort(shapes, count, sizeof *shapes, compare);
    for (size_t from = 0; from < count;) {
        size_t to = from + 1;
        while (to < count && shapes[to].key == shapes[from].key)
            to++;
        if (to - from >= 2)
            add_grid(d, shapes + from, to - from);
        from = to;
    }
}
