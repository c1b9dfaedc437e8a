/* report.html: one file that asks nothing of a network, readable without its script. */
#include "core/table.h"
#include "core/version.h"
#include "report/html.h"
#include "report/writers.h"

/* Nothing may be loaded; style and script are the two whose hashes stand here; pictures are in the
 * file itself. */
static void policy(struct buffer *out, struct span style, struct span script) {
    buffer_add(out,
               SPAN("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
                    "'none'; img-src data:; base-uri 'none'; form-action 'none'; style-src '"));
    html_policy_hash(out, style);
    buffer_add(out, SPAN("'; script-src '"));
    html_policy_hash(out, script);
    buffer_add(out, SPAN("'\">\n"));
}

static struct span title_of(const struct view *view) {
    return view->has[VIEW_BRIEF] ? view->brief.chapter : view->pass->chapter;
}

static void head(struct buffer *out, const struct view *view, struct span style,
                 struct span script) {
    buffer_add(out,
               SPAN("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"));
    policy(out, style, script);
    buffer_add(out, SPAN("<meta name=\"viewport\" content=\"width=device-width, "
                         "initial-scale=1\">\n<meta name=\"referrer\" "
                         "content=\"no-referrer\">\n<title>Audit: "));
    html_escape(out, title_of(view));
    buffer_add(out, SPAN("</title>\n<style>"));
    buffer_add(out, style);
    buffer_add(out,
               SPAN("</style>\n</head>\n<body>\n<a class=\"skip\" href=\"#context\">Skip to the "
                    "report</a>\n"));
}

static void badge(struct buffer *out, const char *class, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void badge(struct buffer *out, const char *class, const char *format, ...) {
    struct buffer text = {0};
    va_list arguments;
    va_start(arguments, format);
    buffer_vprintf(&text, format, arguments);
    va_end(arguments);
    buffer_printf(out, "<li class=\"%s\">", class);
    html_escape(out, buffer_span(&text));
    buffer_add(out, SPAN("</li>\n"));
    buffer_free(&text);
}

static void badges(struct buffer *out, const struct report_content *content) {
    const struct view *view = content->view;
    const size_t *in = view->counts.claims_in_state;
    static const char *const verdict_class[] = {"open", "good", "bad"};
    bool full = span_equal(view->pass->scope, SPAN("full"));
    buffer_add(out, SPAN("<ul class=\"badges\">\n"));
    badge(out, verdict_class[view->pass->fingerprint], "fingerprint %s",
          word_of(&fingerprint_words, (int)view->pass->fingerprint));
    badge(out, full ? "good" : "warn", "scope %.*s", SPAN_ARG(view->pass->scope));
    badge(out, in[CLAIM_CONTRADICTED] ? "bad" : "open", "%zu contradicted", in[CLAIM_CONTRADICTED]);
    badge(out, in[CLAIM_CONCERN] ? "warn" : "open", "%zu with a concern", in[CLAIM_CONCERN]);
    badge(out, "open", "%zu UNVERIFIED", in[CLAIM_OPEN]);
    badge(out, in[CLAIM_HOLDS] ? "good" : "open", "%zu hold", in[CLAIM_HOLDS]);
    badge(out, "open", "%zu of %zu checks completed", view->findings.checks_completed,
          view->findings.checks_total);
    badge(out, "open", "%zu of %zu experiments UNRUN",
          view->counts.experiments_in_status[EXPERIMENT_UNRUN], view->results.count);
    buffer_add(out, SPAN("</ul>\n"));
}

static void contents(struct buffer *out) {
    buffer_add(out, SPAN("<nav aria-label=\"Contents\"><ol>\n"));
    for (size_t i = 0; i < section_count; i++)
        buffer_printf(out, "<li><a href=\"#%s\">%s</a></li>\n", sections[i].id, sections[i].title);
    buffer_add(out, SPAN("<li><a href=\"#chapter\">The chapter as read</a></li>\n</ol></nav>\n"));
}

static void top(struct buffer *out, const struct report_content *content) {
    const struct view *view = content->view;
    buffer_add(out, SPAN("<header>\n<p><bdi>"));
    html_escape(out, view->has[VIEW_BRIEF] ? view->brief.book : view->pass->book);
    buffer_add(out, SPAN("</bdi></p>\n<h1><bdi>"));
    html_escape(out, title_of(view));
    buffer_add(out, SPAN("</bdi></h1>\n"));
    badges(out, content);
    contents(out);
    buffer_add(out, SPAN("</header>\n<main>\n"));
}

static void chapter(struct buffer *out, const struct view *view) {
    buffer_add(out, SPAN("<section aria-labelledby=\"chapter\">\n<h2 id=\"chapter\">The chapter as "
                         "read</h2>\n"));
    if (view->text.len == 0) {
        buffer_add(out, SPAN("<p>No text was read.</p>\n</section>\n"));
        return;
    }
    buffer_add(out, SPAN("<ul class=\"legend\"><li><mark class=\"contradicted\">contradicted</mark>"
                         "</li><li><mark class=\"concern\">concern</mark></li><li><mark "
                         "class=\"open\">UNVERIFIED</mark></li><li><mark class=\"holds\">holds"
                         "</mark></li></ul>\n"));
    html_chapter(out, view);
    buffer_add(out, SPAN("</section>\n"));
}

void write_html(struct buffer *out, const struct report_content *content) {
    const struct view *view = content->view;
    struct span style = data_file("report/data/report.css");
    struct span script = data_file("report/data/report.js");
    struct page page = {.out = out, .format = &html_format};
    head(out, view, style, script);
    top(out, content);
    for (size_t i = 0; i < section_count; i++) {
        buffer_printf(out, "<section aria-labelledby=\"%s\">\n", sections[i].id);
        page_heading(&page, 2, sections[i].id, sections[i].title);
        sections[i].write(&page, content);
        buffer_add(out, SPAN("</section>\n"));
    }
    chapter(out, view);
    buffer_printf(out, "</main>\n<footer>Written by assay %s from the artifacts of pass <bdi>",
                  ASSAY_VERSION);
    html_escape(out, view->pass->id);
    buffer_add(out, SPAN("</bdi>.</footer>\n<script>"));
    buffer_add(out, script);
    buffer_add(out, SPAN("</script>\n</body>\n</html>\n"));
}
