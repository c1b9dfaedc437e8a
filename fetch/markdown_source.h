/* Where the pieces of a parsed Markdown text stand in its source, and the view that results.
 *
 * The parser gives lines and columns that are right for most pieces and off for some (continuation
 * lines of other indentation, automatic links, pieces behind a definition). A claimed place is
 * therefore only believed when the piece stands there; else it is searched on its line, in order.
 */
#ifndef FETCH_MARKDOWN_SOURCE_H
#define FETCH_MARKDOWN_SOURCE_H

#include "core/memory.h"

#include <stdint.h>

struct markdown_source {
    struct span text;
    char *view;          /* same length; final before `settled`, the text itself behind it */
    const size_t *lines; /* where each line starts; lines[line_count] is text.len */
    size_t line_count;
    size_t settled;
    size_t cursor;   /* pieces are placed at or behind it */
    size_t line;     /* index of the cursor's line */
    size_t reach;    /* end of what may be searched for the next piece */
    ptrdiff_t shift; /* how far the columns of this line were off */
    size_t work;     /* bytes compared in searches; bounded, so that the whole stays linear */
};

enum markdown_piece { MARKDOWN_TEXT, MARKDOWN_CODE, MARKDOWN_TAG };

struct markdown_range {
    size_t start, end;
};

/* The part of text from byte `from` is what the parser was given. What is before it is blank. */
void markdown_source_init(struct markdown_source *source, struct arena *arena, struct span text,
                          size_t from);
/* Start of the parser's line (1-based), cut to the text. */
size_t markdown_line(const struct markdown_source *source, int line);
/* The next pieces belong to a block that starts and ends there (lines and columns 1-based). */
void markdown_enter_block(struct markdown_source *source, int line, int column, int end_line);
/* The next pieces stand on a later line. */
void markdown_next_line(struct markdown_source *source);
/* The next pieces stand behind the next unescaped '|' of the line, which is a tab in the view. */
void markdown_next_cell(struct markdown_source *source, bool first);
/* Places a piece and settles the view up to its end; column 0 is no claim. false when it is
 * nowhere: the rest of the line then stays as it is written. */
bool markdown_place(struct markdown_source *source, struct span literal, enum markdown_piece kind,
                    int column, struct markdown_range *range);
/* Places the lines of a block's literal, each the end of a source line from `line` on. Calls back
 * with what was placed of each line; the view holds it. */
void markdown_place_lines(struct markdown_source *source, struct span literal, int line,
                          void (*placed)(void *context, size_t start, size_t end), void *context);
/* Blanks the view up to `end`; newlines stay. */
void markdown_settle(struct markdown_source *source, size_t end);
/* Whether at `at` stands "[^id]"; *end behind it. */
bool markdown_is_note_mark(struct span text, size_t at, size_t *end);

#endif
