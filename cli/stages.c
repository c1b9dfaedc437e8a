#include "cli/stages.h"

#include "audit/audit.h"
#include "bench/bench.h"
#include "cli/findings_text.h"
#include "fetch/fetch.h"
#include "fetch/url.h"
#include "ledger/carry.h"
#include "ledger/copy.h"
#include "report/report.h"
#include "schemas/workspace.h"

#include <stdlib.h>

static struct progress *progress_of(const struct options *options) {
    return output_progress(options->quiet, options->verbose);
}

static bool is_path(struct span argument) {
    return argument.len > 1 && argument.at[0] != '-' &&
           span_find(argument, SPAN("://"), 0) == SIZE_MAX &&
           span_find_byte(argument, '/', 0) != SIZE_MAX;
}

const char *stages_command_line(struct arena *arena, int argc, char **argv) {
    struct buffer line = {0};
    buffer_add_string(&line, "assay");
    for (int i = 0; i < argc; i++) {
        struct span argument = span_of(argv[i]);
        size_t equals =
            argument.len && argument.at[0] == '-' ? span_find_byte(argument, '=', 0) : SIZE_MAX;
        struct span option = span_slice(argument, 0, equals == SIZE_MAX ? 0 : equals + 1);
        struct span value = span_slice(argument, option.len, argument.len);
        if (is_path(value))
            value = span_of(path_name(arena_string(arena, value)));
        buffer_add_byte(&line, ' ');
        buffer_add(&line, option);
        buffer_add(&line, url_redact(arena, value));
    }
    char *copy = arena_string(arena, buffer_span(&line));
    buffer_free(&line);
    return copy;
}

void stages_fetch_options(const struct options *options, const char *brief, const char *command,
                          struct fetch_options *fetch) {
    *fetch = (struct fetch_options){
        .brief = brief,
        .workspace = options->out,
        .snapshot = options->snapshot,
        .cache = options->cache,
        .replay = options->replay,
        .profile = options->profile,
        .command = command,
        .offline = options->offline,
        .refresh = options->refresh,
        .allow_private = options->allow_private,
        .allow_mismatch = options->allow_mismatch,
        .connect_to = options->connect_to[0] ? options->connect_to : NULL,
        .ca_file = options->ca_file,
        .contact = options->contact ? options->contact : getenv("ASSAY_CONTACT"),
        .services = options->services[0] ? options->services : NULL,
        .bibliographies = options->bibliographies[0] ? options->bibliographies : NULL,
        .jobs = options->jobs,
        .progress = progress_of(options),
    };
}

bool stages_fetch(struct arena *arena, const struct options *options, const char *brief,
                  const char *command, struct pass *pass, struct error *error) {
    struct fetch_options fetch;
    stages_fetch_options(options, brief, command, &fetch);
    return fetch_pass(arena, &fetch, pass, error);
}

bool stages_audit(struct arena *arena, const struct options *options, struct pass *pass,
                  struct error *error) {
    struct audit_options audit = {.progress = progress_of(options),
                                  .suppressions = options->suppressions};
    return audit_pass(arena, pass, &audit, error);
}

bool stages_bench(struct arena *arena, const struct options *options, struct pass *pass,
                  struct error *error) {
    struct bench_options bench = {
        .backend = options->backend ? options->backend : "auto",
        .budget_seconds = options->budget_seconds,
        .only = options->only[0] ? options->only : NULL,
        .repeat = options->repeat,
        .list = options->list,
        .skip = options->no_bench,
        .executor = options->executor,
        .progress = progress_of(options),
    };
    return bench_pass(arena, pass, &bench, error);
}

bool stages_carry(struct arena *arena, const struct pass *pass, const char *who,
                  const char *command, struct carry_over *carry, bool *done, struct error *error) {
    const char *workspace = workspace_of_pass(arena, pass->folder);
    *done = false;
    if (!workspace)
        return true; /* a pass that was moved elsewhere has no ledger */
    bool has_ledger = file_exists(path_join(arena, workspace, "ledger"));
    struct ledger ledger;
    struct ledger_options options = {
        .workspace = workspace,
        .access = has_ledger ? LEDGER_WRITE : LEDGER_READ,
        .who = who,
        .command = command,
    };
    if (!ledger_open(arena, &options, &ledger, error))
        return false;
    bool ok = ledger_carry(&ledger, workspace, pass, carry, done, error);
    ledger_close(&ledger);
    return ok;
}

bool stages_report(struct arena *arena, const struct options *options, struct pass *pass,
                   struct buffer *summary, struct error *error) {
    struct report_options report = {
        .progress = progress_of(options),
        .text = !options->quiet && !options->json,
        .color = output_color(options->color),
        .width = output_width(),
    };
    struct carry_over carry;
    bool carried;
    const char *command = arena_string(arena, pass->command);
    return stages_carry(arena, pass, NULL, command, &carry, &carried, error) &&
           ledger_copy_to_pass(arena, pass, NULL, error) &&
           report_pass(arena, pass, &report, summary, error);
}

static bool is_partial(const struct pass *pass) {
    if (!span_equal(pass->scope, SPAN("full")))
        return true;
    for (int stage = 0; stage < STAGE_COUNT; stage++)
        if (pass->stages[stage].state == STAGE_PARTIAL || pass->stages[stage].state == STAGE_FAILED)
            return true;
    return false;
}

static bool read_findings(struct arena *arena, const struct pass *pass, struct findings *findings,
                          struct error *error) {
    struct span json;
    *findings = (struct findings){0};
    return !pass_has(pass, "findings.json") ||
           (pass_read(arena, pass, "findings.json", &json, error) &&
            findings_read(arena, json, "findings.json", findings, error));
}

enum exit_status stages_exit_status(struct arena *arena, const struct options *options,
                                    const struct pass *pass, struct error *error) {
    struct findings findings;
    if (!read_findings(arena, pass, &findings, error))
        return exit_status_of(error);
    if (pass->fingerprint == FINGERPRINT_MISMATCH && !options->allow_mismatch)
        return EXIT_MISMATCH;
    if (is_partial(pass))
        return EXIT_PARTIAL;
    return findings_reach(&findings, options->fail_on) ? EXIT_FINDINGS : EXIT_COMPLETE;
}

static void put_stages(struct json_writer *w, const struct pass *pass) {
    json_begin_array(w, "stages");
    for (int stage = 0; stage < STAGE_COUNT; stage++) {
        json_begin_object(w, NULL);
        json_put_string(w, "stage", word_of(&stage_words, stage));
        json_put_string(w, "state", word_of(&stage_state_words, (int)pass->stages[stage].state));
        json_put_optional(w, "detail", pass->stages[stage].detail);
        json_end_object(w);
    }
    json_end_array(w);
}

static void put_counts(struct arena *arena, struct json_writer *w, const struct pass *pass) {
    struct findings findings;
    if (!pass_has(pass, "findings.json") || !read_findings(arena, pass, &findings, NULL))
        return;
    size_t counts[FINDING_NOTE + 1] = {0};
    for (size_t i = 0; i < findings.count; i++)
        counts[findings.findings[i].class]++;
    json_begin_object(w, "findings");
    for (int class = 0; class <= FINDING_NOTE; class ++)
        json_put_size(w, word_of(&finding_words, class), counts[class]);
    json_end_object(w);
    json_put_size(w, "checks_completed", findings.checks_completed);
    json_put_size(w, "checks_total", findings.checks_total);
}

void stages_print_json(struct arena *arena, const struct pass *pass, enum exit_status status) {
    struct buffer out = {0};
    struct json_writer w = {.out = &out};
    json_begin_object(&w, NULL);
    json_put_string(&w, "pass", pass->folder ? pass->folder : "");
    json_put_text(&w, "id", pass->id);
    json_put_text(&w, "scope", pass->scope);
    json_put_string(&w, "fingerprint", word_of(&fingerprint_words, (int)pass->fingerprint));
    put_stages(&w, pass);
    put_counts(arena, &w, pass);
    json_put_size(&w, "exit_status", (size_t)status);
    json_end_object(&w);
    json_finish(&w);
    output_write(buffer_span(&out));
    buffer_free(&out);
}
