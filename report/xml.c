#include "report/xml.h"

#include "core/terminal.h"
#include "core/utf8.h"

static const char *entity_of(char c) {
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&apos;";
    default:
        return NULL;
    }
}

/* U+FFFE and U+FFFF are characters of Unicode but not of XML (XML 1.0, section 2.2). */
static bool is_noncharacter(struct span text, size_t i) {
    return text.at[i] == '\xEF' && i + 2 < text.len && text.at[i + 1] == '\xBF' &&
           (unsigned char)text.at[i + 2] >= 0xBE;
}

void xml_escape(struct buffer *out, struct span text) {
    struct buffer visible = {0};
    terminal_escape(&visible, text);
    struct span safe = buffer_span(&visible);
    for (size_t i = 0; i < safe.len; i++) {
        if (entity_of(safe.at[i]))
            buffer_add_string(out, entity_of(safe.at[i]));
        else if (is_noncharacter(safe, i)) {
            buffer_add(out, SPAN("\xEF\xBF\xBD"));
            i += 2;
        } else
            buffer_add_byte(out, safe.at[i]);
    }
    buffer_free(&visible);
}
