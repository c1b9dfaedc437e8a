#include "report/markdown.h"

#include "core/terminal.h"
#include "core/utf8.h"

static bool is_alnum(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static char byte_at(struct span text, size_t i) {
    return i < text.len ? text.at[i] : ' ';
}

/* ":name:" of GitHub's pictures; times such as 10:20:30 are none. */
static bool is_picture_code(struct span text, size_t i) {
    bool letters = false;
    for (i++; i < text.len && (is_alnum(text.at[i]) || strchr("_+-", text.at[i])); i++)
        letters = letters || text.at[i] > '9' || text.at[i] < '0';
    return letters && byte_at(text, i) == ':';
}

/* GitHub turns these into links, mentions, pictures or mathematics after Markdown was read, looking
 * at pieces of plain text; an element around the trigger takes the piece apart (GitHub's own advice
 * for a literal dollar sign). */
static bool triggers_github(struct span text, size_t i) {
    char c = text.at[i], next = byte_at(text, i + 1), before = i ? text.at[i - 1] : ' ';
    switch (c) {
    case '$':
    case '@':
        return true;
    case '#':
        return next >= '0' && next <= '9';
    case ':':
        return next == '/' || is_picture_code(text, i);
    case '.':
        return i >= 3 && (before == 'w' || before == 'W');
    default:
        return false;
    }
}

static const char *entity_of(char c) {
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '|':
        return "&#124;";
    default:
        return NULL;
    }
}

static bool needs_backslash(struct span text, size_t i) {
    char c = text.at[i];
    if (c == '_')
        return i == 0 || !is_alnum(text.at[i - 1]) || !is_alnum(byte_at(text, i + 1));
    return strchr("\\`*[]~", c) != NULL;
}

/* Headings, lists, quotes, rules and ordered lists begin only at the start of a line. */
static size_t escape_line_start(struct buffer *out, struct span text) {
    size_t digits = 0;
    while (digits < text.len && text.at[digits] >= '0' && text.at[digits] <= '9')
        digits++;
    if (digits > 0 && digits < text.len && (text.at[digits] == '.' || text.at[digits] == ')')) {
        buffer_add(out, span_slice(text, 0, digits));
        buffer_printf(out, "\\%c", text.at[digits]);
        return digits + 1;
    }
    if (text.len && strchr("#+-=", text.at[0])) {
        buffer_printf(out, "\\%c", text.at[0]);
        return 1;
    }
    return 0;
}

static void escape_from(struct buffer *out, struct span text, size_t from) {
    for (size_t i = from; i < text.len; i++) {
        char c = text.at[i];
        if (triggers_github(text, i))
            buffer_printf(out, "<span>%c</span>", c);
        else if (entity_of(c))
            buffer_add_string(out, entity_of(c));
        else if (c != '\0' && needs_backslash(text, i))
            buffer_printf(out, "\\%c", c);
        else
            buffer_add_byte(out, c == '\n' || c == '\r' || c == '\t' ? ' ' : c);
    }
}

/* Hebrew, Arabic, Syriac, Thaana, N'Ko and their presentation forms. */
static bool has_right_to_left(struct span text) {
    uint32_t code;
    for (size_t i = 0, width; i < text.len; i += width ? width : 1) {
        width = utf8_decode(span_slice(text, i, text.len), &code);
        if (width > 1 &&
            ((code >= 0x590 && code <= 0x8FF) || (code >= 0xFB1D && code <= 0xFEFC) ||
             (code >= 0x10800 && code <= 0x10FFF) || (code >= 0x1E800 && code <= 0x1EFFF)))
            return true;
    }
    return false;
}

void markdown_escape(struct buffer *out, struct span text, bool line_start) {
    bool isolate = has_right_to_left(text);
    if (isolate)
        buffer_add(out, SPAN("<span dir=\"auto\">"));
    size_t from = line_start && !isolate ? escape_line_start(out, text) : 0;
    escape_from(out, text, from);
    if (isolate)
        buffer_add(out, SPAN("</span>"));
}

static void anchor(struct page *page, struct span id) {
    if (id.len == 0)
        return;
    buffer_add(page->out, SPAN("<a name=\""));
    page_anchor(page->out, id);
    buffer_add(page->out, SPAN("\"></a>"));
}

/* The seven sections keep the exact headings that briefs ask for; the rest can be linked to. */
static void heading(struct page *page, int level, const char *id, struct span text) {
    for (int i = 0; i < level; i++)
        buffer_add_byte(page->out, '#');
    buffer_add_byte(page->out, ' ');
    if (level > 2)
        anchor(page, span_of(id));
    markdown_escape(page->out, text, false);
    buffer_add(page->out, SPAN("\n\n"));
}

static void begin(struct page *page, enum page_block block) {
    static const char *const marks[] = {"", "", "- ", "> ", "- [ ] "};
    buffer_add_string(page->out, marks[block]);
}

static void end(struct page *page, enum page_block block) {
    bool item = block == PAGE_ITEM || block == PAGE_CHECK_ITEM || block == PAGE_LIST;
    buffer_add_string(page->out, item ? "\n" : "\n\n");
}

static void details_begin(struct page *page, struct span summary) {
    buffer_add(page->out, SPAN("<details><summary>"));
    markdown_escape(page->out, summary, false);
    buffer_add(page->out, SPAN("</summary>\n\n"));
}

static void details_end(struct page *page) {
    buffer_add(page->out, SPAN("</details>\n\n"));
}

static void table_begin(struct page *page, const struct page_table *table) {
    for (size_t i = 0; i < table->column_count; i++)
        buffer_printf(page->out, "| %s ", table->columns[i]);
    buffer_add(page->out, SPAN("|\n"));
    for (size_t i = 0; i < table->column_count; i++)
        buffer_add(page->out, SPAN("| --- "));
    buffer_add(page->out, SPAN("|\n"));
}

static void table_end(struct page *page) {
    buffer_add_byte(page->out, '\n');
}

static void row_begin(struct page *page, const struct page_row *row) {
    buffer_add(page->out, SPAN("| "));
    anchor(page, row->id);
}

static void row_end(struct page *page) {
    buffer_add_byte(page->out, '\n');
}

static void cell_begin(struct page *page) {
    if (page->column > 0)
        buffer_add_byte(page->out, ' ');
}

static void cell_end(struct page *page) {
    buffer_add(page->out, SPAN(" |"));
}

/* Made visible here too, so that no caller can forget it; what is visible already stays as it is.
 */
static void text(struct page *page, struct span content) {
    struct buffer visible = {0};
    terminal_escape(&visible, content);
    markdown_escape(page->out, buffer_span(&visible), page->line_start);
    buffer_free(&visible);
}

static void strong(struct page *page, bool open) {
    (void)open;
    buffer_add(page->out, SPAN("**"));
    page->line_start = false;
}

/* A code span ends at the first run of as many backticks, a table row at any pipe: text with either
 * is written as an element instead. */
static void code(struct page *page, struct span content) {
    bool plain = true;
    for (size_t i = 0; i < content.len; i++)
        plain = plain && content.at[i] != '`' && content.at[i] != '|' && content.at[i] != '\\';
    if (plain) {
        buffer_add_byte(page->out, '`');
        buffer_add(page->out, content);
        buffer_add_byte(page->out, '`');
        return;
    }
    buffer_add(page->out, SPAN("<code>"));
    escape_from(page->out, content, 0);
    buffer_add(page->out, SPAN("</code>"));
}

static size_t longest_fence(struct span content) {
    size_t longest = 0, run = 0;
    for (size_t i = 0; i < content.len; i++) {
        run = content.at[i] == '`' ? run + 1 : 0;
        longest = run > longest ? run : longest;
    }
    return longest;
}

static void code_block(struct page *page, const char *language, struct span content) {
    size_t fence = longest_fence(content) < 3 ? 3 : longest_fence(content) + 1;
    for (size_t i = 0; i < fence; i++)
        buffer_add_byte(page->out, '`');
    buffer_printf(page->out, "%s\n", language);
    page_visible_lines(page->out, content);
    for (size_t i = 0; i < fence; i++)
        buffer_add_byte(page->out, '`');
    buffer_add(page->out, SPAN("\n\n"));
}

static void line_break(struct page *page) {
    buffer_add(page->out, SPAN("<br>"));
}

static void add_url(struct buffer *out, struct span url) {
    for (size_t i = 0; i < url.len; i++) {
        unsigned char c = (unsigned char)url.at[i];
        if (c >= 0x80 || strchr("<>\"\\`|()[]{}^*_~$", c))
            buffer_printf(out, "%%%02X", c);
        else if (c == '&')
            buffer_add(out, SPAN("&amp;"));
        else
            buffer_add_byte(out, (char)c);
    }
}

static bool is_plain_url(struct span url) {
    for (size_t i = 0; i < url.len; i++)
        if (!is_alnum(url.at[i]) && !strchr("/:.-_?=%~,;+#", url.at[i]))
            return false;
    return true;
}

static void link(struct page *page, struct span url, struct span content) {
    if (span_equal(url, content) && is_plain_url(url)) {
        buffer_printf(page->out, "<%.*s>", SPAN_ARG(url));
        return;
    }
    buffer_add_byte(page->out, '[');
    markdown_escape(page->out, content, false);
    buffer_add(page->out, SPAN("](<"));
    add_url(page->out, url);
    buffer_add(page->out, SPAN(">)"));
}

static void reference(struct page *page, struct span id, struct span content) {
    buffer_add_byte(page->out, '[');
    markdown_escape(page->out, content, false);
    buffer_add(page->out, SPAN("](#"));
    page_anchor(page->out, id);
    buffer_add_byte(page->out, ')');
}

static void figure(struct page *page, const char *file, const char *table, struct span svg,
                   struct span title, struct span alt) {
    if (svg.len) {
        buffer_add(page->out, SPAN("!["));
        markdown_escape(page->out, alt, false);
        buffer_printf(page->out, "](%s)\n\n", file);
    }
    buffer_add(page->out, SPAN("*"));
    markdown_escape(page->out, title, false);
    buffer_printf(page->out, "* (numbers: `%s`)\n\n", table);
}

const struct page_format markdown_format = {
    .heading = heading,
    .begin = begin,
    .end = end,
    .details_begin = details_begin,
    .details_end = details_end,
    .table_begin = table_begin,
    .table_end = table_end,
    .row_begin = row_begin,
    .row_end = row_end,
    .cell_begin = cell_begin,
    .cell_end = cell_end,
    .text = text,
    .quote = text,
    .strong = strong,
    .code = code,
    .code_block = code_block,
    .line_break = line_break,
    .link = link,
    .reference = reference,
    .figure = figure,
};
