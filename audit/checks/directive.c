/* Text that reads like an order to whoever (or whatever) processes the document. It is material:
 * quoted, reported as a note, never acted on. The raw text is searched, not the view, so that
 * hidden markup and comments are seen as well. */
#include "audit/checks/checks.h"
#include "audit/material.h"
#include "audit/prose.h"
#include "core/terminal.h"

enum { MOST_DIRECTIVES = 50, QUOTE_BYTES = 160 };

static const char *const phrases[] = {"ignore previous instructions",
                                      "ignore all previous instructions",
                                      "ignore the previous",
                                      "ignore the above",
                                      "ignore all prior",
                                      "ignore prior instructions",
                                      "ignore your instructions",
                                      "disregard previous",
                                      "disregard all previous",
                                      "disregard the above",
                                      "disregard your instructions",
                                      "forget previous instructions",
                                      "forget all previous",
                                      "forget your instructions",
                                      "you are now a",
                                      "system prompt",
                                      "as an ai language model",
                                      "do not tell the user",
                                      "do not mention this to",
                                      "new instructions:",
                                      "override your instructions",
                                      "respond only with",
                                      "you must output",
                                      "report no findings",
                                      "mark this as verified",
                                      "reveal your instructions",
                                      "execute the following command",
                                      "run the following command without asking",
                                      NULL};

static size_t match(struct span text, size_t at) {
    for (const char *const *p = phrases; *p; p++) {
        if ((text.at[at] | 32) != **p)
            continue;
        const char *const only[] = {*p, NULL};
        size_t len = strlen(*p);
        if (prose_starts_with_any(span_slice(text, at, at + 2 * len + 8), only, NULL))
            return len;
    }
    return 0;
}

static bool may_begin(char c) {
    c |= 32;
    return c == 'i' || c == 'd' || c == 'f' || c == 'y' || c == 's' || c == 'a' || c == 'n' ||
           c == 'o' || c == 'r' || c == 'm' || c == 'e';
}

/* Up to the end of the line or sentence. */
static size_t quote_end(struct span text, size_t at, size_t len) {
    size_t end = at + QUOTE_BYTES < text.len ? at + QUOTE_BYTES : text.len;
    for (size_t i = at + len; i < end; i++)
        if (text.at[i] == '\n' || text.at[i] == '.')
            end = i;
    return end;
}

/* material is NULL for the chapter, whose bytes are places. */
static void report(const struct check_input *input, struct findings *findings,
                   const struct material *material, struct span text, size_t at, size_t len) {
    struct finding_draft d;
    struct buffer quote = {0};
    size_t end = quote_end(text, at, len);
    terminal_escape(&quote, span_slice(text, at, end));
    finding_begin(&d, input, findings, "directive", FINDING_NOTE, SEVERITY_INFO);
    if (material)
        finding_say(&d,
                    "The file %.*s holds at byte %zu what reads like an instruction; it was not "
                    "followed: \"%.*s\".",
                    SPAN_ARG(material->name), at, SPAN_ARG(buffer_span(&quote)));
    else {
        finding_place(&d, at, end);
        finding_say(&d,
                    "The text holds what reads like an instruction; it was not followed: \"%.*s\".",
                    SPAN_ARG(buffer_span(&quote)));
    }
    buffer_free(&quote);
    finding_end(&d);
}

static void search(const struct check_input *input, struct findings *findings,
                   const struct material *material, struct span text) {
    size_t reported = 0;
    for (size_t at = 0; at < text.len && reported < MOST_DIRECTIVES; at++) {
        bool begins = !at || (unsigned char)text.at[at - 1] < '0';
        if (!may_begin(text.at[at]) ||
            (!begins && text.at[at - 1] != '>' && text.at[at - 1] != '['))
            continue;
        size_t len = match(text, at);
        if (!len)
            continue;
        report(input, findings, material, text, at, len);
        reported++;
        at += len;
    }
}

static void run(const struct check_input *input, struct findings *findings) {
    search(input, findings, NULL, input->document->chapter->text);
    for (size_t i = 0; input->materials && i < input->materials->count; i++)
        search(input, findings, &input->materials->items[i], input->materials->items[i].text);
    coverage_add(input, findings, "directive", NONE, COVERAGE_RAN, NULL);
}

const struct check check_directive = {"directive", "Text that reads like an instruction", run};
