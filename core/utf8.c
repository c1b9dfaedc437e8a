#include "core/utf8.h"

#include <stdlib.h>
#include <utf8proc.h>

static bool continuation(unsigned char byte) {
    return (byte & 0xC0) == 0x80;
}

size_t utf8_decode(struct span text, uint32_t *code) {
    if (text.len == 0)
        return 0;
    const unsigned char *b = (const unsigned char *)text.at;
    if (b[0] < 0x80) {
        *code = b[0];
        return 1;
    }
    size_t width = b[0] >= 0xF0 ? 4 : b[0] >= 0xE0 ? 3 : 2;
    if (b[0] < 0xC2 || b[0] > 0xF4 || text.len < width)
        return 0;
    uint32_t value = b[0] & (0xFFu >> (width + 1));
    for (size_t i = 1; i < width; i++) {
        if (!continuation(b[i]))
            return 0;
        value = value << 6 | (b[i] & 0x3F);
    }
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    if (value < least[width] || value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF))
        return 0;
    *code = value;
    return width;
}

void utf8_encode(struct buffer *out, uint32_t code) {
    utf8proc_uint8_t bytes[4];
    utf8proc_ssize_t len = utf8proc_encode_char((utf8proc_int32_t)code, bytes);
    buffer_add(out, span_make((const char *)bytes, len > 0 ? (size_t)len : 0));
}

size_t utf8_first_invalid(struct span text) {
    uint32_t code;
    for (size_t i = 0; i < text.len;) {
        size_t width = utf8_decode(span_slice(text, i, text.len), &code);
        if (width == 0)
            return i;
        i += width;
    }
    return SIZE_MAX;
}

size_t utf8_repair(struct buffer *out, struct span text) {
    size_t replaced = 0, i = 0;
    while (i < text.len) {
        size_t bad = utf8_first_invalid(span_slice(text, i, text.len));
        size_t good = bad == SIZE_MAX ? text.len - i : bad;
        buffer_add(out, span_slice(text, i, i + good));
        i += good;
        if (i >= text.len)
            break;
        buffer_add(out, SPAN("\xEF\xBF\xBD"));
        replaced++;
        i++;
        while (i < text.len && continuation((unsigned char)text.at[i]))
            i++;
    }
    return replaced;
}

static bool compose(struct buffer *out, struct span text) {
    utf8proc_uint8_t *mapped = NULL;
    utf8proc_ssize_t len =
        utf8proc_map((const utf8proc_uint8_t *)text.at, (utf8proc_ssize_t)text.len, &mapped,
                     UTF8PROC_STABLE | UTF8PROC_COMPOSE);
    if (len < 0)
        return false;
    buffer_add(out, span_make((const char *)mapped, (size_t)len));
    free(mapped);
    return true;
}

/* ASCII is composed already, and no ASCII character composes with what stands before it (UAX 15):
 * only runs of other characters, each with the ASCII character it may combine with, are mapped. */
bool utf8_nfc(struct buffer *out, struct span text) {
    size_t done = 0;
    for (size_t i = 0; i < text.len;) {
        if ((unsigned char)text.at[i] < 0x80) {
            i++;
            continue;
        }
        size_t start = i > done ? i - 1 : i;
        while (i < text.len && (unsigned char)text.at[i] >= 0x80)
            i++;
        buffer_add(out, span_slice(text, done, start));
        if (!compose(out, span_slice(text, start, i)))
            return false;
        done = i;
    }
    buffer_add(out, span_slice(text, done, text.len));
    return true;
}
