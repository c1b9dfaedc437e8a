/* report.junit.xml: one test case a finding, an experiment and a check that could not run, for
 * continuous integration. What could not be checked is skipped, never passed. */
#include "report/writers.h"
#include "report/xml.h"

enum outcome { PASSED, FAILED, ERRED, SKIPPED, OUTCOME_COUNT };

struct suite {
    struct buffer cases;
    size_t counts[OUTCOME_COUNT];
};

static const char *const elements[] = {"", "failure", "error", "skipped"};

/* type: what kind of failure or error, a word of ours; NULL for the other outcomes. */
static void put_case(struct suite *suite, struct span class, struct span name, enum outcome outcome,
                     const char *type, struct span message) {
    struct buffer *out = &suite->cases;
    suite->counts[outcome]++;
    buffer_add(out, SPAN("    <testcase classname=\""));
    xml_escape(out, class);
    buffer_add(out, SPAN("\" name=\""));
    xml_escape(out, name);
    if (outcome == PASSED) {
        buffer_add(out, SPAN("\"/>\n"));
        return;
    }
    buffer_printf(out, "\">\n      <%s message=\"", elements[outcome]);
    xml_escape(out, message);
    if (outcome != SKIPPED)
        buffer_printf(out, "\" type=\"%s", type);
    buffer_add(out, SPAN("\"/>\n    </testcase>\n"));
}

static void put_suite(struct buffer *out, const char *name, const struct suite *suite) {
    size_t total = 0;
    for (int i = 0; i < OUTCOME_COUNT; i++)
        total += suite->counts[i];
    buffer_printf(out,
                  "  <testsuite name=\"%s\" tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" "
                  "skipped=\"%zu\">\n",
                  name, total, suite->counts[FAILED], suite->counts[ERRED], suite->counts[SKIPPED]);
    buffer_add(out, buffer_span(&suite->cases));
    buffer_add(out, SPAN("  </testsuite>\n"));
}

static struct span case_name(const struct view *view, struct span claim, struct span id) {
    const struct view_claim *item = view_claim_of(view, claim);
    if (!item)
        return arena_printf(view->arena, "whole chapter %.*s", SPAN_ARG(id));
    return arena_printf(view->arena, "%.*s %.*s", SPAN_ARG(item->claim->label), SPAN_ARG(id));
}

static void put_finding(struct suite *suite, const struct view *view,
                        const struct finding *finding) {
    struct span name = case_name(view, finding->claim, finding->id);
    if (finding->suppressed)
        put_case(suite, finding->check, name, SKIPPED, NULL, finding->suppression);
    else
        put_case(suite, finding->check, name, finding_asks(finding) ? FAILED : PASSED,
                 word_of(&finding_words, (int)finding->class), finding->message);
}

static void put_experiment(struct suite *suite, const struct result *result) {
    static const enum outcome outcomes[] = {
        [EXPERIMENT_UNRUN] = SKIPPED,          [EXPERIMENT_REPRODUCED] = PASSED,
        [EXPERIMENT_NOT_REPRODUCED] = FAILED,  [EXPERIMENT_INCONCLUSIVE] = SKIPPED,
        [EXPERIMENT_NOT_COMPARABLE] = SKIPPED, [EXPERIMENT_FAILED] = ERRED,
    };
    struct buffer message = {0};
    buffer_printf(&message, "%s: %.*s", word_of(&experiment_words, (int)result->status),
                  SPAN_ARG(result->reason));
    put_case(suite, SPAN("experiment"), result->id, outcomes[result->status],
             word_of(&experiment_words, (int)result->status), buffer_span(&message));
    buffer_free(&message);
}

void write_junit(struct buffer *out, const struct report_content *content) {
    const struct view *view = content->view;
    struct suite findings = {0}, coverage = {0}, experiments = {0};
    for (size_t i = 0; i < view->findings.count; i++)
        put_finding(&findings, view, &view->findings.findings[i]);
    for (size_t i = 0; i < view->findings.coverage_count; i++) {
        const struct coverage *entry = &view->findings.coverage[i];
        if (entry->outcome == COVERAGE_NOT_RUN)
            put_case(&coverage, entry->check, case_name(view, entry->claim, SPAN("not run")),
                     SKIPPED, NULL, entry->why);
    }
    for (size_t i = 0; i < view->results.count; i++)
        put_experiment(&experiments, &view->results.results[i]);
    buffer_add(out, SPAN("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites "
                         "name=\"assay\">\n"));
    put_suite(out, "findings", &findings);
    put_suite(out, "checks not run", &coverage);
    put_suite(out, "experiments", &experiments);
    buffer_add(out, SPAN("</testsuites>\n"));
    buffer_free(&findings.cases);
    buffer_free(&coverage.cases);
    buffer_free(&experiments.cases);
}
