/* Numbers printed in a way that no rule accepts ("1.2.3 ms", "12,34,5"). A number that cannot be
 * read cannot be checked, so it is said. */
#include "audit/checks/checks.h"

enum { MOST_MALFORMED = 100 };

static void report(const struct check_input *input, struct findings *findings, size_t quantity) {
    struct finding_draft d;
    struct span quote = quantity_quote(input->document, quantity);
    finding_begin(&d, input, findings, "number", FINDING_INCOMPLETE, SEVERITY_LOW);
    finding_number(&d, "malformed", quantity);
    finding_say(&d, "%.*s is not a number that can be read in one way; it was not checked.",
                SPAN_ARG(quote));
    finding_end(&d);
}

static bool has_number(const struct claim *claim) {
    return claim->quantity_count > 0;
}

static void run(const struct check_input *input, struct findings *findings) {
    const struct claims *claims = input->document->claims;
    size_t reported = 0;
    for (size_t i = 0; i < claims->quantity_count && reported < MOST_MALFORMED; i++)
        if (claims->quantities[i].malformed) {
            report(input, findings, i);
            reported++;
        }
    coverage_claims(input, findings, "number", has_number, "holds no number");
}

const struct check check_number = {"number", "Malformed numbers", run};
