/* Section 3: one row a source, read or not. */
#include "report/sections.h"

static void part(struct page *page, const char *name, struct span value) {
    page_print(page, "%s ", name);
    page_quote(page, value);
}

static void cell_identity(struct page *page, const struct source *source) {
    page_cell(page);
    page_reference(page, source->label, source->label);
    page_text(page, SPAN(" "));
    page_code(page, source->id);
    page_text(page, SPAN(" ("));
    page_quote(page, source->kind);
    page_text(page, SPAN(", found in the "));
    page_quote(page, source->found_in);
    page_text(page, SPAN(")"));
    page_cell_end(page);
}

static void cell_metadata(struct page *page, const struct source *source) {
    page_cell(page);
    part(page, "Title:", source->title);
    part(page, "; authors:", source->authors);
    part(page, "; venue:", source->venue);
    part(page, "; year:", source->year);
    part(page, "; version:", source->version);
    page_break(page);
    page_text(page, SPAN("Metadata "));
    page_known(page, source->metadata_status);
    page_cell_end(page);
}

static void cell_dates(struct page *page, const struct source *source) {
    page_cell(page);
    part(page, "accessed:", source->accessed_at.len ? source->accessed_at : SPAN("never"));
    page_break(page);
    /* "verified: <authority>, <date>" carries its own date. */
    if (span_equal(source->metadata_status, SPAN("UNVERIFIED")) || source->metadata_status.len == 0)
        page_text(page, SPAN("metadata UNVERIFIED"));
    else
        page_quote(page, source->metadata_status);
    if (source->http_status)
        page_print(page, "; HTTP %d", source->http_status);
    page_cell_end(page);
}

static void source_row(struct page *page, const struct view *view, const struct source *source) {
    struct page_row row = {.id = source->label,
                           .state = word_of(&reading_words, (int)source->reading)};
    page_row_begin(page, &row);
    cell_identity(page, source);
    cell_metadata(page, source);
    page_cell(page);
    if (source->url.len)
        page_link(page, source->url, source->url);
    page_cell_end(page);
    page_cell_word(page, row.state);
    page_cell(page);
    part_claim_list(page, view, source->claims, source->claim_count);
    page_cell_end(page);
    page_cell_text(page, source->limitation);
    cell_dates(page, source);
    page_row_end(page);
}

void section_sources(struct page *page, const struct report_content *content) {
    static const char *const columns[] = {"Source", "Metadata",    "URL",  "Reading status",
                                          "Claims", "Limitations", "Dates"};
    static const struct page_table table = {"Sources", columns, 7, true};
    const struct view *view = content->view;
    const size_t *in = view->counts.sources_in_status;
    if (!view->has[VIEW_SOURCES]) {
        page_paragraph(page, "sources.json is missing: no source can be listed.");
        return;
    }
    page_paragraph(
        page,
        "Of %zu named in the brief or the text: %zu full text, %zu abstract only, %zu not "
        "accessible, %zu never opened (lead). A lead is not evidence.",
        view->sources.count, in[READING_FULL_TEXT], in[READING_ABSTRACT_ONLY],
        in[READING_NOT_ACCESSIBLE], in[READING_LEAD]);
    if (view->sources.count == 0) {
        page_paragraph(page, "Neither the brief nor the text that was read names a source.");
        return;
    }
    page_table_begin(page, &table);
    for (size_t i = 0; i < view->sources.count; i++)
        source_row(page, view, &view->sources.sources[i]);
    page_table_end(page);
}
