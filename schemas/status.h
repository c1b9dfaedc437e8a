/* The status words of docs/design.md section 1. Each enum has one table of spellings; artifacts and
 * reports use nothing else. */
#ifndef SCHEMAS_STATUS_H
#define SCHEMAS_STATUS_H

#include "core/span.h"

enum fingerprint_verdict { FINGERPRINT_UNVERIFIED, FINGERPRINT_MATCH, FINGERPRINT_MISMATCH };
enum reading_status {
    READING_LEAD,
    READING_NOT_ACCESSIBLE,
    READING_ABSTRACT_ONLY,
    READING_FULL_TEXT
};
enum experiment_status {
    EXPERIMENT_UNRUN,
    EXPERIMENT_REPRODUCED,
    EXPERIMENT_NOT_REPRODUCED,
    EXPERIMENT_INCONCLUSIVE,
    EXPERIMENT_NOT_COMPARABLE,
    EXPERIMENT_FAILED,
};
enum finding_class {
    FINDING_CONTRADICTION, /* the text states a relation that its own numbers refute */
    FINDING_INCONSISTENCY, /* two places of the text disagree */
    FINDING_UNSUPPORTED,
    FINDING_DATED,
    FINDING_INCOMPLETE,
    FINDING_IMPLAUSIBLE,
    FINDING_CONFIRMED,
    FINDING_NOTE,
};
enum severity { SEVERITY_INFO, SEVERITY_LOW, SEVERITY_MEDIUM, SEVERITY_HIGH };
enum response {
    RESPONSE_NO_CHANGE,
    RESPONSE_CORRECTION,
    RESPONSE_CLARIFICATION,
    RESPONSE_CITATION,
    RESPONSE_NEW_EXAMPLE,
    RESPONSE_NEW_EXPERIMENT,
    RESPONSE_NEW_SECTION,
};
enum claim_kind {
    CLAIM_MEASUREMENT,
    CLAIM_RATIO,
    CLAIM_RELATION,
    CLAIM_ENVIRONMENT,
    CLAIM_MECHANISM,
    CLAIM_UNIVERSAL,
    CLAIM_API,
    CLAIM_REFERENCE,
};
enum quantity_role { ROLE_MEASUREMENT, ROLE_RATIO, ROLE_SPEC, ROLE_CONFIG, ROLE_OTHER };
enum block_kind {
    BLOCK_HEADING,
    BLOCK_PROSE,
    BLOCK_CODE,
    BLOCK_OUTPUT,   /* console output: lines that a program printed */
    BLOCK_CONTRACT, /* a measurement contract or environment listing: field and value */
    BLOCK_TABLE,
    BLOCK_LIST,
    BLOCK_TEXT, /* not segmented yet: plain text as it arrived */
};
/* How one check ended for one claim: the three stages of docs/design.md section 6. */
enum coverage_outcome { COVERAGE_RAN, COVERAGE_NOT_APPLICABLE, COVERAGE_NOT_RUN };
enum stage { STAGE_FETCH, STAGE_AUDIT, STAGE_BENCH, STAGE_REPORT, STAGE_COUNT };
enum stage_state {
    STAGE_NOT_STARTED,
    STAGE_COMPLETE,
    STAGE_PARTIAL,
    STAGE_INTERRUPTED,
    STAGE_FAILED
};

/* What is known of a chapter, in the order of chapter_state_words. */
enum chapter_state {
    CHAPTER_NEVER_RESEARCHED,
    CHAPTER_CURRENT,
    CHAPTER_STALE,
    CHAPTER_FAILED_LATEST
};

struct word_list {
    const char *const *words;
    int count;
};

extern const struct word_list fingerprint_words, reading_words, experiment_words, finding_words,
    severity_words, response_words, claim_kind_words, role_words, block_words, coverage_words,
    stage_words, stage_state_words, relation_words, evidence_class_words, chapter_state_words,
    decision_words;

/* The spelling of value in list; "UNVERIFIED" for a value outside it. */
const char *word_of(const struct word_list *list, int value);
/* The value of a spelling, or -1. */
int word_value(const struct word_list *list, struct span spelling);

#endif
