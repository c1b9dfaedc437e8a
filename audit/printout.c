#include "audit/printout.h"

#include <ctype.h>
#include <string.h>

enum { LONGEST_TITLE = 60, MOST_LINES = 24 };

static size_t column_of(struct span view, size_t at) {
    size_t column = 0;
    while (at > 0 && (view.at[at - 1] == ' ' || view.at[at - 1] == '\t') && column < 64) {
        at--;
        column++;
    }
    return at == 0 || view.at[at - 1] == '\n' ? column : 0;
}

/* "Benchmark 1: grep -r TODO" is about what stands behind the mark, "randread: (groupid=0" about
 * what stands before it. */
static struct span title_text(struct span line) {
    size_t mark = span_find(line, SPAN(": "), 0);
    bool numbered = mark != SIZE_MAX && mark > 0 && isdigit((unsigned char)line.at[mark - 1]) &&
                    span_starts(line, SPAN("Benchmark"));
    if (numbered)
        line = span_trim(span_slice(line, mark + 2, line.len));
    else if (mark != SIZE_MAX)
        line = span_slice(line, 0, mark);
    while (line.len && strchr(":=- ", line.at[line.len - 1]))
        line.len--;
    return line.len <= LONGEST_TITLE ? line : (struct span){0};
}

static bool has_letters(struct span text) {
    for (size_t i = 0; i + 1 < text.len; i++)
        if (isalpha((unsigned char)text.at[i]) && isalpha((unsigned char)text.at[i + 1]))
            return true;
    return false;
}

struct span printout_title(struct printout *p, const struct document *d,
                           const struct sentence *line) {
    struct span view = d->chapter->view, text = span_slice(view, line->start, line->end);
    size_t column = column_of(view, line->start);
    if (span_starts(text, SPAN("$ "))) {
        struct span command = span_slice(text, 2, text.len);
        *p = (struct printout){.command = command.len <= LONGEST_TITLE ? command : SPAN("")};
        return SPAN("");
    }
    bool below = p->parent.len && column > p->parent_column && p->lines < MOST_LINES;
    p->lines++;
    if (below)
        return p->parent;
    struct span title = title_text(text);
    p->parent = has_letters(title) ? title : (struct span){0};
    p->parent_column = column;
    p->lines = 0;
    enum { MOST_NUMBERS = 2 }; /* rows of a table name themselves */
    return line->quantity_count <= MOST_NUMBERS ? p->command : SPAN("");
}
