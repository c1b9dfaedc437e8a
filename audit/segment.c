#include "audit/segment.h"

#include "audit/collapsed.h"
#include "audit/sentence.h"

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
    for (size_t i = 0; i < line.len; i++) {
        bool inside = i > 1 && strchr(".,:'", line.at[i - 1]) && line.at[i - 1] &&
                      isdigit((unsigned char)line.at[i - 2]); /* "1,234.5" is one number */
        runs += isdigit((unsigned char)line.at[i]) &&
                (i == 0 || (!isalnum((unsigned char)line.at[i - 1]) && !inside)); /* not "H100" */
    }
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

/* "... of the instructions. The library": a sentence ends and another begins. */
static bool has_sentence_break(struct span line) {
    for (size_t i = 3; i + 3 < line.len; i++)
        if (line.at[i] == '.' && line.at[i + 1] == ' ' && islower((unsigned char)line.at[i - 1]) &&
            islower((unsigned char)line.at[i - 2]) && isupper((unsigned char)line.at[i + 2]))
            return true;
    return false;
}

static struct line_shape shape_of(struct span line) {
    struct span t = span_trim(line);
    struct line_shape shape = {.blank = t.len == 0};
    shape.indented = line.len > 4 && span_starts(line, SPAN("    "));
    shape.bullet = span_starts(t, SPAN("- ")) || span_starts(t, SPAN("* ")) ||
                   span_starts(t, SPAN("\xe2\x80\xa2"));
    size_t words = count_words(t);
    bool gap = has_gap(line);
    shape.rule = span_find_byte(t, '|', 0) != SIZE_MAX && words < 40;
    char last = t.len ? t.at[t.len - 1] : ' ';
    shape.prose =
        words >= 6 && !gap &&
        (strchr(".!?", last) || words > 4 * count_digits_runs(t) || has_sentence_break(t));
    shape.pair = is_pair(line) || (gap && !shape.prose);
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

struct blocks {
    struct arena *arena;
    struct chapter_block *items;
    size_t count, capacity;
};

/* A copy of from for view[start, end), white space at its ends left out; nothing when that is all.
 */
static struct chapter_block *add_block(struct blocks *blocks, struct span view,
                                       const struct chapter_block *from, size_t start, size_t end) {
    while (start < end && isspace((unsigned char)view.at[end - 1]))
        end--;
    size_t line = start; /* the indentation of a first line stays */
    while (start < end && isspace((unsigned char)view.at[start]))
        if (view.at[start++] == '\n')
            line = start;
    if (start == end)
        return NULL;
    struct chapter_block block = *from;
    block.start = line;
    block.end = end;
    LIST_PUSH(blocks->arena, blocks->items, blocks->count, blocks->capacity, block);
    return &blocks->items[blocks->count - 1];
}

static void add_lines(struct blocks *blocks, struct span view, const struct chapter_block *from,
                      size_t start, size_t end) {
    struct chapter_block *block = add_block(blocks, view, from, start, end);
    if (block)
        block->kind = kind_of(span_slice(view, block->start, block->end));
}

/* Too long to have been wrapped, words throughout (no rule of a boxed table), no columns. */
static bool is_collapsed(struct span line) {
    enum { LEAST_WORDS = 12 };
    return line.len > LONG_LINE && !has_gap(line) && count_words(line) >= LEAST_WORDS &&
           kind_of(line) != BLOCK_TABLE;
}

/* A paragraph, or what were several blocks. */
static void add_long_line(struct blocks *blocks, struct span view, const struct chapter_block *from,
                          size_t start, size_t end) {
    struct collapsed walk = {.view = view, .at = start, .end = end};
    enum block_kind kind;
    for (size_t a, b; collapsed_next(&walk, &a, &b, &kind);) {
        while (a < b && view.at[a] == ' ')
            a++;
        struct chapter_block *block = add_block(blocks, view, from, a, b);
        if (block)
            block->kind = kind;
    }
}

/* A run of lines ends at a blank line, where prose turns into pairs or back, and at a long line. */
static void split_text(struct blocks *blocks, struct span view, const struct chapter_block *from) {
    struct span rest = span_slice(view, from->start, from->end), line;
    size_t start = from->start;
    bool was_prose = false, any = false;
    while (span_next_line(&rest, &line)) {
        size_t at = (size_t)(line.at - view.at);
        struct line_shape shape = shape_of(line);
        bool turns = any && !shape.blank && shape.prose != was_prose && (shape.prose || shape.pair);
        bool collapsed = is_collapsed(line);
        if (shape.blank || turns || collapsed) {
            add_lines(blocks, view, from, start, at);
            start = at;
            any = false;
        }
        if (collapsed) {
            add_long_line(blocks, view, from, at, at + line.len);
            start = at + line.len;
        } else if (!shape.blank) {
            was_prose = any ? was_prose : shape.prose;
            any = true;
        }
    }
    add_lines(blocks, view, from, start, from->end);
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

/* Code blocks that show what a program printed, or a table of a paper: a shell session with its
 * prompts, comma-separated values, a LaTeX tabular. */
static bool is_printout(struct span language, struct span text) {
    static const char *const shells[] = {"bash", "sh", "shell", "zsh", "powershell", "cmd"};
    if (span_equal_nocase(language, SPAN("csv")))
        return true;
    if (span_find(text, SPAN("\\begin{tabular"), 0) != SIZE_MAX)
        return true;
    for (size_t i = 0; i < sizeof shells / sizeof *shells; i++)
        if (span_equal_nocase(language, span_of(shells[i])))
            return span_starts(span_trim(text), SPAN("$ ")) ||
                   span_find(text, SPAN("\n$ "), 0) != SIZE_MAX;
    return false;
}

void segment_blocks(struct arena *arena, struct chapter *chapter) {
    struct blocks blocks = {.arena = arena};
    size_t *moved = arena_array(arena, chapter->block_count + 1, sizeof *moved);
    for (size_t i = 0; i < chapter->block_count; i++) {
        const struct chapter_block *block = &chapter->blocks[i];
        moved[i] = blocks.count;
        if (block->kind == BLOCK_TEXT)
            split_text(&blocks, chapter->view, block);
        else {
            LIST_PUSH(arena, blocks.items, blocks.count, blocks.capacity, *block);
            if (block->kind == BLOCK_PROSE &&
                is_aligned(span_slice(chapter->view, block->start, block->end)))
                blocks.items[blocks.count - 1].kind = BLOCK_OUTPUT;
            if (block->kind == BLOCK_CODE &&
                is_printout(block->language, span_slice(chapter->view, block->start, block->end)))
                blocks.items[blocks.count - 1].kind = BLOCK_OUTPUT;
        }
    }
    for (size_t i = 0; i < chapter->heading_count; i++)
        if (chapter->headings[i].block < chapter->block_count)
            chapter->headings[i].block = moved[chapter->headings[i].block];
    chapter->blocks = blocks.items;
    chapter->block_count = blocks.count;
    chapter->block_capacity = blocks.capacity;
}
