/* The checks, one a file; audit/checks.c runs them in the order of its table. */
#ifndef AUDIT_CHECKS_CHECKS_H
#define AUDIT_CHECKS_CHECKS_H

#include "audit/check.h"
#include "audit/finding.h"

extern const struct check check_law, check_relation, check_hardware, check_software, check_order,
    check_wording, check_number, check_directive, check_total, check_restatement, check_contract,
    check_drift, check_roof, check_physics, check_rate, check_equation, check_printout,
    check_relative, check_code, check_source;

#endif
