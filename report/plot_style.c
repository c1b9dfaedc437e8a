#include "report/plot_style.h"

#include "core/terminal.h"
#include "report/page.h"
#include "report/xml.h"

#include <math.h>

void plot_begin(struct buffer *out, struct span title, int height) {
    buffer_printf(out,
                  "reset session\nset encoding utf8\n"
                  "set terminal svg size 760,%d dynamic noenhanced font 'sans-serif,13' "
                  "background '#ffffff'\nset border 3\nset tics nomirror\n"
                  "set key outside top center horizontal noenhanced\nset title ",
                  height);
    plot_word(out, title, 90);
    buffer_add(out, SPAN(" noenhanced\n"));
}

/* Markup too becomes an underscore: gnuplot 5.4 does not escape it everywhere. */
void plot_word(struct buffer *out, struct span text, size_t limit) {
    struct buffer visible = {0};
    size_t cut;
    page_visible(&visible, text, limit, &cut);
    buffer_add_byte(out, '\'');
    for (size_t i = 0; i < visible.len; i++) {
        unsigned char c = (unsigned char)visible.at[i];
        bool plain = c >= 0x80 || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
                     (c >= 'A' && c <= 'Z') || (c && strchr(" .,:;/()%+-=*?!", c));
        buffer_add_byte(out, plain ? (char)c : '_');
    }
    if (cut)
        buffer_add(out, SPAN("…"));
    buffer_add_byte(out, '\'');
    buffer_free(&visible);
}

void plot_label(struct buffer *out, char axis, struct span text) {
    buffer_printf(out, "set %clabel ", axis);
    plot_word(out, text, 60);
    buffer_add(out, SPAN(" noenhanced\n"));
}

void plot_logarithmic(struct buffer *out, char axis) {
    buffer_printf(out, "set logscale %c\n", axis);
}

void plot_words(struct buffer *out, struct span title, struct span alt) {
    buffer_add(out, SPAN("<title>"));
    xml_escape(out, title);
    buffer_add(out, SPAN("</title>\n<desc>"));
    xml_escape(out, alt);
    buffer_add(out, SPAN("</desc>"));
}

void csv_text(struct buffer *out, struct span text) {
    struct buffer visible = {0};
    terminal_escape(&visible, text);
    buffer_add_byte(out, '"');
    for (size_t i = 0; i < visible.len; i++) {
        if (visible.at[i] == '"')
            buffer_add_byte(out, '"');
        buffer_add_byte(out, visible.at[i]);
    }
    buffer_add_byte(out, '"');
    buffer_free(&visible);
}

void csv_number(struct buffer *out, double value) {
    if (isfinite(value))
        buffer_printf(out, "%.9g", value);
}
