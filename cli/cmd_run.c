/* assay run: one whole pass. */
#include "cli/stages.h"

#include "core/interrupt.h"

/* The later stages run also after a mismatch, but the audit does not: the report then says what was
 * expected and what was found. */
static bool run_stages(struct arena *arena, const struct options *options, const char *command,
                       struct pass *pass, struct buffer *summary, struct error *error) {
    struct error mismatch = {0};
    bool fetched = stages_fetch(arena, options, options->arguments[0], command, pass, &mismatch);
    if (!fetched && mismatch.kind != ERROR_MISMATCH) {
        *error = mismatch;
        return false;
    }
    if (fetched &&
        !(stages_audit(arena, options, pass, error) && stages_bench(arena, options, pass, error)))
        return false;
    if (!stages_report(arena, options, pass, summary, error) || !pass_seal(arena, pass, error))
        return false;
    *error = mismatch;
    return fetched;
}

/* What was finished stays, and the message says where and how to go on. */
static void explain_interruption(const struct pass *pass, struct error *error) {
    if (error->kind != ERROR_INTERRUPTED || !pass->folder)
        return;
    enum stage_state fetched = pass->stages[STAGE_FETCH].state;
    error_set(error, ERROR_INTERRUPTED, pass->folder,
              fetched == STAGE_COMPLETE || fetched == STAGE_PARTIAL
                  ? "What was finished is in this folder; `assay audit|bench|report PASS` goes on."
                  : "No stage was finished; run the same command again.",
              "interrupted");
}

static enum exit_status run(int argc, char **argv, struct error *error) {
    struct options options;
    if (!options_parse(argc, argv,
                       OPTS_COMMON | OPTS_FETCH | OPTS_BENCH | OPT(SUPPRESSIONS) | OPT(NO_BENCH) |
                           OPT(FAIL_ON),
                       1, 1, &options, error))
        return EXIT_USAGE;
    struct arena arena;
    arena_init(&arena);
    struct pass pass = {0};
    struct buffer summary = {0};
    const char *command = stages_command_line(&arena, argc, argv);
    bool ok = run_stages(&arena, &options, command, &pass, &summary, error);
    if (!ok)
        explain_interruption(&pass, error);
    enum exit_status status =
        ok ? stages_exit_status(&arena, &options, &pass, error) : exit_status_of(error);
    if (options.json && pass.folder)
        stages_print_json(&arena, &pass, status);
    else
        output_write(buffer_span(&summary));
    buffer_free(&summary);
    arena_free(&arena);
    return status;
}

const struct command command_run = {
    .name = "run",
    .summary = "one pass over a brief: fetch, audit, bench, report",
    .usage = "run [OPTION]... BRIEF",
    .help =
        "BRIEF is a file, - for standard input, or a URL. The pass is a new folder\n"
        "DIR/passes/BOOK/CHAPTER/TIME-FINGERPRINT; report.md in it is the report.\n\n"
        "  -o, --out DIR         workspace (default: the current folder)\n"
        "  -s, --snapshot FILE   the chapter's complete text, instead of the brief's URL\n"
        "      --offline         never open a socket\n"
        "      --replay FILE     answer from an archive.warc.gz alone\n"
        "      --refresh         ignore what the cache holds\n"
        "      --cache DIR       folder of the store that all passes share\n"
        "      --profile NAME    normalization profile of the fingerprint\n"
        "      --allow-mismatch  audit a chapter whose fingerprint does not match\n"
        "      --allow-private   allow private and loopback addresses\n"
        "      --bibliography F  a BibTeX file whose entries are sources; may be repeated\n"
        "      --service N=URL   another base URL for a metadata service (crossref, arxiv ...)\n"
        "      --contact ADDRESS sent to services that ask for one (or ASSAY_CONTACT)\n"
        "      --jobs N, --cacert FILE, --connect-to H:P:H2:P2\n"
        "      --backend B       auto, cuda, cpu or torch\n"
        "      --budget SECONDS  time for all measurements (default 60)\n"
        "      --no-bench        plan the experiments, run none\n"
        "      --only ID, --repeat N, --executor E\n"
        "      --suppressions F  findings you have decided about\n"
        "      --fail-on LEVEL   exit 1 when a finding is at least info, low, medium or high\n"
        "      --json, -q, -v, --color WHEN\n\n"
        "Examples:\n"
        "  assay run brief.txt\n"
        "  assay run brief.txt --snapshot chapter.txt --offline --no-bench\n"
        "  assay run brief.txt --fail-on medium --json\n",
    .run = run,
};
