#include "schemas/status.h"

#define WORDS(name, ...)                                                                           \
    static const char *const name##_list[] = {__VA_ARGS__};                                        \
    const struct word_list name = {name##_list, sizeof name##_list / sizeof *name##_list}

WORDS(fingerprint_words, "UNVERIFIED", "MATCH", "MISMATCH");
WORDS(reading_words, "lead", "not accessible", "abstract only", "full text");
WORDS(experiment_words, "UNRUN", "REPRODUCED", "NOT REPRODUCED", "INCONCLUSIVE", "NOT COMPARABLE",
      "FAILED");
WORDS(finding_words, "contradiction", "inconsistency", "unsupported", "dated", "incomplete",
      "implausible", "confirmed", "note");
WORDS(severity_words, "info", "low", "medium", "high");
WORDS(response_words, "no change", "correction", "clarification", "citation", "new example",
      "new experiment", "new section");
WORDS(claim_kind_words, "measurement", "ratio", "relation", "environment", "mechanism", "universal",
      "api", "reference");
WORDS(role_words, "measurement", "ratio", "spec", "config", "other");
WORDS(block_words, "heading", "prose", "code", "output", "contract", "table", "list", "text");
WORDS(coverage_words, "ran", "not applicable", "not run");
WORDS(stage_words, "fetch", "audit", "bench", "report");
WORDS(stage_state_words, "not started", "complete", "partial", "interrupted", "failed");
WORDS(relation_words, "SUPPORTS", "EXTENDS", "QUALIFIES", "CONTRADICTS", "ALTERNATIVE",
      "BACKGROUND", "METHOD", "EMPIRICAL_EVIDENCE", "LIMITATION", "SUPERSEDES", "UNCERTAIN");
WORDS(evidence_class_words, "background", "source-reported", "reproduced-locally", "hypothesis",
      "proposed-experiment");
WORDS(chapter_state_words, "NEVER_RESEARCHED", "CURRENT", "STALE", "FAILED_LATEST");
WORDS(decision_words, "accept", "revise", "defer", "reject");

const char *word_of(const struct word_list *list, int value) {
    return value >= 0 && value < list->count ? list->words[value] : "UNVERIFIED";
}

int word_value(const struct word_list *list, struct span spelling) {
    for (int i = 0; i < list->count; i++)
        if (span_equal(span_of(list->words[i]), spelling))
            return i;
    return -1;
}
