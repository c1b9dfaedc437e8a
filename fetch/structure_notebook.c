/* Notebooks (nbformat 3 and 4): Markdown cells give structure, code cells code, and what they
 * printed is output. Each block is a range of the notebook's own bytes; the view holds the decoded
 * text there. Of outputs only text is read: streams, text/plain and tracebacks, never images. */
#include "core/json.h"
#include "fetch/json_scan.h"
#include "fetch/outline.h"
#include "fetch/structure_formats.h"

struct reader {
    struct arena *arena;
    struct span text;
    char *view;
    struct outline outline;
    struct json_decoded decoded;
    struct span language;
    size_t cell; /* 1-based */
};

static size_t place(const void *context, size_t at, bool end) {
    const struct reader *r = context;
    if (r->decoded.text.len == 0)
        return 0;
    return end && at > 0 ? json_decoded_end(&r->decoded, r->text, at) : r->decoded.places[at];
}

/* "\x1b[0;31m" and other control bytes do not print. */
static void blank_controls(char *text, size_t len) {
    for (size_t i = 0; i < len; i++) {
        if (text[i] == 0x1B && i + 1 < len && text[i + 1] == '[') {
            text[i++] = ' ';
            for (; i < len && !(text[i] >= '@' && text[i] <= '~' && text[i] != '['); i++)
                text[i] = text[i] == '\n' ? '\n' : ' ';
            if (i < len)
                text[i] = ' ';
        } else if (((unsigned char)text[i] < ' ' && text[i] != '\n' && text[i] != '\t') ||
                   text[i] == 0x7F) {
            text[i] = ' ';
        }
    }
}

/* Puts the seen text where it is written. A line's end stands in the last byte before the next
 * line, so that what pads an escape ends a line and never indents one. */
static void show(struct reader *r, const char *seen, size_t end_of_value) {
    size_t len = r->decoded.text.len;
    const uint32_t *places = r->decoded.places;
    if (len > 0) /* nor does what stands before a cell indent its first line */
        r->view[places[0] - 1] = '\n';
    for (size_t i = 0; i < len; i++) {
        if (seen[i] != '\n')
            r->view[places[i]] = seen[i];
        else
            r->view[i + 1 < len ? places[i + 1] - 1 : places[i]] = '\n';
    }
    if (end_of_value > 0)
        r->view[end_of_value - 1] = '\n';
}

static size_t number_of(struct span text, struct json_range value, size_t fallback) {
    size_t number;
    struct span digits = span_slice(text, value.start, value.end);
    return span_to_size(digits, SIZE_MAX / 2, &number) ? number : fallback;
}

static struct span note_of(struct reader *r, const char *what, struct json_range count) {
    size_t number = number_of(r->text, count, SIZE_MAX);
    if (!what)
        return arena_printf(r->arena, "cell %zu", r->cell);
    if (number == SIZE_MAX)
        return arena_printf(r->arena, "cell %zu [%s]", r->cell, what);
    return arena_printf(r->arena, "cell %zu [%s %zu]", r->cell, what, number);
}

static void add_plain(struct reader *r, struct json_range value, struct outline_context context) {
    json_decoded_clear(&r->decoded);
    json_decode(&r->decoded, r->text, value);
    char *seen = arena_string(r->arena, buffer_span(&r->decoded.text));
    size_t len = r->decoded.text.len, start = 0, end = len;
    blank_controls(seen, len);
    show(r, seen, value.end);
    while (start < end && strchr(" \n\t", seen[start]))
        start++;
    while (end > start && strchr(" \n\t", seen[end - 1]))
        end--;
    outline_close(&r->outline);
    if (start < end)
        outline_add(&r->outline, &context, place(r, start, false), place(r, end, true));
    outline_close(&r->outline);
}

static bool add_markdown(struct reader *r, struct json_range value, struct error *error) {
    json_decoded_clear(&r->decoded);
    json_decode(&r->decoded, r->text, value);
    struct chapter part = {.format = SPAN("markdown"),
                           .text = arena_copy(r->arena, buffer_span(&r->decoded.text))};
    if (!structure_markdown(r->arena, "a Markdown cell", &part, error))
        return false;
    outline_fill(r->arena, &part);
    char *seen = arena_string(r->arena, part.view);
    blank_controls(seen, part.view.len);
    show(r, seen, value.end);
    outline_graft(&r->outline, &part, note_of(r, NULL, (struct json_range){0}), place, r);
    return true;
}

/* nbformat 3 has cells of kind "heading" with a level. */
static void add_heading(struct reader *r, struct json_range value, size_t level) {
    struct outline_context context = {BLOCK_HEADING, SPAN(""), note_of(r, NULL, value)};
    outline_heading(&r->outline, level >= 1 && level <= 6 ? (int)level : 1);
    add_plain(r, value, context);
    outline_heading_text(&r->outline, buffer_span(&r->decoded.text), SPAN(""));
}

static void add_output(struct reader *r, struct json_range output, struct json_range count) {
    struct span text = r->text;
    struct json_range data = json_find(text, output, "data"), own;
    own = json_find(text, output, "execution_count");
    struct outline_context context = {BLOCK_OUTPUT, SPAN(""),
                                      note_of(r, "out", own.start < own.end ? own : count)};
    struct json_range found = json_find(text, data, "text/plain");
    if (found.start == found.end)
        found = json_find(text, output, "text");
    if (found.start == found.end)
        found = json_find(text, output, "traceback");
    if (found.start < found.end)
        add_plain(r, found, context);
}

static void add_outputs(struct reader *r, struct json_range outputs, struct json_range count) {
    struct json_range output;
    for (size_t at = 0; json_next(r->text, outputs, &at, &output);)
        add_output(r, output, count);
}

/* In the order of the file, as blocks must be: Jupyter sorts members, so that what a cell printed
 * stands before its code. */
static void add_code(struct reader *r, struct json_range cell, struct json_range source) {
    struct json_range outputs = json_find(r->text, cell, "outputs");
    struct json_range count = json_find(r->text, cell, "execution_count");
    if (count.start == count.end)
        count = json_find(r->text, cell, "prompt_number");
    if (outputs.start < source.start)
        add_outputs(r, outputs, count);
    add_plain(r, source,
              (struct outline_context){BLOCK_CODE, r->language, note_of(r, "in", count)});
    if (outputs.start > source.start)
        add_outputs(r, outputs, count);
}

static bool add_cell(struct reader *r, struct json_range cell, struct error *error) {
    struct span text = r->text;
    struct json_range type = json_find(text, cell, "cell_type");
    struct json_range source = json_find(text, cell, "source");
    struct span kind = span_slice(text, type.start + 1, type.end ? type.end - 1 : 0);
    r->cell++;
    if (source.start == source.end)
        source = json_find(text, cell, "input");
    if (source.start == source.end)
        return true;
    if (span_equal(kind, SPAN("markdown")))
        return add_markdown(r, source, error);
    if (span_equal(kind, SPAN("code")))
        add_code(r, cell, source);
    else if (span_equal(kind, SPAN("heading")))
        add_heading(r, source, number_of(text, json_find(text, cell, "level"), 1));
    else
        add_plain(r, source,
                  (struct outline_context){BLOCK_TEXT, SPAN(""), note_of(r, NULL, cell)});
    return true;
}

static bool add_cells(struct reader *r, struct json_range cells, struct error *error) {
    struct json_range cell;
    for (size_t at = 0; json_next(r->text, cells, &at, &cell);)
        if (!add_cell(r, cell, error))
            return false;
    return true;
}

static void read_metadata(struct reader *r, const cJSON *notebook) {
    const cJSON *metadata = json_member(notebook, "metadata");
    const cJSON *info = json_member(metadata, "language_info");
    const cJSON *kernel = json_member(metadata, "kernelspec");
    struct span language = json_text(r->arena, info, "name");
    if (language.len == 0)
        language = json_text(r->arena, kernel, "language");
    r->language = language.len ? language : SPAN("python");
    outline_metadata(&r->outline, SPAN("language"), r->language);
    if (json_text(r->arena, info, "version").len)
        outline_metadata(&r->outline, SPAN("language version"),
                         json_text(r->arena, info, "version"));
    if (json_text(r->arena, kernel, "display_name").len)
        outline_metadata(&r->outline, SPAN("kernel"), json_text(r->arena, kernel, "display_name"));
    if (json_text(r->arena, metadata, "title").len)
        outline_metadata(&r->outline, SPAN("title"), json_text(r->arena, metadata, "title"));
}

static bool read_cells(struct reader *r, const char *where, struct error *error) {
    struct json_range notebook = json_value(r->text, 0), sheet;
    struct json_range cells = json_find(r->text, notebook, "cells");
    struct json_range sheets = json_find(r->text, notebook, "worksheets");
    if (json_is(r->text, cells, '['))
        return add_cells(r, cells, error);
    if (!json_is(r->text, sheets, '['))
        return error_set(error, ERROR_INPUT, where, "Give a notebook as Jupyter saves it.",
                         "expected a notebook with a list of cells");
    for (size_t at = 0; json_next(r->text, sheets, &at, &sheet);)
        if (!add_cells(r, json_find(r->text, sheet, "cells"), error))
            return false;
    return true;
}

bool structure_notebook(struct arena *arena, const char *where, struct chapter *chapter,
                        struct error *error) {
    struct span text = chapter->text;
    if (text.len >= UINT32_MAX)
        return error_set(error, ERROR_INPUT, where, "Split the notebook.",
                         "%zu bytes are more than a notebook may have", text.len);
    cJSON *notebook = json_parse(text, where, error);
    if (!notebook)
        return false;
    struct reader r = {.arena = arena, .text = text, .view = arena_string(arena, text)};
    memset(r.view, ' ', text.len);
    outline_init(&r.outline, arena, chapter);
    read_metadata(&r, notebook);
    cJSON_Delete(notebook);
    bool ok = read_cells(&r, where, error);
    json_decoded_free(&r.decoded);
    chapter->view = span_make(r.view, text.len);
    return ok;
}
