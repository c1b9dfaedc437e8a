#include "fetch/html_view.h"

#include "core/utf8.h"
#include "fetch/html_tags.h"

#include <libxml/HTMLparser.h>
#include <stdint.h>

struct scan {
    struct span text;
    char *view;
    size_t at;
};

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static char byte_at(const struct scan *s, size_t at) {
    return at < s->text.len ? s->text.at[at] : '\0';
}

static void blank(struct scan *s, size_t end) {
    for (; s->at < end; s->at++)
        s->view[s->at] = s->text.at[s->at] == '\n' ? '\n' : ' ';
}

/* End of the tag whose '<' is at `at`: behind its '>', which a quoted attribute value may hold. */
static size_t tag_end(struct span text, size_t at) {
    char before = '\0', quote = '\0';
    for (size_t i = at + 1; i < text.len; i++) {
        char c = text.at[i];
        if (quote) {
            quote = c == quote ? '\0' : quote;
        } else if (c == '>') {
            return i + 1;
        } else if ((c == '"' || c == '\'') && before == '=') {
            quote = c;
        }
        if (c != ' ' && c != '\n' && c != '\t' && c != '\r')
            before = c;
    }
    return text.len;
}

static struct span tag_name(struct span text, size_t at) {
    size_t end = at;
    while (end < text.len && (is_letter(text.at[end]) || is_digit(text.at[end])))
        end++;
    return span_slice(text, at, end);
}

/* End of the content of a script or style element: its end tag, or the end of the text. */
static size_t raw_end(struct span text, size_t at, struct span name) {
    for (size_t i = span_find(text, SPAN("</"), at); i != SIZE_MAX;
         i = span_find(text, SPAN("</"), i + 2))
        if (span_equal_nocase(tag_name(text, i + 2), name))
            return i;
    return text.len;
}

/* What stands in the view for the first byte of a tag. */
static char separator_of(enum html_role role, bool closing) {
    switch (role) {
    case HTML_INLINE:
    case HTML_LINK:
    case HTML_MATH:
        return ' ';
    case HTML_CELL:
        return closing ? ' ' : '\t';
    default:
        return '\n';
    }
}

static void scan_tag(struct scan *s) {
    size_t start = s->at;
    bool closing = byte_at(s, start + 1) == '/';
    struct span name = tag_name(s->text, start + (closing ? 2 : 1));
    enum html_role role = html_role_of(name);
    blank(s, tag_end(s->text, start));
    s->view[start] = separator_of(role, closing);
    if (role == HTML_RAW && !closing)
        blank(s, raw_end(s->text, s->at, name));
}

static void scan_declaration(struct scan *s) {
    struct span rest = span_slice(s->text, s->at, s->text.len);
    bool comment = span_starts(rest, SPAN("<!--"));
    /* "<!-->" and "<!--->" are whole comments (HTML 13.2.5.43) */
    size_t end =
        comment ? span_find(s->text, SPAN("-->"), s->at + 2) : span_find_byte(s->text, '>', s->at);
    blank(s, end == SIZE_MAX ? s->text.len : end + (comment ? 3 : 1));
}

/* Value of "&#123;" or "&#x7b;" at `at`; *end behind it. 0 when it is none. */
static uint32_t numeric_entity(struct span text, size_t at, size_t *end) {
    size_t i = at + 2;
    bool hex = i < text.len && (text.at[i] == 'x' || text.at[i] == 'X');
    uint32_t code = 0;
    size_t first = i += hex;
    for (; i < text.len && i - first < 8; i++) {
        char c = text.at[i];
        uint32_t digit = is_digit(c)                              ? (uint32_t)(c - '0')
                         : hex && is_letter(c) && (c | 32) <= 'f' ? (uint32_t)((c | 32) - 'a' + 10)
                                                                  : 99;
        if (digit == 99)
            break;
        code = code * (hex ? 16 : 10) + digit;
    }
    if (i == first || code > 0x10FFFF)
        return 0;
    *end = i + (i < text.len && text.at[i] == ';');
    return code;
}

static uint32_t named_entity(struct span text, size_t at, size_t *end) {
    char name[16];
    size_t len = 0;
    for (size_t i = at + 1; i < text.len && len + 1 < sizeof name; i++, len++) {
        if (!is_letter(text.at[i]) && !is_digit(text.at[i]))
            break;
        name[len] = text.at[i];
    }
    name[len] = '\0';
    if (len == 0 || at + 1 + len >= text.len || text.at[at + 1 + len] != ';')
        return 0;
    const htmlEntityDesc *entity = htmlEntityLookup((const xmlChar *)name);
    *end = at + len + 2;
    return entity ? entity->value : 0;
}

/* The character first, spaces behind it. Control characters become spaces. */
static void put_decoded(struct scan *s, uint32_t code, size_t end) {
    struct buffer out = {0};
    if (code == '\n' || (code > 0x20 && code != 0x7F && !(code >= 0x80 && code <= 0xA0)))
        utf8_encode(&out, code);
    size_t start = s->at;
    blank(s, end);
    if (out.len <= end - start && out.len > 0)
        memcpy(s->view + start, out.at, out.len);
    buffer_free(&out);
}

static void scan_entity(struct scan *s) {
    size_t end = s->at;
    uint32_t code = byte_at(s, s->at + 1) == '#' ? numeric_entity(s->text, s->at, &end)
                                                 : named_entity(s->text, s->at, &end);
    if (code == 0 || (code >= 0xD800 && code <= 0xDFFF))
        s->at++;
    else
        put_decoded(s, code, end);
}

char *html_view(struct arena *arena, struct span text) {
    struct scan s = {.text = text, .view = arena_string(arena, text)};
    while (s.at < text.len) {
        char c = text.at[s.at], next = byte_at(&s, s.at + 1);
        if (c == '<' && (is_letter(next) || (next == '/' && is_letter(byte_at(&s, s.at + 2)))))
            scan_tag(&s);
        else if (c == '<' && (next == '!' || next == '?'))
            scan_declaration(&s);
        else if (c == '&')
            scan_entity(&s);
        else
            s.at++;
    }
    return s.view;
}
