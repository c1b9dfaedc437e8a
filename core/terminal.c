#include "core/terminal.h"

#include "core/utf8.h"

static bool is_directional_control(uint32_t code) {
    return (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069) ||
           code == 0x200E || code == 0x200F || code == 0x061C;
}

void terminal_escape(struct buffer *out, struct span text) {
    for (size_t i = 0; i < text.len;) {
        uint32_t code;
        size_t width = utf8_decode(span_slice(text, i, text.len), &code);
        if (width == 0) {
            buffer_printf(out, "\\x%02X", (unsigned char)text.at[i]);
            i++;
            continue;
        }
        if (code == '\n' || code == '\t')
            buffer_add_byte(out, ' ');
        else if (code < 0x20 || code == 0x7F)
            buffer_printf(out, "\\x%02X", (unsigned)code);
        else if ((code >= 0x80 && code < 0xA0) || is_directional_control(code))
            buffer_printf(out, "\\u{%04X}", (unsigned)code);
        else
            buffer_add(out, span_slice(text, i, i + width));
        i += width;
    }
}
