/* assay fetch, audit, bench, report: one stage of a pass. */
#include "cli/feed_list.h"
#include "cli/stages.h"

#include "audit/audit.h"
#include "bench/bench.h"
#include "core/terminal.h"
#include "report/report.h"
#include "schemas/plan.h"

static void print_result(struct arena *arena, const struct options *options,
                         const struct pass *pass, struct span text, enum exit_status status) {
    if (!pass->folder)
        return;
    if (options->json) {
        stages_print_json(arena, pass, status);
    } else if (!options->quiet) {
        output_write(text);
        output_write(span_of(pass->folder));
        output_write(SPAN("\n"));
    }
}

static enum exit_status finish(struct arena *arena, const struct options *options, bool ok,
                               struct pass *pass, struct span text, struct error *error) {
    if (ok && pass->sealed) /* its manifest must describe the files as they are now */
        ok = pass_seal(arena, pass, error);
    enum exit_status status =
        ok ? stages_exit_status(arena, options, pass, error) : exit_status_of(error);
    print_result(arena, options, pass, text, status);
    arena_free(arena);
    return status;
}

static enum exit_status fetch(int argc, char **argv, struct error *error) {
    struct options options;
    if (!options_parse(argc, argv, OPTS_COMMON | OPTS_FETCH | OPT(FEED), 0, 1, &options, error))
        return EXIT_USAGE;
    if (options.feed && options.argument_count == 0)
        return feed_list(&options, error);
    if (options.feed || options.argument_count == 0) {
        error_set(error, ERROR_USAGE, "assay fetch", "Give a brief, or --feed and a feed.",
                  "expected one brief or one feed");
        return EXIT_USAGE;
    }
    struct arena arena;
    arena_init(&arena);
    struct pass pass = {0};
    bool ok = stages_fetch(&arena, &options, options.arguments[0],
                           stages_command_line(&arena, argc, argv), &pass, error);
    return finish(&arena, &options, ok, &pass, SPAN(""), error);
}

/* audit --explain reads what the audit wrote; it changes nothing. */
static bool explain(struct arena *arena, const char *claim, const struct pass *pass,
                    struct error *error) {
    struct span text, json;
    struct claims claims = {0};
    struct findings findings = {0};
    struct buffer out = {0};
    bool ok = pass_read(arena, pass, "snapshot.txt", &text, error) &&
              pass_read(arena, pass, "claims.json", &json, error) &&
              claims_read(arena, json, "claims.json", &claims, error) &&
              pass_read(arena, pass, "findings.json", &json, error) &&
              findings_read(arena, json, "findings.json", &findings, error) &&
              audit_explain(arena, text, &claims, &findings, span_of(claim), &out, error);
    output_write(buffer_span(&out));
    buffer_free(&out);
    return ok;
}

static enum exit_status audit(int argc, char **argv, struct error *error) {
    struct options options;
    uint64_t accepted = OPTS_COMMON | OPT(SUPPRESSIONS) | OPT(FAIL_ON) | OPT(ALLOW_MISMATCH);
    if (!options_parse(argc, argv, accepted | OPT(EXPLAIN), 1, 1, &options, error))
        return EXIT_USAGE;
    struct arena arena;
    arena_init(&arena);
    struct pass pass = {0};
    bool ok = pass_open(&arena, options.arguments[0], &pass, error);
    if (!options.explain)
        return finish(&arena, &options, ok && stages_audit(&arena, &options, &pass, error), &pass,
                      SPAN(""), error);
    ok = ok && explain(&arena, options.explain, &pass, error);
    arena_free(&arena);
    return ok ? EXIT_COMPLETE : exit_status_of(error);
}

/* bench --list: one line an experiment, and why it would not run. */
static bool list_plan(struct arena *arena, const struct pass *pass, struct buffer *out,
                      struct error *error) {
    struct span json;
    struct plan plan;
    if (!pass_read(arena, pass, "plan.json", &json, error) ||
        !plan_read(arena, json, "plan.json", &plan, error))
        return false;
    for (size_t i = 0; i < plan.count; i++) {
        const struct experiment *e = &plan.experiments[i];
        struct span line = arena_printf(arena, "%-5.*s %-12.*s %-5.*s %.*s", SPAN_ARG(e->id),
                                        SPAN_ARG(e->kind), SPAN_ARG(e->device), SPAN_ARG(e->title));
        terminal_escape(out, line);
        if (e->skip_reason.len) {
            buffer_add_string(out, "\n      UNRUN: ");
            terminal_escape(out, e->skip_reason);
        }
        buffer_add_string(out, "\n");
    }
    return true;
}

static enum exit_status bench(int argc, char **argv, struct error *error) {
    if (argc == 2 && strcmp(argv[1], "--experiment-process") == 0)
        return bench_experiment_process(error) ? EXIT_COMPLETE : exit_status_of(error);
    struct options options;
    uint64_t accepted = OPTS_COMMON | OPTS_BENCH | OPT(LIST) | OPT(NO_BENCH) | OPT(ALLOW_MISMATCH);
    if (!options_parse(argc, argv, accepted, 1, 1, &options, error))
        return EXIT_USAGE;
    struct arena arena;
    arena_init(&arena);
    struct pass pass = {0};
    bool ok = pass_open(&arena, options.arguments[0], &pass, error) &&
              stages_bench(&arena, &options, &pass, error);
    struct buffer list = {0};
    if (ok && options.list)
        ok = list_plan(&arena, &pass, &list, error);
    enum exit_status status = finish(&arena, &options, ok, &pass, buffer_span(&list), error);
    buffer_free(&list);
    return status;
}

static bool print_summary(struct arena *arena, const struct options *options,
                          const struct pass *pass, struct error *error) {
    struct report_options report = {
        .text = true, .color = output_color(options->color), .width = output_width()};
    struct buffer text = {0};
    bool ok = report_summary(arena, pass, &report, &text, error);
    output_write(buffer_span(&text));
    buffer_free(&text);
    return ok;
}

static enum exit_status report(int argc, char **argv, struct error *error) {
    struct options options;
    if (!options_parse(argc, argv, OPTS_COMMON | OPT(TEXT) | OPT(FAIL_ON) | OPT(ALLOW_MISMATCH), 1,
                       1, &options, error))
        return EXIT_USAGE;
    struct arena arena;
    arena_init(&arena);
    struct pass pass = {0};
    struct buffer summary = {0};
    bool ok = pass_open(&arena, options.arguments[0], &pass, error);
    if (ok && options.text) {
        ok = print_summary(&arena, &options, &pass, error);
        arena_free(&arena);
        return ok ? EXIT_COMPLETE : exit_status_of(error);
    }
    ok = ok && stages_report(&arena, &options, &pass, &summary, error);
    pass.sealed |= ok; /* the last stage: finish() writes the manifest */
    enum exit_status status = finish(&arena, &options, ok, &pass, buffer_span(&summary), error);
    buffer_free(&summary);
    return status;
}

#define HELP_COMMON "  --json, -q, -v, --color WHEN\n"

const struct command command_fetch = {
    .name = "fetch",
    .summary = "stage 1: brief to snapshot, structure and sources",
    .usage = "fetch [OPTION]... (BRIEF | --feed FEED)",
    .help =
        "Makes a new pass and prints its folder. Options are those of `assay run` that belong\n"
        "to fetching: --out, --snapshot, --offline, --replay, --refresh, --cache, --profile,\n"
        "--allow-mismatch, --allow-private, --jobs, --contact, --cacert, --connect-to,\n"
        "--bibliography, --service\n\n"
        "  --feed FEED   list the entries of a feed (file, - or URL; RSS, Atom, JSON Feed or "
        "plain\n"
        "                text) with what is known below --out of each: NEVER_RESEARCHED, CURRENT,\n"
        "                STALE or FAILED_LATEST\n" HELP_COMMON
        "\nExample:\n  assay fetch brief.txt --snapshot chapter.txt\n",
    .run = fetch,
};
const struct command command_audit = {
    .name = "audit",
    .summary = "stage 2: claims, and what the checks say of them",
    .usage = "audit [OPTION]... PASS",
    .help = "  --suppressions FILE  findings you have decided about\n"
            "  --fail-on LEVEL      exit 1 when a finding is at least LEVEL\n"
            "  --explain CLAIM      print how this claim (C3 or its id) was judged, change "
            "nothing\n" HELP_COMMON
            "\nExample:\n  assay audit passes/book/chapter/20261201T120000Z-add7ca9f\n",
    .run = audit,
};
const struct command command_bench = {
    .name = "bench",
    .summary = "stage 3: plan and run the experiments",
    .usage = "bench [OPTION]... PASS",
    .help = "Reads plan.json when the pass has one (edit it as you like), else derives it from\n"
            "the claims. A second call runs what the first did not finish.\n\n"
            "  --backend B       auto, cuda, cpu or torch\n"
            "  --budget SECONDS  time for all measurements (default 60)\n"
            "  --only ID         this experiment; may be repeated\n"
            "  --repeat N        rounds of measurement\n"
            "  --list            write and print the plan only\n"
            "  --no-bench        plan, and mark every experiment UNRUN\n"
            "  --executor E      local or slurm\n" HELP_COMMON
            "\nExample:\n  assay bench PASS --backend cpu --budget 30\n",
    .run = bench,
};
const struct command command_report = {
    .name = "report",
    .summary = "stage 4: write the reports of a pass",
    .usage = "report [OPTION]... PASS",
    .help = "  --text            print the closing summary and write nothing\n"
            "  --fail-on LEVEL   exit 1 when a finding is at least LEVEL\n" HELP_COMMON
            "\nExample:\n  assay report PASS --text\n",
    .run = report,
};
