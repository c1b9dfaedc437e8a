/* How checks record what they found. A draft collects places and numbers, then becomes a finding:
 *
 *     struct finding_draft d;
 *     finding_begin(&d, input, findings, "law", FINDING_CONFIRMED, SEVERITY_INFO);
 *     finding_number(&d, "total", quantity_index);
 *     finding_say(&d, "%s lies in %s", ...);
 *     finding_end(&d);
 *
 * Everything is allocated in the document's arena. */
#ifndef AUDIT_FINDING_H
#define AUDIT_FINDING_H

#include "audit/check.h"

struct finding_draft {
    const struct check_input *input;
    struct findings *findings;
    struct finding finding;
    size_t place_capacity, number_capacity;
};

/* response starts as the class's usual one: no change for confirmed and note, correction for
 * contradiction and inconsistency, and so on; set draft.finding.response to differ. */
void finding_begin(struct finding_draft *draft, const struct check_input *input,
                   struct findings *findings, const char *check, enum finding_class class,
                   enum severity severity);
void finding_place(struct finding_draft *draft, size_t start, size_t end);
/* Adds the quantity as a place and as a number; the first one's claim becomes the finding's. */
void finding_number(struct finding_draft *draft, const char *name, size_t quantity);
/* A number without a place of its own (a derived value, a table's fact). */
void finding_derived(struct finding_draft *draft, const char *name, struct span printed,
                     struct span unit, double lo, double hi);
void finding_claim(struct finding_draft *draft, size_t claim);
/* The first claim that shares a byte with [start, end), where there is one. */
void finding_claim_at(struct finding_draft *draft, size_t start, size_t end);
void finding_say(struct finding_draft *draft, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void finding_end(struct finding_draft *draft);

/* How a check ended: for one claim, or with claim NONE for the whole document. A document-wide
 * COVERAGE_NOT_RUN means that the check did not complete. why may be NULL for COVERAGE_RAN. */
void coverage_add(const struct check_input *input, struct findings *findings, const char *check,
                  size_t claim, enum coverage_outcome outcome, const char *why);
/* One record a claim: ran where applies says so, else not applicable with why. Above
 * COVERAGE_MOST_CLAIMS the claims that do not apply become one record with their count. */
enum { COVERAGE_MOST_CLAIMS = 2000 };
void coverage_claims(const struct check_input *input, struct findings *findings, const char *check,
                     bool (*applies)(const struct claim *), const char *why);

/* Orders findings by place and gives them ids ("f-", from check, class and the quoted places, so
 * that an edit elsewhere keeps them). Called by checks_run. */
void findings_settle(struct arena *arena, struct span text, struct findings *findings);

/* Where a quantity stands in the text, sign and unit included. */
struct span quantity_quote(const struct document *document, size_t quantity);

#endif
