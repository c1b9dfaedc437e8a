#include "cli/findings_text.h"

#include "core/terminal.h"

static bool asks_for_action(const struct finding *finding) {
    return finding->class != FINDING_CONFIRMED && finding->class != FINDING_NOTE &&
           !finding->suppressed;
}

bool findings_reach(const struct findings *findings, int severity) {
    for (size_t i = 0; i < findings->count; i++)
        if (asks_for_action(&findings->findings[i]) &&
            (int)findings->findings[i].severity >= severity)
            return true;
    return false;
}

/* Walks forward only: findings come in order of place, so the whole walk is linear. */
struct place {
    size_t offset, line, line_start;
};

static void place_advance(struct place *at, struct span text, size_t offset) {
    if (offset < at->offset)
        *at = (struct place){0, 1, 0};
    for (; at->offset < offset && at->offset < text.len; at->offset++)
        if (text.at[at->offset] == '\n') {
            at->line++;
            at->line_start = at->offset + 1;
        }
}

static const char *color_of(enum severity severity) {
    static const char *const codes[] = {"\033[36m", "\033[34m", "\033[33m", "\033[31m"};
    return codes[severity];
}

static void write_finding(struct buffer *out, struct span name, const struct place *at,
                          const struct finding *finding, bool color) {
    terminal_escape(out, name);
    if (finding->place_count)
        buffer_printf(out, ":%zu:%zu", at->line, finding->places[0].start - at->line_start + 1);
    buffer_printf(out, ": %s%s%s %s: ", color ? color_of(finding->severity) : "",
                  word_of(&finding_words, finding->class), color ? "\033[0m" : "",
                  word_of(&severity_words, finding->severity));
    terminal_escape(out, finding->message);
    buffer_add(out, SPAN(" ["));
    terminal_escape(out, finding->check);
    buffer_add(out, SPAN("]\n"));
}

void findings_text_write(struct buffer *out, struct span name, struct span text,
                         const struct claims *claims, const struct findings *findings, bool color) {
    struct place at = {0, 1, 0};
    size_t shown = 0, confirmed = 0, suppressed = 0, notes = 0;
    for (size_t i = 0; i < findings->count; i++) {
        const struct finding *finding = &findings->findings[i];
        confirmed += finding->class == FINDING_CONFIRMED;
        suppressed += finding->suppressed;
        notes += finding->class == FINDING_NOTE;
        if (!asks_for_action(finding))
            continue;
        shown++;
        if (finding->place_count)
            place_advance(&at, text, finding->places[0].start);
        write_finding(out, name, &at, finding, color);
    }
    terminal_escape(out, name);
    buffer_printf(out,
                  ": %zu findings, %zu confirmed, %zu notes, %zu suppressed; %zu claims, %zu "
                  "quantities; %zu of %zu checks completed\n",
                  shown, confirmed, notes, suppressed, claims->count, claims->quantity_count,
                  findings->checks_completed, findings->checks_total);
}
