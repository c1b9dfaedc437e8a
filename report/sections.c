/* The sections in the order that every brief asks for. */
#include "report/sections.h"

const struct section sections[] = {
    {"context", "1. Context and provenance", section_context},
    {"claims", "2. Claim audit", section_claims},
    {"sources", "3. Source ledger", section_sources},
    {"findings", "4. Findings", section_findings},
    {"proposal", "5. Upgrade proposal", section_proposal},
    {"experiments", "6. Experiment opportunities", section_experiments},
    {"review", "7. Review checklist", section_review},
};
const size_t section_count = sizeof sections / sizeof *sections;
