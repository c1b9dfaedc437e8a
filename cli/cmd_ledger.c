/* assay ledger: the ledger as a whole. */
#include "cli/ledger_print.h"
#include "cli/research.h"

static void write_state(struct research *s, const struct index_state *state) {
    struct buffer out = {0};
    struct json_writer w = {.out = &out};
    if (s->options.json) {
        json_begin_object(&w, NULL);
        json_put_size(&w, "sources", state->sources);
        json_put_size(&w, "evidence", state->evidence);
        json_put_size(&w, "decisions", state->decisions);
        json_put_size(&w, "passages", state->passages);
        put_problems(&w, state);
        json_end_object(&w);
        json_finish(&w);
    } else if (!s->options.quiet) {
        buffer_printf(&out,
                      "ledger: %zu sources, %zu evidence items, %zu decisions, %zu passages "
                      "indexed\n",
                      state->sources, state->evidence, state->decisions, state->passages);
    }
    print_out(&out);
}

static bool rebuild(struct research *s, int argc, char **argv, struct error *error) {
    struct index_state state;
    if (!research_begin(s, argc, argv, 1, OPTS_LEDGER, 0, 0, error) ||
        !research_open(s, LEDGER_WRITE))
        return false;
    struct ledger_index *index = index_open(&s->ledger, true, &state, error);
    if (!index)
        return false;
    index_close(index);
    write_state(s, &state);
    if (!s->options.json)
        warn_problems(&state);
    return state.problem_count == 0 ||
           error_set(error, ERROR_INPUT, s->ledger.folder,
                     "Restore these files (git checkout), or remove them.",
                     "%zu files are not what they must be", state.problem_count);
}

static const struct subcommand subcommands[] = {{"rebuild", rebuild}};

static enum exit_status ledger(int argc, char **argv, struct error *error) {
    return research_run(subcommands, sizeof subcommands / sizeof *subcommands, argc, argv, error);
}

const struct command command_ledger = {
    .name = "ledger",
    .summary = "make the index of the ledger anew from its files",
    .usage = "ledger rebuild [--out DIR] [--json] [-q]",
    .help =
        "The files under ledger/ are the truth; index.sqlite is made from them whenever they\n"
        "changed. `rebuild` throws it away, reads every file and names those that are not what\n"
        "they must be. Exit status 0 when all are, 5 when some are not.\n",
    .run = ledger,
};
