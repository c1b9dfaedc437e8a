/* assay doctor: what this machine can measure. */
#include "bench/bench.h"
#include "cli/command.h"
#include "cli/options.h"

static enum exit_status doctor(int argc, char **argv, struct error *error) {
    struct options options;
    if (!options_parse(argc, argv, OPTS_COMMON, 0, 0, &options, error))
        return EXIT_USAGE;
    struct arena arena;
    arena_init(&arena);
    struct buffer out = {0};
    bool ok = bench_doctor(&arena, &out, options.json, error);
    output_write(buffer_span(&out));
    buffer_free(&out);
    arena_free(&arena);
    return ok ? EXIT_COMPLETE : exit_status_of(error);
}

const struct command command_doctor = {
    .name = "doctor",
    .summary = "say what this machine can measure, and test its devices",
    .usage = "doctor [--json]",
    .help = "Shows each device (cpu, cuda) with what it can do here, or why it cannot, and the\n"
            "result of its self-test against float64.\n\nExample:\n  assay doctor\n",
    .run = doctor,
};
