#include "report/page.h"

#include "core/terminal.h"
#include "core/utf8.h"

void page_heading(struct page *page, int level, const char *id, const char *text) {
    page->format->heading(page, level, id, span_of(text));
}

void page_begin(struct page *page, enum page_block block) {
    page->format->begin(page, block);
    page->line_start = true;
}

void page_end(struct page *page, enum page_block block) {
    page->format->end(page, block);
    page->line_start = true;
}

void page_details(struct page *page, const char *summary, ...) {
    struct buffer text = {0};
    va_list arguments;
    va_start(arguments, summary);
    buffer_vprintf(&text, summary, arguments);
    va_end(arguments);
    page->format->details_begin(page, buffer_span(&text));
    buffer_free(&text);
}

void page_details_end(struct page *page) {
    page->format->details_end(page);
}

void page_table_begin(struct page *page, const struct page_table *table) {
    page->table = table;
    page->format->table_begin(page, table);
}

void page_table_end(struct page *page) {
    page->format->table_end(page);
    page->table = NULL;
}

void page_row_begin(struct page *page, const struct page_row *row) {
    static const struct page_row plain = {{"", 0}, NULL, NULL, NULL};
    page->column = 0;
    page->format->row_begin(page, row ? row : &plain);
}

void page_row_end(struct page *page) {
    page->format->row_end(page);
}

void page_cell(struct page *page) {
    page->format->cell_begin(page);
    page->in_cell = true;
    page->line_start = false;
    page->cell_start = page->out->len;
}

void page_cell_end(struct page *page) {
    if (page->out->len == page->cell_start)
        page_text(page, SPAN("UNVERIFIED"));
    page->in_cell = false;
    page->format->cell_end(page);
    page->column++;
}

void page_cell_text(struct page *page, struct span text) {
    page_cell(page);
    page_quote(page, text);
    page_cell_end(page);
}

void page_cell_word(struct page *page, const char *word) {
    page_cell(page);
    page_text(page, span_of(word));
    page_cell_end(page);
}

void page_text(struct page *page, struct span text) {
    if (text.len == 0)
        return;
    page->format->text(page, text);
    page->line_start = false;
}

static void print(struct page *page, const char *format, va_list arguments) {
    struct buffer text = {0};
    buffer_vprintf(&text, format, arguments);
    page_text(page, buffer_span(&text));
    buffer_free(&text);
}

void page_print(struct page *page, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    print(page, format, arguments);
    va_end(arguments);
}

void page_paragraph(struct page *page, const char *format, ...) {
    va_list arguments;
    page_begin(page, PAGE_PARAGRAPH);
    va_start(arguments, format);
    print(page, format, arguments);
    va_end(arguments);
    page_end(page, PAGE_PARAGRAPH);
}

void page_strong(struct page *page, const char *text) {
    page->format->strong(page, true);
    page_text(page, span_of(text));
    page->format->strong(page, false);
}

void page_quote(struct page *page, struct span text) {
    size_t cut;
    struct buffer visible = {0};
    page_visible(&visible, text, PAGE_QUOTE_LIMIT, &cut);
    if (visible.len)
        page->format->quote(page, buffer_span(&visible));
    else
        page_text(page, SPAN("UNVERIFIED"));
    page->line_start = false;
    if (cut)
        page_print(page, " … (%zu bytes more in the artifact)", cut);
    buffer_free(&visible);
}

void page_code(struct page *page, struct span text) {
    struct buffer visible = {0};
    size_t cut;
    page_visible(&visible, text, PAGE_QUOTE_LIMIT, &cut);
    if (visible.len)
        page->format->code(page, buffer_span(&visible));
    if (cut)
        page_print(page, " … (%zu bytes more in the artifact)", cut);
    buffer_free(&visible);
    page->line_start = false;
}

void page_break(struct page *page) {
    page->format->line_break(page);
}

static bool is_web_url(struct span url) {
    if (url.len > PAGE_URL_LIMIT)
        return false;
    if (!span_starts_nocase(url, SPAN("https://")) && !span_starts_nocase(url, SPAN("http://")))
        return false;
    for (size_t i = 0; i < url.len; i++)
        if ((unsigned char)url.at[i] <= 0x20 || url.at[i] == 0x7F)
            return false;
    return utf8_first_invalid(url) == (size_t)-1;
}

void page_link(struct page *page, struct span url, struct span text) {
    struct buffer visible = {0};
    size_t cut;
    page_visible(&visible, text.len ? text : url, PAGE_QUOTE_LIMIT, &cut);
    if (is_web_url(url))
        page->format->link(page, url, buffer_span(&visible));
    else
        page_quote(page, url);
    buffer_free(&visible);
    page->line_start = false;
}

void page_reference(struct page *page, struct span id, struct span text) {
    page->format->reference(page, id, text.len ? text : id);
    page->line_start = false;
}

void page_figure(struct page *page, const char *file, const char *table, struct span svg,
                 struct span title, struct span alt) {
    struct buffer visible = {0}, heard = {0};
    size_t cut;
    page_visible(&visible, title, PAGE_QUOTE_LIMIT, &cut);
    page_visible(&heard, alt, PAGE_QUOTE_LIMIT, &cut);
    page->format->figure(page, file, table, svg, buffer_span(&visible), buffer_span(&heard));
    buffer_free(&visible);
    buffer_free(&heard);
}

static bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Never cuts inside a character. */
static size_t cut_point(struct span text, size_t limit) {
    if (limit == 0 || text.len <= limit)
        return text.len;
    while (limit > 0 && ((unsigned char)text.at[limit] & 0xC0) == 0x80)
        limit--;
    return limit;
}

void page_code_block(struct page *page, const char *language, struct span text) {
    size_t end = text.len > PAGE_BLOCK_LIMIT ? cut_point(text, PAGE_BLOCK_LIMIT) : text.len;
    page->format->code_block(page, language, span_slice(text, 0, end));
    page->line_start = true;
    if (end < text.len)
        page_paragraph(page, "… (%zu bytes more in the artifact)", text.len - end);
}

void page_visible(struct buffer *out, struct span text, size_t limit, size_t *cut) {
    text = span_trim(text);
    size_t end = cut_point(text, limit);
    *cut = text.len - end;
    for (size_t i = 0; i < end;) {
        size_t start = i;
        while (i < end && !is_space(text.at[i]))
            i++;
        terminal_escape(out, span_slice(text, start, i));
        if (i < end)
            buffer_add_byte(out, ' ');
        while (i < end && is_space(text.at[i]))
            i++;
    }
}

void page_visible_lines(struct buffer *out, struct span text) {
    struct span line;
    while (span_next_line(&text, &line)) {
        for (size_t i = 0; i < line.len;) {
            size_t start = i;
            while (i < line.len && line.at[i] != '\t')
                i++;
            terminal_escape(out, span_slice(line, start, i));
            if (i < line.len)
                buffer_add(out, SPAN("    "));
            i += i < line.len;
        }
        buffer_add_byte(out, '\n');
    }
}

void page_anchor(struct buffer *out, struct span id) {
    for (size_t i = 0; i < id.len; i++) {
        char c = id.at[i];
        bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        buffer_add_byte(out, plain ? c : '-');
    }
}
