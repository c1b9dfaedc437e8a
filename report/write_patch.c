/* proposal.patch: every proposal that has a text, as one unified diff for `git apply`. */
#include "report/writers.h"

#include <stdint.h>
#include <stdlib.h>

enum { PATCH_CONTEXT_LINES = 3 };

struct edit {
    size_t start, end;
    struct span after;
    size_t first_line, last_line; /* 0-based lines it touches, inclusive */
};

struct edits {
    struct edit *items;
    size_t count, capacity;
};

static int compare_edits(const void *a, const void *b) {
    const struct edit *x = a, *y = b;
    return x->start != y->start ? (x->start > y->start) - (x->start < y->start)
                                : (x->end > y->end) - (x->end < y->end);
}

/* Proposals are in order of gravity: of two that overlap, the graver one stays. */
static bool overlaps(const struct edits *edits, const struct edit *edit) {
    for (size_t i = 0; i < edits->count; i++)
        if (edit->start < edits->items[i].end && edits->items[i].start < edit->end)
            return true;
    return false;
}

/* The author's own words come first: nothing that overlaps them is proposed beside. */
static void collect_those(const struct report_content *content, bool authored,
                          struct edits *edits) {
    const struct view *view = content->view;
    for (size_t i = 0; i < content->proposals->count; i++) {
        const struct proposal *p = &content->proposals->items[i];
        if (p->authored != authored)
            continue;
        struct edit edit = {.start = p->start, .end = p->end, .after = p->after};
        if (p->after.len == 0 || p->start >= p->end || overlaps(edits, &edit))
            continue;
        edit.first_line = view_position(view, p->start).line - 1;
        edit.last_line = view_position(view, p->end - 1).line - 1;
        LIST_PUSH(view->arena, edits->items, edits->count, edits->capacity, edit);
    }
}

static void collect(const struct report_content *content, struct edits *edits) {
    collect_those(content, true, edits);
    collect_those(content, false, edits);
    if (edits->count)
        qsort(edits->items, edits->count, sizeof *edits->items, compare_edits);
}

static size_t line_end(const struct view *view, size_t line) {
    return line + 1 < view->line_count ? view->line_starts[line + 1] : view->text.len;
}

/* A text that ends with a newline has no further, empty line. */
static size_t lines_of(const struct view *view) {
    size_t last = view->line_count - 1;
    return view->line_starts[last] == view->text.len ? last : view->line_count;
}

struct hunk {
    struct buffer body;
    size_t old_lines, new_lines;
};

/* Every line of text behind mark. Only the file's last line may lack its newline. */
static void put_lines(struct hunk *hunk, char mark, struct span text) {
    for (size_t i = 0; i < text.len;) {
        size_t end = span_find_byte(text, '\n', i);
        end = end == SIZE_MAX ? text.len : end + 1;
        buffer_add_byte(&hunk->body, mark);
        buffer_add(&hunk->body, span_slice(text, i, end));
        if (text.at[end - 1] != '\n')
            buffer_add(&hunk->body, SPAN("\n\\ No newline at end of file\n"));
        hunk->old_lines += mark != '+';
        hunk->new_lines += mark != '-';
        i = end;
    }
}

/* The lines that edits [first, last] touch, old and new. */
static void put_change(struct hunk *hunk, const struct view *view, const struct edits *edits,
                       size_t first, size_t last) {
    size_t at = view->line_starts[edits->items[first].first_line];
    size_t end = line_end(view, edits->items[last].last_line);
    struct buffer changed = {0};
    put_lines(hunk, '-', span_slice(view->text, at, end));
    for (size_t i = first; i <= last; i++) {
        buffer_add(&changed, span_slice(view->text, at, edits->items[i].start));
        buffer_add(&changed, edits->items[i].after);
        at = edits->items[i].end;
    }
    buffer_add(&changed, span_slice(view->text, at, end));
    put_lines(hunk, '+', buffer_span(&changed));
    buffer_free(&changed);
}

static void put_context(struct hunk *hunk, const struct view *view, size_t from, size_t to) {
    if (from < to)
        put_lines(hunk, ' ',
                  span_slice(view->text, view->line_starts[from], line_end(view, to - 1)));
}

/* Index of the last edit that shares a line with the one before it. */
static size_t last_touching(const struct edits *edits, size_t first) {
    while (first + 1 < edits->count &&
           edits->items[first + 1].first_line <= edits->items[first].last_line)
        first++;
    return first;
}

static bool joins_hunk(const struct edits *edits, size_t last) {
    return last + 1 < edits->count && edits->items[last + 1].first_line <=
                                          edits->items[last].last_line + 2 * PATCH_CONTEXT_LINES;
}

/* One hunk from edit *next on; *shift is how many lines the hunks before added. */
static void put_hunk(struct buffer *out, const struct view *view, const struct edits *edits,
                     size_t *next, ptrdiff_t *shift) {
    struct hunk hunk = {0};
    size_t line = edits->items[*next].first_line;
    size_t start = line > PATCH_CONTEXT_LINES ? line - PATCH_CONTEXT_LINES : 0, at = start;
    for (bool more = true; more;) {
        size_t last = last_touching(edits, *next);
        put_context(&hunk, view, at, edits->items[*next].first_line);
        put_change(&hunk, view, edits, *next, last);
        at = edits->items[last].last_line + 1;
        more = joins_hunk(edits, last);
        *next = last + 1;
    }
    size_t end =
        at + PATCH_CONTEXT_LINES < lines_of(view) ? at + PATCH_CONTEXT_LINES : lines_of(view);
    put_context(&hunk, view, at, end);
    buffer_printf(out, "@@ -%zu,%zu +%zu,%zu @@\n", start + 1, hunk.old_lines,
                  (size_t)((ptrdiff_t)start + *shift) + 1, hunk.new_lines);
    buffer_add(out, buffer_span(&hunk.body));
    *shift += (ptrdiff_t)hunk.new_lines - (ptrdiff_t)hunk.old_lines;
    buffer_free(&hunk.body);
}

void write_patch(struct buffer *out, const struct report_content *content) {
    struct edits edits = {0};
    struct span file = view_text_file(content->view);
    collect(content, &edits);
    if (edits.count == 0) {
        buffer_add(out, SPAN("No change is proposed with a text. The proposals, if any, are in "
                             "report.md, section 5.\n"));
        return;
    }
    buffer_printf(out,
                  "Proposals of pass %.*s with a text (report.md, section 5).\n"
                  "Applies to the text with SHA-256 %.*s.\n\n",
                  SPAN_ARG(content->view->pass->id), SPAN_ARG(content->view->snapshot.sha256));
    buffer_printf(out, "--- a/%.*s\n+++ b/%.*s\n", SPAN_ARG(file), SPAN_ARG(file));
    ptrdiff_t shift = 0;
    for (size_t next = 0; next < edits.count;)
        put_hunk(out, content->view, &edits, &next, &shift);
}
