/* A report as a stream of headings, tables, lists and text. Section writers say what there is; a
 * page_format (Markdown, HTML) says how it looks. All text is escaped by the format, so a section
 * writer cannot inject anything however hostile its input; what is not text goes through `link` and
 * `code`. */
#ifndef REPORT_PAGE_H
#define REPORT_PAGE_H

#include "core/memory.h"

#include <stdarg.h>

/* Longest outside text in one table cell or list item, in bytes; the rest is in the artifact. */
enum { PAGE_QUOTE_LIMIT = 600 };
/* The same of a block of code, and of a URL that is made a link. */
enum { PAGE_BLOCK_LIMIT = 16384, PAGE_URL_LIMIT = 4096 };

struct page;

struct page_table {
    const char *caption; /* for readers that hear the table */
    const char *const *columns;
    size_t column_count;
    bool filter; /* HTML: gets search, filters and sorting */
};

/* What HTML filters and links need of a row; Markdown uses id only. Empty parts are left out. */
struct page_row {
    struct span id;
    const char *state, *priority, *kind;
};

enum page_block { PAGE_PARAGRAPH, PAGE_LIST, PAGE_ITEM, PAGE_CALLOUT, PAGE_CHECK_ITEM };

struct page_format {
    bool nests; /* a cell may hold lists and details */
    void (*heading)(struct page *, int level, const char *id, struct span text);
    void (*begin)(struct page *, enum page_block);
    void (*end)(struct page *, enum page_block);
    void (*details_begin)(struct page *, struct span summary);
    void (*details_end)(struct page *);
    void (*table_begin)(struct page *, const struct page_table *);
    void (*table_end)(struct page *);
    void (*row_begin)(struct page *, const struct page_row *);
    void (*row_end)(struct page *);
    void (*cell_begin)(struct page *);
    void (*cell_end)(struct page *);
    void (*text)(struct page *, struct span);
    void (*quote)(struct page *, struct span); /* outside text: may run right to left */
    void (*strong)(struct page *, bool begin);
    void (*code)(struct page *, struct span);
    void (*code_block)(struct page *, const char *language, struct span);
    void (*line_break)(struct page *);
    /* url is http or https and has passed page_link; text is escaped. */
    void (*link)(struct page *, struct span url, struct span text);
    void (*reference)(struct page *, struct span id, struct span text);
    /* svg is empty where no picture could be drawn: the table of numbers remains. */
    void (*figure)(struct page *, const char *file, const char *table, struct span svg,
                   struct span title, struct span alt);
};

struct page {
    struct buffer *out;
    const struct page_format *format;
    const struct page_table *table; /* open table, or NULL */
    size_t column;                  /* of the open cell */
    size_t cell_start;              /* length of out when the open cell began */
    bool in_cell;
    bool line_start; /* the next text begins a line: block markers must be escaped */
};

void page_heading(struct page *page, int level, const char *id, const char *text);
void page_begin(struct page *page, enum page_block block);
void page_end(struct page *page, enum page_block block);
void page_details(struct page *page, const char *summary, ...)
    __attribute__((format(printf, 2, 3)));
void page_details_end(struct page *page);

void page_table_begin(struct page *page, const struct page_table *table);
void page_table_end(struct page *page);
void page_row_begin(struct page *page, const struct page_row *row);
void page_row_end(struct page *page);
void page_cell(struct page *page);
/* An empty cell becomes UNVERIFIED. */
void page_cell_end(struct page *page);
void page_cell_text(struct page *page, struct span text);
/* A cell of one of our own words. */
void page_cell_word(struct page *page, const char *word);

/* Escaped text; printf works on our own words and on spans by %.*s. */
void page_text(struct page *page, struct span text);
void page_print(struct page *page, const char *format, ...) __attribute__((format(printf, 2, 3)));
void page_strong(struct page *page, const char *text);
/* Outside text cut to PAGE_QUOTE_LIMIT at a character's end, with what was left out; white space
 * runs become one space. UNVERIFIED when empty. */
void page_quote(struct page *page, struct span text);
void page_code(struct page *page, struct span text);
void page_code_block(struct page *page, const char *language, struct span text);
void page_break(struct page *page);
/* A link when url is http(s) without spaces or controls; else the url as text. */
void page_link(struct page *page, struct span url, struct span text);
/* A link to the row or heading with this id. */
void page_reference(struct page *page, struct span id, struct span text);
/* svg is the file's content; file and table (its numbers) are names relative to the report. */
void page_figure(struct page *page, const char *file, const char *table, struct span svg,
                 struct span title, struct span alt);
/* A paragraph of our own words. */
void page_paragraph(struct page *page, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* text with white space runs as one space, controls, bidirectional marks and bytes that are not
 * UTF-8 made visible (\xNN, \u{NNNN}); cut at limit bytes when limit is not 0. *cut gets the bytes
 * left out. */
void page_visible(struct buffer *out, struct span text, size_t limit, size_t *cut);
/* The same line by line, newlines kept and tabs as four spaces; ends with a newline. */
void page_visible_lines(struct buffer *out, struct span text);
/* id as an anchor: [A-Za-z0-9-], other bytes become '-'. */
void page_anchor(struct buffer *out, struct span id);

#endif
