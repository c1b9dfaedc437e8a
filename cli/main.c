/* assay: the command table, the global options, and the one place that prints errors and chooses
 * the exit status. */
#include "cli/command.h"
#include "cli/output.h"

#include "core/file.h"
#include "core/interrupt.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

extern const struct command *const commands[];

static const struct command *command_find(const char *name) {
    for (const struct command *const *c = commands; *c; c++)
        if (strcmp((*c)->name, name) == 0)
            return *c;
    return NULL;
}

static void print_usage(FILE *to) {
    fputs("Usage: assay COMMAND [OPTION]... [ARGUMENT]...\n"
          "Audits the performance claims of a technical chapter with evidence.\n\nCommands:\n",
          to);
    for (const struct command *const *c = commands; *c; c++)
        if (!(*c)->hidden)
            fprintf(to, "  %-10s %s\n", (*c)->name, (*c)->summary);
    fputs("\nExamples:\n"
          "  assay check README.md                 check the numbers of any document\n"
          "  assay run brief.txt                   one whole pass over a research brief\n"
          "  assay run brief.txt --snapshot ch.txt the same with the chapter at hand\n"
          "\n`assay COMMAND --help` explains a command. Exit status: 0 complete, 1 a finding "
          "reached\n"
          "--fail-on, 2 usage, 3 something could not be read or run, 4 fingerprint MISMATCH,\n"
          "5 bad input, 6 system failure.\n",
          to);
}

static void print_command_help(const struct command *command) {
    printf("Usage: assay %s\n%s.\n\n%s", command->usage, command->summary, command->help);
}

static _Noreturn void on_exhausted(size_t bytes) {
    file_remove_temporary();
    fprintf(stderr,
            "assay: out of memory: %zu bytes more were needed; run it where more memory is free\n",
            bytes);
    _exit(EXIT_SYSTEM);
}

enum exit_status exit_status_of(const struct error *error) {
    switch (error->kind) {
    case ERROR_NONE:
        return EXIT_COMPLETE;
    case ERROR_USAGE:
        return EXIT_USAGE;
    case ERROR_INPUT:
        return EXIT_INPUT;
    case ERROR_MISMATCH:
        return EXIT_MISMATCH;
    case ERROR_UNAVAILABLE:
        return EXIT_PARTIAL;
    case ERROR_INTERRUPTED:
        return EXIT_INTERRUPTED;
    case ERROR_SYSTEM:
        break;
    }
    return EXIT_SYSTEM;
}

static void print_error(const struct error *error) {
    fprintf(stderr, "assay: %s%s%s\n", error->where, error->where[0] ? ": " : "", error->message);
    if (error->hint[0])
        fprintf(stderr, "  %s\n", error->hint);
}

static bool wants_help(int argc, char **argv) {
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            return true;
    return false;
}

/* A result that could not be written must not look like success. */
static enum exit_status close_stdout(enum exit_status status) {
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    fputs("assay: standard output: cannot write the result; is the disk full or the pipe closed?\n",
          stderr);
    return EXIT_SYSTEM;
}

static enum exit_status run_command(int argc, char **argv) {
    const struct command *command = command_find(argv[0]);
    if (!command) {
        struct error error = {0};
        error_set(&error, ERROR_USAGE, argv[0], "`assay --help` lists the commands.",
                  "no such command");
        print_error(&error);
        return EXIT_USAGE;
    }
    if (wants_help(argc, argv)) {
        print_command_help(command);
        return close_stdout(EXIT_COMPLETE);
    }
    struct error error = {0};
    enum exit_status status = command->run(argc, argv, &error);
    output_finish();
    if (error.kind != ERROR_NONE)
        print_error(&error);
    return close_stdout(status);
}

int main(int argc, char **argv) {
    memory_on_exhausted(on_exhausted);
    interrupt_watch();
    const char *first = argc > 1 ? argv[1] : "";
    if (strcmp(first, "--version") == 0) {
        puts("assay " ASSAY_VERSION);
        return close_stdout(EXIT_COMPLETE);
    }
    if (argc < 2 || strcmp(first, "--help") == 0 || strcmp(first, "-h") == 0) {
        print_usage(argc < 2 ? stderr : stdout);
        return argc < 2 ? EXIT_USAGE : close_stdout(EXIT_COMPLETE);
    }
    return run_command(argc - 1, argv + 1);
}
