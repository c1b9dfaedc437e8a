/* summary.json, summary.md and badge.svg: the counts for machines, for a pull request, for a page.
 */
#include "core/version.h"
#include "report/markdown.h"
#include "report/writers.h"
#include "report/xml.h"

#define SUMMARY_SCHEMA "assay.summary.v1"

static void put_counts(struct json_writer *w, const char *key, const struct word_list *words,
                       const size_t *counts, size_t total) {
    json_begin_object(w, key);
    json_put_size(w, "total", total);
    for (int i = 0; i < words->count; i++)
        json_put_size(w, word_of(words, i), counts[i]);
    json_end_object(w);
}

static void put_missing(struct json_writer *w, const struct view *view) {
    json_begin_array(w, "missing");
    for (int i = 0; i < VIEW_ARTIFACT_COUNT; i++)
        if (!view->has[i])
            json_put_string(w, NULL, view_artifact_name((enum view_artifact)i));
    json_end_array(w);
}

void write_summary_json(struct buffer *out, const struct report_content *content) {
    const struct view *view = content->view;
    const struct view_counts *counts = &view->counts;
    struct json_writer w = {.out = out};
    json_begin_object(&w, NULL);
    json_put_string(&w, "schema", SUMMARY_SCHEMA);
    json_put_text(&w, "pass", view->pass->id);
    json_put_text(&w, "created_at", view->pass->created_at);
    json_put_string(&w, "fingerprint", word_of(&fingerprint_words, (int)view->pass->fingerprint));
    json_put_text(&w, "scope", view->pass->scope);
    json_begin_object(&w, "checks");
    json_put_size(&w, "completed", view->findings.checks_completed);
    json_put_size(&w, "total", view->findings.checks_total);
    json_end_object(&w);
    put_counts(&w, "claims", &claim_state_words, counts->claims_in_state, view->claims.count);
    put_counts(&w, "findings", &severity_words, counts->by_severity, counts->findings);
    json_put_size(&w, "confirmed", counts->confirmed);
    json_put_size(&w, "notes", counts->notes);
    json_put_size(&w, "suppressed", counts->suppressed);
    put_counts(&w, "experiments", &experiment_words, counts->experiments_in_status,
               view->results.count);
    put_counts(&w, "sources", &reading_words, counts->sources_in_status, view->sources.count);
    json_put_size(&w, "proposals", content->proposals->count);
    put_missing(&w, view);
    json_end_object(&w);
    json_finish(&w);
}

static void step_row(struct page *page, const struct view *view, const struct view_claim *item) {
    const struct finding *first =
        item->finding_count ? &view->findings.findings[item->findings[0]] : NULL;
    page_row_begin(page, NULL);
    page_cell_text(page, item->claim->label);
    page_cell_text(page, span_of(word_of(&severity_words, (int)item->priority)));
    page_cell_text(page, first && finding_asks(first)
                             ? first->message
                             : view->results.results[item->results[0]].reason);
    page_cell_text(page, span_of(word_of(&response_words, (int)item->response)));
    page_row_end(page);
}

/* What a pull request shows: GITHUB_STEP_SUMMARY takes 1 MiB, a reader takes a screen. */
void write_step_summary(struct buffer *out, const struct report_content *content) {
    enum { MOST_ROWS = 25 };
    static const char *const columns[] = {"Claim", "Priority", "Concern", "Response"};
    static const struct page_table table = {"", columns, 4, false};
    const struct view *view = content->view;
    const size_t *in = view->counts.claims_in_state;
    struct page page = {.out = out, .format = &markdown_format};
    page_begin(&page, PAGE_PARAGRAPH);
    page_strong(&page, "Assay:");
    page_print(&page,
               " fingerprint %s, scope %.*s. %zu claims: %zu contradicted, %zu with a concern, %zu "
               "UNVERIFIED, %zu hold; ",
               word_of(&fingerprint_words, (int)view->pass->fingerprint),
               SPAN_ARG(view->pass->scope), view->claims.count, in[CLAIM_CONTRADICTED],
               in[CLAIM_CONCERN], in[CLAIM_OPEN], in[CLAIM_HOLDS]);
    part_checks_completed(&page, view);
    page_print(&page, "; %zu of %zu experiments UNRUN.",
               view->counts.experiments_in_status[EXPERIMENT_UNRUN], view->results.count);
    page_end(&page, PAGE_PARAGRAPH);
    size_t asking = in[CLAIM_CONTRADICTED] + in[CLAIM_CONCERN];
    if (asking == 0)
        return;
    page_table_begin(&page, &table);
    for (size_t i = 0; i < asking && i < MOST_ROWS; i++)
        step_row(&page, view, &view->items[view->by_priority[i]]);
    page_table_end(&page);
    if (asking > MOST_ROWS)
        page_paragraph(&page, "%zu more in report.md, section 2.", asking - MOST_ROWS);
}

/* Widths are estimates at 11 px; textLength makes the picture right in any font. */
enum { BADGE_HEIGHT = 20, BADGE_GLYPH = 7, BADGE_MARGIN = 6 };

static void badge_part(struct buffer *out, size_t x, size_t width, const char *color,
                       struct span text) {
    buffer_printf(out, "<rect x=\"%zu\" width=\"%zu\" height=\"%d\" fill=\"%s\"/>", x, width,
                  BADGE_HEIGHT, color);
    buffer_printf(out, "<text x=\"%zu\" y=\"14\" textLength=\"%zu\">", x + BADGE_MARGIN,
                  width - 2 * BADGE_MARGIN);
    xml_escape(out, text);
    buffer_add(out, SPAN("</text>"));
}

void write_badge(struct buffer *out, const struct report_content *content) {
    const struct view *view = content->view;
    const size_t *in = view->counts.claims_in_state;
    const char *color = in[CLAIM_CONTRADICTED] ? "#a40e26"
                        : in[CLAIM_CONCERN]    ? "#7a4e00"
                        : in[CLAIM_HOLDS]      ? "#0f5f2c"
                                               : "#4b5563";
    struct span value = arena_printf(view->arena, "%zu contradicted, %zu hold of %zu",
                                     in[CLAIM_CONTRADICTED], in[CLAIM_HOLDS], view->claims.count);
    size_t left = 6 * BADGE_GLYPH + 2 * BADGE_MARGIN;
    size_t right = value.len * BADGE_GLYPH + 2 * BADGE_MARGIN;
    buffer_printf(out,
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%zu\" height=\"%d\" "
                  "role=\"img\" aria-label=\"claims: %.*s\"><title>claims: %.*s</title><g "
                  "font-family=\"Verdana,DejaVu Sans,sans-serif\" font-size=\"11\" fill=\"#fff\">",
                  left + right, BADGE_HEIGHT, SPAN_ARG(value), SPAN_ARG(value));
    badge_part(out, 0, left, "#3b4248", SPAN("claims"));
    badge_part(out, left, right, color, value);
    buffer_add(out, SPAN("</g></svg>\n"));
}
