/* The options of every command, spelled the same everywhere. A command names the ones it takes; the
 * table in options.c knows the rest. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "cli/output.h"
#include "core/error.h"

#include <stdint.h>

/* One bit an option, in the order of the table in options.c. */
enum option_bit {
    OPT_OUT,
    OPT_SNAPSHOT,
    OPT_OFFLINE,
    OPT_REFRESH,
    OPT_REPLAY,
    OPT_PROFILE,
    OPT_CACHE,
    OPT_JOBS,
    OPT_CONTACT,
    OPT_SERVICE,
    OPT_BIBLIOGRAPHY,
    OPT_ALLOW_PRIVATE,
    OPT_ALLOW_MISMATCH,
    OPT_CONNECT_TO,
    OPT_CACERT,
    OPT_FEED,
    OPT_SUPPRESSIONS,
    OPT_EXPLAIN,
    OPT_BACKEND,
    OPT_BUDGET,
    OPT_ONLY,
    OPT_REPEAT,
    OPT_LIST,
    OPT_NO_BENCH,
    OPT_EXECUTOR,
    OPT_TEXT,
    OPT_MARKDOWN,
    OPT_HTML,
    OPT_PASS,
    OPT_CLAIM,
    OPT_SOURCE,
    OPT_RELATION,
    OPT_CLASS,
    OPT_QUOTE,
    OPT_NOTE,
    OPT_AT,
    OPT_REASON,
    OPT_REPLACEMENT,
    OPT_EVIDENCE,
    OPT_FILE,
    OPT_ABSTRACT,
    OPT_SEARCH,
    OPT_MOST,
    OPT_WHO,
    OPT_FAIL_ON,
    OPT_JSON,
    OPT_QUIET,
    OPT_VERBOSE,
    OPT_COLOR,
    OPT_COUNT
};

#define OPT(name) (UINT64_C(1) << OPT_##name)
#define OPTS_COMMON (OPT(JSON) | OPT(QUIET) | OPT(VERBOSE) | OPT(COLOR))
#define OPTS_FETCH                                                                                 \
    (OPT(OUT) | OPT(SNAPSHOT) | OPT(OFFLINE) | OPT(REFRESH) | OPT(REPLAY) | OPT(PROFILE) |         \
     OPT(CACHE) | OPT(JOBS) | OPT(CONTACT) | OPT(SERVICE) | OPT(BIBLIOGRAPHY) |                    \
     OPT(ALLOW_PRIVATE) | OPT(ALLOW_MISMATCH) | OPT(CONNECT_TO) | OPT(CACERT))
#define OPTS_BENCH (OPT(BACKEND) | OPT(BUDGET) | OPT(ONLY) | OPT(REPEAT) | OPT(EXECUTOR))

#define OPTS_LEDGER (OPTS_COMMON | OPT(OUT) | OPT(WHO))

enum { OPTION_LIST_MOST = 64, FAIL_NEVER = 100 };

struct options {
    const char *out, *snapshot, *replay, *profile, *cache, *contact, *ca_file, *feed;
    const char *suppressions, *explain, *backend, *executor;
    /* NULL-terminated */
    const char *connect_to[OPTION_LIST_MOST + 1], *only[OPTION_LIST_MOST + 1];
    const char *services[OPTION_LIST_MOST + 1], *bibliographies[OPTION_LIST_MOST + 1];
    const char *pass, *claim, *source, *relation, *class, *quote, *note, *reason, *replacement,
        *file, *search, *who;                   /* of the ledger's commands */
    const char *evidence[OPTION_LIST_MOST + 1]; /* NULL-terminated */
    size_t at;                                  /* --at BYTE; SIZE_MAX = anywhere */
    int most;                                   /* 0 = the command's own number */
    bool abstract, offline, refresh, allow_private, allow_mismatch, list, no_bench, text, markdown,
        html, json, quiet, verbose;
    int jobs, repeat;
    double budget_seconds;
    int fail_on; /* enum severity, or FAIL_NEVER */
    enum color_mode color;
    char **arguments; /* what is left, NULL-terminated */
    int argument_count;
};

/* Reads argv for a command that takes the accepted options and between least and most arguments.
 * Fills error (ERROR_USAGE) with what was wrong. */
bool options_parse(int argc, char **argv, uint64_t accepted, int least, int most,
                   struct options *options, struct error *error);

#endif
