/* findings.json (assay.findings.v1): what the checks found and what they confirmed, with coverage.
 */
#ifndef SCHEMAS_FINDINGS_H
#define SCHEMAS_FINDINGS_H

#include "core/json.h"
#include "schemas/status.h"

#define FINDINGS_SCHEMA "assay.findings.v1"

struct finding_place {
    size_t start, end; /* bytes of the text */
};

/* One number that took part, for "evidence.numbers": name "a", printed "9.491", interval. */
struct finding_number {
    struct span name, printed, unit;
    double lo, hi;
    size_t start, end; /* start == end when the number is derived */
};

struct finding {
    struct span id;    /* "f-" and 8 hex digits, from check, claim and places */
    struct span check; /* "arithmetic" */
    struct span claim; /* claim id; "" for a finding on the whole chapter */
    enum finding_class class;
    enum severity severity;
    struct span message;             /* one plain sentence for the author */
    struct span expression;          /* "9.491 + 132.0/20 = 16.093", or empty */
    double expected_lo, expected_hi; /* NAN when the finding has no expected interval */
    struct finding_place *places;
    size_t place_count;
    struct finding_number *numbers;
    size_t number_count;
    double chance; /* probability of holding or breaking by accident, NAN when not computed */
    enum response response;
    struct span replacement; /* proposed text for places[0], or empty */
    struct span url;         /* a source for the rule or fact used, or empty */
    bool suppressed;
    struct span suppression; /* reason, date, expiry */
};

struct coverage {
    struct span check, claim; /* claim "" = whole chapter */
    enum coverage_outcome outcome;
    struct span why; /* for not applicable / not run */
};

/* What the reading rules took from the text (issue "Reading"): always quotes with their place. */
struct reading_note {
    struct span
        topic; /* thesis | question | assumption | example | term | dependency | reader | ... */
    struct span quote; /* empty: not found, note says by which rules */
    size_t start, end;
    struct span note;
};

struct findings {
    struct finding *findings;
    size_t count, capacity;
    struct coverage *coverage;
    size_t coverage_count, coverage_capacity;
    struct reading_note *reading;
    size_t reading_count, reading_capacity;
    size_t checks_total, checks_completed;
};

void findings_write(struct buffer *out, const struct findings *findings);
/* Writes the members "findings" and "coverage" into an open object (assay check --json). */
void findings_write_members(struct json_writer *w, const struct findings *findings);
bool findings_read(struct arena *arena, struct span json, const char *where,
                   struct findings *findings, struct error *error);

#endif
