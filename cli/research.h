/* What the commands of the ledger share: opening it, finding the pass, the claim and the source an
 * option names, and printing items. */
#ifndef CLI_RESEARCH_H
#define CLI_RESEARCH_H

#include "cli/command.h"
#include "cli/options.h"
#include "ledger/index.h"
#include "ledger/record.h"

struct research {
    struct arena arena;
    struct options options;
    const char *command; /* the command line, for the history */
    struct ledger ledger;
    struct pass pass; /* folder NULL until research_pass */
    struct error *error;
};

/* argv[0] is the command, argv[1] the subcommand (both are part of the history). Parses the options
 * behind `skip` words of argv. */
bool research_begin(struct research *research, int argc, char **argv, int skip, uint64_t accepted,
                    int least, int most, struct error *error);
/* Ends it and gives the exit status that belongs to the error. */
enum exit_status research_end(struct research *research);

bool research_open(struct research *research, enum ledger_access access);
void research_close(struct research *research);
/* Opens --pass, or the newest pass of the workspace. Answers again without reading twice. */
bool research_pass(struct research *research);
bool research_claim(struct research *research, const char *name, struct ledger_claim *claim);
/* What `name` is called in the ledger: a label of the pass's sources.json (S2) or anything that
 * names a document becomes its canonical identity, an id stays. request, when not NULL, gets all
 * that is known of it; its canonical stays empty for an id. */
bool research_source_name(struct research *research, const char *name, struct span *canonical,
                          struct source_request *request);

/* The subcommand's row, or NULL with ERROR_USAGE. */
struct subcommand {
    const char *name;
    bool (*run)(struct research *research, int argc, char **argv, struct error *error);
};
enum exit_status research_run(const struct subcommand *rows, size_t count, int argc, char **argv,
                              struct error *error);

#endif
