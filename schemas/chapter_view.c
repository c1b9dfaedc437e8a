/* The view as a list of differences from the text, so that structure.json need not carry a second
 * copy: "120-131" is blank (spaces, newlines kept), "140-148:c397" has these bytes and then blanks.
 */
#include "schemas/chapter.h"

#include <stdint.h>

static bool is_blanked(char text, char view) {
    return text == '\n' ? view == '\n' : view == ' ';
}

/* End of the run of blanked bytes from `from`, without what it has in common with the text behind
 * its last change. */
static size_t blank_end(const struct chapter *chapter, size_t from) {
    size_t end = from;
    for (size_t i = from;
         i < chapter->text.len && is_blanked(chapter->text.at[i], chapter->view.at[i]); i++)
        if (chapter->text.at[i] != ' ' && chapter->text.at[i] != '\n')
            end = i + 1;
    return end;
}

static size_t replaced_end(const struct chapter *chapter, size_t from) {
    size_t end = from;
    while (end < chapter->text.len && chapter->text.at[end] != chapter->view.at[end] &&
           !is_blanked(chapter->text.at[end], chapter->view.at[end]))
        end++;
    return end;
}

void chapter_mask(struct arena *arena, struct chapter *chapter) {
    struct buffer out = {0};
    size_t i = 0;
    while (i < chapter->text.len) {
        if (chapter->text.at[i] == chapter->view.at[i]) {
            i++;
            continue;
        }
        size_t start = i, literal_end = replaced_end(chapter, i);
        i = literal_end > start ? literal_end : blank_end(chapter, start);
        buffer_printf(&out, "%s%zu-%zu", out.len ? "," : "", start, i);
        if (literal_end > start)
            buffer_add_byte(&out, ':');
        for (size_t k = start; k < literal_end; k++)
            buffer_printf(&out, "%02x", (unsigned char)chapter->view.at[k]);
    }
    chapter->masked = arena_copy(arena, buffer_span(&out));
    buffer_free(&out);
}

static int digit_of(char c) {
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static void apply(char *view, size_t len, struct span entry) {
    struct span range, from_text;
    size_t from, to;
    if (!span_next_field(&entry, ':', &range) || !span_next_field(&range, '-', &from_text) ||
        !span_to_size(from_text, len, &from) || !span_to_size(range, len, &to))
        return;
    for (size_t i = from; i < to; i++)
        view[i] = view[i] == '\n' ? '\n' : ' ';
    for (size_t i = 0; 2 * i + 1 < entry.len && from + i < to; i++) {
        int high = digit_of(entry.at[2 * i]), low = digit_of(entry.at[2 * i + 1]);
        if (high >= 0 && low >= 0)
            view[from + i] = (char)(high * 16 + low);
    }
}

static void clamp(size_t *start, size_t *end, size_t len) {
    *end = *end < len ? *end : len;
    *start = *start < *end ? *start : *end;
}

void chapter_restore_view(struct arena *arena, struct chapter *chapter) {
    size_t len = chapter->text.len;
    /* structure.json may be older than the text it is used with: no range may leave the text. */
    for (size_t i = 0; i < chapter->block_count; i++)
        clamp(&chapter->blocks[i].start, &chapter->blocks[i].end, len);
    for (size_t i = 0; i < chapter->cell_count; i++)
        clamp(&chapter->cells[i].start, &chapter->cells[i].end, len);
    for (size_t i = 0; i < chapter->link_count; i++)
        clamp(&chapter->links[i].start, &chapter->links[i].end, len);
    chapter->view = chapter->text;
    if (chapter->masked.len == 0)
        return;
    char *view = arena_string(arena, chapter->text);
    struct span entry, rest = chapter->masked;
    while (span_next_field(&rest, ',', &entry))
        apply(view, len, entry);
    chapter->view = span_make(view, len);
}
