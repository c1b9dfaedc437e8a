/* Section 1: what was read, and what that allows to say. */
#include "core/version.h"
#include "report/sections.h"

/* Beyond so many quotes the list is folded; of a topic so many are shown. */
enum { READING_FOLD = 6, TOPIC_LIMIT = 3, READING_QUOTE = 200 };

static void warn_scope(struct page *page, const struct view *view) {
    if (part_scope_is(view, "full"))
        return;
    page_begin(page, PAGE_CALLOUT);
    page_strong(page, part_scope_is(view, "excerpt") ? "Only the brief's excerpt was read:"
                                                     : "The chapter was not read:");
    page_text(page, SPAN(" "));
    page_quote(page, view->snapshot.reason);
    page_text(page, SPAN(". Nothing below speaks of the text beyond it. Please paste or supply the "
                         "complete chapter and run: "));
    page_code(page, SPAN("assay run BRIEF --snapshot FILE"));
    page_end(page, PAGE_CALLOUT);
}

static void warn_mismatch(struct page *page, const struct view *view) {
    if (view->pass->fingerprint != FINGERPRINT_MISMATCH)
        return;
    page_begin(page, PAGE_CALLOUT);
    page_strong(page, "Fingerprint MISMATCH.");
    page_text(page,
              SPAN(" The text that was read is not the revision that the brief names: expected "));
    page_code(page, view->snapshot.expected);
    page_text(page, SPAN(", found "));
    page_code(page, view->snapshot.sha256);
    page_text(page,
              view->has[VIEW_FINDINGS]
                  ? SPAN(". It was audited because --allow-mismatch was given; every statement "
                         "below is about the text that was read.")
                  : SPAN(". It was not audited."));
    page_end(page, PAGE_CALLOUT);
}

static void warn_missing(struct page *page, const struct view *view) {
    size_t missing = 0;
    for (int i = 0; i < VIEW_ARTIFACT_COUNT; i++)
        missing += !view->has[i];
    if (missing == 0)
        return;
    page_begin(page, PAGE_PARAGRAPH);
    page_text(page, SPAN("Missing from this pass, and therefore not reported on: "));
    for (int i = 0, shown = 0; i < VIEW_ARTIFACT_COUNT; i++)
        if (!view->has[i]) {
            page_text(page, shown++ ? SPAN(", ") : SPAN(""));
            page_code(page, span_of(view_artifact_name((enum view_artifact)i)));
        }
    page_text(page, SPAN("."));
    page_end(page, PAGE_PARAGRAPH);
}

static void row(struct page *page, const char *name, struct span value, bool code) {
    page_row_begin(page, NULL);
    page_cell_text(page, span_of(name));
    page_cell(page);
    if (code && value.len)
        page_code(page, value);
    else
        page_quote(page, value);
    page_cell_end(page);
    page_row_end(page);
}

static void row_url(struct page *page, const char *name, struct span url) {
    page_row_begin(page, NULL);
    page_cell_text(page, span_of(name));
    page_cell(page);
    if (url.len)
        page_link(page, url, url);
    page_cell_end(page);
    page_row_end(page);
}

static void identity(struct page *page, const struct view *view) {
    static const char *const columns[] = {"Field", "Value"};
    static const struct page_table table = {"Identity of the chapter", columns, 2, false};
    const struct brief *brief = &view->brief;
    page_heading(page, 3, "identity", "Identity");
    page_table_begin(page, &table);
    row(page, "Book", view->has[VIEW_BRIEF] ? brief->book : view->pass->book, false);
    row(page, "Chapter", view->has[VIEW_BRIEF] ? brief->chapter : view->pass->chapter, false);
    row(page, "Chapter number", brief->chapter_number, false);
    row(page, "Stable id", view->pass->stable_id.len ? view->pass->stable_id : brief->stable_id,
        true);
    row_url(page, "Chapter URL", brief->chapter_url);
    row_url(page, "Research pack", brief->research_pack_url);
    row(page, "Pass", view->pass->id, true);
    row(page, "Date of this pass", view->pass->created_at, false);
    page_table_end(page);
}

static void row_verdict(struct page *page, const struct view *view) {
    page_row_begin(page, NULL);
    page_cell_text(page, SPAN("Fingerprint verdict"));
    page_cell(page);
    page_strong(page, word_of(&fingerprint_words, (int)view->pass->fingerprint));
    if (view->snapshot.profile.len) {
        page_text(page, SPAN(" under profile "));
        page_code(page, view->snapshot.profile);
    }
    if (view->snapshot.reason.len && view->pass->fingerprint != FINGERPRINT_MATCH &&
        part_scope_is(view, "full")) {
        page_text(page, SPAN(": "));
        page_quote(page, view->snapshot.reason);
    }
    page_cell_end(page);
    page_row_end(page);
}

static void row_size(struct page *page, const struct view *view) {
    page_row_begin(page, NULL);
    page_cell_text(page, SPAN("Size"));
    page_cell(page);
    page_print(page, "%zu bytes", view->text.len);
    if (view->snapshot.replaced)
        page_print(page, ", %zu invalid parts replaced", view->snapshot.replaced);
    page_cell_end(page);
    page_row_end(page);
}

static void row_previous(struct page *page, const struct snapshot *read) {
    page_row_begin(page, NULL);
    page_cell_text(page, SPAN("Last known snapshot"));
    page_cell(page);
    page_code(page, read->previous_sha256);
    if (span_equal(read->previous_sha256, read->sha256))
        page_text(page, SPAN(", the same"));
    if (read->previous_pass.len) {
        page_text(page, SPAN(", of pass "));
        page_code(page, read->previous_pass);
    }
    page_cell_end(page);
    page_row_end(page);
}

/* What markup gave: of a plain text it is that of the chapter's page, as far as it was found. */
static void row_structure(struct page *page, const struct view *view) {
    const struct chapter *chapter = &view->chapter;
    if (chapter->format.len == 0 || span_equal(chapter->format, SPAN("text")) ||
        view->snapshot.bytes == 0)
        return;
    page_row_begin(page, NULL);
    page_cell_text(page, SPAN("Structure"));
    page_cell(page);
    page_print(page, "%.*s, %.1f %% of the text lies in blocks that it gave",
               SPAN_ARG(chapter->format),
               100.0 * (double)chapter->aligned_bytes / (double)view->snapshot.bytes);
    page_cell_end(page);
    page_row_end(page);
}

static void snapshot(struct page *page, const struct view *view) {
    static const char *const columns[] = {"Field", "Value"};
    static const struct page_table table = {"The snapshot that was read", columns, 2, false};
    const struct snapshot *read = &view->snapshot;
    page_heading(page, 3, "snapshot", "Snapshot read");
    page_table_begin(page, &table);
    row(page, "SHA-256 of the text read", read->sha256, true);
    row(page, "SHA-256 the brief names", read->expected, true);
    row_verdict(page, view);
    row(page, "Scope", view->pass->scope, false);
    row_size(page, view);
    row(page, "Origin", read->origin, false);
    if (read->final_url.len || read->requested_url.len)
        row_url(page, "URL", read->final_url.len ? read->final_url : read->requested_url);
    if (read->file_name.len)
        row(page, "File", read->file_name, true);
    row(page, "Received", read->received_at, false);
    row_structure(page, view);
    if (read->previous_sha256.len)
        row_previous(page, read);
    if (read->pack_note.len)
        row(page, "Against its research pack", read->pack_note, false);
    page_table_end(page);
}

/* The report's own stage is left out: it is running while this is written. */
static void stages(struct page *page, const struct view *view) {
    static const char *const columns[] = {"Stage", "State", "Limits"};
    static const struct page_table table = {"Stages of the pass", columns, 3, false};
    page_table_begin(page, &table);
    for (int i = 0; i < STAGE_REPORT; i++) {
        const struct pass_stage *stage = &view->pass->stages[i];
        page_row_begin(page, NULL);
        page_cell_text(page, span_of(word_of(&stage_words, i)));
        page_cell_text(page, span_of(word_of(&stage_state_words, (int)stage->state)));
        page_cell_text(page, stage->detail.len                ? stage->detail
                             : stage->state == STAGE_COMPLETE ? SPAN("none recorded")
                                                              : SPAN("the stage left no reason"));
        page_row_end(page);
    }
    page_table_end(page);
}

static void limits(struct page *page, const struct view *view) {
    page_heading(page, 3, "limits", "Tools and limits");
    page_begin(page, PAGE_PARAGRAPH);
    page_print(page, "Written by assay %s", ASSAY_VERSION);
    if (view->pass->command.len) {
        page_text(page, SPAN(", command "));
        page_code(page, view->pass->command);
    }
    page_text(page, SPAN(", on "));
    page_quote(page, view->pass->environment);
    page_text(page, SPAN(". It reads and computes; it understands no prose: a claim no rule "
                         "recognizes is not in this report."));
    page_end(page, PAGE_PARAGRAPH);
    stages(page, view);
    warn_missing(page, view);
}

/* What stood in the brief and no rule knows, so that its author sees a misspelt name. */
static void unknown(struct page *page, const struct view *view) {
    enum { MOST_ROWS = 20 };
    static const char *const columns[] = {"What", "Name", "Text", "Place"};
    static const struct page_table table = {"Parts of the brief that no rule knows", columns, 4,
                                            false};
    const struct brief_items *items = &view->brief.unknown;
    if (items->count == 0)
        return;
    page_heading(page, 3, "unknown", "Parts of the brief that no rule knows");
    page_paragraph(page,
                   "%s kept in brief.json and searched for sources; nothing else was done "
                   "with %s.",
                   items->count == 1 ? "This part was" : "These parts were",
                   items->count == 1 ? "it" : "them");
    page_table_begin(page, &table);
    for (size_t i = 0; i < items->count && i < MOST_ROWS; i++) {
        const struct brief_item *item = &items->items[i];
        page_row_begin(page, NULL);
        page_cell_text(page, item->kind);
        page_cell_text(page, item->label);
        page_cell(page);
        part_short(page, item->text, READING_QUOTE);
        page_cell_end(page);
        page_cell(page);
        page_print(page, "line %zu", item->line);
        page_cell_end(page);
        page_row_end(page);
    }
    page_table_end(page);
    if (items->count > MOST_ROWS)
        page_paragraph(page, "%zu more are in brief.json.", items->count - MOST_ROWS);
}

/* The nth note that quotes something of its topic, from 1; 0 for one that found nothing. */
static size_t nth_of_topic(const struct findings *findings, size_t index) {
    size_t nth = 0;
    for (size_t i = 0; i <= index && findings->reading[index].quote.len; i++)
        nth += findings->reading[i].quote.len &&
               span_equal(findings->reading[i].topic, findings->reading[index].topic);
    return nth;
}

static void reading_row(struct page *page, const struct view *view,
                        const struct reading_note *note) {
    page_row_begin(page, NULL);
    page_cell_text(page, note->topic);
    page_cell(page);
    part_short(page, note->quote, READING_QUOTE);
    page_cell_end(page);
    page_cell(page);
    page_print(page, "line %zu, bytes %zu to %zu", view_position(view, note->start).line,
               note->start, note->end);
    page_cell_end(page);
    page_row_end(page);
}

static void reading_gaps(struct page *page, const struct view *view) {
    size_t shown = 0;
    for (size_t i = 0; i < view->findings.reading_count; i++) {
        const struct reading_note *note = &view->findings.reading[i];
        if (note->quote.len)
            continue;
        if (shown++ == 0) {
            page_begin(page, PAGE_PARAGRAPH);
            page_text(page, SPAN("Not found: "));
        } else
            page_text(page, SPAN("; "));
        struct span why = span_starts(note->note, SPAN("not found: "))
                              ? span_slice(note->note, strlen("not found: "), note->note.len)
                              : note->note;
        page_quote(page, note->topic);
        page_text(page, SPAN(" ("));
        page_quote(page, why);
        page_text(page, SPAN(")"));
    }
    if (shown) {
        page_text(page, SPAN("."));
        page_end(page, PAGE_PARAGRAPH);
    }
}

static void reading(struct page *page, const struct view *view) {
    static const char *const columns[] = {"Topic", "Quoted from the chapter", "Place"};
    static const struct page_table table = {"What the chapter sets out", columns, 3, false};
    const struct findings *findings = &view->findings;
    size_t shown = 0, more = 0;
    if (findings->reading_count == 0)
        return;
    for (size_t i = 0; i < findings->reading_count; i++) {
        size_t nth = nth_of_topic(findings, i);
        shown += nth > 0 && nth <= TOPIC_LIMIT;
        more += nth > TOPIC_LIMIT;
    }
    page_heading(page, 3, "reading", "What the chapter sets out");
    if (shown > READING_FOLD)
        page_details(page, "%zu quotes", shown);
    if (shown)
        page_table_begin(page, &table);
    for (size_t i = 0; i < findings->reading_count; i++) {
        size_t nth = nth_of_topic(findings, i);
        if (nth > 0 && nth <= TOPIC_LIMIT)
            reading_row(page, view, &findings->reading[i]);
    }
    if (shown)
        page_table_end(page);
    if (more)
        page_paragraph(page, "%zu more of the same topics are in findings.json.", more);
    if (shown > READING_FOLD)
        page_details_end(page);
    reading_gaps(page, view);
}

void section_context(struct page *page, const struct report_content *content) {
    const struct view *view = content->view;
    warn_mismatch(page, view);
    warn_scope(page, view);
    part_summary(page, content);
    identity(page, view);
    snapshot(page, view);
    part_changes(page, view);
    part_carried(page, view);
    limits(page, view);
    unknown(page, view);
    reading(page, view);
}
