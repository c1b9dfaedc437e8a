/* The comparison of two passes as text, JSON, Markdown and HTML. */
#include "core/json.h"
#include "core/table.h"
#include "core/terminal.h"
#include "report/diff.h"
#include "report/html.h"
#include "report/markdown.h"

/* Longest text of one entry on a terminal, in bytes. */
enum { LINE_TEXT = 160 };

static void put_clipped(struct buffer *out, struct span text) {
    size_t cut;
    page_visible(out, text, LINE_TEXT, &cut);
    if (cut)
        buffer_add(out, SPAN("…"));
}

static bool is_bad(const struct diff_entry *entry) {
    return strcmp(entry->change, "new") == 0 || strcmp(entry->change, "died") == 0 ||
           strcmp(entry->change, "shifted") == 0;
}

static void text_entry(struct buffer *out, const struct diff_entry *entry, bool color) {
    buffer_add(out, SPAN("  "));
    if (color)
        buffer_add_string(out, is_bad(entry) ? "\033[31m" : "\033[36m");
    buffer_printf(out, "%-8s", entry->change);
    buffer_add_string(out, color ? "\033[0m " : " ");
    put_clipped(out, entry->name);
    if (entry->text.len) {
        buffer_add(out, SPAN("  "));
        put_clipped(out, entry->text);
    }
    if (entry->before.len || entry->after.len) {
        buffer_add(out, SPAN(": "));
        put_clipped(out, entry->before.len ? entry->before : SPAN("nothing"));
        buffer_add(out, SPAN(" -> "));
        put_clipped(out, entry->after.len ? entry->after : SPAN("nothing"));
    }
    buffer_add_byte(out, '\n');
}

static size_t count_in(const struct diff *diff, enum diff_part part) {
    size_t count = 0;
    for (size_t i = 0; i < diff->count; i++)
        count += diff->entries[i].part == part;
    return count;
}

void diff_write_text(struct buffer *out, const struct diff *diff, bool color) {
    buffer_add(out, SPAN("from "));
    put_clipped(out, diff->a->pass->id);
    buffer_add(out, SPAN("\nto   "));
    put_clipped(out, diff->b->pass->id);
    buffer_add_byte(out, '\n');
    for (int part = 0; part < DIFF_PART_COUNT; part++) {
        buffer_printf(out, "%s: %zu differ, %zu the same\n", diff_part_words[part],
                      count_in(diff, (enum diff_part)part), diff->same[part]);
        for (size_t i = 0; i < diff->count; i++)
            if ((int)diff->entries[i].part == part)
                text_entry(out, &diff->entries[i], color);
    }
}

static void json_part(struct json_writer *w, const struct diff *diff, enum diff_part part) {
    json_begin_object(w, diff_part_words[part]);
    json_put_size(w, "same", diff->same[part]);
    json_begin_array(w, "changes");
    for (size_t i = 0; i < diff->count; i++) {
        const struct diff_entry *entry = &diff->entries[i];
        if (entry->part != part)
            continue;
        json_begin_object(w, NULL);
        json_put_string(w, "change", entry->change);
        json_put_text(w, "name", entry->name);
        json_put_text(w, "text", entry->text);
        json_put_text(w, "before", entry->before);
        json_put_text(w, "after", entry->after);
        json_end_object(w);
    }
    json_end_array(w);
    json_end_object(w);
}

void diff_write_json(struct buffer *out, const struct diff *diff) {
    struct json_writer w = {.out = out};
    json_begin_object(&w, NULL);
    json_put_string(&w, "schema", "assay.diff.v1");
    json_put_text(&w, "from", diff->a->pass->id);
    json_put_text(&w, "to", diff->b->pass->id);
    for (int part = 0; part < DIFF_PART_COUNT; part++)
        json_part(&w, diff, (enum diff_part)part);
    json_end_object(&w);
    json_finish(&w);
}

static void cell(struct page *page, struct span text) {
    page_cell(page);
    if (text.len)
        page_quote(page, text);
    else
        page_text(page, SPAN("nothing"));
    page_cell_end(page);
}

static void page_part(struct page *page, const struct diff *diff, enum diff_part part) {
    static const char *const columns[] = {"Change", "Name", "What", "Before", "After"};
    struct page_table table = {diff_part_words[part], columns, 5, false};
    size_t count = count_in(diff, part);
    page_heading(page, 2, "", diff_part_words[part]);
    page_paragraph(page, "%zu differ, %zu the same.", count, diff->same[part]);
    if (count == 0)
        return;
    page_table_begin(page, &table);
    for (size_t i = 0; i < diff->count; i++) {
        const struct diff_entry *entry = &diff->entries[i];
        if (entry->part != part)
            continue;
        page_row_begin(page, NULL);
        page_cell_word(page, entry->change);
        cell(page, entry->name);
        cell(page, entry->text);
        cell(page, entry->before);
        cell(page, entry->after);
        page_row_end(page);
    }
    page_table_end(page);
}

static void page_all(struct page *page, const struct diff *diff) {
    page_heading(page, 1, "", "What changed between two passes");
    page_begin(page, PAGE_PARAGRAPH);
    page_text(page, SPAN("From "));
    page_code(page, diff->a->pass->id);
    page_text(page, SPAN(" to "));
    page_code(page, diff->b->pass->id);
    page_text(page, SPAN("."));
    page_end(page, PAGE_PARAGRAPH);
    for (int part = 0; part < DIFF_PART_COUNT; part++)
        page_part(page, diff, (enum diff_part)part);
}

void diff_write_markdown(struct buffer *out, const struct diff *diff) {
    struct page page = {.out = out, .format = &markdown_format};
    page_all(&page, diff);
}

void diff_write_html(struct buffer *out, const struct diff *diff) {
    struct page page = {.out = out, .format = &html_format};
    struct span style = data_file("report/data/report.css");
    buffer_add(out, SPAN("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                         "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
                         "'none'; base-uri 'none'; form-action 'none'; style-src '"));
    html_policy_hash(out, style);
    buffer_add(out, SPAN("'\">\n<meta name=\"viewport\" content=\"width=device-width, "
                         "initial-scale=1\">\n<title>What changed</title>\n<style>"));
    buffer_add(out, style);
    buffer_add(out, SPAN("</style>\n</head>\n<body>\n<main>\n"));
    page_all(&page, diff);
    buffer_add(out, SPAN("</main>\n</body>\n</html>\n"));
}
