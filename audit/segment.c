#include "audit/segment.h"

#include "audit/units.h"

#include <ctype.h>
#include <stdint.h>

struct line_shape {
    bool blank, indented, prose, pair, rule, bullet;
};

static size_t count_words(struct span line) {
    size_t words = 0;
    for (size_t i = 0; i < line.len; i++)
        words += isalpha((unsigned char)line.at[i]) &&
                 (i == 0 || isspace((unsigned char)line.at[i - 1]));
    return words;
}

static size_t count_digits_runs(struct span line) {
    size_t runs = 0;
    for (size_t i = 0; i < line.len; i++)
        runs += isdigit((unsigned char)line.at[i]) &&
                (i == 0 || !isdigit((unsigned char)line.at[i - 1]));
    return runs;
}

/* Two or more blanks inside a line align columns; "key: value" and "key = value" are pairs. */
static bool has_gap(struct span line) {
    struct span t = span_trim(line);
    return span_find(t, SPAN("  "), 0) != SIZE_MAX || span_find_byte(t, '\t', 0) != SIZE_MAX;
}

static bool is_pair(struct span line) {
    struct span t = span_trim(line);
    size_t colon = span_find(t, SPAN(": "), 0), equals = span_find(t, SPAN("="), 0);
    size_t at = colon < equals ? colon : equals;
    return at != SIZE_MAX && at < 40 && count_words(span_slice(t, 0, at)) <= 4 && at > 0;
}

static struct line_shape shape_of(struct span line) {
    struct span t = span_trim(line);
    struct line_shape shape = {.blank = t.len == 0};
    shape.indented = line.len > 4 && span_starts(line, SPAN("    "));
    shape.bullet = span_starts(t, SPAN("- ")) || span_starts(t, SPAN("* ")) ||
                   span_starts(t, SPAN("\xe2\x80\xa2"));
    shape.rule = span_find_byte(t, '|', 0) != SIZE_MAX && count_words(t) < 40;
    char last = t.len ? t.at[t.len - 1] : ' ';
    shape.prose = count_words(t) >= 6 && !has_gap(line) &&
                  (count_words(t) > 3 * count_digits_runs(t) || strchr(".!?", last));
    shape.pair = is_pair(line) || (has_gap(line) && !shape.prose);
    return shape;
}

/* Upper-case or short first words with values behind them: a contract or environment listing. */
static bool is_contract_line(struct span line) {
    struct span t = span_trim(line);
    size_t key = 0;
    while (key < t.len && (isupper((unsigned char)t.at[key]) || t.at[key] == '_'))
        key++;
    return key >= 3 && key < t.len && t.at[key] == ' ' && has_gap(t);
}

static enum block_kind kind_of(struct span lines) {
    struct span rest = lines, line;
    size_t total = 0, prose = 0, pairs = 0, rules = 0, bullets = 0, contracts = 0;
    while (span_next_line(&rest, &line)) {
        struct line_shape shape = shape_of(line);
        if (shape.blank)
            continue;
        total++;
        prose += shape.prose;
        pairs += shape.pair && !shape.prose;
        rules += shape.rule;
        bullets += shape.bullet;
        contracts += is_contract_line(line);
    }
    if (contracts * 2 > total)
        return BLOCK_CONTRACT;
    if (rules * 2 > total && total > 1)
        return BLOCK_TABLE;
    if (bullets * 2 >= total && bullets)
        return BLOCK_LIST;
    if (prose * 2 >= total || total == 0)
        return BLOCK_PROSE;
    return pairs || total > 1 || count_digits_runs(lines) ? BLOCK_OUTPUT : BLOCK_PROSE;
}

static void add_block(struct arena *arena, struct chapter *chapter,
                      const struct chapter_block *from, size_t start, size_t end,
                      struct chapter_block **blocks, size_t *count, size_t *capacity) {
    struct span view = chapter->view;
    while (start < end && strchr("\r\n", view.at[start]))
        start++;
    while (end > start && isspace((unsigned char)view.at[end - 1]))
        end--;
    if (end == start)
        return;
    struct chapter_block block = *from;
    block.start = start;
    block.end = end;
    block.kind = kind_of(span_slice(view, start, end));
    LIST_PUSH(arena, *blocks, *count, *capacity, block);
}

/* A run of lines ends at a blank line, or where prose turns into pairs or back. */
static void split_text(struct arena *arena, struct chapter *chapter,
                       const struct chapter_block *from, struct chapter_block **blocks,
                       size_t *count, size_t *capacity) {
    struct span rest = span_slice(chapter->view, from->start, from->end), line;
    size_t start = from->start;
    bool was_prose = false, any = false;
    while (span_next_line(&rest, &line)) {
        size_t at = (size_t)(line.at - chapter->view.at);
        struct line_shape shape = shape_of(line);
        bool turns = any && !shape.blank && shape.prose != was_prose && (shape.prose || shape.pair);
        if (shape.blank || turns) {
            add_block(arena, chapter, from, start, at, blocks, count, capacity);
            start = at;
            any = false;
        }
        if (!shape.blank) {
            was_prose = any ? was_prose : shape.prose;
            any = true;
        }
    }
    add_block(arena, chapter, from, start, from->end, blocks, count, capacity);
}

/* A paragraph of markup whose lines are columns of numbers is a printout, not prose. */
static bool is_aligned(struct span text) {
    struct span rest = text, line;
    size_t total = 0, columns = 0;
    while (span_next_line(&rest, &line)) {
        struct span t = span_trim(line);
        size_t gap = span_find(t, SPAN("  "), 0);
        bool second = gap != SIZE_MAX &&
                      span_find(span_trim(span_slice(t, gap, t.len)), SPAN("  "), 0) != SIZE_MAX;
        total += t.len > 0;
        columns += second;
    }
    return total >= 3 && columns * 3 >= total * 2;
}

void segment_blocks(struct arena *arena, struct chapter *chapter) {
    struct chapter_block *blocks = NULL;
    size_t count = 0, capacity = 0,
           *moved = arena_array(arena, chapter->block_count + 1, sizeof *moved);
    for (size_t i = 0; i < chapter->block_count; i++) {
        const struct chapter_block *block = &chapter->blocks[i];
        moved[i] = count;
        if (block->kind == BLOCK_TEXT)
            split_text(arena, chapter, block, &blocks, &count, &capacity);
        else {
            LIST_PUSH(arena, blocks, count, capacity, *block);
            if (block->kind == BLOCK_PROSE &&
                is_aligned(span_slice(chapter->view, block->start, block->end)))
                blocks[count - 1].kind = BLOCK_OUTPUT;
        }
    }
    for (size_t i = 0; i < chapter->heading_count; i++)
        if (chapter->headings[i].block < chapter->block_count)
            chapter->headings[i].block = moved[chapter->headings[i].block];
    chapter->blocks = blocks;
    chapter->block_count = count;
    chapter->block_capacity = capacity;
}

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
    bool abbreviation = at >= 2 && v.at[at] == '.' && v.at[at - 2] == '.';
    return !abbreviation && (next >= end || !islower((unsigned char)v.at[next]));
}

/* Collapsed output: behind a unit or a "->" result, words that end in ":" or "=" begin a new line.
 */
static bool starts_line(struct span v, size_t at, size_t end) {
    if (at == 0 || v.at[at - 1] != ' ' || !isalpha((unsigned char)v.at[at]))
        return false;
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
           span_find_byte(last, '/', 0) != SIZE_MAX || span_equal(last, SPAN("number")) ||
           (last.len && isdigit((unsigned char)last.at[last.len - 1]));
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

static void split_prose(struct document *d, size_t block, size_t start, size_t end) {
    struct span v = d->chapter->view;
    size_t from = start;
    for (size_t at = start; at < end; at++) {
        if (ends_sentence(v, at, end)) {
            add_sentence(d, block, from, at + 1);
            from = at + 1;
        } else if (at > from && (starts_line(v, at, end) || starts_prose(v, from, at, end)) &&
                   is_after_value(v, at, from)) {
            add_sentence(d, block, from, at);
            from = at;
        }
    }
    add_sentence(d, block, from, end);
}

static void split_lines(struct document *d, size_t block, size_t start, size_t end) {
    struct span rest = span_slice(d->chapter->view, start, end), line;
    while (span_next_line(&rest, &line)) {
        size_t at = (size_t)(line.at - d->chapter->view.at);
        add_sentence(d, block, at, at + line.len);
    }
}

void segment_sentences(struct document *d) {
    for (size_t i = 0; i < d->chapter->block_count; i++) {
        const struct chapter_block *b = &d->chapter->blocks[i];
        bool prose = b->kind == BLOCK_PROSE || b->kind == BLOCK_LIST || b->kind == BLOCK_HEADING;
        (prose ? split_prose : split_lines)(d, i, b->start, b->end);
    }
}
