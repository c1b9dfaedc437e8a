#include "core/process.h"
#include "core/utf8.h"
#include "fetch/source_text.h"

enum { PDF_TIME_MS = 60000, PDF_CPU_S = 60 };

static const uint64_t pdf_memory_bytes = UINT64_C(2) << 30;

static bool refuse(const struct process_result *result, const char *where, struct error *error) {
    struct span why = result->err, line = SPAN("");
    span_next_line(&why, &line);
    if (result->end == PROCESS_INTERRUPTED)
        return error_set(error, ERROR_INTERRUPTED, where, "Run the command again.", "interrupted");
    if (result->end == PROCESS_TIMED_OUT)
        return error_set(error, ERROR_INPUT, where, "Give its text with --file FILE.",
                         "pdftotext did not finish within %d seconds", PDF_TIME_MS / 1000);
    return error_set(error, ERROR_INPUT, where, "Give its text with --file FILE.",
                     "pdftotext cannot read it as PDF%s%.*s", line.len ? ": " : "", SPAN_ARG(line));
}

bool source_text_of_pdf(struct arena *arena, struct span pdf, const char *where, struct span *text,
                        struct error *error) {
    static const char *const command[] = {"pdftotext", "-q", "-enc", "UTF-8", "-eol",
                                          "unix",      "-",  "-",    NULL};
    struct process_limits limits = {.time_ms = PDF_TIME_MS,
                                    .memory_bytes = pdf_memory_bytes,
                                    .cpu_seconds = PDF_CPU_S,
                                    .output_bytes = SOURCE_LARGEST_BYTES};
    struct process_result result;
    if (!process_run(arena, command, NULL, pdf, &limits, NULL, NULL, &result, NULL))
        return error_set(error, ERROR_UNAVAILABLE, "pdftotext",
                         "Install poppler-utils (`make deps`), or give the text with --file FILE.",
                         "cannot be started: a PDF is read through it");
    if (result.end != PROCESS_EXITED || result.status != 0)
        return refuse(&result, where, error);
    *text = result.out;
    return true;
}
