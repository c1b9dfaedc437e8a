#include "fetch/source_text.h"

#include "core/json.h"
#include "core/utf8.h"
#include "fetch/charset.h"
#include "fetch/structure.h"

#include <utf8proc.h>

static const struct form_type {
    const char *type, *form;
} form_types[] = {
    {"text/html", "html"},         {"application/xhtml", "html"},
    {"application/pdf", "pdf"},    {"application/x-pdf", "pdf"},
    {"text/markdown", "markdown"}, {"application/x-ipynb", "notebook"},
    {"text/plain", "text"},        {"text/x-", "text"},
    {"application/json", "text"},  {"text/", "text"},
    {"application/xml", "text"},   {"application/x-tex", "text"},
};

struct span source_form(struct span content_type, struct span name, struct span bytes) {
    if (span_starts(span_trim(span_slice(bytes, 0, 1024)), SPAN("%PDF-")))
        return SPAN("pdf");
    if (charset_is_binary(bytes, content_type))
        return SPAN("");
    struct span looks = structure_format(name, bytes); /* text when nothing tells */
    if (!span_equal(looks, SPAN("text")))
        return looks;
    for (size_t i = 0; i < sizeof form_types / sizeof *form_types; i++)
        if (span_starts_nocase(content_type, span_of(form_types[i].type)))
            return span_of(form_types[i].form);
    return content_type.len == 0 ? SPAN("text") : SPAN("");
}

/* UTF-8 without control bytes but newline, tab and page break. */
static struct span clean(struct arena *arena, struct span text) {
    struct buffer out = {0};
    if (span_starts(text, SPAN("\xEF\xBB\xBF")))
        text = span_slice(text, 3, text.len);
    utf8_repair(&out, text);
    size_t kept = 0;
    for (size_t i = 0; i < out.len; i++) {
        unsigned char c = (unsigned char)out.at[i];
        bool line_end = c == '\r' && (i + 1 == out.len || out.at[i + 1] != '\n');
        if (line_end)
            out.at[kept++] = '\n';
        else if ((c >= ' ' && c != 0x7F) || c == '\n' || c == '\t' || c == '\f')
            out.at[kept++] = (char)c;
    }
    struct span copy = arena_copy(arena, span_make(out.at ? out.at : "", kept));
    buffer_free(&out);
    return copy;
}

/* A string, or a list of strings that belong together (nbformat 4: "multiline string"). */
static void add_lines(struct buffer *out, const cJSON *value) {
    const cJSON *one;
    if (cJSON_IsString(value))
        buffer_add_string(out, value->valuestring);
    if (cJSON_IsArray(value))
        cJSON_ArrayForEach(one, value) if (cJSON_IsString(one))
            buffer_add_string(out, one->valuestring);
}

static void add_cell(struct buffer *out, const cJSON *cell) {
    size_t count;
    add_lines(out, json_member(cell, "source"));
    buffer_add_string(out, "\n\n");
    const cJSON *output, *outputs = json_array(cell, "outputs", &count);
    cJSON_ArrayForEach(output, outputs) {
        add_lines(out, json_member(output, "text"));
        add_lines(out, json_member(json_member(output, "data"), "text/plain"));
        buffer_add_string(out, "\n\n");
    }
}

static bool text_of_notebook(struct arena *arena, struct span bytes, const char *where,
                             struct span *text, struct error *error) {
    size_t count;
    cJSON *root = json_parse(bytes, where, error);
    if (!root)
        return false;
    struct buffer out = {0};
    const cJSON *cell, *cells = json_array(root, "cells", &count);
    cJSON_ArrayForEach(cell, cells) add_cell(&out, cell);
    cJSON_Delete(root);
    *text = arena_copy(arena, buffer_span(&out));
    buffer_free(&out);
    return true;
}

bool source_text_of(struct arena *arena, struct span form, struct span bytes,
                    struct span content_type, const char *where, struct span *text,
                    struct page_facts *facts, struct error *error) {
    struct charset charset;
    bool ok = true;
    if (span_equal(form, SPAN("pdf"))) {
        ok = source_text_of_pdf(arena, bytes, where, text, error);
    } else {
        struct span decoded = charset_decode(arena, bytes, content_type, &charset);
        *text = decoded;
        if (span_equal(form, SPAN("html")))
            ok = source_text_of_html(arena, decoded, where, text, facts, error);
        else if (span_equal(form, SPAN("notebook")))
            ok = text_of_notebook(arena, decoded, where, text, error);
    }
    if (ok)
        *text = span_trim(clean(arena, *text));
    return ok;
}

size_t source_words(struct span text) {
    size_t words = 0, length;
    uint32_t code;
    bool inside = false;
    for (size_t at = 0; at < text.len; at += length) {
        length = utf8_decode(span_slice(text, at, text.len), &code);
        if (length == 0)
            break;
        utf8proc_category_t c = utf8proc_category((utf8proc_int32_t)code);
        bool letter = c >= UTF8PROC_CATEGORY_LU && c <= UTF8PROC_CATEGORY_NO;
        bool alone = letter && utf8proc_charwidth((utf8proc_int32_t)code) == 2;
        words += letter && (alone || !inside);
        inside = letter && !alone;
    }
    return words;
}
