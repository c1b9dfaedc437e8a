/* assay decide: what the author does about a claim, and why. */
#include "cli/ledger_print.h"
#include "cli/research.h"

static bool list(struct research *s) {
    struct ledger_decisions all;
    if (!research_open(s, LEDGER_READ) || !ledger_all_decisions(&s->ledger, &all, s->error))
        return false;
    struct buffer out = {0};
    struct json_writer w = {.out = &out};
    if (s->options.json) {
        json_begin_object(&w, NULL);
        json_begin_array(&w, "decisions");
        for (size_t i = 0; i < all.count; i++)
            ledger_decision_put(&w, NULL, &all.items[i]);
        json_end_array(&w);
        json_end_object(&w);
        json_finish(&w);
    }
    for (size_t i = 0; !s->options.json && i < all.count; i++)
        print_decision(&out, &all.items[i], s->options.verbose);
    print_out(&out);
    return true;
}

static bool record(struct research *s) {
    struct decision_request request = {
        .decision = span_of(s->options.arguments[1]),
        .reason = span_of(s->options.reason ? s->options.reason : ""),
        .replacement = span_of(s->options.replacement ? s->options.replacement : ""),
    };
    struct span evidence[OPTION_LIST_MOST];
    struct ledger_decision decision;
    for (; s->options.evidence[request.evidence_count]; request.evidence_count++)
        evidence[request.evidence_count] = span_of(s->options.evidence[request.evidence_count]);
    request.evidence = evidence;
    if (!research_claim(s, s->options.arguments[0], &request.claim) ||
        !research_open(s, LEDGER_WRITE) ||
        !ledger_decide(&s->ledger, &request, &decision, s->error))
        return false;
    struct buffer out = {0};
    struct json_writer w = {.out = &out};
    if (s->options.json) {
        json_begin_object(&w, NULL);
        ledger_decision_put(&w, "decision", &decision);
        json_end_object(&w);
        json_finish(&w);
    } else if (!s->options.quiet) {
        print_decision(&out, &decision, false);
    }
    print_out(&out);
    return true;
}

static bool run(struct research *s, int argc, char **argv, struct error *error) {
    uint64_t accepted =
        OPTS_LEDGER | OPT(PASS) | OPT(REASON) | OPT(REPLACEMENT) | OPT(EVIDENCE) | OPT(LIST);
    if (!research_begin(s, argc, argv, 0, accepted, 0, 2, error))
        return false;
    if (s->options.list)
        return list(s);
    if (s->options.argument_count < 2)
        return error_set(error, ERROR_USAGE, "decide", "`assay decide --help` shows the usage.",
                         "expected a claim and accept, revise, defer or reject");
    return record(s);
}

static enum exit_status decide(int argc, char **argv, struct error *error) {
    struct research research;
    bool ok = run(&research, argc, argv, error);
    enum exit_status status = research_end(&research);
    return ok || status != EXIT_COMPLETE ? status : EXIT_SYSTEM;
}

const struct command command_decide = {
    .name = "decide",
    .summary = "record the author's decision on a claim",
    .usage = "decide CLAIM accept|revise|defer|reject --reason TEXT [OPTION]... | decide --list",
    .help =
        "A second decision on a claim replaces the first, which stays in the history. The next\n"
        "`assay report` shows decisions and puts replacements into proposal.patch.\n\n"
        "  --reason TEXT       why, in a sentence; needed\n"
        "  --replacement TEXT  revise: the claim's new words\n"
        "  --evidence ID       an evidence item it rests on; may be repeated\n"
        "  --list              all decisions (-v with their history)\n"
        "  --pass PASS         the pass of the claim (default: the newest of the workspace)\n"
        "  --out DIR, --who NAME, --json, -q\n"
        "\nExample:\n"
        "  assay decide C3 revise --reason \"true of one GPU only\" \\\n"
        "    --replacement \"On one GPU the step takes 9.5 ms.\"\n",
    .run = decide,
};
