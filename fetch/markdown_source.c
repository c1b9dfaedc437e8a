#include "fetch/markdown_source.h"

#include "core/utf8.h"
#include "fetch/html_view.h"

enum { SEARCH_AHEAD = 1 << 16, LONGEST_ENTITY = 40, LONGEST_NOTE_MARK = 64 };

static char byte_at(const struct markdown_source *s, size_t at) {
    return at < s->text.len ? s->text.at[at] : '\0';
}

static bool is_line_end(char c) {
    return c == '\n' || c == '\r';
}

static bool is_punctuation(char c) {
    return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') ||
           (c >= '{' && c <= '~');
}

static bool is_alphanumeric(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/* Behind the line's end: "\n", "\r\n" or "\r", as the parser has it. */
static size_t next_line(struct span text, size_t at) {
    while (at < text.len && !is_line_end(text.at[at]))
        at++;
    if (at + 1 < text.len && text.at[at] == '\r' && text.at[at + 1] == '\n')
        return at + 2;
    return at < text.len ? at + 1 : text.len;
}

void markdown_source_init(struct markdown_source *source, struct arena *arena, struct span text,
                          size_t from) {
    size_t *lines = NULL, count = 0, capacity = 0;
    for (size_t at = from; at < text.len; at = next_line(text, at))
        LIST_PUSH(arena, lines, count, capacity, at);
    LIST_PUSH(arena, lines, count, capacity, text.len);
    *source = (struct markdown_source){
        .text = text, .view = arena_string(arena, text), .lines = lines, .line_count = count - 1};
    markdown_settle(source, from);
}

void markdown_settle(struct markdown_source *source, size_t end) {
    for (; source->settled < end; source->settled++)
        if (source->view[source->settled] != '\n')
            source->view[source->settled] = ' ';
}

size_t markdown_line(const struct markdown_source *source, int line) {
    size_t index = line > 0 ? (size_t)line - 1 : 0;
    return source->lines[index < source->line_count ? index : source->line_count];
}

/* Behind the end of the cursor's line. */
static size_t line_end(const struct markdown_source *s) {
    return s->lines[s->line < s->line_count ? s->line + 1 : s->line_count];
}

/* The parser gives no place (line 0) to a paragraph that it cut off a table: such a block is behind
 * what came before, on any line. The cursor never goes back. */
void markdown_enter_block(struct markdown_source *source, int line, int column, int end_line) {
    size_t index = line > 0 ? (size_t)line - 1 : source->line;
    size_t start = line > 0 ? markdown_line(source, line) : source->cursor;
    start += line > 0 && column > 0 ? (size_t)column - 1 : 0;
    source->line = index < source->line_count ? index : source->line_count;
    source->cursor = start > source->cursor ? start : source->cursor;
    while (source->line < source->line_count && line_end(source) <= source->cursor)
        source->line++;
    source->reach = line > 0 ? markdown_line(source, end_line + 1) : source->text.len;
    source->shift = 0;
}

void markdown_next_line(struct markdown_source *source) {
    size_t next = line_end(source);
    source->cursor = next > source->cursor ? next : source->cursor;
    source->line += source->line < source->line_count;
    source->reach = line_end(source);
    source->shift = 0;
}

void markdown_next_cell(struct markdown_source *source, bool first) {
    size_t at = source->cursor;
    while (first && (byte_at(source, at) == ' ' || byte_at(source, at) == '\t'))
        at++;
    if (first && byte_at(source, at) != '|')
        return;
    for (; at < source->reach && byte_at(source, at) != '|'; at++)
        if (byte_at(source, at) == '\\' && is_punctuation(byte_at(source, at + 1)))
            at++;
    if (at >= source->reach)
        return;
    markdown_settle(source, at);
    if (source->settled <= at)
        source->settled = at + 1;
    source->view[at] = '\t';
    source->cursor = at + 1;
}

/* End of an entity ("&amp;", "&#x26;") at `at`, or 0. */
static size_t entity_end(const struct markdown_source *s, size_t at) {
    size_t end = at + 1 + (byte_at(s, at + 1) == '#');
    while (end < at + LONGEST_ENTITY && is_alphanumeric(byte_at(s, end)))
        end++;
    return byte_at(s, end) == ';' && end > at + 1 ? end + 1 : 0;
}

static bool is_ampersand(struct span entity) {
    return span_equal_nocase(entity, SPAN("&amp;")) || span_equal(entity, SPAN("&#38;")) ||
           span_equal_nocase(entity, SPAN("&#x26;"));
}

/* One character of the literal against the source: bytes of either that belong to it. */
struct step {
    size_t source, literal;
};

static bool step_escape(const struct markdown_source *s, size_t at, char wanted,
                        enum markdown_piece kind, struct step *step) {
    bool escapes = kind == MARKDOWN_TEXT ? is_punctuation(wanted) : wanted == '|';
    if (kind == MARKDOWN_TAG || byte_at(s, at) != '\\' || !escapes || byte_at(s, at + 1) != wanted)
        return false;
    *step = (struct step){2, 1};
    return true;
}

/* Named references for one character; those for two (some operators) are not found here. */
static bool step_entity(const struct markdown_source *s, size_t at, struct span rest,
                        struct step *step) {
    size_t end = byte_at(s, at) == '&' ? entity_end(s, at) : 0;
    uint32_t code;
    size_t width = utf8_decode(rest, &code);
    if (end == 0 || width == 0 || width > end - at)
        return false;
    if (rest.at[0] == '&' && !is_ampersand(span_slice(s->text, at, end)))
        return false;
    *step = (struct step){end - at, width};
    return true;
}

/* A line's end inside a piece: a space in code; what stands before the next line's text (white
 * space, marks of a quotation) is not part of the piece. */
static bool step_line(const struct markdown_source *s, size_t at, struct span rest,
                      enum markdown_piece kind, struct step *step) {
    char c = byte_at(s, at);
    bool breaks = is_line_end(rest.at[0]) || (kind == MARKDOWN_CODE && rest.at[0] == ' ');
    if (kind == MARKDOWN_TEXT || !is_line_end(c) || !breaks)
        return false;
    size_t next = next_line(s->text, at), taken = 1;
    if (rest.len > 1 && rest.at[0] == '\r' && rest.at[1] == '\n')
        taken = 2;
    char wanted = rest.len > taken ? rest.at[taken] : '\0';
    while (byte_at(s, next) != wanted && byte_at(s, next) && strchr(" \t>", byte_at(s, next)))
        next++;
    *step = (struct step){next - at, taken};
    return true;
}

static bool next_step(const struct markdown_source *s, size_t at, struct span rest,
                      enum markdown_piece kind, struct step *step) {
    if (step_escape(s, at, rest.at[0], kind, step))
        return true;
    if (kind == MARKDOWN_TEXT && step_entity(s, at, rest, step))
        return true;
    if (byte_at(s, at) == rest.at[0] && !is_line_end(rest.at[0])) {
        *step = (struct step){1, 1};
        return true;
    }
    return step_line(s, at, rest, kind, step);
}

/* End of the literal when it stands at `at`, or SIZE_MAX. Writes it into the view on request. */
static size_t match(struct markdown_source *s, size_t at, struct span literal,
                    enum markdown_piece kind, bool write) {
    for (size_t q = 0; q < literal.len;) {
        struct step step;
        s->work++;
        if (at >= s->text.len ||
            !next_step(s, at, span_slice(literal, q, literal.len), kind, &step))
            return SIZE_MAX;
        bool breaks = is_line_end(s->text.at[at]);
        for (size_t k = 0; write && k < step.source; k++) {
            char c = k < step.literal && !breaks ? literal.at[q + k] : ' ';
            s->view[at + k] = s->text.at[at + k] == '\n' ? '\n' : c;
        }
        at += step.source;
        q += step.literal;
    }
    return at;
}

/* What any search may cost in all, beyond the text itself. */
static bool may_search(const struct markdown_source *s) {
    return s->work / 16 <= s->text.len + SEARCH_AHEAD;
}

static size_t search(struct markdown_source *s, struct span literal, enum markdown_piece kind) {
    size_t end = s->reach < s->text.len ? s->reach : s->text.len;
    for (size_t at = s->cursor; at < end && at - s->cursor < SEARCH_AHEAD && may_search(s); at++) {
        char c = s->text.at[at];
        s->work++;
        if ((c == literal.at[0] || c == '\\' || c == '&') &&
            match(s, at, literal, kind, false) != SIZE_MAX)
            return at;
    }
    return SIZE_MAX;
}

/* The claimed place, for code also one byte on: the parser takes a space off both its ends. */
static size_t claimed_place(struct markdown_source *s, struct span literal,
                            enum markdown_piece kind, size_t claimed) {
    for (size_t at = claimed; at <= claimed + (kind == MARKDOWN_CODE); at++)
        if (at >= s->cursor && match(s, at, literal, kind, false) != SIZE_MAX)
            return at;
    return SIZE_MAX;
}

static void write_tag(struct markdown_source *s, size_t start, size_t end) {
    struct arena arena;
    arena_init(&arena);
    memcpy(s->view + start, html_view(&arena, span_slice(s->text, start, end)), end - start);
    arena_free(&arena);
}

/* The cursor goes behind the piece, and what is placed next on its line is expected as far off its
 * column as this piece was. */
static void follow(struct markdown_source *s, size_t start, size_t end, int column) {
    while (s->line < s->line_count && line_end(s) < end)
        s->line++;
    size_t first = s->lines[s->line];
    s->cursor = end;
    s->reach = line_end(s);
    s->shift = 0;
    if (column > 0 && start >= first)
        s->shift = (ptrdiff_t)start - (ptrdiff_t)(first + (size_t)column - 1);
}

/* A definition ("[label]: url") at the start of a paragraph is not among its pieces, but still
 * counts as its first line. */
static bool skip_definition(struct markdown_source *s) {
    size_t at = s->cursor, end = line_end(s);
    while (at < end && strchr(" \t>", s->text.at[at]))
        at++;
    if (end >= s->reach || byte_at(s, at) != '[' ||
        span_find(span_slice(s->text, at, end), SPAN("]:"), 0) == SIZE_MAX)
        return false;
    s->cursor = end;
    s->line++;
    return true;
}

static size_t find_claimed(struct markdown_source *s, struct span literal, enum markdown_piece kind,
                           int column) {
    ptrdiff_t claimed = (ptrdiff_t)(s->lines[s->line] + (size_t)column) - 1 + s->shift;
    if (column <= 0 || claimed < 0)
        return SIZE_MAX;
    return claimed_place(s, literal, kind, (size_t)claimed);
}

static size_t find(struct markdown_source *s, struct span literal, enum markdown_piece kind,
                   int column) {
    size_t start = find_claimed(s, literal, kind, column);
    while (start == SIZE_MAX && skip_definition(s))
        start = find_claimed(s, literal, kind, column);
    return start != SIZE_MAX ? start : search(s, literal, kind);
}

bool markdown_place(struct markdown_source *s, struct span literal, enum markdown_piece kind,
                    int column, struct markdown_range *range) {
    if (literal.len == 0)
        return false;
    size_t start = find(s, literal, kind, column);
    if (start == SIZE_MAX) {
        s->reach = line_end(s);
        s->settled = s->reach > s->settled ? s->reach : s->settled;
        return false;
    }
    markdown_settle(s, start);
    size_t end = match(s, start, literal, kind, true);
    if (kind == MARKDOWN_TAG)
        write_tag(s, start, end);
    s->settled = end > s->settled ? end : s->settled;
    follow(s, start, end, column);
    *range = (struct markdown_range){start, end};
    return true;
}

static size_t common_end(struct span a, struct span b) {
    size_t n = 0;
    while (n < a.len && n < b.len && a.at[a.len - 1 - n] == b.at[b.len - 1 - n])
        n++;
    return n;
}

void markdown_place_lines(struct markdown_source *s, struct span literal, int line,
                          void (*placed)(void *context, size_t start, size_t end), void *context) {
    for (size_t at = 0; at < literal.len; line++) {
        size_t next = next_line(literal, at), end = next;
        while (end > at && is_line_end(literal.at[end - 1]))
            end--;
        size_t start = markdown_line(s, line), stop = next_line(s->text, start);
        while (stop > start && is_line_end(s->text.at[stop - 1]))
            stop--;
        size_t same = common_end(span_slice(literal, at, end), span_slice(s->text, start, stop));
        start = stop - same;
        /* Never back over what an earlier piece, found too far on, already took. */
        start = start > s->cursor ? start : s->cursor;
        at = next;
        if (start > stop)
            continue;
        markdown_settle(s, start);
        s->settled = stop > s->settled ? stop : s->settled;
        s->cursor = stop > s->cursor ? stop : s->cursor;
        placed(context, start, stop);
    }
}

bool markdown_is_note_mark(struct span text, size_t at, size_t *end) {
    if (at + 2 >= text.len || text.at[at] != '[' || text.at[at + 1] != '^')
        return false;
    for (size_t i = at + 2; i < text.len && i < at + LONGEST_NOTE_MARK; i++) {
        if (text.at[i] == ']' && i > at + 2) {
            *end = i + 1;
            return true;
        }
        if (text.at[i] == ' ' || is_line_end(text.at[i]) || text.at[i] == '[')
            return false;
    }
    return false;
}
