#include "core/memory.h"
#include "fetch/structure.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static struct arena arena;

static int setup(void **state) {
    (void)state;
    arena_init(&arena);
    return 0;
}

static int teardown(void **state) {
    (void)state;
    arena_free(&arena);
    return 0;
}

static void expect(struct span text, const char *wanted) {
    assert_string_equal(arena_string(&arena, text), wanted);
}

/* What must hold for every text: blocks in order, without overlap, inside the text; a view of the
 * same length. */
static struct chapter read_span(struct span text) {
    struct chapter chapter;
    struct error error = {0};
    assert_true(structure_read(&arena, SPAN("markdown"), text, "t.md", &chapter, &error));
    assert_int_equal(chapter.view.len, text.len);
    size_t at = 0;
    for (size_t i = 0; i < chapter.block_count; i++) {
        assert_true(chapter.blocks[i].start >= at &&
                    chapter.blocks[i].start < chapter.blocks[i].end);
        at = chapter.blocks[i].end;
    }
    assert_true(at <= text.len);
    return chapter;
}

static struct chapter read(const char *text) {
    return read_span(span_of(text));
}

static struct span source(const struct chapter *chapter, size_t block) {
    assert_true(block < chapter->block_count);
    return span_slice(chapter->text, chapter->blocks[block].start, chapter->blocks[block].end);
}

static struct span seen(const struct chapter *chapter, size_t block) {
    assert_true(block < chapter->block_count);
    return span_slice(chapter->view, chapter->blocks[block].start, chapter->blocks[block].end);
}

static void kinds(const struct chapter *chapter, const enum block_kind *wanted, size_t count) {
    assert_int_equal(chapter->block_count, count);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(chapter->blocks[i].kind, wanted[i]);
}

static void headings_give_the_path_of_what_follows(void **state) {
    (void)state;
    struct chapter c = read("# One\n\na\n\n## Two *b* {#two}\n\nc\n\nThree\n=====\n\nd\n");
    size_t count;
    assert_int_equal(c.heading_count, 3);
    expect(c.headings[1].text, "Two b");
    expect(c.headings[1].id, "two");
    assert_int_equal(c.headings[1].parent, 0);
    assert_int_equal(c.headings[2].level, 1);
    struct span *path = chapter_heading_path(&arena, &c, c.blocks[3].heading, &count);
    assert_int_equal(count, 2);
    expect(path[0], "One");
    expect(path[1], "Two b");
    expect(source(&c, 3), "c");
    expect(seen(&c, 2), "Two  b");
}

static void markup_is_blank_in_the_view_and_stays_in_the_text(void **state) {
    (void)state;
    struct chapter c =
        read("It took **9.5** [ms](http://x/7 \"8\")`1` \\*2 &lt;3 ![4](5.png)6<i>7</i>\n");
    expect(seen(&c, 0), "It took   9.5    ms                  1  * 2 <   3            6   7");
    expect(c.links[0].url, "http://x/7");
    expect(span_slice(c.view, c.links[0].start, c.links[0].end), "ms");
}

/* The number behind the link is the "5" that a person sees, not the one in its address. */
static void text_behind_a_link_is_not_found_in_its_address(void **state) {
    (void)state;
    struct chapter c = read("see [a](u/5)5\n> q [b](v/6)6\nlazy [c](w/7)7\n");
    expect(seen(&c, 0), "see  a      5");
    expect(seen(&c, 1), "q  b      6\nlazy  c      7");
}

static void tables_have_rows_cells_and_headers(void **state) {
    (void)state;
    struct chapter c = read("| n | t \\| u |\n|---|--:|\n| [1](x/2) | **2** |\n| | `3\\|4` |\n");
    kinds(&c, (enum block_kind[]){BLOCK_TABLE}, 1);
    assert_int_equal(c.blocks[0].row_count, 3);
    assert_int_equal(c.rows[2].cell_count, 2);
    assert_true(c.cells[0].header && c.cells[1].header && !c.cells[2].header);
    expect(span_slice(c.view, c.cells[1].start, c.cells[1].end), "t |  u");
    expect(span_slice(c.view, c.cells[3].start, c.cells[3].end), "2");
    assert_int_equal(c.cells[4].start, c.cells[4].end);
    expect(span_slice(c.text, c.cells[5].start, c.cells[5].end), "3\\|4");
}

static void code_keeps_its_language_lines_and_tabs(void **state) {
    (void)state;
    struct chapter c =
        read("```{.python .x}\nif a:\n\tb = 1\n```\n\n    9 ms\n\n```console\n1\n```\n");
    kinds(&c, (enum block_kind[]){BLOCK_CODE, BLOCK_TEXT, BLOCK_OUTPUT}, 3);
    expect(c.blocks[0].language, "python");
    expect(seen(&c, 0), "if a:\n\tb = 1");
    expect(c.blocks[1].note, "preformatted");
    expect(seen(&c, 1), "9 ms");
}

static void code_in_a_quoted_list_loses_the_marks_before_it(void **state) {
    (void)state;
    struct chapter c = read("> - a\n>\n>   ```c\n>   x = 1;\n>   ```\n>   b\n");
    kinds(&c, (enum block_kind[]){BLOCK_LIST, BLOCK_CODE, BLOCK_LIST}, 3);
    expect(seen(&c, 1), "x = 1;");
    expect(seen(&c, 2), "b");
}

static void nested_lists_are_one_block(void **state) {
    (void)state;
    struct chapter c = read("- a\n  1. b\n     - c\n- [x] d\n\ne\n");
    kinds(&c, (enum block_kind[]){BLOCK_LIST, BLOCK_PROSE}, 2);
    expect(source(&c, 0), "a\n  1. b\n     - c\n- [x] d");
    expect(seen(&c, 0), "a\n     b\n       c\n      d");
}

static void carriage_returns_and_a_mark_at_the_start_move_nothing(void **state) {
    (void)state;
    struct chapter c =
        read("\xEF\xBB\xBF# H\r\n\r\na `b\r\nc` *d*\r\n\r\n```\r\n1\r\n2\r\n```\r\nx\ry\n");
    expect(source(&c, 0), "H");
    expect(seen(&c, 1), "a  b \nc   d");
    expect(source(&c, 2), "1\r\n2");
    expect(source(&c, 3), "x\ry");
}

static void front_matter_is_metadata_and_not_text(void **state) {
    (void)state;
    struct chapter c = read("---\ntitle: A 5 ms step\ntags: [x, y]\ndeep: {z: 1}\n---\nText\n");
    kinds(&c, (enum block_kind[]){BLOCK_PROSE}, 1);
    assert_int_equal(c.metadata_count, 2);
    expect(c.metadata_values[0], "A 5 ms step");
    expect(c.metadata_values[1], "x, y");
    assert_int_equal(span_find(c.view, SPAN("5"), 0), SIZE_MAX);
    c = read("+++\ntitle = \"T\"\n+++\nText\n");
    expect(source(&c, 0), "Text");
    c = read("---\nno member here\n---\nText\n"); /* a rule, not front matter */
    assert_int_equal(c.metadata_count, 0);
    expect(source(&c, 0), "no member here");
    c = read("---\na: [1\nb: *c\n---\nText\n"); /* broken YAML is still no text */
    assert_int_equal(c.metadata_count, 0);
    expect(source(&c, 0), "Text");
}

static void html_inside_is_read_as_html(void **state) {
    (void)state;
    struct chapter c =
        read("a\n\n<h2 id=\"i\">T</h2>\n<table><tr><th>n</th></tr><tr><td>7 ms</td></tr>"
             "</table>\n\n<!-- 8 ms -->\n\nb\n");
    kinds(&c, (enum block_kind[]){BLOCK_PROSE, BLOCK_HEADING, BLOCK_TABLE, BLOCK_PROSE}, 4);
    expect(c.headings[0].id, "i");
    assert_int_equal(c.blocks[3].heading, 0);
    assert_int_equal(c.blocks[2].row_count, 2);
    assert_true(c.cells[0].header);
    assert_int_equal(span_find(c.view, SPAN("8"), 0), SIZE_MAX);
}

static void footnotes_and_their_marks_are_known(void **state) {
    (void)state;
    struct chapter c = read("9.5[^1] ms\n\n[^1]: On *A*.\n[^b]: Two.\n");
    expect(seen(&c, 0), "9.5     ms");
    expect(c.blocks[1].note, "footnote");
    expect(seen(&c, 1), "On  A .");
    expect(seen(&c, 2), "Two.");
}

static void a_definition_before_the_text_shifts_nothing(void **state) {
    (void)state;
    struct chapter c = read("[5]: http://x/5 \"t\"\n[6]: y\n5 [z][5]\n");
    kinds(&c, (enum block_kind[]){BLOCK_PROSE}, 1);
    expect(source(&c, 0), "5 [z");
    expect(c.links[0].url, "http://x/5");
}

/* The parser gives the paragraph before such a table no place at all. */
static void a_paragraph_cut_off_a_table_is_found(void **state) {
    (void)state;
    struct chapter c = read("- z\n\n> one *two*\n> three\n> h | i\n> --|--\n> 1 | 2\n");
    kinds(&c, (enum block_kind[]){BLOCK_LIST, BLOCK_PROSE, BLOCK_TABLE}, 3);
    expect(seen(&c, 1), "one  two \n  three");
    expect(span_slice(c.view, c.cells[3].start, c.cells[3].end), "2");
    read("- z  \n next *emph* q\n> quote\n>--:ne *emph* q\n> quote\n>--:|\n(");
}

static struct span repeated(const char *piece, size_t count, const char *tail) {
    struct buffer out = {0};
    for (size_t i = 0; i < count; i++)
        buffer_add_string(&out, piece);
    buffer_add_string(&out, tail);
    struct span text = arena_copy(&arena, buffer_span(&out));
    buffer_free(&out);
    return text;
}

static void deep_and_broken_markup_costs_no_more_than_its_length(void **state) {
    (void)state;
    static const char *const pieces[] = {
        ">", "- ",   "[",  "![", "*a **a ", "[a](<b", "`",       "<",  "<!--",        "&",
        "|", "~~a ", "[^", "\\", "a|b\n",   "{#",     "<p>\n\n", "\r", "a*b*[c](5)5 "};
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++)
        read_span(repeated(pieces[i], 100000, "a 9 ms\n"));
}

static void a_line_of_megabytes_is_read(void **state) {
    (void)state;
    struct chapter c = read_span(repeated("abcdefghi ", 5 << 20, "*9.5* ms\n"));
    kinds(&c, (enum block_kind[]){BLOCK_PROSE}, 1);
    expect(span_slice(c.view, c.view.len - 9, c.view.len), " 9.5  ms\n");
}

static void more_markup_than_memory_allows_stays_text(void **state) {
    (void)state;
    struct chapter c = read_span(repeated("*a*\n", 2 << 20, ""));
    kinds(&c, (enum block_kind[]){BLOCK_TEXT}, 1);
    assert_int_equal(c.aligned_bytes, 0);
}

static void the_file_name_or_the_first_lines_tell_markdown(void **state) {
    (void)state;
    expect(structure_format(SPAN("README.MD"), SPAN("x")), "markdown");
    expect(structure_format(SPAN("notes.markdown"), SPAN("x")), "markdown");
    expect(structure_format(SPAN("-"), SPAN("# A\n\nb\n")), "markdown");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(headings_give_the_path_of_what_follows),
        cmocka_unit_test(markup_is_blank_in_the_view_and_stays_in_the_text),
        cmocka_unit_test(text_behind_a_link_is_not_found_in_its_address),
        cmocka_unit_test(tables_have_rows_cells_and_headers),
        cmocka_unit_test(code_keeps_its_language_lines_and_tabs),
        cmocka_unit_test(code_in_a_quoted_list_loses_the_marks_before_it),
        cmocka_unit_test(nested_lists_are_one_block),
        cmocka_unit_test(carriage_returns_and_a_mark_at_the_start_move_nothing),
        cmocka_unit_test(front_matter_is_metadata_and_not_text),
        cmocka_unit_test(html_inside_is_read_as_html),
        cmocka_unit_test(footnotes_and_their_marks_are_known),
        cmocka_unit_test(a_definition_before_the_text_shifts_nothing),
        cmocka_unit_test(a_paragraph_cut_off_a_table_is_found),
        cmocka_unit_test(deep_and_broken_markup_costs_no_more_than_its_length),
        cmocka_unit_test(a_line_of_megabytes_is_read),
        cmocka_unit_test(more_markup_than_memory_allows_stays_text),
        cmocka_unit_test(the_file_name_or_the_first_lines_tell_markdown),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
