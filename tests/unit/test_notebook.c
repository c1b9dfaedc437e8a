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

static struct chapter read_span(struct span text) {
    struct chapter chapter;
    struct error error = {0};
    if (!structure_read(&arena, SPAN("notebook"), text, "n.ipynb", &chapter, &error))
        fail_msg("%s: %s", error.where, error.message);
    assert_int_equal(chapter.view.len, text.len);
    for (size_t i = 1; i < chapter.block_count; i++)
        assert_true(chapter.blocks[i - 1].end <= chapter.blocks[i].start);
    return chapter;
}

static struct span source(const struct chapter *chapter, size_t block) {
    assert_true(block < chapter->block_count);
    return span_slice(chapter->text, chapter->blocks[block].start, chapter->blocks[block].end);
}

static struct span seen(const struct chapter *chapter, size_t block) {
    assert_true(block < chapter->block_count);
    return span_slice(chapter->view, chapter->blocks[block].start, chapter->blocks[block].end);
}

#define NOTEBOOK(cells)                                                                            \
    SPAN("{\"cells\":[" cells "],\"metadata\":{\"language_info\":{\"name\":\"julia\",\"version\":" \
         "\"1.9\"}},\"nbformat\":4,\"nbformat_minor\":5}")

static void markdown_cells_give_structure_in_the_notebooks_bytes(void **state) {
    (void)state;
    struct chapter c = read_span(NOTEBOOK("{\"cell_type\":\"markdown\",\"source\":[\"# A "
                                          "*b*\\n\",\"\\n\",\"took \\u00d72 [x](u/3)\"]},"
                                          "{\"cell_type\":\"markdown\",\"source\":\"## C\\nd\"}"));
    assert_int_equal(c.block_count, 4);
    assert_int_equal(c.blocks[0].kind, BLOCK_HEADING);
    expect(source(&c, 0), "A *b");
    expect(source(&c, 1), "took \\u00d72 [x");
    expect(seen(&c, 1), "took \xC3\x97    2  x");
    expect(c.blocks[1].note, "cell 1");
    expect(source(&c, 3), "d");
    assert_int_equal(c.headings[1].parent, 0);
    expect(c.links[0].url, "u/3");
}

static void code_and_outputs_are_blocks_in_the_order_of_the_file(void **state) {
    (void)state;
    struct chapter c = read_span(NOTEBOOK(
        "{\"cell_type\":\"code\",\"execution_count\":7,\"outputs\":["
        "{\"output_type\":\"stream\",\"text\":[\"a\\t1\\n\",\"  b 2\\n\"]},"
        "{\"output_type\":\"execute_result\",\"execution_count\":8,\"data\":{\"image/png\":\"99\","
        "\"text/html\":\"<b>98</b>\",\"text/plain\":\"3 ms\"}},"
        "{\"output_type\":\"error\",\"traceback\":[\"\\u001b[0;31mE\\u001b[0m 5\"]}],"
        "\"source\":\"if x:\\n    y()\"}"));
    assert_int_equal(c.block_count, 4);
    expect(c.blocks[0].note, "cell 1 [out 7]");
    expect(seen(&c, 0), "a\t 1    \n  b 2");
    expect(c.blocks[1].note, "cell 1 [out 8]");
    expect(source(&c, 1), "3 ms");
    expect(seen(&c, 2), "E          5");
    assert_int_equal(c.blocks[3].kind, BLOCK_CODE);
    expect(c.blocks[3].language, "julia");
    expect(c.blocks[3].note, "cell 1 [in 7]");
    expect(seen(&c, 3), "if x: \n    y()");
    assert_int_equal(c.view.at[c.blocks[3].start - 1], '\n'); /* its first line is not indented */
    assert_int_equal(span_find(c.view, SPAN("9"), 0), SIZE_MAX); /* neither image nor HTML */
}

static void the_view_is_restored_from_what_is_stored(void **state) {
    (void)state;
    struct chapter c =
        read_span(NOTEBOOK("{\"cell_type\":\"raw\",\"source\":[\"a\\n\",\n \"\\\"b\"]}"));
    struct chapter again = c;
    expect(seen(&c, 0), "a      \n\" b");
    chapter_restore_view(&arena, &again);
    assert_true(span_equal(again.view, c.view));
}

static void pairs_of_surrogates_and_lone_ones_are_decoded(void **state) {
    (void)state;
    struct chapter c =
        read_span(NOTEBOOK("{\"cell_type\":\"raw\",\"source\":\"x\\ud83d\\ude00y\"}"));
    expect(seen(&c, 0), "x\xF0\x9F\x98\x80        y");
}

static void the_third_format_is_read(void **state) {
    (void)state;
    struct chapter c = read_span(
        SPAN("{\"nbformat\":3,\"worksheets\":[{\"cells\":[{\"cell_type\":\"heading\",\"level\":2,"
             "\"source\":\"T\"},{\"cell_type\":\"code\",\"prompt_number\":1,\"input\":[\"f()\"],"
             "\"outputs\":[{\"output_type\":\"pyout\",\"text\":[\"4\"]}]}]}]}"));
    assert_int_equal(c.block_count, 3);
    assert_int_equal(c.headings[0].level, 2);
    expect(c.headings[0].text, "T");
    expect(source(&c, 1), "f()");
    expect(c.blocks[2].note, "cell 2 [out 1]");
}

static void what_is_no_notebook_is_refused_or_empty(void **state) {
    (void)state;
    static const char *const refused[] = {
        "", "[]", "{}", "{\"cells\":{}}", "{\"cells\":[", "{\"cells\":[]}x"};
    static const char *const empty[] = {
        "{\"cells\":[]}", "{\"cells\":[1,null,\"a\",[],{}]}",
        "{\"cells\":[{\"cell_type\":\"code\",\"source\":{\"a\":1},\"outputs\":{}}]}",
        "{\"cells\":[{\"cell_type\":7,\"source\":\"\"}]}",
        "{\"cells\":[{\"cell_type\":\"markdown\",\"source\":[]}]}"};
    struct chapter chapter;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        struct error error = {0};
        assert_false(structure_read(&arena, SPAN("notebook"), span_of(refused[i]), "n.ipynb",
                                    &chapter, &error));
        assert_int_equal(error.kind, ERROR_INPUT);
    }
    for (size_t i = 0; i < sizeof empty / sizeof *empty; i++) {
        chapter = read_span(span_of(empty[i]));
        assert_int_equal(chapter.block_count, 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(markdown_cells_give_structure_in_the_notebooks_bytes),
        cmocka_unit_test(code_and_outputs_are_blocks_in_the_order_of_the_file),
        cmocka_unit_test(the_view_is_restored_from_what_is_stored),
        cmocka_unit_test(pairs_of_surrogates_and_lone_ones_are_decoded),
        cmocka_unit_test(the_third_format_is_read),
        cmocka_unit_test(what_is_no_notebook_is_refused_or_empty),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
