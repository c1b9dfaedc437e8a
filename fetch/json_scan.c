#include "fetch/json_scan.h"

#include "core/utf8.h"

#include <stdlib.h>

static size_t skip_blank(struct span text, size_t at) {
    while (at < text.len && text.at[at] && strchr(" \t\n\r,:", text.at[at]))
        at++;
    return at;
}

/* Behind the string whose quotation mark is at `at`. */
static size_t string_end(struct span text, size_t at) {
    for (at++; at < text.len && text.at[at] != '"'; at++)
        at += text.at[at] == '\\';
    return at < text.len ? at + 1 : text.len;
}

static size_t nested_end(struct span text, size_t at) {
    size_t depth = 0;
    while (at < text.len) {
        char c = text.at[at];
        if (c == '"') {
            at = string_end(text, at);
            continue;
        }
        at++;
        depth += c == '{' || c == '[';
        if ((c == '}' || c == ']') && --depth == 0)
            break;
    }
    return at;
}

struct json_range json_value(struct span text, size_t at) {
    size_t start = skip_blank(text, at), end = start;
    char first = start < text.len ? text.at[start] : ']';
    if (first == '"')
        end = string_end(text, start);
    else if (first == '{' || first == '[')
        end = nested_end(text, start);
    else
        while (end < text.len && !strchr(" \t\n\r,:]}", text.at[end]))
            end++;
    return (struct json_range){start, end};
}

bool json_is(struct span text, struct json_range value, char first) {
    return value.start < value.end && text.at[value.start] == first;
}

struct json_range json_find(struct span text, struct json_range object, const char *name) {
    if (!json_is(text, object, '{'))
        return (struct json_range){0};
    for (size_t at = object.start + 1;;) {
        struct json_range key = json_value(text, at);
        if (key.start >= key.end || key.start >= object.end)
            return (struct json_range){0};
        struct json_range value = json_value(text, key.end);
        if (span_equal(span_slice(text, key.start + 1, key.end - 1), span_of(name)))
            return value;
        at = value.end;
    }
}

bool json_next(struct span text, struct json_range array, size_t *at, struct json_range *value) {
    if (!json_is(text, array, '['))
        return false;
    *value = json_value(text, *at ? *at : array.start + 1);
    *at = value->end;
    return value->start < value->end && value->end < array.end;
}

static uint32_t hex4(struct span text, size_t at) {
    uint32_t code = 0;
    for (size_t i = at; i < at + 4 && i < text.len; i++) {
        char c = text.at[i];
        code = code * 16 + (uint32_t)(c <= '9' ? c - '0' : (c | 32) - 'a' + 10);
    }
    return code;
}

/* Bytes of the escape at `at`; *code is its character. */
static size_t escape(struct span text, size_t at, uint32_t *code) {
    static const char letters[] = "bfnrt", meanings[] = "\b\f\n\r\t";
    char c = at + 1 < text.len ? text.at[at + 1] : '\\';
    const char *letter = c ? strchr(letters, c) : NULL;
    *code = letter ? (uint32_t)meanings[letter - letters] : (uint32_t)(unsigned char)c;
    if (c != 'u')
        return 2;
    *code = hex4(text, at + 2);
    if (*code < 0xD800 || *code > 0xDFFF)
        return 6;
    uint32_t low = at + 7 < text.len && text.at[at + 7] == 'u' ? hex4(text, at + 8) : 0;
    bool pair = *code < 0xDC00 && low >= 0xDC00 && low <= 0xDFFF;
    *code = pair ? 0x10000 + ((*code - 0xD800) << 10) + (low - 0xDC00) : 0xFFFD;
    return pair ? 12 : 6;
}

static void push(struct json_decoded *decoded, struct span bytes, size_t place) {
    size_t len = decoded->text.len;
    buffer_add(&decoded->text, bytes);
    if (decoded->text.len > decoded->capacity) {
        decoded->capacity = 2 * decoded->text.len + 64;
        decoded->places =
            memory_resize(decoded->places, decoded->capacity * sizeof *decoded->places);
    }
    for (size_t k = 0; k < bytes.len; k++)
        decoded->places[len + k] = (uint32_t)(place + k);
}

static void decode_string(struct json_decoded *decoded, struct span text,
                          struct json_range string) {
    struct buffer character = {0};
    for (size_t at = string.start + 1; at + 1 < string.end;) {
        uint32_t code;
        if (text.at[at] != '\\') {
            push(decoded, span_slice(text, at, at + 1), at);
            at++;
            continue;
        }
        buffer_clear(&character);
        size_t width = escape(text, at, &code);
        utf8_encode(&character, code);
        push(decoded, buffer_span(&character), at);
        at += width;
    }
    buffer_free(&character);
}

void json_decode(struct json_decoded *decoded, struct span text, struct json_range value) {
    struct json_range part;
    size_t at = 0;
    if (json_is(text, value, '"'))
        decode_string(decoded, text, value);
    while (json_next(text, value, &at, &part))
        if (json_is(text, part, '"'))
            decode_string(decoded, text, part);
}

void json_decoded_clear(struct json_decoded *decoded) {
    buffer_clear(&decoded->text);
}

void json_decoded_free(struct json_decoded *decoded) {
    buffer_free(&decoded->text);
    free(decoded->places);
    *decoded = (struct json_decoded){0};
}

size_t json_decoded_end(const struct json_decoded *decoded, struct span source, size_t end) {
    size_t start = end - 1;
    while (start > 0 && ((unsigned char)decoded->text.at[start] & 0xC0) == 0x80)
        start--;
    size_t place = decoded->places[start];
    uint32_t code;
    if (source.at[place] == '\\')
        return place + escape(source, place, &code);
    return place + (end - start);
}
