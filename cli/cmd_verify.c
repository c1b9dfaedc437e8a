/* assay verify: is every file of a pass what its manifest says? */
#include "cli/command.h"
#include "cli/options.h"
#include "schemas/pass.h"

static enum exit_status verify(int argc, char **argv, struct error *error) {
    struct options options;
    if (!options_parse(argc, argv, OPTS_COMMON, 1, 1, &options, error))
        return EXIT_USAGE;
    struct arena arena;
    arena_init(&arena);
    struct buffer lines = {0};
    size_t differences = 0;
    bool ok = pass_verify(&arena, options.arguments[0], &lines, &differences, error);
    if (ok && options.json) {
        struct buffer json = {0};
        struct json_writer w = {.out = &json};
        struct span rest = buffer_span(&lines), line;
        json_begin_object(&w, NULL);
        json_put_size(&w, "difference_count", differences);
        json_begin_array(&w, "differences");
        while (span_next_line(&rest, &line))
            json_put_text(&w, NULL, line);
        json_end_array(&w);
        json_end_object(&w);
        json_finish(&w);
        output_write(buffer_span(&json));
        buffer_free(&json);
    } else if (ok) {
        output_write(buffer_span(&lines));
        if (differences == 0 && !options.quiet)
            output_write(SPAN("verify: every file is as the manifest says\n"));
    }
    if (ok && differences)
        error_set(error, ERROR_INPUT, options.arguments[0],
                  "Restore the files, or run the stage again and trust the new pass instead.",
                  "%zu files differ from manifest.json", differences);
    buffer_free(&lines);
    arena_free(&arena);
    return exit_status_of(error);
}

const struct command command_verify = {
    .name = "verify",
    .summary = "compare every file of a pass with its manifest",
    .usage = "verify [--json] [-q] PASS",
    .help = "Names each file that was changed, is missing or is not in manifest.json. Exit status\n"
            "0 when nothing differs, 5 when something does.\n\n"
            "Example:\n  assay verify passes/book/chapter/20261201T120000Z-add7ca9f\n",
    .run = verify,
};
