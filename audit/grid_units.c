/* Units that a table states once: in a column's header, in a row's label, or above the table. */
#include "audit/grid.h"

#include "audit/noun.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>

static bool is_physical(const struct unit_text *unit) {
    return unit->registry && !unit->registry->is_noun;
}

/* The part in the last brackets: "time (ms)" -> "ms". */
static struct span bracketed(struct span header) {
    size_t open = SIZE_MAX, close = header.len;
    for (size_t i = 0; i < header.len; i++)
        if (header.at[i] == '(' || header.at[i] == '[')
            open = i, close = header.len;
        else if (header.at[i] == ')' || header.at[i] == ']')
            close = i;
    return open == SIZE_MAX || close <= open ? (struct span){0}
                                             : span_slice(header, open + 1, close);
}

/* "bandwidth_mib_s" -> "mib/s", "tokens_per_s" -> "tokens/s", "cold_ms" -> "ms". */
static struct span snake_unit(struct arena *arena, struct span header) {
    size_t under[2] = {SIZE_MAX, SIZE_MAX};
    for (size_t i = header.len; i-- > 1;)
        if (header.at[i] == '_') {
            size_t n = under[0] == SIZE_MAX ? 0 : 1;
            under[n] = i;
            if (n == 1)
                break;
        }
    if (under[0] == SIZE_MAX)
        return (struct span){0};
    struct span last = span_slice(header, under[0] + 1, header.len);
    size_t from = under[1] == SIZE_MAX ? 0 : under[1] + 1;
    struct span above = span_slice(header, from, under[0]);
    if (span_equal(above, SPAN("per")) && from > 1) {
        size_t start = from - 1;
        while (start > 0 && header.at[start - 1] != '_')
            start--;
        above = span_slice(header, start, from - 1);
    } else if (!span_equal(last, SPAN("s")) || !unit_find(above)) {
        return last;
    }
    return arena_printf(arena, "%.*s/%.*s", SPAN_ARG(above), SPAN_ARG(last));
}

static const char *const factor_words[] = {"speedup", "speed-up", "ratio", "factor", "times", NULL};

/* A header that says its cells are factors: "speedup", "comp. ratio", "factor". */
static bool is_factor(struct span header) {
    for (const char *const *w = factor_words; *w; w++) {
        size_t at = span_find_nocase(header, span_of(*w), 0);
        size_t end = at == SIZE_MAX ? 0 : at + strlen(*w);
        if (at != SIZE_MAX && (at == 0 || !isalpha((unsigned char)header.at[at - 1])) &&
            (end == header.len || !isalpha((unsigned char)header.at[end])))
            return true;
    }
    return false;
}

static bool plural_noun(struct arena *arena, struct span header, struct unit_text *unit) {
    size_t from = header.len;
    while (from > 0 && header.at[from - 1] != ' ' && header.at[from - 1] != '_')
        from--;
    struct span last = span_slice(header, from, header.len);
    return last.len > 2 && last.at[last.len - 1] == 's' && unit_read_whole(arena, last, unit) &&
           unit->registry && unit->registry->is_noun;
}

/* "cost per step (ms)" is in ms per step; "per second" is no such noun. */
static struct span per_of(struct span header) {
    size_t at = span_find(header, SPAN("per "), 0), end;
    if (at == SIZE_MAX || (at > 0 && header.at[at - 1] != ' '))
        return SPAN("");
    for (end = at + 4; end < header.len && isalpha((unsigned char)header.at[end]);)
        end++;
    const struct unit *noun = unit_find(span_slice(header, at + 4, end));
    return noun && noun->is_noun ? noun->symbol : SPAN("");
}

bool grid_header_unit(struct document *d, struct span header, struct unit_text *unit) {
    enum { LONGEST = 80 };
    if (header.len == 0 || header.len > LONGEST)
        return false;
    struct span inside = bracketed(header);
    if (inside.len && unit_read_whole(d->arena, inside, unit)) {
        if (!unit->per.len)
            unit->per = per_of(header);
        return true;
    }
    if (unit_read_whole(d->arena, header, unit))
        return true;
    struct span snake = snake_unit(d->arena, header);
    if (snake.len && unit_read_whole(d->arena, snake, unit) && is_physical(unit))
        return true;
    size_t blank = header.len;
    while (blank > 1 && !strchr(", ", header.at[blank - 1]))
        blank--;
    if (blank > 1 && unit_read_whole(d->arena, span_slice(header, blank, header.len), unit) &&
        (is_physical(unit) || span_find_byte(unit->symbol, '/', 0) != SIZE_MAX ||
         header.at[blank - 1] == ',' || (blank > 1 && header.at[blank - 2] == ',')))
        return true;
    if (is_factor(header)) {
        const struct unit *x = unit_find(SPAN("x"));
        *unit = (struct unit_text){x, x->symbol, SPAN(""), 1, 0, 0};
        return true;
    }
    return plural_noun(d->arena, header, unit);
}

/* "(time in us)", "all values in EUR", "times in ms.": the last "in UNIT" of a text. */
bool grid_caption_unit(struct document *d, size_t start, size_t end, struct unit_text *unit) {
    struct span view = d->chapter->view, text = span_slice(view, start, end);
    bool found = false;
    for (size_t at = 0; (at = span_find(text, SPAN(" in "), at)) != SIZE_MAX; at += 3) {
        struct unit_text here;
        if (!unit_read(d->arena, view, start + at + 4, end, &here) || !is_physical(&here) ||
            here.start != start + at + 4)
            continue;
        char next = here.end < view.len ? view.at[here.end] : ' ';
        if (isspace((unsigned char)next) || strchr(",.;:)", next)) {
            *unit = here;
            found = true;
        }
    }
    return found;
}
