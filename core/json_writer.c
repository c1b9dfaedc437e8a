#include "core/json.h"

#include "core/number.h"
#include "core/utf8.h"

#include <math.h>

/* Bytes that stand for themselves in a string. */
static bool is_plain(char c) {
    unsigned char u = (unsigned char)c;
    return u >= 0x20 && u < 0x7F && u != '"' && u != '\\';
}

/* Whether eight bytes are all plain. In `special` a byte has its highest bit set where it is not:
   each difference wraps for the one byte (or the control bytes) it looks for. A borrow from the
   byte below can set further bits, but only where that byte is special itself. */
static bool are_plain(const char *at) {
    const uint64_t ones = 0x0101010101010101u, tops = 0x8080808080808080u;
    uint64_t x;
    memcpy(&x, at, sizeof x);
    uint64_t quote = x ^ ones * '"', slash = x ^ ones * '\\', del = x ^ ones * 0x7F;
    uint64_t special = (x - ones * 0x20) | (quote - ones) | (slash - ones) | (del - ones) | x;
    return (special & tops) == 0;
}

static size_t plain_length(struct span text) {
    size_t len = 0;
    while (len + sizeof(uint64_t) <= text.len && are_plain(text.at + len))
        len += sizeof(uint64_t);
    while (len < text.len && is_plain(text.at[len]))
        len++;
    return len;
}

/* One character that is not plain; returns its width in the text. */
static size_t put_special(struct buffer *out, struct span rest) {
    uint32_t code;
    size_t width = utf8_decode(rest, &code);
    if (width == 1 && code == 0)
        width = 0; /* json_parse refuses NUL, so it leaves like bytes that are not UTF-8 */
    if (width == 0)
        buffer_add(out, SPAN("\xEF\xBF\xBD"));
    else if (code == '"' || code == '\\')
        buffer_printf(out, "\\%c", (char)code);
    else if (code == '\n')
        buffer_add(out, SPAN("\\n"));
    else if (code == '\t')
        buffer_add(out, SPAN("\\t"));
    else if (code < 0x20 || code == 0x7F)
        buffer_printf(out, "\\u%04x", (unsigned)code);
    else
        buffer_add(out, span_slice(rest, 0, width));
    return width ? width : 1;
}

static void put_escaped(struct buffer *out, struct span text) {
    buffer_reserve(out, text.len + 2);
    buffer_add_byte(out, '"');
    for (size_t i = 0; i < text.len;) {
        size_t plain = plain_length(span_slice(text, i, text.len));
        buffer_add(out, span_slice(text, i, i + plain));
        i += plain;
        if (i < text.len)
            i += put_special(out, span_slice(text, i, text.len));
    }
    buffer_add_byte(out, '"');
}

static void new_line(struct json_writer *w) {
    if (w->compact)
        return;
    size_t width = 2 * (size_t)w->depth;
    char *at = buffer_reserve(w->out, 1 + width);
    *at = '\n';
    memset(at + 1, ' ', width);
    at[1 + width] = '\0';
    w->out->len += 1 + width;
}

static void put_key(struct json_writer *w, const char *key) {
    enum { DRAIN_BYTES = 1 << 16 };
    if (w->drain && w->out->len >= DRAIN_BYTES)
        w->drain(w->out);
    if (w->need_comma)
        buffer_add(w->out, w->compact ? SPAN(", ") : SPAN(","));
    if (w->depth > 0)
        new_line(w);
    if (key) {
        put_escaped(w->out, span_of(key));
        buffer_add(w->out, SPAN(": "));
    }
    w->need_comma = true;
}

static void begin(struct json_writer *w, const char *key, char bracket) {
    put_key(w, key);
    buffer_add_byte(w->out, bracket);
    w->depth++;
    w->need_comma = false;
}

static void end(struct json_writer *w, char bracket) {
    w->depth--;
    if (w->need_comma)
        new_line(w);
    buffer_add_byte(w->out, bracket);
    w->need_comma = true;
}

void json_begin_object(struct json_writer *w, const char *key) {
    begin(w, key, '{');
}

void json_end_object(struct json_writer *w) {
    end(w, '}');
}

void json_begin_array(struct json_writer *w, const char *key) {
    begin(w, key, '[');
}

void json_end_array(struct json_writer *w) {
    end(w, ']');
}

void json_put_text(struct json_writer *w, const char *key, struct span text) {
    put_key(w, key);
    put_escaped(w->out, text);
}

void json_put_string(struct json_writer *w, const char *key, const char *text) {
    json_put_text(w, key, span_of(text));
}

void json_put_optional(struct json_writer *w, const char *key, struct span text) {
    if (text.len > 0)
        json_put_text(w, key, text);
}

void json_put_number(struct json_writer *w, const char *key, double value) {
    put_key(w, key);
    if (isfinite(value))
        json_format_number(w->out, value);
    else
        buffer_add(w->out, SPAN("null"));
}

void json_put_size(struct json_writer *w, const char *key, size_t value) {
    put_key(w, key);
    w->out->len += number_format_size(buffer_reserve(w->out, NUMBER_LONGEST), value);
    w->out->at[w->out->len] = '\0';
}

void json_put_flag(struct json_writer *w, const char *key, bool value) {
    put_key(w, key);
    buffer_add_string(w->out, value ? "true" : "false");
}

void json_put_null(struct json_writer *w, const char *key) {
    put_key(w, key);
    buffer_add(w->out, SPAN("null"));
}

void json_put_raw(struct json_writer *w, const char *key, struct span json) {
    put_key(w, key);
    buffer_add(w->out, json);
}

void json_finish(struct json_writer *w) {
    buffer_add_byte(w->out, '\n');
    w->need_comma = false;
}

void json_format_number(struct buffer *out, double value) {
    out->len += number_format(buffer_reserve(out, NUMBER_LONGEST), value);
    out->at[out->len] = '\0';
}
