#include "fetch/html_walk.h"

#include "fetch/align.h"
#include "fetch/html_node.h"
#include "fetch/outline.h"

#include <stdint.h>

enum { COLUMNS = 64, TABLE_NODES = 4096 };

/* What the elements around a node say of its text. */
struct around {
    struct outline_context block;
    bool skip, list, table, data_table, pre, tex_only;
};

struct walk {
    struct arena *arena;
    struct html_page *page;
    struct outline outline;
    const xmlNode *main;
    struct buffer heading, link; /* text collected for the open heading and link */
    bool in_heading, in_link, in_cell, skipping;
    struct place_range cell_range, link_range; /* start is SIZE_MAX before any text */
    size_t first_row;                          /* of the open table */
    size_t column;                             /* of the open row */
    size_t held[COLUMNS]; /* rows that a cell from above still reaches down in each column */
};

static void visit(struct walk *w, const xmlNode *node, struct around around);

static void visit_children(struct walk *w, const xmlNode *node, struct around around) {
    for (const xmlNode *child = node->children; child; child = child->next)
        visit(w, child, around);
}

static void extend(struct place_range *range, size_t start, size_t end) {
    if (range->start == SIZE_MAX)
        range->start = start;
    range->end = end;
}

static void skip_text(struct walk *w, size_t start, size_t end) {
    struct html_page *page = w->page;
    if (w->skipping)
        page->skips[page->skip_count - 1].end = end;
    else
        LIST_PUSH(w->arena, page->skips, page->skip_count, page->skip_capacity,
                  (struct place_range){start, end});
    w->skipping = true;
}

static void visit_text(struct walk *w, struct span content, const struct around *around) {
    size_t base = w->page->text.len, first = align_skip_blank(content, 0);
    buffer_add(&w->page->text, content);
    if (first < content.len) {
        size_t last = align_last_visible(content, first, content.len);
        size_t start = base + first, end = base + last + align_width(content, last);
        if (around->skip) {
            skip_text(w, start, end);
            return;
        }
        w->skipping = false;
        outline_add(&w->outline, &around->block, start, end);
        if (w->in_cell)
            extend(&w->cell_range, start, end);
        if (w->in_link)
            extend(&w->link_range, start, end);
    }
    if (w->in_heading && !around->skip)
        buffer_add(&w->heading, content);
    if (w->in_link && !around->skip)
        buffer_add(&w->link, content);
}

static void visit_heading(struct walk *w, const xmlNode *node, struct around around) {
    if (around.table || around.skip || w->in_heading) {
        visit_children(w, node, around);
        return;
    }
    around.block.kind = BLOCK_HEADING;
    around.list = false;
    buffer_clear(&w->heading);
    w->in_heading = true;
    outline_heading(&w->outline, node->name[1] - '0');
    visit_children(w, node, around);
    outline_heading_text(&w->outline, buffer_span(&w->heading), node_id(node));
    w->in_heading = false;
}

static void visit_pre(struct walk *w, const xmlNode *node, struct around around) {
    if (!around.data_table && !around.pre && !around.skip) {
        around.block.language = arena_copy(w->arena, node_language(node));
        around.block.kind = outline_preformatted_kind(around.block.language);
        if (around.block.kind == BLOCK_TEXT && around.block.note.len == 0)
            around.block.note = SPAN("preformatted");
        around.pre = true;
        outline_close(&w->outline);
    }
    visit_children(w, node, around);
    if (!around.data_table)
        outline_close(&w->outline);
}

static void end_table(struct walk *w) {
    struct chapter *chapter = &w->page->chapter;
    struct chapter_block *last =
        chapter->block_count ? &chapter->blocks[chapter->block_count - 1] : NULL;
    if (w->outline.open && last && last->kind == BLOCK_TABLE) {
        last->first_row = w->first_row;
        last->row_count = chapter->row_count - w->first_row;
    }
    outline_close(&w->outline);
}

static void visit_table(struct walk *w, const xmlNode *node, struct around around) {
    bool data =
        !around.table && !around.pre && !around.skip && !node_find(node, "pre", TABLE_NODES);
    if (data) {
        around.block.kind = BLOCK_TABLE;
        around.data_table = true;
        outline_close(&w->outline);
        w->first_row = w->page->chapter.row_count;
        memset(w->held, 0, sizeof w->held);
    }
    around.table = around.table || data;
    visit_children(w, node, around);
    if (data)
        end_table(w);
}

static void push_cell(struct walk *w, struct place_range range, bool header) {
    struct chapter *chapter = &w->page->chapter;
    struct chapter_cell cell = {range.start, range.end, header};
    LIST_PUSH(w->arena, chapter->cells, chapter->cell_count, chapter->cell_capacity, cell);
    chapter->rows[chapter->row_count - 1].cell_count++;
    w->column++;
}

/* Columns that a cell of an earlier row still covers get an empty cell. */
static void fill_held_columns(struct walk *w) {
    while (w->column < COLUMNS && w->held[w->column] > 0) {
        w->held[w->column]--;
        push_cell(w, (struct place_range){0}, false);
    }
}

static void visit_row(struct walk *w, const xmlNode *node, struct around around) {
    if (!around.data_table || w->in_cell) {
        visit_children(w, node, around);
        return;
    }
    struct chapter *chapter = &w->page->chapter;
    struct chapter_row row = {.first_cell = chapter->cell_count};
    LIST_PUSH(w->arena, chapter->rows, chapter->row_count, chapter->row_capacity, row);
    w->column = 0;
    visit_children(w, node, around);
    fill_held_columns(w);
}

static void visit_cell(struct walk *w, const xmlNode *node, struct around around) {
    struct chapter *chapter = &w->page->chapter;
    if (!around.data_table || w->in_cell || chapter->row_count == 0) {
        visit_children(w, node, around);
        return;
    }
    w->in_cell = true;
    w->cell_range = (struct place_range){SIZE_MAX, SIZE_MAX};
    visit_children(w, node, around);
    w->in_cell = false;
    if (w->cell_range.start == SIZE_MAX)
        w->cell_range = (struct place_range){0};
    fill_held_columns(w);
    size_t wide = node_cell_span(node, "colspan"), high = node_cell_span(node, "rowspan");
    for (size_t k = 0; k < wide; k++) {
        if (w->column < COLUMNS)
            w->held[w->column] = high - 1;
        push_cell(w, k == 0 ? w->cell_range : (struct place_range){0}, node_is(node, "th"));
    }
}

static void visit_link(struct walk *w, const xmlNode *node, struct around around) {
    struct span url = node_attribute(node, "href");
    if (around.skip || w->in_link || url.len == 0 || url.at[0] == '#') {
        visit_children(w, node, around);
        return;
    }
    buffer_clear(&w->link);
    w->in_link = true;
    w->link_range = (struct place_range){SIZE_MAX, SIZE_MAX};
    visit_children(w, node, around);
    w->in_link = false;
    if (w->link_range.start == SIZE_MAX)
        w->link_range = (struct place_range){0};
    outline_link(&w->outline, w->link_range.start, w->link_range.end, url, buffer_span(&w->link));
}

static bool is_tex(const xmlNode *node) {
    return node_is(node, "annotation") &&
           span_find_nocase(node_attribute(node, "encoding"), SPAN("tex"), 0) != SIZE_MAX;
}

/* Math stands as its author wrote it: the TeX annotation where there is one. */
static void visit_math(struct walk *w, const xmlNode *node, struct around around) {
    const xmlNode *annotation = node_find(node, "annotation", TABLE_NODES);
    if (annotation && is_tex(annotation) && !around.skip)
        around.tex_only = around.skip = true;
    visit_children(w, node, around);
}

static void visit_block(struct walk *w, const xmlNode *node, enum html_role role,
                        struct around around) {
    bool separate = !around.list && !around.table && !around.pre;
    if (around.data_table && node_is(node, "caption") &&
        w->first_row == w->page->chapter.row_count) {
        around.block.kind = BLOCK_PROSE;
        separate = true;
    }
    if (role == HTML_CAPTION)
        around.block.note = SPAN("caption");
    else if (role == HTML_FIGURE)
        around.block.note = SPAN("figure");
    if (separate)
        outline_close(&w->outline);
    visit_children(w, node, around);
    if (separate)
        outline_close(&w->outline);
}

static void visit_list(struct walk *w, const xmlNode *node, struct around around) {
    bool outer = !around.list && !around.table && !around.pre;
    if (outer) {
        around.block.kind = BLOCK_LIST;
        around.list = true;
        outline_close(&w->outline);
    }
    visit_children(w, node, around);
    if (outer)
        outline_close(&w->outline);
}

static void visit_element(struct walk *w, const xmlNode *node, struct around around) {
    enum html_role role = node_role(node);
    switch (role) {
    case HTML_HEADING:
        visit_heading(w, node, around);
        return;
    case HTML_PRE:
        visit_pre(w, node, around);
        return;
    case HTML_LIST:
        visit_list(w, node, around);
        return;
    case HTML_TABLE:
        visit_table(w, node, around);
        return;
    case HTML_ROW:
        visit_row(w, node, around);
        return;
    case HTML_CELL:
        visit_cell(w, node, around);
        return;
    case HTML_LINK:
        visit_link(w, node, around);
        return;
    case HTML_MATH:
        visit_math(w, node, around);
        return;
    case HTML_BREAK:
        buffer_add_byte(&w->page->text, '\n');
        return;
    case HTML_BLOCK:
    case HTML_CAPTION:
    case HTML_FIGURE:
        visit_block(w, node, role, around);
        return;
    default:
        visit_children(w, node, around);
    }
}

static const char *const kept_meta[] = {"author", "description", "date", "article:published_time",
                                        "article:modified_time"};

static void read_metadata(struct walk *w, const xmlNode *node) {
    if (node_is(node, "title") && node->children && node->children->content)
        outline_metadata(&w->outline, SPAN("title"),
                         span_of((const char *)node->children->content));
    struct span name = node_attribute(node, "name");
    if (name.len == 0)
        name = node_attribute(node, "property");
    for (size_t i = 0; node_is(node, "meta") && i < sizeof kept_meta / sizeof *kept_meta; i++)
        if (span_equal_nocase(name, span_of(kept_meta[i])))
            outline_metadata(&w->outline, span_of(kept_meta[i]), node_attribute(node, "content"));
    if (node_is(node, "link") && html_has_word(node_attribute(node, "rel"), SPAN("canonical")))
        outline_metadata(&w->outline, SPAN("canonical"), node_attribute(node, "href"));
}

static void visit(struct walk *w, const xmlNode *node, struct around around) {
    if (node->type == XML_TEXT_NODE || node->type == XML_CDATA_SECTION_NODE) {
        enum html_role inside = node->parent ? node_role(node->parent) : HTML_INLINE;
        if (node->content && inside != HTML_RAW)
            visit_text(w, span_of((const char *)node->content), &around);
        return;
    }
    if (node->type != XML_ELEMENT_NODE)
        return;
    if (node_is(node->parent, "head"))
        read_metadata(w, node);
    if (node == w->main)
        around.skip = false;
    if (around.tex_only)
        around.skip = !is_tex(node);
    else if (!around.skip && node_is_furniture(node))
        around.skip = true;
    if (!around.skip && node_is_footnotes(node))
        around.block.note = SPAN("footnote");
    visit_element(w, node, around);
}

void html_walk(struct arena *arena, const xmlNode *root, struct html_page *page) {
    struct walk w = {.arena = arena, .page = page, .main = node_main(root)};
    struct around around = {.block = {.kind = BLOCK_PROSE, .language = SPAN(""), .note = SPAN("")},
                            .skip = w.main != NULL};
    outline_init(&w.outline, arena, &page->chapter);
    visit(&w, root, around);
    page->chapter.text = page->chapter.view = buffer_span(&page->text);
    buffer_free(&w.heading);
    buffer_free(&w.link);
}
