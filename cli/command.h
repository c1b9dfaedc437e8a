/* One subcommand is one cmd_NAME.c that ends in one of these, listed in main.c. */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include "core/error.h"
#include "core/memory.h"
#include "core/progress.h"
#include "core/version.h"

enum exit_status {
    EXIT_COMPLETE = 0,
    EXIT_FINDINGS = 1,
    EXIT_USAGE = 2,
    EXIT_PARTIAL = 3,
    EXIT_MISMATCH = 4,
    EXIT_INPUT = 5,
    EXIT_SYSTEM = 6,
    EXIT_INTERRUPTED = 130,
};

struct command {
    const char *name;
    const char *summary; /* one line for `assay --help` */
    const char *usage;   /* "run [OPTION]... BRIEF" */
    const char *help;    /* options and examples */
    /* argv[0] is the command's name. Fills error for everything but findings and partial passes. */
    enum exit_status (*run)(int argc, char **argv, struct error *error);
    bool hidden; /* not listed */
};

/* The exit status that belongs to an error. */
enum exit_status exit_status_of(const struct error *error);

#endif
