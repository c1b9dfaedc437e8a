/* assay diff: what changed between two passes. */
#include "cli/command.h"
#include "cli/options.h"
#include "report/diff.h"

static bool load(struct arena *arena, const char *folder, struct pass *pass, struct view *view,
                 struct error *error) {
    return pass_open(arena, folder, pass, error) && view_load(arena, pass, view, error);
}

static void write_diff(const struct options *options, const struct diff *diff) {
    struct buffer out = {0};
    if (options->json)
        diff_write_json(&out, diff);
    else if (options->markdown)
        diff_write_markdown(&out, diff);
    else if (options->html)
        diff_write_html(&out, diff);
    else
        diff_write_text(&out, diff, output_color(options->color));
    output_write(buffer_span(&out));
    buffer_free(&out);
}

static enum exit_status diff(int argc, char **argv, struct error *error) {
    struct options options;
    if (!options_parse(argc, argv, OPTS_COMMON | OPT(MARKDOWN) | OPT(HTML), 2, 2, &options, error))
        return EXIT_USAGE;
    if (options.json + options.markdown + options.html > 1) {
        error_set(error, ERROR_USAGE, "diff", "Choose one of them.",
                  "--json, --markdown and --html exclude each other");
        return EXIT_USAGE;
    }
    struct arena arena;
    arena_init(&arena);
    struct pass passes[2] = {0};
    struct view views[2];
    struct diff changes;
    if (load(&arena, options.arguments[0], &passes[0], &views[0], error) &&
        load(&arena, options.arguments[1], &passes[1], &views[1], error)) {
        diff_views(&views[0], &views[1], &changes);
        write_diff(&options, &changes);
    }
    arena_free(&arena);
    return exit_status_of(error);
}

const struct command command_diff = {
    .name = "diff",
    .summary = "what changed between two passes",
    .usage = "diff [OPTION]... PASS PASS",
    .help = "Names the claims that were added, changed or removed, findings that are new or gone,\n"
            "verdicts that moved, measurements whose 95 % intervals no longer meet, and sources\n"
            "that died. Exit status 0 whether or not something changed.\n\n"
            "  --markdown, --html  write a page instead of text\n"
            "  --json, --color WHEN\n"
            "\nExample:\n  assay diff passes/book/chapter/20261201T120000Z-add7ca9f "
            "passes/book/chapter/20261208T120000Z-add7ca9f\n",
    .run = diff,
};
