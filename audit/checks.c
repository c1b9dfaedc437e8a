#include "audit/checks/checks.h"
#include "core/interrupt.h"

const struct check *const checks[] = {
    &check_law,     &check_relation,    &check_hardware, &check_software,  &check_order,
    &check_total,   &check_restatement, &check_contract, &check_drift,     &check_roof,
    &check_physics, &check_rate,        &check_equation, &check_printout,  &check_relative,
    &check_code,    &check_wording,     &check_number,   &check_directive, &check_source,
};
const size_t check_count = sizeof checks / sizeof *checks;

/* A check that could not do its work says so with one document-wide COVERAGE_NOT_RUN. */
static bool completed(const struct findings *findings, size_t first) {
    for (size_t i = first; i < findings->coverage_count; i++)
        if (findings->coverage[i].outcome == COVERAGE_NOT_RUN && !findings->coverage[i].claim.len)
            return false;
    return true;
}

void checks_run(const struct check_input *input, struct findings *findings) {
    LIST_RESERVE(input->document->arena, findings->coverage, findings->coverage_count,
                 findings->coverage_capacity, check_count * (input->document->claims->count + 1));
    for (size_t i = 0; i < check_count && !interrupt_signal(); i++) { /* audit_text looks why */
        size_t first = findings->coverage_count;
        progress_step(input->progress, "audit", i, check_count, 0, checks[i]->title);
        checks[i]->run(input, findings);
        findings->checks_total++;
        findings->checks_completed += completed(findings, first);
    }
    findings_settle(input->document->arena, input->document->chapter->text, findings);
}
