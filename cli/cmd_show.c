/* assay show: one artifact of a pass, as it stands. */
#include "cli/research.h"
#include "core/json.h"
#include "core/terminal.h"

#include <unistd.h>

static const struct artifact {
    const char *name, *file;
    bool is_json;
} artifacts[] = {
    {"brief", "brief.json", true},         {"snapshot", "snapshot.txt", false},
    {"claims", "claims.json", true},       {"findings", "findings.json", true},
    {"sources", "sources.json", true},     {"plan", "plan.json", true},
    {"results", "results.json", true},     {"evidence", "evidence.json", true},
    {"decisions", "decisions.json", true}, {"carry_over", "carry_over.json", true},
    {"report", "report.md", false},
};

static const struct artifact *artifact_of(const char *name) {
    for (size_t i = 0; i < sizeof artifacts / sizeof *artifacts; i++)
        if (strcmp(artifacts[i].name, name) == 0)
            return &artifacts[i];
    return NULL;
}

static void print(struct research *s, const struct artifact *artifact, struct span text) {
    struct buffer out = {0};
    struct json_writer w = {.out = &out};
    if (s->options.json && !artifact->is_json) {
        json_begin_object(&w, NULL);
        json_put_string(&w, "file", artifact->file);
        json_put_text(&w, "text", text);
        json_end_object(&w);
        json_finish(&w);
    } else if (isatty(STDOUT_FILENO)) {
        for (struct span line; span_next_line(&text, &line);) {
            terminal_escape(&out, line);
            buffer_add_string(&out, "\n");
        }
    } else {
        buffer_add(&out, text);
    }
    output_write(buffer_span(&out));
    buffer_free(&out);
}

static enum exit_status show(int argc, char **argv, struct error *error) {
    struct research s;
    struct span text;
    bool ok = research_begin(&s, argc, argv, 0, OPTS_LEDGER | OPT(PASS), 1, 1, error);
    if (!ok)
        return research_end(&s);
    const struct artifact *artifact = artifact_of(s.options.arguments[0]);
    if (!artifact)
        error_set(error, ERROR_USAGE, s.options.arguments[0], "See `assay show --help`.",
                  "expected brief, snapshot, claims, findings, sources, plan, results, evidence, "
                  "decisions, carry_over or report");
    else if (research_pass(&s) && pass_read(&s.arena, &s.pass, artifact->file, &text, error))
        print(&s, artifact, text);
    return research_end(&s);
}

const struct command command_show = {
    .name = "show",
    .summary = "print an artifact of a pass",
    .usage = "show WHAT [OPTION]...",
    .help =
        "WHAT is brief, snapshot, claims, findings, sources, plan, results, evidence, decisions\n"
        "or report. The file is printed as it stands; on a terminal its control characters\n"
        "are made visible.\n\n"
        "  --pass PASS  the pass (default: the newest of the workspace)\n"
        "  --out DIR    the workspace (default .)\n"
        "  --json       snapshot and report as a JSON object {file, text}; the rest is JSON\n\n"
        "Example:\n"
        "  assay show findings | jq '.findings[].message'\n",
    .run = show,
};
