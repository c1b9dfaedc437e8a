/* Section 3: one row a source, read or not. */
#include "report/sections.h"
#include "report/source_lookups.h"

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

static void field(struct page *page, const char *name, struct span value, size_t *parts) {
    if (value.len == 0 || span_equal(value, SPAN("UNVERIFIED")))
        return;
    page_print(page, "%s%s: ", (*parts)++ ? "; " : "", name);
    page_quote(page, value);
}

static void registries(struct page *page, const struct source_metadata *metadata) {
    for (size_t i = 0; i < metadata->registry_count; i++) {
        const struct source_registry *registry = &metadata->registries[i];
        if (registry->state == REGISTRY_NOT_ASKED)
            continue; /* lookups_summary says it once for all */
        page_break(page);
        page_quote(page, registry->service);
        page_print(page, ": %s", word_of(&registry_state_words, (int)registry->state));
        if (registry->state == REGISTRY_ANSWERED)
            page_text(page, registry->found ? SPAN(", has it") : SPAN(", has it not"));
        if (registry->why.len) {
            page_text(page, SPAN(" ("));
            page_quote(page, registry->why);
            page_text(page, SPAN(")"));
        }
    }
    for (size_t i = 0; i < metadata->finding_count; i++) {
        page_break(page);
        page_strong(page, "finding");
        page_print(page, " (%s): ", word_of(&severity_words, (int)metadata->findings[i].severity));
        page_quote(page, metadata->findings[i].message);
    }
}

static void cell_metadata(struct page *page, const struct source *source) {
    size_t parts = 0;
    page_cell(page);
    field(page, "title", source->title, &parts);
    field(page, "authors", source->authors, &parts);
    field(page, "venue", source->venue, &parts);
    field(page, "year", source->year, &parts);
    field(page, "version", source->version, &parts);
    if (parts == 0)
        page_text(page, SPAN("UNVERIFIED"));
    registries(page, &source->metadata);
    lookups_differences(page, source);
    page_cell_end(page);
}

static void cell_dates(struct page *page, const struct source *source) {
    page_cell(page);
    page_text(page, SPAN("accessed: "));
    page_quote(page, source->accessed_at.len ? source->accessed_at : SPAN("never"));
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
    lookups_summary(page, view);
    page_table_begin(page, &table);
    for (size_t i = 0; i < view->sources.count; i++)
        source_row(page, view, &view->sources.sources[i]);
    page_table_end(page);
}
