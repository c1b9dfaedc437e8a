/* assay evidence: one quoted passage of one source, in one relation to one claim. */
#include "cli/ledger_print.h"
#include "cli/research.h"

static bool given(struct research *s, const char *value, const char *option, const char *expected) {
    return value || error_set(s->error, ERROR_USAGE, option, "`assay evidence --help` explains it.",
                              "expected %s", expected);
}

static bool all_given(struct research *s) {
    return given(s, s->options.claim, "--claim", "the claim it is about (C3)") &&
           given(s, s->options.source, "--source", "the source that says it (S2)") &&
           given(s, s->options.relation, "--relation", "how it bears on the claim (QUALIFIES)") &&
           given(s, s->options.quote, "--quote", "the words of the source it rests on");
}

static struct span text_of(const char *option) {
    return span_of(option ? option : "");
}

static void write_added(struct research *s, const struct ledger_evidence *evidence, bool already) {
    struct buffer out = {0};
    struct json_writer w = {.out = &out};
    if (s->options.json) {
        json_begin_object(&w, NULL);
        json_put_flag(&w, "already", already);
        ledger_evidence_put(&w, "evidence", evidence);
        json_end_object(&w);
        json_finish(&w);
    } else if (!s->options.quiet) {
        buffer_add_string(&out, already ? "already in the ledger: " : "added: ");
        print_evidence(&out, evidence, false);
    }
    print_out(&out);
}

static bool add(struct research *s, int argc, char **argv, struct error *error) {
    struct evidence_request request = {0};
    struct ledger_evidence evidence;
    bool already;
    uint64_t accepted = OPTS_LEDGER | OPT(PASS) | OPT(CLAIM) | OPT(SOURCE) | OPT(RELATION) |
                        OPT(CLASS) | OPT(QUOTE) | OPT(NOTE) | OPT(AT);
    if (!research_begin(s, argc, argv, 1, accepted, 0, 0, error) || !all_given(s) ||
        !research_claim(s, s->options.claim, &request.claim) ||
        !research_source_name(s, s->options.source, &request.source, NULL))
        return false;
    request.relation = text_of(s->options.relation);
    request.class = text_of(s->options.class);
    request.quote = text_of(s->options.quote);
    request.note = text_of(s->options.note);
    request.at = s->options.at;
    if (!research_open(s, LEDGER_WRITE) ||
        !ledger_add_evidence(&s->ledger, &request, &evidence, &already, error))
        return false;
    write_added(s, &evidence, already);
    return true;
}

/* Which items --claim and --source ask for. A claim is named by its label in the pass or by its id,
 * which items of earlier passes keep. */
struct filter {
    struct span claim, source; /* ids; "" = all */
};

static bool filter_of(struct research *s, struct filter *filter) {
    struct ledger_source source;
    struct span name;
    *filter = (struct filter){{0}, {0}};
    const char *claim = s->options.claim;
    if (claim && strncmp(claim, "c-", 2) == 0) {
        filter->claim = span_of(claim);
    } else if (claim) {
        struct ledger_claim found;
        if (!research_claim(s, claim, &found))
            return false;
        filter->claim = found.id;
    }
    if (!s->options.source)
        return true;
    if (!research_source_name(s, s->options.source, &name, NULL) ||
        !ledger_find_source(&s->ledger, name, &source, s->error))
        return false;
    filter->source = source.id;
    return true;
}

static bool fits(const struct filter *filter, const struct ledger_evidence *item) {
    return (filter->claim.len == 0 || span_equal(filter->claim, item->claim.id)) &&
           (filter->source.len == 0 || span_equal(filter->source, item->source));
}

static bool list(struct research *s, int argc, char **argv, struct error *error) {
    struct ledger_evidences all;
    struct filter filter;
    uint64_t accepted = OPTS_LEDGER | OPT(PASS) | OPT(CLAIM) | OPT(SOURCE);
    if (!research_begin(s, argc, argv, 1, accepted, 0, 0, error) ||
        !research_open(s, LEDGER_READ) || !filter_of(s, &filter) ||
        !ledger_all_evidence(&s->ledger, &all, error))
        return false;
    struct buffer out = {0};
    struct json_writer w = {.out = &out};
    if (s->options.json) {
        json_begin_object(&w, NULL);
        json_begin_array(&w, "evidence");
    }
    for (size_t i = 0; i < all.count; i++) {
        if (!fits(&filter, &all.items[i]))
            continue;
        if (s->options.json)
            ledger_evidence_put(&w, NULL, &all.items[i]);
        else
            print_evidence(&out, &all.items[i], false);
    }
    if (s->options.json) {
        json_end_array(&w);
        json_end_object(&w);
        json_finish(&w);
    }
    print_out(&out);
    return true;
}

static bool show(struct research *s, int argc, char **argv, struct error *error) {
    struct ledger_evidence evidence;
    bool found;
    if (!research_begin(s, argc, argv, 1, OPTS_LEDGER, 1, 1, error) ||
        !research_open(s, LEDGER_READ) ||
        !ledger_load_evidence(&s->ledger, span_of(s->options.arguments[0]), &evidence, &found,
                              error))
        return false;
    if (!found)
        return error_set(error, ERROR_INPUT, s->options.arguments[0],
                         "`assay evidence list` shows the ids.",
                         "expected an evidence item of the ledger in %s", s->ledger.folder);
    struct buffer out = {0};
    struct json_writer w = {.out = &out};
    if (s->options.json) {
        json_begin_object(&w, NULL);
        ledger_evidence_put(&w, "evidence", &evidence);
        json_end_object(&w);
        json_finish(&w);
    } else {
        print_evidence(&out, &evidence, true);
    }
    print_out(&out);
    return true;
}

static bool print_one(struct research *s, const struct ledger_evidence *evidence) {
    struct buffer out = {0};
    struct json_writer w = {.out = &out};
    if (s->options.json) {
        json_begin_object(&w, NULL);
        ledger_evidence_put(&w, "evidence", evidence);
        json_end_object(&w);
        json_finish(&w);
    } else if (!s->options.quiet) {
        print_evidence(&out, evidence, false);
    }
    print_out(&out);
    return true;
}

static bool keep(struct research *s, int argc, char **argv, struct error *error) {
    struct ledger_evidence evidence;
    struct ledger_claim claim;
    uint64_t accepted = OPTS_LEDGER | OPT(PASS) | OPT(CLAIM) | OPT(REASON);
    if (!research_begin(s, argc, argv, 1, accepted, 1, 1, error))
        return false;
    bool moves = s->options.claim != NULL;
    struct span reason = span_of(s->options.reason ? s->options.reason : "");
    return (!moves || research_claim(s, s->options.claim, &claim)) &&
           research_open(s, LEDGER_WRITE) &&
           ledger_keep_evidence(&s->ledger, span_of(s->options.arguments[0]), moves ? &claim : NULL,
                                reason, &evidence, error) &&
           print_one(s, &evidence);
}

static bool take_out(struct research *s, int argc, char **argv, struct error *error) {
    struct ledger_evidence evidence;
    if (!research_begin(s, argc, argv, 1, OPTS_LEDGER | OPT(REASON), 1, 1, error))
        return false;
    struct span reason = span_of(s->options.reason ? s->options.reason : "");
    return research_open(s, LEDGER_WRITE) &&
           ledger_remove_evidence(&s->ledger, span_of(s->options.arguments[0]), reason, &evidence,
                                  error) &&
           print_one(s, &evidence);
}

static const struct subcommand subcommands[] = {
    {"add", add}, {"list", list}, {"show", show}, {"keep", keep}, {"remove", take_out}};

static enum exit_status evidence(int argc, char **argv, struct error *error) {
    return research_run(subcommands, sizeof subcommands / sizeof *subcommands, argc, argv, error);
}

const struct command command_evidence = {
    .name = "evidence",
    .summary = "tie a quoted passage of a source to a claim",
    .usage = "evidence add --claim CLAIM --source SOURCE --relation RELATION --quote TEXT "
             "[OPTION]... | evidence list|show|keep|remove",
    .help =
        "An item is stored only when it checks out: the quote stands in the source's stored text\n"
        "(exactly, or after white space, Unicode NFC, quotation marks, dashes, ligatures and\n"
        "hyphens at line ends are made equal, which is then shown), it cuts no word and no number\n"
        "short, each number of the note stands in the passage around the quote, and the source\n"
        "was read far enough: an abstract permits BACKGROUND, METHOD, ALTERNATIVE, UNCERTAIN "
        "only.\n"
        "\n"
        "  add          records one item\n"
        "  list         all items, or those of --claim and --source\n"
        "  show ID      one item with its place and history\n"
        "  keep ID      you looked at it again and it holds: for the claim it was about, or for\n"
        "               --claim, when that one took its place; --reason goes into the history\n"
        "  remove ID    takes it out of use, with a --reason; it stays as a record\n\n"
        "  --claim CLAIM        label (C3) or id of a claim of the pass\n"
        "  --source SOURCE      as in `assay source`\n"
        "  --relation RELATION  SUPPORTS, EXTENDS, QUALIFIES, CONTRADICTS, ALTERNATIVE, "
        "BACKGROUND,\n"
        "                       METHOD, EMPIRICAL_EVIDENCE, LIMITATION, SUPERSEDES, UNCERTAIN\n"
        "  --class CLASS        background, source-reported, hypothesis, proposed-experiment\n"
        "                       (default: the relation's usual one)\n"
        "  --quote TEXT         words of the stored text (`assay source show` prints it)\n"
        "  --at BYTE            where the quote starts, when it stands in several places\n"
        "  --note TEXT          what it means for the claim\n"
        "  --pass PASS, --out DIR, --who NAME, --json, -q\n"
        "\nExit status: 0 recorded; 2 usage; 5 refused, with the reason.\n"
        "\nExample:\n"
        "  assay evidence add --claim C3 --source S2 --relation QUALIFIES \\\n"
        "    --quote \"measured on one GPU\" --note \"the claim names no device count\"\n",
    .run = evidence,
};
