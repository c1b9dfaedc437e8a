/* assay ledger: the ledger as a whole. */
#include "cli/ledger_print.h"
#include "cli/research.h"
#include "cli/stages.h"
#include "schemas/carry_over.h"

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

static void print_carried(const struct research *s, const struct carry_over *carry, bool done) {
    struct buffer out = {0};
    if (s->options.json) {
        carry_over_write(&out, carry);
    } else {
        if (!done)
            buffer_add_string(&out, "carried over before, or not the newest pass: nothing done\n");
        buffer_printf(&out, "claims: %zu kept, %zu changed, %zu added, %zu removed\n",
                      carry->claims_kept, carry->change_count, carry->claims_added,
                      carry->claims_removed);
        for (size_t i = 0; i < carry->item_count; i++) {
            const struct carry_item *item = &carry->items[i];
            buffer_printf(&out, "%.*s %s", SPAN_ARG(item->id),
                          word_of(&carry_words, (int)item->outcome));
            buffer_printf(&out, "%s%.*s", item->reason.len ? ": " : "", SPAN_ARG(item->reason));
            if (item->proposed.len)
                buffer_printf(&out, "\n  if it is %.*s: assay evidence keep %.*s --claim %.*s",
                              SPAN_ARG(item->proposed), SPAN_ARG(item->id),
                              SPAN_ARG(item->proposed));
            buffer_add_string(&out, "\n");
        }
    }
    print_out(&out);
}

static bool carry(struct research *s, int argc, char **argv, struct error *error) {
    struct carry_over carry;
    bool done;
    if (!research_begin(s, argc, argv, 1, OPTS_LEDGER | OPT(PASS), 0, 0, error) ||
        !research_pass(s) ||
        !stages_carry(&s->arena, &s->pass, s->options.who, s->command, &carry, &done, error))
        return false;
    if (done && s->pass.sealed && !pass_seal(&s->arena, &s->pass, error))
        return false;
    struct span json;
    if (!done && pass_has(&s->pass, "carry_over.json") &&
        (!pass_read(&s->arena, &s->pass, "carry_over.json", &json, error) ||
         !carry_over_read(&s->arena, json, "carry_over.json", &carry, error)))
        return false;
    print_carried(s, &carry, done);
    return true;
}

static const struct subcommand subcommands[] = {{"rebuild", rebuild}, {"carry", carry}};

static enum exit_status ledger(int argc, char **argv, struct error *error) {
    return research_run(subcommands, sizeof subcommands / sizeof *subcommands, argc, argv, error);
}

const struct command command_ledger = {
    .name = "ledger",
    .summary = "look after the ledger: its index, and what became of earlier items",
    .usage = "ledger rebuild|carry [OPTION]...",
    .help =
        "  rebuild  makes the index anew from the files\n"
        "  carry    holds every item about the chapter against its newest pass: reused,\n"
        "           revalidated, to re-evaluate, orphaned (a match may be proposed), removed,\n"
        "           not looked at. `assay run` and `assay report` do it once for each new pass.\n\n"
        "  --pass PASS  carry: the pass (default: the newest of the workspace)\n"
        "  --out DIR, --who NAME, --json, -q\n\n"
        "The files under ledger/ are the truth; index.sqlite is made from them whenever they\n"
        "changed. `rebuild` throws it away, reads every file and names those that are not what\n"
        "they must be. Exit status 0 when all are, 5 when some are not.\n",
    .run = ledger,
};
