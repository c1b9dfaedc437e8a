/* The research brief as Markdown: identity in YAML front matter (brief_front_matter.c), sections
 * under headings that cmark-gfm finds, so that code fences cannot be mistaken for headings. */
#include "fetch/brief_front_matter.h"

#include <cmark-gfm.h>
#include <stdint.h>

/* Moves lines to line number `wanted`; false when the text ends before. */
static bool seek_line(struct brief_lines *lines, size_t wanted, struct brief_line *line) {
    while (brief_next_line(lines, line))
        if (line->number == wanted)
            return true;
    return false;
}

/* "## 2. Title ##" -> "2. Title"; a heading underlined with === has only its text. */
static struct span heading_text(struct span line) {
    line = span_trim(line);
    while (line.len && line.at[0] == '#')
        line = span_slice(line, 1, line.len);
    while (line.len && line.at[line.len - 1] == '#')
        line.len--;
    return span_trim(line);
}

struct walk {
    struct brief_parse *parse;
    struct brief_lines lines;
    size_t first_line; /* file line number of the body's first line */
    size_t body_start;
    size_t end_mark; /* offset of the last end mark of an excerpt, or 0 */
    int level;       /* of the sections' headings: that of the first known title; 0 = none yet */
    struct brief_part open;
};

/* The chapter's own headings and the report's belong to the section around them. */
static bool belongs_to_open(const struct walk *walk, struct span title, size_t start) {
    if (brief_title_is_text(walk->open.title))
        return start < walk->end_mark || !brief_knows_title(title);
    return brief_title_is_output(walk->open.title) && !brief_knows_title(title);
}

static void close_part(struct walk *walk, size_t end) {
    walk->open.end = end;
    if (walk->open.heading_line)
        brief_read_part(walk->parse, &walk->open);
    else
        walk->parse->brief->instruction =
            span_trim(span_slice(walk->parse->text, walk->body_start, end));
}

static void read_heading(struct walk *walk, cmark_node *node) {
    struct brief_line line;
    size_t first = walk->first_line + (size_t)cmark_node_get_start_line(node) - 1;
    size_t last = walk->first_line + (size_t)cmark_node_get_end_line(node) - 1;
    if (!seek_line(&walk->lines, first, &line))
        return;
    struct span heading = heading_text(line.text), title = heading;
    size_t number, start = line.start;
    brief_cut_number(&title, &number);
    int level = cmark_node_get_heading_level(node);
    if (walk->level == 0 && brief_knows_title(title))
        walk->level = level;
    if (level != walk->level || belongs_to_open(walk, title, start))
        return;
    if (last > first)
        seek_line(&walk->lines, last, &line);
    close_part(walk, start);
    walk->open = (struct brief_part){
        .title = title,
        .heading = heading,
        .start = walk->lines.at,
        .heading_line = first,
        .first_line = walk->lines.number,
    };
}

static size_t find_end_mark(struct brief_lines lines) {
    struct brief_line line;
    size_t mark = 0;
    while (brief_next_line(&lines, &line))
        if (brief_is_excerpt_end(line.text))
            mark = line.start;
    return mark;
}

static void read_body(struct brief_parse *parse, size_t start, size_t first_line) {
    struct walk walk = {
        .parse = parse,
        .lines = {parse->text, start, parse->text.len, first_line},
        .first_line = first_line,
        .body_start = start,
    };
    walk.end_mark = find_end_mark(walk.lines);
    cmark_node *document =
        cmark_parse_document(parse->text.at + start, parse->text.len - start, CMARK_OPT_DEFAULT);
    for (cmark_node *node = cmark_node_first_child(document); node; node = cmark_node_next(node))
        if (cmark_node_get_type(node) == CMARK_NODE_HEADING)
            read_heading(&walk, node);
    cmark_node_free(document);
    close_part(&walk, parse->text.len);
}

bool brief_parse_markdown(struct brief_parse *parse) {
    struct brief_lines lines = {parse->text, brief_bom(parse->text), parse->text.len, 1};
    struct brief_line line;
    parse->brief->format = SPAN("markdown");
    while (brief_next_line(&lines, &line) && span_trim(line.text).len == 0)
        ; /* empty lines before the front matter */
    size_t yaml_start = lines.at, yaml_line = lines.number;
    parse->identity_line = line.number;
    while (brief_next_line(&lines, &line)) {
        struct span text = span_trim(line.text);
        if (!span_equal(text, SPAN("---")) && !span_equal(text, SPAN("...")))
            continue;
        struct span yaml = span_slice(parse->text, yaml_start, line.start);
        if (!brief_read_front_matter(parse, yaml, yaml_line))
            return false;
        read_body(parse, lines.at, lines.number);
        return true;
    }
    return brief_refuse(parse, parse->identity_line, "Close it with a line `---`.",
                        "the front matter that opens here is never closed");
}
