/* Markdown (CommonMark with GitHub's tables, task lists and automatic links) by cmark-gfm: the tree
 * says what a piece of text is, fetch/markdown_source.h where it stands. */
#include "fetch/front_matter.h"
#include "fetch/html_view.h"
#include "fetch/markdown_source.h"
#include "fetch/outline.h"
#include "fetch/structure_formats.h"

#include <cmark-gfm-core-extensions.h>
#include <cmark-gfm-extension_api.h>
#include <stdlib.h>

/* The parser's tree takes up to 400 bytes for each of these; a text beyond is left as text. Pages
 * of HTML inside the text are read as such up to a number, then only their tags are taken out. */
enum { NODES_MOST = 4 << 20, STEPS_MOST = 200 << 20, PAGES_MOST = 4096, ID_LONGEST = 100 };

struct reader {
    struct arena *arena;
    struct markdown_source source;
    struct outline outline;
    struct outline_context context;
    struct buffer heading, link;
    struct span heading_id;
    struct markdown_range link_range, cell_range; /* start is SIZE_MAX before any text */
    size_t lists, images, pages, first_row;
    bool in_heading, in_link, in_cell, in_header, starts_line, starts_row;
    struct chapter *chapter;
};

static struct span literal_of(cmark_node *node) {
    return span_of(cmark_node_get_literal(node));
}

static void extend(struct markdown_range *range, size_t start, size_t end) {
    if (range->start == SIZE_MAX)
        range->start = start;
    range->end = end;
}

/* "[^1]" is the mark of a note, not a number of the text. */
static void blank_note_marks(struct reader *r, size_t start, size_t end) {
    struct span view = span_slice(span_make(r->source.view, r->source.text.len), 0, end);
    for (size_t at = span_find(view, SPAN("[^"), start), mark; at != SIZE_MAX;
         at = span_find(view, SPAN("[^"), at + 1))
        if (markdown_is_note_mark(view, at, &mark))
            memset(r->source.view + at, ' ', mark - at);
}

/* A line that starts with "[^1]:" starts a footnote. */
static struct span cut_note_label(struct reader *r, struct span literal) {
    size_t end;
    if (!r->starts_line || r->lists || r->in_cell || r->in_heading ||
        !markdown_is_note_mark(literal, 0, &end) || end >= literal.len || literal.at[end] != ':')
        return literal;
    outline_close(&r->outline);
    r->context.note = SPAN("footnote");
    for (end++; end < literal.len && literal.at[end] == ' ';)
        end++;
    return span_slice(literal, end, literal.len);
}

/* "Title {#id}" names the heading's id, as several site generators have it. */
static struct span cut_heading_id(struct reader *r, struct span literal) {
    size_t open = span_find(literal, SPAN("{#"), 0);
    if (!r->in_heading || open == SIZE_MAX || !span_ends(literal, SPAN("}")) ||
        literal.len - open > ID_LONGEST)
        return literal;
    r->heading_id = arena_copy(r->arena, span_slice(literal, open + 2, literal.len - 1));
    return span_trim(span_slice(literal, 0, open));
}

static void add_text(struct reader *r, struct span literal) {
    if (r->in_heading)
        buffer_add(&r->heading, literal);
    if (r->in_link)
        buffer_add(&r->link, literal);
}

static void add_piece(struct reader *r, cmark_node *node, enum markdown_piece kind) {
    struct span literal = literal_of(node);
    struct markdown_range range;
    int column = cmark_node_get_start_column(node);
    if (r->images)
        return;
    size_t full = literal.len;
    if (kind == MARKDOWN_TEXT)
        literal = cut_heading_id(r, cut_note_label(r, literal));
    if (full != literal.len && !r->in_heading)
        column += (int)(full - literal.len);
    bool placed = markdown_place(&r->source, literal, kind, column, &range);
    r->starts_line = false;
    if (kind == MARKDOWN_TAG)
        return;
    add_text(r, literal);
    if (!placed || span_trim(literal).len == 0)
        return;
    blank_note_marks(r, range.start, range.end);
    while (range.start < range.end && r->source.view[range.start] == ' ')
        range.start++;
    while (range.end > range.start && r->source.view[range.end - 1] == ' ')
        range.end--;
    if (range.start == range.end)
        return;
    outline_add(&r->outline, &r->context, range.start, range.end);
    if (r->in_cell)
        extend(&r->cell_range, range.start, range.end);
    if (r->in_link)
        extend(&r->link_range, range.start, range.end);
}

static void enter_block(struct reader *r, cmark_node *node) {
    markdown_enter_block(&r->source, cmark_node_get_start_line(node),
                         cmark_node_get_start_column(node), cmark_node_get_end_line(node));
    r->starts_line = true;
}

static void visit_paragraph(struct reader *r, cmark_node *node, bool enter) {
    if (r->lists == 0)
        outline_close(&r->outline);
    r->context.kind = r->lists ? BLOCK_LIST : BLOCK_PROSE;
    r->context.note = SPAN("");
    if (enter)
        enter_block(r, node);
}

static void visit_heading(struct reader *r, cmark_node *node, bool enter) {
    r->in_heading = enter;
    if (!enter) {
        outline_heading_text(&r->outline, buffer_span(&r->heading), r->heading_id);
        return;
    }
    buffer_clear(&r->heading);
    r->heading_id = SPAN("");
    r->context = (struct outline_context){BLOCK_HEADING, SPAN(""), SPAN("")};
    outline_heading(&r->outline, cmark_node_get_heading_level(node));
    enter_block(r, node);
}

static void visit_list(struct reader *r, cmark_node *node, bool enter) {
    (void)node;
    if (r->lists == 0 || (r->lists == 1 && !enter))
        outline_close(&r->outline);
    r->lists += enter ? 1 : (size_t)-1;
}

static void visit_link(struct reader *r, cmark_node *node, bool enter) {
    struct span url = span_of(cmark_node_get_url(node));
    if (r->images || url.len == 0 || url.at[0] == '#')
        return;
    r->in_link = enter;
    if (enter) {
        buffer_clear(&r->link);
        r->link_range = (struct markdown_range){SIZE_MAX, SIZE_MAX};
        return;
    }
    if (r->link_range.start == SIZE_MAX)
        r->link_range = (struct markdown_range){0};
    outline_link(&r->outline, r->link_range.start, r->link_range.end, url, buffer_span(&r->link));
}

static void line_placed(void *context, size_t start, size_t end) {
    struct reader *r = context;
    while (start < end && strchr(" \t", r->source.text.at[start]))
        start++;
    if (start < end)
        outline_add(&r->outline, &r->context, start, end);
}

/* "python title=x" and "{.python .numbered}" -> "python" */
static struct span language_of(struct span info) {
    size_t start = 0;
    while (start < info.len && strchr("{. ", info.at[start]))
        start++;
    size_t end = start;
    while (end < info.len && !strchr(" \t,{}:;", info.at[end]))
        end++;
    return span_slice(info, start, end);
}

static void visit_code_block(struct reader *r, cmark_node *node) {
    int length, offset;
    char character;
    bool fenced = cmark_node_get_fenced(node, &length, &offset, &character);
    struct outline_context before = r->context;
    struct span language = language_of(span_of(cmark_node_get_fence_info(node)));
    outline_close(&r->outline);
    r->context = (struct outline_context){outline_preformatted_kind(language),
                                          arena_copy(r->arena, language), SPAN("")};
    if (r->context.kind == BLOCK_TEXT)
        r->context.note = SPAN("preformatted");
    markdown_place_lines(&r->source, literal_of(node), cmark_node_get_start_line(node) + fenced,
                         line_placed, r);
    outline_close(&r->outline);
    r->context = before;
}

static void keep_range(void *context, size_t start, size_t end) {
    extend(context, start, end);
}

static size_t place_behind(const void *context, size_t at, bool end) {
    (void)end;
    return *(const size_t *)context + at;
}

/* A page of HTML inside: what stands before its lines (marks of a quotation) is blank in `page`. */
static void graft_page(struct reader *r, size_t start, struct span page) {
    struct chapter part = {.format = SPAN("html"), .text = page};
    struct error error = {0};
    if (r->pages++ >= PAGES_MOST || span_starts(span_trim(page), SPAN("<!--")) ||
        !structure_html(r->arena, "HTML in Markdown", &part, &error)) {
        memcpy(r->source.view + start, html_view(r->arena, page), page.len);
        return;
    }
    memcpy(r->source.view + start, part.view.at, page.len);
    outline_graft(&r->outline, &part, SPAN(""), place_behind, &start);
}

static void visit_page(struct reader *r, cmark_node *node) {
    struct markdown_range range = {SIZE_MAX, SIZE_MAX};
    markdown_place_lines(&r->source, literal_of(node), cmark_node_get_start_line(node), keep_range,
                         &range);
    if (range.start == SIZE_MAX)
        return;
    struct span page = {r->source.view + range.start, range.end - range.start};
    graft_page(r, range.start, arena_copy(r->arena, page));
}

static void visit_table(struct reader *r, bool enter) {
    struct chapter *chapter = r->chapter;
    struct chapter_block *last =
        chapter->block_count ? &chapter->blocks[chapter->block_count - 1] : NULL;
    if (!enter && r->outline.open && last && last->kind == BLOCK_TABLE) {
        last->first_row = r->first_row;
        last->row_count = chapter->row_count - r->first_row;
    }
    outline_close(&r->outline);
    r->first_row = chapter->row_count;
    r->context = (struct outline_context){BLOCK_TABLE, SPAN(""), SPAN("")};
}

static void visit_row(struct reader *r, cmark_node *node, bool enter, bool header) {
    if (!enter)
        return;
    struct chapter *chapter = r->chapter;
    struct chapter_row row = {.first_cell = chapter->cell_count};
    LIST_PUSH(r->arena, chapter->rows, chapter->row_count, chapter->row_capacity, row);
    r->in_header = header;
    r->starts_row = true;
    enter_block(r, node);
}

static void visit_cell(struct reader *r, bool enter) {
    struct chapter *chapter = r->chapter;
    r->in_cell = enter;
    if (enter) {
        markdown_next_cell(&r->source, r->starts_row);
        r->starts_row = false;
        r->cell_range = (struct markdown_range){SIZE_MAX, SIZE_MAX};
        return;
    }
    if (r->cell_range.start == SIZE_MAX)
        r->cell_range = (struct markdown_range){0};
    struct chapter_cell cell = {r->cell_range.start, r->cell_range.end, r->in_header};
    LIST_PUSH(r->arena, chapter->cells, chapter->cell_count, chapter->cell_capacity, cell);
    if (chapter->row_count)
        chapter->rows[chapter->row_count - 1].cell_count++;
}

static void visit_break(struct reader *r) {
    if (r->images)
        return;
    markdown_next_line(&r->source);
    r->starts_line = true;
    add_text(r, SPAN(" "));
}

static void visit_extension(struct reader *r, cmark_node *node, bool enter) {
    struct span name = span_of(cmark_node_get_type_string(node));
    if (span_equal(name, SPAN("table")))
        visit_table(r, enter);
    else if (span_equal(name, SPAN("table_header")) || span_equal(name, SPAN("table_row")))
        visit_row(r, node, enter, name.len == 12);
    else if (span_equal(name, SPAN("table_cell")))
        visit_cell(r, enter);
}

static void visit(struct reader *r, cmark_node *node, bool enter) {
    cmark_node_type type = cmark_node_get_type(node);
    if (type == CMARK_NODE_TEXT)
        add_piece(r, node, MARKDOWN_TEXT);
    else if (type == CMARK_NODE_CODE)
        add_piece(r, node, MARKDOWN_CODE);
    else if (type == CMARK_NODE_HTML_INLINE)
        add_piece(r, node, MARKDOWN_TAG);
    else if (type == CMARK_NODE_SOFTBREAK || type == CMARK_NODE_LINEBREAK)
        visit_break(r);
    else if (type == CMARK_NODE_LINK)
        visit_link(r, node, enter);
    else if (type == CMARK_NODE_IMAGE)
        r->images += enter ? 1 : (size_t)-1;
    else if (type == CMARK_NODE_PARAGRAPH)
        visit_paragraph(r, node, enter);
    else if (type == CMARK_NODE_HEADING)
        visit_heading(r, node, enter);
    else if (type == CMARK_NODE_LIST)
        visit_list(r, node, enter);
    else if (type == CMARK_NODE_CODE_BLOCK)
        visit_code_block(r, node);
    else if (type == CMARK_NODE_HTML_BLOCK)
        visit_page(r, node);
    else
        visit_extension(r, node, enter);
}

static void *zeroed(size_t count, size_t size) {
    size_t bytes = size && count > SIZE_MAX / size ? SIZE_MAX : count * size;
    return memory_alloc(bytes);
}

static cmark_node *parse(struct span text) {
    static const char *const extensions[] = {"table", "strikethrough", "autolink", "tasklist"};
    static cmark_mem memory = {zeroed, memory_resize, free};
    cmark_gfm_core_extensions_ensure_registered();
    cmark_parser *parser = cmark_parser_new_with_mem(CMARK_OPT_DEFAULT, &memory);
    for (size_t i = 0; i < sizeof extensions / sizeof *extensions; i++)
        cmark_parser_attach_syntax_extension(parser, cmark_find_syntax_extension(extensions[i]));
    cmark_parser_feed(parser, text.at, text.len);
    cmark_node *document = cmark_parser_finish(parser);
    cmark_parser_free(parser);
    return document;
}

/* Within a paragraph the parser goes back over all marks of emphasis at every link; within a line
 * over all cells of a table's row at every cell. */
struct paragraph {
    size_t links, marks, line_bytes, line_cells;
};

static size_t cost_of_row(size_t cells) {
    enum { FEW_CELLS = 64, STEPS_A_CELL = 4 };
    return cells > FEW_CELLS ? cells * cells * STEPS_A_CELL : 0;
}

static size_t cost_of(const struct paragraph *paragraph) {
    return paragraph->links * paragraph->marks;
}

static bool is_affordable(struct span text) {
    struct paragraph paragraph = {0};
    size_t nodes = 0, steps = 0;
    if (text.len >= (size_t)1 << 29)
        return false;
    for (size_t i = 0; i < text.len && nodes <= NODES_MOST && steps <= STEPS_MOST; i++) {
        char c = text.at[i];
        nodes += strchr("\n\r*_`[]<&\\!|~:.@", c) != NULL;
        paragraph.links += c == ']';
        paragraph.marks += c == '*' || c == '_' || c == '~';
        paragraph.line_bytes += c > ' ' || c < '\0';
        paragraph.line_cells += c == '|';
        if (c != '\n')
            continue;
        steps += cost_of_row(paragraph.line_cells);
        paragraph.line_cells = 0;
        if (paragraph.line_bytes == 0) {
            steps += cost_of(&paragraph);
            paragraph = (struct paragraph){0};
        }
        paragraph.line_bytes = 0;
    }
    return nodes <= NODES_MOST &&
           steps + cost_of(&paragraph) + cost_of_row(paragraph.line_cells) <= STEPS_MOST;
}

static void walk(struct reader *r, struct span body) {
    cmark_node *document = parse(body);
    cmark_iter *events = cmark_iter_new(document);
    for (cmark_event_type event = cmark_iter_next(events); event != CMARK_EVENT_DONE;
         event = cmark_iter_next(events))
        visit(r, cmark_iter_get_node(events), event == CMARK_EVENT_ENTER);
    cmark_iter_free(events);
    cmark_node_free(document);
    markdown_settle(&r->source, r->source.text.len);
}

bool structure_markdown(struct arena *arena, const char *where, struct chapter *chapter,
                        struct error *error) {
    (void)where, (void)error;
    struct span text = chapter->text;
    size_t mark = span_starts(text, SPAN("\xEF\xBB\xBF")) ? 3 : 0;
    size_t matter = front_matter_length(span_slice(text, mark, text.len));
    chapter->view = text;
    if (!is_affordable(text))
        return true;
    struct reader r = {.arena = arena, .chapter = chapter, .heading_id = SPAN("")};
    r.context = (struct outline_context){BLOCK_PROSE, SPAN(""), SPAN("")};
    outline_init(&r.outline, arena, chapter);
    front_matter_read(&r.outline, span_slice(text, mark, mark + matter));
    markdown_source_init(&r.source, arena, text, mark + matter);
    walk(&r, span_slice(text, mark + matter, text.len));
    chapter->view = span_make(r.source.view, text.len);
    buffer_free(&r.heading);
    buffer_free(&r.link);
    return true;
}
