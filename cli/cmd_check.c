/* assay check: extract and check the claims of any document; no brief, no network, no pass. */
#include "cli/command.h"
#include "cli/findings_text.h"
#include "cli/options.h"

#include "audit/audit.h"
#include "core/file.h"
#include "core/interrupt.h"
#include "fetch/charset.h"
#include "fetch/structure.h"

enum { DOCUMENT_LARGEST_BYTES = 256 << 20, DOCUMENTS_MOST = 10000 };

struct document_result {
    struct span name, text;
    struct claims claims;
    struct findings findings;
};

/* As it stands in UTF-8; another charset is converted, and the person told that places count in the
 * converted text. */
static bool read_text(struct arena *arena, const char *path, struct progress *progress,
                      struct document_result *result, struct error *error) {
    struct span bytes;
    struct charset charset = {0};
    if (!file_read(arena, path, DOCUMENT_LARGEST_BYTES, ERROR_INPUT, &bytes, error))
        return false;
    if (charset_is_binary(bytes, SPAN("")))
        return error_set(error, ERROR_INPUT, path,
                         "Give text, Markdown, HTML or a notebook (convert a PDF with pdftotext).",
                         "expected a text document, found binary data");
    result->name = strcmp(path, "-") == 0 ? SPAN("standard input") : span_of(path);
    result->text = charset_decode(arena, bytes, SPAN(""), &charset);
    if (result->text.at == bytes.at)
        return true;
    struct span note = arena_printf(
        arena, "%s was read as %.*s; places count in its UTF-8 form, %zu parts replaced", path,
        SPAN_ARG(charset.name), charset.replaced);
    progress_note(progress, "check", note.at);
    return true;
}

static bool check_document(struct arena *arena, const char *path, const struct options *options,
                           struct document_result *result, struct error *error) {
    struct progress *progress = output_progress(options->quiet, options->verbose);
    struct audit_options audit = {.progress = progress, .suppressions = options->suppressions};
    struct chapter chapter = {0};
    if (!read_text(arena, path, progress, result, error))
        return false;
    struct span format = structure_format(result->name, result->text);
    return structure_read(arena, format, result->text, path, &chapter, error) &&
           audit_text(arena, &chapter, span_of(path_name(path)), NULL, &audit, &result->claims,
                      &result->findings, error);
}

static void put_document(struct json_writer *w, const struct document_result *result) {
    claims_write_members(w, &result->claims);
    findings_write_members(w, &result->findings);
    json_put_size(w, "checks_completed", result->findings.checks_completed);
    json_put_size(w, "checks_total", result->findings.checks_total);
}

/* One object for one file; {"documents": [...]} for several. */
static void put_json_start(struct json_writer *w, bool several) {
    json_begin_object(w, NULL);
    if (several)
        json_begin_array(w, "documents");
}

static void put_json_document(struct json_writer *w, bool several,
                              const struct document_result *result) {
    if (several)
        json_begin_object(w, NULL);
    put_document(w, result);
    if (several)
        json_end_object(w);
}

static void put_json_end(struct json_writer *w, bool several) {
    if (several)
        json_end_array(w);
    json_end_object(w);
    json_finish(w);
}

static void put_text(const struct options *options, const struct document_result *result,
                     struct buffer *out) {
    findings_text_write(out, result->name, result->text, &result->claims, &result->findings,
                        output_color(options->color));
}

static bool explain(const struct options *options, struct arena *arena,
                    const struct document_result *result, struct buffer *out, struct error *error) {
    return audit_explain(arena, result->text, &result->claims, &result->findings,
                         span_of(options->explain), out, error);
}

/* Each document has an arena of its own, so that memory does not grow with their number. */
static bool check_one(const struct options *options, const char *path, bool several,
                      struct json_writer *json, struct buffer *out, bool *reached,
                      struct error *error) {
    struct arena arena;
    struct document_result result = {0};
    arena_init(&arena);
    bool ok = interrupt_check(path, error) && check_document(&arena, path, options, &result, error);
    if (ok && options->json)
        put_json_document(json, several, &result);
    else if (ok && options->explain)
        ok = explain(options, &arena, &result, out, error);
    else if (ok)
        put_text(options, &result, out);
    *reached = *reached || (ok && findings_reach(&result.findings, options->fail_on));
    arena_free(&arena);
    return ok;
}

static void drain(struct buffer *out) {
    output_write(buffer_span(out));
    buffer_clear(out);
}

static enum exit_status check(int argc, char **argv, struct error *error) {
    struct options options;
    if (!options_parse(argc, argv, OPTS_COMMON | OPT(SUPPRESSIONS) | OPT(FAIL_ON) | OPT(EXPLAIN), 1,
                       DOCUMENTS_MOST, &options, error))
        return EXIT_USAGE;
    bool several = options.argument_count > 1, reached = false, ok = true;
    struct buffer out = {0};
    /* Several documents are printed when all could be read, one as it is written. */
    struct json_writer json = {.out = &out, .drain = several ? NULL : drain};
    if (options.json)
        put_json_start(&json, several);
    for (int i = 0; ok && i < options.argument_count; i++) {
        ok = check_one(&options, options.arguments[i], several, &json, &out, &reached, error);
        if (ok && !options.json)
            drain(&out);
    }
    if (ok && options.json) {
        put_json_end(&json, several);
        output_write(buffer_span(&out));
    }
    buffer_free(&out);
    if (!ok)
        return exit_status_of(error);
    return reached ? EXIT_FINDINGS : EXIT_COMPLETE;
}

const struct command command_check = {
    .name = "check",
    .summary = "extract and check the claims of any document, offline",
    .usage = "check [OPTION]... FILE...",
    .help =
        "FILE is text, Markdown, HTML, a notebook, or - for standard input. Prints one line a\n"
        "finding, FILE:LINE:COLUMN: CLASS SEVERITY: MESSAGE [CHECK], and one line of counts.\n\n"
        "      --json            one object with the keys claims and findings (several files:\n"
        "                        {\"documents\": [...]})\n"
        "      --explain CLAIM   how one claim (C3 or its id) was judged\n"
        "      --fail-on LEVEL   exit 1 when a finding is at least info, low, medium or high\n"
        "      --suppressions F  findings you have decided about\n"
        "  -q, -v, --color WHEN\n\n"
        "Examples:\n"
        "  assay check README.md\n"
        "  assay check --fail-on medium docs/*.md\n"
        "  pdftotext -layout paper.pdf - | assay check --json -\n",
    .run = check,
};
