/* report.sarif: SARIF 2.1.0 (OASIS), the findings at their places in the chapter's source, for code
 * review tools. Confirmations and notes stay out: such tools show every result as a problem. */
#include "core/json.h"
#include "core/version.h"
#include "report/writers.h"

static const char *level_of(enum severity severity) {
    static const char *const levels[] = {"note", "note", "warning", "error"};
    return levels[severity];
}

struct rules {
    struct span *ids;
    size_t count, capacity;
};

static size_t rule_index(const struct view *view, struct rules *rules, struct span check) {
    for (size_t i = 0; i < rules->count; i++)
        if (span_equal(rules->ids[i], check))
            return i;
    LIST_PUSH(view->arena, rules->ids, rules->count, rules->capacity, check);
    return rules->count - 1;
}

static void put_message(struct json_writer *w, const char *key, struct span text) {
    json_begin_object(w, key);
    json_put_text(w, "text", text);
    json_end_object(w);
}

static void put_region(struct json_writer *w, const struct view *view, size_t start, size_t end) {
    struct text_position from = view_position(view, start), to = view_position(view, end);
    json_begin_object(w, "region");
    json_put_size(w, "startLine", from.line);
    json_put_size(w, "startColumn", from.column);
    json_put_size(w, "endLine", to.line);
    json_put_size(w, "endColumn", to.column);
    json_put_size(w, "byteOffset", start);
    json_put_size(w, "byteLength", end - start);
    json_end_object(w);
}

static void put_location(struct json_writer *w, const struct view *view, size_t start, size_t end) {
    end = end < view->text.len ? end : view->text.len;
    json_begin_object(w, NULL);
    json_begin_object(w, "physicalLocation");
    json_begin_object(w, "artifactLocation");
    json_put_text(w, "uri", view_text_file(view));
    json_end_object(w);
    if (start <= end && view->text.len)
        put_region(w, view, start, end);
    json_end_object(w);
    json_end_object(w);
}

static void put_locations(struct json_writer *w, const struct view *view,
                          const struct finding *finding) {
    const struct view_claim *item = view_claim_of(view, finding->claim);
    json_begin_array(w, "locations");
    if (finding->place_count)
        put_location(w, view, finding->places[0].start, finding->places[0].end);
    else if (item)
        put_location(w, view, item->claim->start, item->claim->end);
    else
        put_location(w, view, 0, 0);
    json_end_array(w);
    if (finding->place_count < 2)
        return;
    json_begin_array(w, "relatedLocations");
    for (size_t i = 1; i < finding->place_count; i++)
        put_location(w, view, finding->places[i].start, finding->places[i].end);
    json_end_array(w);
}

static void put_suppression(struct json_writer *w, const struct finding *finding) {
    if (!finding->suppressed)
        return;
    json_begin_array(w, "suppressions");
    json_begin_object(w, NULL);
    json_put_string(w, "kind", "external");
    json_put_text(w, "justification", finding->suppression);
    json_end_object(w);
    json_end_array(w);
}

static void put_result(struct json_writer *w, const struct view *view, struct rules *rules,
                       const struct finding *finding) {
    const struct view_claim *item = view_claim_of(view, finding->claim);
    struct buffer text = {0};
    buffer_add(&text, finding->message);
    if (finding->expression.len)
        buffer_printf(&text, " (%.*s)", SPAN_ARG(finding->expression));
    json_begin_object(w, NULL);
    json_put_text(w, "ruleId", finding->check);
    json_put_size(w, "ruleIndex", rule_index(view, rules, finding->check));
    json_put_string(w, "kind", "fail");
    json_put_string(w, "level", level_of(finding->severity));
    put_message(w, "message", buffer_span(&text));
    put_locations(w, view, finding);
    json_begin_object(w, "partialFingerprints");
    json_put_text(w, "assayFinding/v1", finding->id);
    json_end_object(w);
    put_suppression(w, finding);
    json_begin_object(w, "properties");
    json_put_string(w, "class", word_of(&finding_words, (int)finding->class));
    json_put_string(w, "severity", word_of(&severity_words, (int)finding->severity));
    json_put_string(w, "response", word_of(&response_words, (int)finding->response));
    if (item)
        json_put_text(w, "claim", item->claim->label);
    json_end_object(w);
    json_end_object(w);
    buffer_free(&text);
}

static bool is_problem(const struct finding *finding) {
    return finding->class != FINDING_CONFIRMED && finding->class != FINDING_NOTE;
}

static void put_driver(struct json_writer *w, const struct rules *rules) {
    json_begin_object(w, "tool");
    json_begin_object(w, "driver");
    json_put_string(w, "name", "assay");
    json_put_string(w, "version", ASSAY_VERSION);
    json_begin_array(w, "rules");
    for (size_t i = 0; i < rules->count; i++) {
        json_begin_object(w, NULL);
        json_put_text(w, "id", rules->ids[i]);
        json_end_object(w);
    }
    json_end_array(w);
    json_end_object(w);
    json_end_object(w);
}

/* "0 results" must be readable beside how much was checked. */
static void put_run_properties(struct json_writer *w, const struct view *view) {
    json_begin_object(w, "properties");
    json_put_size(w, "checksCompleted", view->findings.checks_completed);
    json_put_size(w, "checksTotal", view->findings.checks_total);
    json_put_text(w, "scope", view->pass->scope);
    json_put_string(w, "fingerprint", word_of(&fingerprint_words, (int)view->pass->fingerprint));
    json_end_object(w);
}

static void put_artifact(struct json_writer *w, const struct view *view) {
    json_begin_array(w, "artifacts");
    json_begin_object(w, NULL);
    json_begin_object(w, "location");
    json_put_text(w, "uri", view_text_file(view));
    json_end_object(w);
    json_put_size(w, "length", view->text.len);
    if (view->snapshot.sha256.len) {
        json_begin_object(w, "hashes");
        json_put_text(w, "sha-256", view->snapshot.sha256);
        json_end_object(w);
    }
    json_end_object(w);
    json_end_array(w);
}

void write_sarif(struct buffer *out, const struct report_content *content) {
    const struct view *view = content->view;
    struct rules rules = {0};
    for (size_t i = 0; i < view->findings.count; i++)
        if (is_problem(&view->findings.findings[i]))
            rule_index(view, &rules, view->findings.findings[i].check);
    struct json_writer w = {.out = out};
    json_begin_object(&w, NULL);
    json_put_string(&w, "$schema",
                    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/"
                    "sarif-schema-2.1.0.json");
    json_put_string(&w, "version", "2.1.0");
    json_begin_array(&w, "runs");
    json_begin_object(&w, NULL);
    put_driver(&w, &rules);
    json_put_string(&w, "columnKind", "unicodeCodePoints");
    put_artifact(&w, view);
    json_begin_array(&w, "results");
    for (size_t i = 0; i < view->findings.count; i++)
        if (is_problem(&view->findings.findings[i]))
            put_result(&w, view, &rules, &view->findings.findings[i]);
    json_end_array(&w);
    put_run_properties(&w, view);
    json_end_object(&w);
    json_end_array(&w);
    json_end_object(&w);
    json_finish(&w);
}
