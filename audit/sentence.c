#include "audit/sentence.h"

#include "audit/units.h"

#include <ctype.h>
#include <stdint.h>

static void add_sentence(struct document *d, size_t block, size_t start, size_t end) {
    struct span view = d->chapter->view;
    while (start < end && isspace((unsigned char)view.at[start]))
        start++;
    while (end > start && isspace((unsigned char)view.at[end - 1]))
        end--;
    if (end > start)
        LIST_PUSH(d->arena, d->sentences, d->sentence_count, d->sentence_capacity,
                  (struct sentence){.start = start, .end = end, .block = block});
}

/* "9.4 ms vs. 8.7 ms": the word before the stop is cut short. */
static bool is_abbreviated(struct span v, size_t at) {
    static const char *const words[] = {" vs",  " approx", " ca",     " cf", " resp", " incl",
                                        " avg", "(vs",     "(approx", "(ca", "(avg"};
    struct span before = span_slice(v, 0, at);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (span_ends(before, span_of(words[i])))
            return true;
    return false;
}

/* A full stop that ends a sentence: white space and an upper-case letter, quote or end behind it.
 */
static bool ends_sentence(struct span v, size_t at, size_t end) {
    if (!strchr(".!?", v.at[at]) || v.at[at] == '\0')
        return false;
    size_t next = at + 1;
    if (next < end && strchr("\")'", v.at[next]))
        next++;
    if (next >= end)
        return true;
    if (!isspace((unsigned char)v.at[next]))
        return false;
    if (strchr("\r\n", v.at[next]))
        return true;
    while (next < end && isspace((unsigned char)v.at[next]))
        next++;
    bool abbreviation =
        v.at[at] == '.' && ((at >= 2 && v.at[at - 2] == '.') || is_abbreviated(v, at));
    return !abbreviation && (next >= end || !islower((unsigned char)v.at[next]));
}

/* Collapsed output: behind a unit or a "->" result, words that end in ":" or "=" begin a new line.
 */
static bool starts_line(struct span v, size_t at, size_t end) {
    if (at == 0 || v.at[at - 1] != ' ' || !isalpha((unsigned char)v.at[at]))
        return false;
    if (v.at[at] == 'x' && at + 1 < end && v.at[at + 1] == ' ')
        return false; /* "12 x 8 = 96" */
    size_t stop = at, words = 1;
    while (stop < end && stop - at < 48 && !strchr(":=.;!?\n", v.at[stop])) {
        words += v.at[stop] == ' ';
        stop++;
    }
    if (stop >= end || (v.at[stop] != ':' && v.at[stop] != '=') || words > 8)
        return false;
    size_t value = stop + 1;
    while (value < end && v.at[value] == ' ')
        value++;
    struct unit_text unit;
    struct arena none = {0};
    bool goes_on = isdigit((unsigned char)v.at[at - 2 < at ? at - 2 : 0]) &&
                   unit_read(&none, span_slice(v, 0, end), at - 1, end, &unit) && unit.registry &&
                   unit.start == at;
    arena_free(&none);
    return value < end && isdigit((unsigned char)v.at[value]) && !goes_on;
}

static bool is_after_value(struct span v, size_t at, size_t start) {
    size_t from = at;
    while (from > start && v.at[from - 1] == ' ')
        from--;
    size_t word = from;
    while (word > start && v.at[word - 1] != ' ')
        word--;
    struct span last = span_slice(v, word, from);
    return span_starts(last, SPAN("ms")) || span_equal(last, SPAN("s")) ||
           (last.len > 1 && span_find_byte(last, '/', 0) != SIZE_MAX) ||
           span_equal(last, SPAN("number")) ||
           (last.len &&
            (isdigit((unsigned char)last.at[last.len - 1]) || strchr(")]", last.at[last.len - 1])));
}

/* "first step: 20.890 ms Read the line again": a sentence begins behind a listed value. */
static bool starts_prose(struct span v, size_t from, size_t at, size_t end) {
    if (v.at[at - 1] != ' ' || !isupper((unsigned char)v.at[at]) || at + 1 >= end ||
        !islower((unsigned char)v.at[at + 1]))
        return false;
    size_t word = at;
    while (word < end && isalpha((unsigned char)v.at[word]))
        word++;
    if (unit_find(span_slice(v, at, word)))
        return false; /* "a bigger buffer: 256 KiB" */
    enum { LONGEST_LINE = 160 };
    size_t start = at - from > LONGEST_LINE ? at - LONGEST_LINE : from;
    struct span line = span_slice(v, start, at);
    return span_find(line, SPAN(": "), 0) != SIZE_MAX || span_find(line, SPAN("= "), 0) != SIZE_MAX;
}

/* "full step = 16.4 ms 3 ms and 16 ms are both true": a new number behind a listed value's unit. */
static bool starts_number(struct span v, size_t from, size_t at) {
    if (v.at[at - 1] != ' ' || !isdigit((unsigned char)v.at[at]) || at < from + 4 ||
        !islower((unsigned char)v.at[at - 2]))
        return false;
    enum { LONGEST_LINE = 80 };
    size_t start = at - from > LONGEST_LINE ? at - LONGEST_LINE : from, unit = at - 1;
    while (unit > start && v.at[unit - 1] != ' ')
        unit--;
    size_t number = unit > start ? unit - 1 : start;
    while (number > start && v.at[number - 1] != ' ')
        number--;
    struct span label = span_trim(span_slice(v, start, number));
    return unit_find(span_slice(v, unit, at - 1)) && isdigit((unsigned char)v.at[number]) &&
           label.len && strchr("=:", label.at[label.len - 1]);
}

size_t sentence_end(struct span v, size_t from, size_t end) {
    for (size_t at = from; at < end; at++) {
        if (ends_sentence(v, at, end))
            return at + 1;
        if (at > from &&
            (starts_line(v, at, end) || starts_prose(v, from, at, end) ||
             starts_number(v, from, at)) &&
            is_after_value(v, at, from))
            return at;
    }
    return end;
}

static void split_prose(struct document *d, size_t block, size_t start, size_t end) {
    for (size_t from = start, to; from < end; from = to) {
        to = sentence_end(d->chapter->view, from, end);
        add_sentence(d, block, from, to);
    }
}

/* Columns kept apart by two blanks: one line of a wide table, not several collapsed into one. */
static bool is_aligned_line(struct span line) {
    return span_find(span_trim(line), SPAN("  "), 0) != SIZE_MAX ||
           span_find_byte(line, '\t', 0) != SIZE_MAX || span_find_byte(line, '|', 0) != SIZE_MAX;
}

/* A block may be a part of a long line: what surrounds it counts. */
static bool is_in_long_line(struct span view, size_t start, size_t end) {
    while (start > 0 && view.at[start - 1] != '\n' && end - start <= LONG_LINE)
        start--;
    while (end < view.len && view.at[end] != '\n' && end - start <= LONG_LINE)
        end++;
    return end - start > LONG_LINE;
}

static void split_lines(struct document *d, size_t block, size_t start, size_t end) {
    struct span rest = span_slice(d->chapter->view, start, end), line;
    bool output = d->chapter->blocks[block].kind == BLOCK_OUTPUT;
    while (span_next_line(&rest, &line)) {
        size_t at = (size_t)(line.at - d->chapter->view.at);
        bool collapsed = output && !is_aligned_line(line) &&
                         is_in_long_line(d->chapter->view, at, at + line.len);
        (collapsed ? split_prose : add_sentence)(d, block, at, at + line.len);
    }
}

void segment_sentences(struct document *d) {
    for (size_t i = 0; i < d->chapter->block_count; i++) {
        const struct chapter_block *b = &d->chapter->blocks[i];
        bool prose = b->kind == BLOCK_PROSE || b->kind == BLOCK_LIST || b->kind == BLOCK_HEADING;
        (prose ? split_prose : split_lines)(d, i, b->start, b->end);
    }
}
