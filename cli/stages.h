/* From command-line options to the stages, shared by `assay run` and the commands of one stage. */
#ifndef CLI_STAGES_H
#define CLI_STAGES_H

#include "cli/command.h"
#include "cli/options.h"
#include "schemas/pass.h"

/* The command line as pass.json keeps it: paths cut to their last part, no credentials. */
const char *stages_command_line(struct arena *arena, int argc, char **argv);

struct fetch_options;
void stages_fetch_options(const struct options *options, const char *brief, const char *command,
                          struct fetch_options *fetch);
bool stages_fetch(struct arena *arena, const struct options *options, const char *brief,
                  const char *command, struct pass *pass, struct error *error);
bool stages_audit(struct arena *arena, const struct options *options, struct pass *pass,
                  struct error *error);
bool stages_bench(struct arena *arena, const struct options *options, struct pass *pass,
                  struct error *error);
/* Holds the ledger of the workspace against the pass, once (ledger/carry.h). who NULL: the user.
 * *done is false when it had been done, or when the pass is not the newest of its chapter. */
struct carry_over;
bool stages_carry(struct arena *arena, const struct pass *pass, const char *who,
                  const char *command, struct carry_over *carry, bool *done, struct error *error);
bool stages_report(struct arena *arena, const struct options *options, struct pass *pass,
                   struct buffer *summary, struct error *error);

/* What the pass as it stands means for the exit status: MISMATCH, PARTIAL, FINDINGS or COMPLETE. */
enum exit_status stages_exit_status(struct arena *arena, const struct options *options,
                                    const struct pass *pass, struct error *error);
/* One JSON document about the pass on stdout: folder, stages, counts, exit status. */
void stages_print_json(struct arena *arena, const struct pass *pass, enum exit_status status);

#endif
