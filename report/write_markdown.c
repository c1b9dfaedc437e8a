/* report.md: the seven sections and nothing else at their level. */
#include "report/markdown.h"
#include "report/writers.h"

void write_markdown(struct buffer *out, const struct report_content *content) {
    struct page page = {.out = out, .format = &markdown_format, .line_start = true};
    for (size_t i = 0; i < section_count; i++) {
        page_heading(&page, 2, sections[i].id, sections[i].title);
        sections[i].write(&page, content);
    }
    while (out->len > 1 && out->at[out->len - 2] == '\n')
        out->at[--out->len] = '\0';
}
