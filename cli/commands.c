/* Every subcommand, in the order of the help text. A new one is one cmd_NAME.c and one line here.
 */
#include "cli/command.h"

extern const struct command command_run, command_check, command_fetch, command_audit, command_bench,
    command_report, command_verify, command_diff, command_source, command_evidence, command_decide,
    command_leads, command_ledger, command_show, command_mcp, command_doctor;

const struct command *const commands[] = {
    &command_run,
    &command_check,
    &command_fetch,
    &command_audit,
    &command_bench,
    &command_report,
    &command_verify,
    &command_diff,
    &command_leads,
    &command_source,
    &command_evidence,
    &command_decide,
    &command_ledger,
    &command_show,
    &command_mcp,
    &command_doctor,
    NULL,
};
