#include "report/summary.h"

#include "core/terminal.h"
#include "core/utf8.h"

#include <utf8proc.h>

/* Fewest columns anything readable fits in. */
enum { DEFAULT_WIDTH = 80, LEAST_WIDTH = 20, MOST_CLAIMS = 12 };

struct terminal {
    struct buffer *out;
    bool color;
    size_t width, lines;
};

/* Columns a character takes on a terminal, after terminal_escape. */
static size_t columns_of(uint32_t code) {
    int width = utf8proc_charwidth((utf8proc_int32_t)code);
    return width > 0 ? (size_t)width : 0;
}

static void add_clipped(struct buffer *out, struct span text, size_t width) {
    size_t used = 0, last_fit = 0;
    for (size_t i = 0; i < text.len;) {
        uint32_t code = 0;
        size_t step = utf8_decode(span_slice(text, i, text.len), &code);
        used += columns_of(code);
        if (used > width) {
            buffer_add(out, span_slice(text, 0, last_fit));
            buffer_add(out, SPAN("…"));
            return;
        }
        i += step ? step : 1;
        if (used < width)
            last_fit = i;
    }
    buffer_add(out, text);
}

static void line(struct terminal *t, const char *style, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void line(struct terminal *t, const char *style, const char *format, ...) {
    if (t->lines++ >= SUMMARY_LINES)
        return;
    struct buffer raw = {0}, safe = {0};
    va_list arguments;
    va_start(arguments, format);
    buffer_vprintf(&raw, format, arguments);
    va_end(arguments);
    terminal_escape(&safe, buffer_span(&raw));
    if (t->color && *style)
        buffer_printf(t->out, "\033[%sm", style);
    add_clipped(t->out, buffer_span(&safe), t->width);
    buffer_add_string(t->out, t->color && *style ? "\033[0m\n" : "\n");
    buffer_free(&raw);
    buffer_free(&safe);
}

static void head(struct terminal *t, const struct view *view) {
    const struct brief *brief = &view->brief;
    line(t, "1", "%.*s: %.*s", SPAN_ARG(view->has[VIEW_BRIEF] ? brief->book : view->pass->book),
         SPAN_ARG(view->has[VIEW_BRIEF] ? brief->chapter : view->pass->chapter));
    bool mismatch = view->pass->fingerprint == FINGERPRINT_MISMATCH;
    line(t, mismatch ? "31" : "", "fingerprint %s%s%.*s, scope %.*s, %zu bytes",
         word_of(&fingerprint_words, (int)view->pass->fingerprint),
         view->snapshot.profile.len ? " under " : "", SPAN_ARG(view->snapshot.profile),
         SPAN_ARG(view->pass->scope), view->text.len);
    if (!span_equal(view->pass->scope, SPAN("full")))
        line(t, "33", "%s: run again with --snapshot FILE for the rest",
             span_equal(view->pass->scope, SPAN("excerpt")) ? "only the brief's excerpt was read"
                                                            : "the chapter was not read");
}

/* Every status that occurs, so that the counts add up; more than fit a line go on in the next. */
static void experiments(struct terminal *t, const struct view *view) {
    static const char *const words[] = {
        [EXPERIMENT_UNRUN] = "UNRUN",
        [EXPERIMENT_REPRODUCED] = "reproduced",
        [EXPERIMENT_NOT_REPRODUCED] = "not reproduced",
        [EXPERIMENT_INCONCLUSIVE] = "inconclusive",
        [EXPERIMENT_NOT_COMPARABLE] = "not comparable",
        [EXPERIMENT_FAILED] = "failed",
    };
    struct buffer text = {0};
    buffer_printf(&text, "experiments  %zu", view->results.count);
    const char *before = ": ";
    for (int status = 0; status <= EXPERIMENT_FAILED; status++) {
        size_t count = view->counts.experiments_in_status[status];
        if (count == 0)
            continue;
        if (text.len + strlen(", 1000 not reproduced") > t->width) {
            line(t, "", "%.*s,", SPAN_ARG(buffer_span(&text)));
            buffer_clear(&text);
            before = "             ";
        }
        buffer_printf(&text, "%s%zu %s", before, count, words[status]);
        before = ", ";
    }
    line(t, "", "%.*s", SPAN_ARG(buffer_span(&text)));
    buffer_free(&text);
}

static void counts(struct terminal *t, const struct report_content *content) {
    const struct view *view = content->view;
    const size_t *in = view->counts.claims_in_state;
    line(t, "", "claims       %zu: %zu contradicted, %zu with a concern, %zu UNVERIFIED, %zu hold",
         view->claims.count, in[CLAIM_CONTRADICTED], in[CLAIM_CONCERN], in[CLAIM_OPEN],
         in[CLAIM_HOLDS]);
    line(t, "", "findings     %zu; %zu of %zu checks completed; %zu confirmed, %zu suppressed",
         view->counts.findings, view->findings.checks_completed, view->findings.checks_total,
         view->counts.confirmed, view->counts.suppressed);
    experiments(t, view);
    line(t, "", "sources      %zu: %zu read in full, %zu never opened", view->sources.count,
         view->counts.sources_in_status[READING_FULL_TEXT],
         view->counts.sources_in_status[READING_LEAD]);
    line(t, "", "proposals    %zu", content->proposals->count);
}

static void gravest(struct terminal *t, const struct view *view) {
    static const char *const styles[] = {"36", "34", "33", "31"};
    size_t shown = 0, left = 0;
    for (size_t i = 0; i < view->claims.count; i++) {
        const struct view_claim *item = &view->items[view->by_priority[i]];
        if (item->state > CLAIM_CONCERN)
            break;
        if (shown == MOST_CLAIMS) {
            left++;
            continue;
        }
        shown++;
        struct span why = view_why(view, item);
        line(t, styles[item->priority], "%-5.*s %-6s %.*s", SPAN_ARG(item->claim->label),
             word_of(&severity_words, (int)item->priority), SPAN_ARG(why));
    }
    if (left)
        line(t, "", "... and %zu more in report.md, section 2", left);
}

void summary_write(struct buffer *out, const struct report_content *content, bool color,
                   int width) {
    struct terminal t = {.out = out, .color = color, .width = DEFAULT_WIDTH};
    if (width > 0)
        t.width = width < LEAST_WIDTH ? LEAST_WIDTH : (size_t)width;
    head(&t, content->view);
    counts(&t, content);
    gravest(&t, content->view);
}
