#include "fetch/html_view.h"
#include "fetch/html_walk.h"
#include "fetch/outline.h"
#include "fetch/structure_formats.h"

#include <libxml/HTMLparser.h>
#include <limits.h>

/* libxml2 without its "huge" mode: nesting ends at 256 elements and one text at 10 MB; what lies
 * beyond is left to outline_fill. It neither loads nor expands anything from outside. */
enum {
    OPTIONS = HTML_PARSE_NONET | HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING | HTML_PARSE_RECOVER |
              HTML_PARSE_IGNORE_ENC
};

static void blank_skips(char *view, const struct html_page *page) {
    for (size_t i = 0; i < page->skip_count; i++)
        for (size_t k = page->skips[i].start; k < page->skips[i].end; k++)
            view[k] = view[k] == '\n' ? '\n' : ' ';
}

bool structure_html(struct arena *arena, const char *where, struct chapter *chapter,
                    struct error *error) {
    struct span text = chapter->text;
    if (text.len > INT_MAX)
        return error_set(error, ERROR_INPUT, where, "Cut the document into chapters.",
                         "%zu bytes of HTML are more than the parser takes", text.len);
    char *view = html_view(arena, text);
    struct html_page page = {.chapter = {.format = chapter->format}};
    xmlDoc *document = htmlReadMemory(text.at, (int)text.len, NULL, "UTF-8", OPTIONS);
    const xmlNode *root = document ? xmlDocGetRootElement(document) : NULL;
    if (root)
        html_walk(arena, root, &page);
    struct chapter placed;
    place_chapter(arena, &page.chapter, span_make(view, text.len), page.skips, page.skip_count,
                  &placed);
    blank_skips(view, &page);
    placed.text = text;
    placed.view = span_make(view, text.len);
    placed.format = chapter->format;
    *chapter = placed;
    buffer_free(&page.text);
    xmlFreeDoc(document);
    return true;
}
