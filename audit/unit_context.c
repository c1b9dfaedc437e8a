#include "audit/unit_context.h"

#include "audit/noun.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>

static struct quantity *quantity_of(const struct document *d, const struct sentence *s, size_t i) {
    return &d->claims->quantities[s->first_quantity + i];
}

static size_t behind(const struct quantity *q) {
    return q->unit_end > q->end ? q->unit_end : q->end;
}

void unit_context_apply(struct quantity *q, const struct unit_text *unit) {
    q->unit = unit->symbol;
    q->per = unit->per;
    q->registry = unit->registry;
    q->value *= unit->factor;
    q->value_high *= unit->factor;
    q->lo *= unit->factor;
    q->hi *= unit->factor;
}

static void share(struct quantity *q, const struct quantity *from) {
    struct unit_text unit = {from->registry, from->unit, from->per, 1, 0, 0};
    unit_context_apply(q, &unit);
}

static bool is_bare(const struct quantity *q) {
    return q->unit.len == 0 && q->role != ROLE_OTHER;
}

static bool is_shareable(const struct quantity *q) {
    return q->unit.len > 0 && !span_equal(q->unit, SPAN("date")) &&
           !span_equal(q->unit, SPAN("version"));
}

static bool is_any(struct span text, const char *const *words) {
    for (; *words; words++)
        if (span_equal_nocase(text, span_of(*words)))
            return true;
    return false;
}

/* "from 41.0 to 12.3 s", "10, 20 and 40 steps", "4.2 ± 0.1 ms": the unit stands once, at the end.
 */
static const char *const joins[] = {
    "to",      "and", "or",           "-",  "\xe2\x80\x93", "\xc2\xb1", "+-", "+/-",   "/",
    "->",      "=>",  "\xe2\x86\x92", "vs", "vs.",          "v.",       ",",  ", and", ", or",
    "through", "&",   "\xe2\x80\xa6", NULL};
/* "9.8 ms against 14.1", "4 frames instead of 37": the unit stands once, at the start. */
static const char *const comparisons[] = {
    "against", "instead of",  "rather than",   "versus", "vs", "vs.",      "down from",
    "up from", "compared to", "compared with", "not",    "to", "\xc2\xb1", "+-",
    "+/-",     "->",          "\xe2\x86\x92",  NULL};

static struct span between(const struct document *d, const struct quantity *a,
                           const struct quantity *b) {
    size_t from = behind(a);
    if (from <= b->start &&
        span_find_byte(span_slice(d->chapter->text, from, b->start), '|', 0) != SIZE_MAX)
        return SPAN("|"); /* cells of a table share nothing, whatever sign stands between them */
    return from <= b->start ? span_trim(span_slice(d->chapter->view, from, b->start))
                            : (struct span){0};
}

static bool has_line_end(const struct document *d, const struct quantity *a,
                         const struct quantity *b) {
    return span_find(span_slice(d->chapter->view, behind(a), b->start), SPAN("  "), 0) != SIZE_MAX;
}

static void share_across(const struct document *d, const struct sentence *s) {
    bool shared = false; /* the number behind took its unit from the next one */
    for (size_t i = s->quantity_count; i-- > 1;) {
        struct quantity *a = quantity_of(d, s, i - 1), *b = quantity_of(d, s, i);
        bool other = (span_equal(b->unit, SPAN("%")) || span_equal(b->unit, SPAN("x"))) &&
                     span_equal(between(d, a, b), SPAN(",")); /* "9.8 against 14.1, 30% lower" */
        shared = is_bare(a) && is_shareable(b) && (shared || b->unit_end > b->unit_start) &&
                 !other && is_any(between(d, a, b), joins) && !has_line_end(d, a, b);
        if (shared)
            share(a, b);
    }
    for (size_t i = 1; i < s->quantity_count; i++) {
        struct quantity *a = quantity_of(d, s, i - 1), *b = quantity_of(d, s, i);
        bool bracketed = b->value != b->value_high && span_equal(between(d, a, b), SPAN("("));
        if (is_bare(b) && is_shareable(a) && (bracketed || is_any(between(d, a, b), comparisons)))
            share(b, a); /* "IQR: 0.06 ms (1.85 to 1.91)" */
    }
}

/* "1,008,000 requests, 1,600 per second": a rate of what was counted just before. */
static void name_rates(const struct document *d, const struct sentence *s) {
    struct arena *arena = d->arena;
    struct span view = d->chapter->view;
    for (size_t i = 1; i < s->quantity_count; i++) {
        struct quantity *a = quantity_of(d, s, i - 1), *b = quantity_of(d, s, i);
        struct unit_text rate;
        if (!is_bare(b) || !a->registry || !a->registry->is_noun || a->per.len ||
            span_find_byte(a->unit, '/', 0) != SIZE_MAX || b->end >= s->end ||
            view.at[b->end] != ' ' ||
            !unit_read_behind(arena, a->registry, view, b->end, s->end, &rate))
            continue;
        unit_context_apply(b, &rate);
        b->unit_start = b->end;
        b->unit_end = rate.end;
    }
}

/* The label before a number: back to the start of the line, the last gap or separator. */
static struct span label_before(const struct document *d, const struct sentence *s,
                                const struct quantity *q) {
    enum { LONGEST = 48 };
    struct span view = d->chapter->view;
    size_t end = q->start;
    while (end > s->start && strchr(" \t[(\"~<>=:", view.at[end - 1]) && view.at[end - 1])
        end--;
    size_t start = end;
    while (start > s->start && end - start < LONGEST && !strchr(",;|.([\t:=", view.at[start - 1]) &&
           !(view.at[start - 1] == ' ' && start >= 2 && view.at[start - 2] == ' '))
        start--;
    return span_slice(view, start, end);
}

static bool is_value_of_label(const struct document *d, const struct quantity *q,
                              struct span label) {
    size_t end = (size_t)(label.at - d->chapter->view.at) + label.len;
    struct span mark = span_trim(span_slice(d->chapter->view, end, q->start));
    return label.len && mark.len && (mark.at[0] == '=' || mark.at[0] == ':');
}

static bool last_part(struct span label, const char *separators, struct span *part) {
    for (size_t i = label.len; i-- > 1;)
        if (strchr(separators, label.at[i])) {
            *part = span_slice(label, i + 1, label.len);
            return true;
        }
    return false;
}

/* "forward_ms = 21.4", "tokens_per_s = 61819", "Requests/sec: 187", "lat (usec): 9", "layers = 8".
 */
static bool label_unit(struct arena *arena, struct span label, struct unit_text *unit) {
    struct span part;
    size_t per = span_find(label, SPAN("_per_"), 0);
    if (per != SIZE_MAX) {
        struct span above = span_slice(label, 0, per), noun;
        noun = last_part(above, "_ ", &noun) ? noun : above;
        struct span text = arena_printf(arena, "%.*s/%.*s", SPAN_ARG(noun),
                                        (int)(label.len - per - 5), label.at + per + 5);
        return unit_read_whole(arena, text, unit);
    }
    if (label.len && label.at[label.len - 1] == ')' && last_part(label, "(", &part))
        return unit_read_whole(arena, span_slice(part, 0, part.len - 1), unit);
    if (span_find_byte(label, '/', 0) != SIZE_MAX && !last_part(label, " ", &part) &&
        unit_read_whole(arena, label, unit))
        return true;
    if (last_part(label, "_", &part) && unit_read_whole(arena, part, unit) && unit->registry &&
        !unit->registry->is_noun)
        return true;
    struct span last = last_part(label, " _", &part) ? part : label;
    if (!unit_read_whole(arena, last, unit) || !unit->registry || span_ends(last, SPAN("/s")))
        return false;
    bool rate = span_equal(unit->registry->dimension, SPAN("1/time")) && last.len >= 3;
    return unit->registry->is_noun ? last.at[last.len - 1] == 's'
           : rate                  ? true
                                   : !span_equal(last, label) && last.len > 1;
}

static bool number_of(struct arena *arena, struct span label, struct unit_text *unit) {
    size_t at = span_find(label, SPAN("umber of "), 0);
    return at != SIZE_MAX && unit_read(arena, label, at + 9, label.len, unit) && unit->registry &&
           unit->registry->is_noun;
}

static const char *const factor_words[] = {
    "factor",      "factor of", "ratio",     "ratio of",   "speedup",   "speed-up", "speedup of",
    "speed-up of", "ratio is",  "ratio was", "speedup is", "factor is", NULL};

static bool ends_with_word(struct span text, struct span word) {
    if (text.len < word.len ||
        !span_equal_nocase(span_slice(text, text.len - word.len, text.len), word))
        return false;
    return text.len == word.len || !isalnum((unsigned char)text.at[text.len - word.len - 1]);
}

static bool ends_in_factor(struct span label) {
    for (const char *const *w = factor_words; *w; w++)
        if (ends_with_word(label, span_of(*w)))
            return true;
    return false;
}

/* "Transfer/sec: 31.38MB" is a rate. */
static void rate_by_label(const struct document *d, struct quantity *q, struct span label) {
    bool data = q->registry && span_equal(q->registry->dimension, SPAN("data"));
    if (data && !q->per.len && span_find_byte(q->unit, '/', 0) == SIZE_MAX &&
        (span_ends(label, SPAN("/sec")) || span_ends(label, SPAN("/s"))) &&
        is_value_of_label(d, q, label))
        q->unit = arena_printf(d->arena, "%.*s/s", SPAN_ARG(q->unit));
}

/* "loop of 20: 9.491 ms/step": the loop is of what the times are per. */
static void name_loops(const struct document *d, const struct sentence *s) {
    enum { MOST_BYTES = 80 };
    for (size_t i = 0; i + 1 < s->quantity_count; i++) {
        struct quantity *q = quantity_of(d, s, i), *next = quantity_of(d, s, i + 1);
        struct span before = span_slice(d->chapter->view, s->start, q->start);
        if (!is_bare(q) || !span_ends(before, SPAN("loop of ")) || !next->per.len ||
            next->start - q->end > MOST_BYTES)
            continue;
        const struct unit *noun = unit_find(next->per);
        unit_context_apply(q, &(struct unit_text){noun, next->per, SPAN(""), 1, 0, 0});
    }
}

static void read_labels(const struct document *d, const struct sentence *s) {
    for (size_t i = 0; i < s->quantity_count; i++) {
        struct quantity *q = quantity_of(d, s, i);
        struct unit_text unit;
        if (!is_bare(q)) {
            if (q->registry)
                rate_by_label(d, q, label_before(d, s, q));
            continue;
        }
        struct span label = label_before(d, s, q);
        bool valued = is_value_of_label(d, q, label);
        if (ends_in_factor(label)) {
            const struct unit *x = unit_find(SPAN("x"));
            unit_context_apply(q, &(struct unit_text){x, x->symbol, SPAN(""), 1, 0, 0});
            q->role = ROLE_RATIO;
        } else if (valued &&
                   (number_of(d->arena, label, &unit) || label_unit(d->arena, label, &unit))) {
            unit_context_apply(q, &unit);
        }
    }
}

/* "slat (nsec): min=1182, max=98417": a unit in parentheses before the mark holds for the line. */
static bool announced(struct document *d, const struct sentence *s, struct unit_text *unit,
                      size_t *from) {
    struct span line = span_slice(d->chapter->view, s->start, s->end);
    for (size_t close = 1; close + 1 < line.len + 1 && close < 80 && close < line.len; close++) {
        if (line.at[close] != ')')
            continue;
        size_t open = close;
        while (open > 0 && line.at[open] != '(')
            open--;
        size_t mark = close + 1;
        while (mark < line.len && line.at[mark] == ' ')
            mark++;
        if (mark < line.len && (line.at[mark] == ':' || line.at[mark] == '=') &&
            unit_read_whole(d->arena, span_slice(line, open + 1, close), unit) && unit->registry &&
            !unit->registry->is_noun) {
            *from = s->start + mark;
            return true;
        }
    }
    return false;
}

static void read_announcement(struct document *d, const struct sentence *s,
                              struct unit_text *carried) {
    struct span line = span_slice(d->chapter->view, s->start, s->end);
    struct unit_text unit;
    size_t from = s->start;
    bool heads = announced(d, s, &unit, &from);
    bool goes_on =
        !heads && carried->registry && span_trim(line).len && span_trim(line).at[0] == '|';
    if (!heads && !goes_on) {
        carried->registry = NULL;
        return;
    }
    if (heads)
        *carried = unit;
    for (size_t i = 0; i < s->quantity_count; i++) {
        struct quantity *q = quantity_of(d, s, i);
        if (is_bare(q) && q->start > from)
            unit_context_apply(q, carried);
    }
}

void unit_context_settle(struct document *d, const struct sentence *s, struct unit_text *carried) {
    share_across(d, s);
    name_rates(d, s);
    name_loops(d, s);
    read_announcement(d, s, carried);
    read_labels(d, s);
}
