#include "report/html.h"

#include "core/hash.h"
#include "core/terminal.h"

#include <openssl/evp.h>

static void escape_plain(struct buffer *out, struct span text) {
    for (size_t i = 0; i < text.len; i++)
        switch (text.at[i]) {
        case '&':
            buffer_add(out, SPAN("&amp;"));
            break;
        case '<':
            buffer_add(out, SPAN("&lt;"));
            break;
        case '>':
            buffer_add(out, SPAN("&gt;"));
            break;
        case '"':
            buffer_add(out, SPAN("&quot;"));
            break;
        case '\'':
            buffer_add(out, SPAN("&#39;"));
            break;
        default:
            buffer_add_byte(out, text.at[i]);
        }
}

void html_escape(struct buffer *out, struct span text) {
    struct buffer visible = {0};
    for (size_t i = 0; i < text.len;) {
        size_t start = i;
        while (i < text.len && text.at[i] != '\n' && text.at[i] != '\t')
            i++;
        buffer_clear(&visible);
        terminal_escape(&visible, span_slice(text, start, i));
        escape_plain(out, buffer_span(&visible));
        if (i < text.len)
            buffer_add_byte(out, text.at[i++]);
    }
    buffer_free(&visible);
}

static void base64(struct buffer *out, const unsigned char *bytes, size_t len) {
    char *at = buffer_reserve(out, 4 * ((len + 2) / 3) + 1);
    out->len += (size_t)EVP_EncodeBlock((unsigned char *)at, bytes, (int)len);
}

void html_data_url(struct buffer *out, const char *type, struct span bytes) {
    buffer_printf(out, "data:%s;base64,", type);
    base64(out, (const unsigned char *)bytes.at, bytes.len);
}

void html_policy_hash(struct buffer *out, struct span text) {
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned len = 0;
    if (EVP_Digest(text.at, text.len, digest, &len, EVP_sha256(), NULL) != 1)
        len = 0; /* the browser then refuses the part: safe, and the page reads without it */
    buffer_add(out, SPAN("sha256-"));
    base64(out, digest, len);
}

static void put(struct page *page, const char *text) {
    buffer_add_string(page->out, text);
}

static void put_id(struct page *page, struct span id) {
    if (id.len == 0)
        return;
    put(page, " id=\"");
    page_anchor(page->out, id);
    put(page, "\"");
}

static void heading(struct page *page, int level, const char *id, struct span text) {
    buffer_printf(page->out, "<h%d", level);
    put_id(page, span_of(id));
    put(page, ">");
    html_escape(page->out, text);
    buffer_printf(page->out, "</h%d>\n", level);
}

static const struct {
    const char *begin, *end;
} blocks[] = {
    [PAGE_PARAGRAPH] = {"<p>", "</p>\n"},    [PAGE_LIST] = {"<ul>\n", "</ul>\n"},
    [PAGE_ITEM] = {"<li>", "</li>\n"},       [PAGE_CALLOUT] = {"<p class=\"callout\">", "</p>\n"},
    [PAGE_CHECK_ITEM] = {"<li>", "</li>\n"},
};

static void begin(struct page *page, enum page_block block) {
    put(page, blocks[block].begin);
}

static void end(struct page *page, enum page_block block) {
    put(page, blocks[block].end);
}

static void details_begin(struct page *page, struct span summary) {
    put(page, "<details><summary>");
    html_escape(page->out, summary);
    put(page, "</summary>\n");
}

static void details_end(struct page *page) {
    put(page, "</details>\n");
}

/* Roles are said again because the narrow layout takes tables apart, and with them their meaning
 * for screen readers. */
static void table_begin(struct page *page, const struct page_table *table) {
    buffer_printf(page->out, "<table role=\"table\"%s><caption>",
                  table->filter              ? " class=\"filter\""
                  : table->column_count == 2 ? " class=\"pairs\""
                                             : "");
    html_escape(page->out, span_of(table->caption));
    put(page, "</caption>\n<thead role=\"rowgroup\"><tr role=\"row\">");
    for (size_t i = 0; i < table->column_count; i++) {
        put(page, "<th scope=\"col\" role=\"columnheader\">");
        html_escape(page->out, span_of(table->columns[i]));
        put(page, "</th>");
    }
    put(page, "</tr></thead>\n<tbody role=\"rowgroup\">\n");
}

static void table_end(struct page *page) {
    put(page, "</tbody></table>\n");
}

static void put_data(struct page *page, const char *name, const char *value) {
    if (!value)
        return;
    buffer_printf(page->out, " data-%s=\"", name);
    html_escape(page->out, span_of(value));
    put(page, "\"");
}

static void row_begin(struct page *page, const struct page_row *row) {
    put(page, "<tr role=\"row\"");
    put_id(page, row->id);
    put_data(page, "state", row->state);
    put_data(page, "priority", row->priority);
    put_data(page, "kind", row->kind);
    put(page, ">");
}

static void row_end(struct page *page) {
    put(page, "</tr>\n");
}

static void cell_begin(struct page *page) {
    put(page, "<td role=\"cell\"");
    if (page->table && page->column < page->table->column_count)
        put_data(page, "label", page->table->columns[page->column]);
    put(page, ">");
}

static void cell_end(struct page *page) {
    put(page, "</td>");
}

static void text(struct page *page, struct span content) {
    html_escape(page->out, content);
}

/* Outside words may run right to left; isolated, they cannot reorder what stands around them. */
static void quote(struct page *page, struct span content) {
    put(page, "<bdi>");
    html_escape(page->out, content);
    put(page, "</bdi>");
}

static void strong(struct page *page, bool open) {
    put(page, open ? "<strong>" : "</strong>");
}

static void code(struct page *page, struct span content) {
    put(page, "<code>");
    html_escape(page->out, content);
    put(page, "</code>");
}

static void code_block(struct page *page, const char *language, struct span content) {
    (void)language;
    put(page, "<pre><code>");
    html_escape(page->out, content);
    put(page, "</code></pre>\n");
}

static void line_break(struct page *page) {
    put(page, "<br>");
}

static void link(struct page *page, struct span url, struct span content) {
    put(page, "<a rel=\"noreferrer\" href=\"");
    html_escape(page->out, url);
    put(page, "\">");
    html_escape(page->out, content);
    put(page, "</a>");
}

static void reference(struct page *page, struct span id, struct span content) {
    put(page, "<a href=\"#");
    page_anchor(page->out, id);
    put(page, "\">");
    html_escape(page->out, content);
    put(page, "</a>");
}

static void figure(struct page *page, const char *file, const char *table, struct span svg,
                   struct span title, struct span alt) {
    (void)file;
    put(page, "<figure>");
    if (svg.len) {
        put(page, "<img alt=\"");
        html_escape(page->out, alt);
        put(page, "\" src=\"");
        html_data_url(page->out, "image/svg+xml", svg);
        put(page, "\">");
    }
    put(page, "<figcaption>");
    html_escape(page->out, title);
    buffer_printf(page->out, " (numbers: <code>%s</code>)</figcaption></figure>\n", table);
}

const struct page_format html_format = {
    .nests = true,
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
    .quote = quote,
    .strong = strong,
    .code = code,
    .code_block = code_block,
    .line_break = line_break,
    .link = link,
    .reference = reference,
    .figure = figure,
};
