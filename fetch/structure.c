#include "fetch/structure.h"

#include "core/hash.h"
#include "fetch/outline.h"
#include "fetch/place.h"
#include "fetch/structure_formats.h"

static bool structure_text(struct arena *arena, const char *where, struct chapter *chapter,
                           struct error *error) {
    (void)arena, (void)where, (void)error;
    chapter->view = chapter->text;
    return true;
}

static const struct format {
    const char *name;
    const char *const *endings;
    bool (*read)(struct arena *, const char *, struct chapter *, struct error *);
} formats[] = {
    {"text", (const char *const[]){".txt", ".text", ".log", NULL}, structure_text},
    {"html", (const char *const[]){".html", ".htm", ".xhtml", NULL}, structure_html},
    {"markdown", (const char *const[]){".md", ".markdown", ".mdown", ".mkd", NULL},
     structure_markdown},
    {"notebook", (const char *const[]){".ipynb", NULL}, structure_notebook},
};
enum { FORMATS = sizeof formats / sizeof *formats };

static bool has_ending(struct span name, const struct format *format) {
    for (size_t i = 0; format->endings[i]; i++) {
        struct span ending = span_of(format->endings[i]);
        if (name.len > ending.len &&
            span_equal_nocase(span_slice(name, name.len - ending.len, name.len), ending))
            return true;
    }
    return false;
}

/* The first bytes behind a BOM, white space and comments. */
static struct span beginning(struct span text) {
    if (span_starts(text, SPAN("\xEF\xBB\xBF")))
        text = span_slice(text, 3, text.len);
    text = span_trim(span_slice(text, 0, 4096));
    while (span_starts(text, SPAN("<!--"))) {
        size_t end = span_find(text, SPAN("-->"), 0);
        text = span_trim(span_slice(text, end == SIZE_MAX ? text.len : end + 3, text.len));
    }
    return text;
}

static bool looks_like_html(struct span start) {
    static const char *const openings[] = {"<!doctype html", "<html", "<head", "<body", "<article",
                                           "<main",          "<h1",   "<p>",   "<div",  "<section"};
    for (size_t i = 0; i < sizeof openings / sizeof *openings; i++)
        if (span_starts_nocase(start, span_of(openings[i])))
            return true;
    return false;
}

static bool looks_like_notebook(struct span start) {
    return span_starts(start, SPAN("{")) && (span_find(start, SPAN("\"cells\""), 0) != SIZE_MAX ||
                                             span_find(start, SPAN("\"nbformat\""), 0) != SIZE_MAX);
}

/* Front matter, or a heading or fence at the start of a line. */
static bool looks_like_markdown(struct span start) {
    struct span line, rest = start;
    while (span_next_line(&rest, &line))
        if (span_starts(line, SPAN("# ")) || span_starts(line, SPAN("## ")) ||
            span_starts(line, SPAN("```")))
            return true;
    return span_starts(start, SPAN("---\n"));
}

struct span structure_format(struct span file_name, struct span text) {
    for (size_t i = 0; i < FORMATS; i++)
        if (has_ending(file_name, &formats[i]))
            return span_of(formats[i].name);
    struct span start = beginning(text);
    if (looks_like_notebook(start))
        return SPAN("notebook");
    if (looks_like_html(start))
        return SPAN("html");
    return looks_like_markdown(start) ? SPAN("markdown") : SPAN("text");
}

bool structure_read(struct arena *arena, struct span format, struct span text, const char *where,
                    struct chapter *chapter, struct error *error) {
    for (size_t i = 0; i < FORMATS; i++) {
        if (!span_equal(format, span_of(formats[i].name)))
            continue;
        *chapter = (struct chapter){
            .format = span_of(formats[i].name), .text = text, .sha256 = sha256_hex(arena, text)};
        struct span sha256 = chapter->sha256;
        if (!formats[i].read(arena, where, chapter, error))
            return false;
        chapter->sha256 = sha256;
        outline_fill(arena, chapter);
        chapter_mask(arena, chapter);
        return true;
    }
    return error_set(error, ERROR_USAGE, where, "Use text, html, markdown or notebook.",
                     "unknown document format \"%.*s\"", SPAN_ARG(format));
}

bool structure_align(struct arena *arena, const struct chapter *rendered, struct span snapshot,
                     struct chapter *chapter, struct error *error) {
    (void)error;
    place_chapter(arena, rendered, snapshot, NULL, 0, chapter);
    chapter->text = chapter->view = snapshot;
    chapter->masked = SPAN("");
    chapter->sha256 = sha256_hex(arena, snapshot);
    outline_fill(arena, chapter);
    return true;
}
