/* Blocks and sentences of plain text, its line breaks kept or lost. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "audit/document.h"
#include "fetch/structure.h"

/* The document as one line a sentence, "kind|text", in order. */
static void expect(const char *text, const char *const *lines) {
    struct arena arena;
    arena_init(&arena);
    struct chapter chapter = {0};
    struct claims claims = {0};
    struct document d = {0};
    struct error error = {0};
    assert_true(structure_read(&arena, SPAN("text"), span_of(text), "text", &chapter, &error));
    document_build(&arena, &chapter, &claims, &d);
    document_build(&arena, &chapter, &claims, &d);
    size_t i = 0;
    for (; i < d.sentence_count && lines[i]; i++) {
        const struct sentence *s = &d.sentences[i];
        struct span kind = span_of(word_of(&block_words, (int)chapter.blocks[s->block].kind));
        struct span got = arena_printf(&arena, "%.*s|%.*s", SPAN_ARG(kind),
                                       SPAN_ARG(span_slice(chapter.text, s->start, s->end)));
        assert_int_equal(got.len, strlen(lines[i]));
        assert_memory_equal(got.at, lines[i], got.len);
    }
    assert_int_equal(i, d.sentence_count);
    assert_null(lines[i]);
    arena_free(&arena);
}

static void lines_keep_their_blocks(void **state) {
    (void)state;
    expect("The sort was timed twice on an idle machine.\n"
           "\n"
           "small input:  1.25 ms\n"
           "large input:  9.75 ms\n"
           "\n"
           "WORKLOAD  sort\n"
           "DEVICE    cpu\n",
           (const char *const[]){"prose|The sort was timed twice on an idle machine.",
                                 "output|small input:  1.25 ms", "output|large input:  9.75 ms",
                                 "contract|WORKLOAD  sort", "contract|DEVICE    cpu", NULL});
}

static void a_collapsed_line_is_cut_where_its_kind_changes(void **state) {
    (void)state;
    expect(
        "import sort data = sort.load(7) data.shuffle() out = sort.merge(data, width=4) "
        "sort of 10 rows: 1.25 ms small + 9.75 ms sort of 90 rows: 2.25 ms small + 8.75 ms "
        "whole run : 12.5 ms Look at the last line once more. It says less than it seems.",
        (const char *const[]){
            "code|import sort data = sort.load(7) data.shuffle() out = sort.merge(data, width=4)",
            "output|sort of 10 rows: 1.25 ms small + 9.75 ms",
            "output|sort of 90 rows: 2.25 ms small + 8.75 ms", "output|whole run : 12.5 ms",
            "prose|Look at the last line once more.", "prose|It says less than it seems.", NULL});
}

static void a_collapsed_listing_is_a_contract(void **state) {
    (void)state;
    expect("What was held fixed while the sorts ran is this list, and nothing else was: WORKLOAD "
           "merge sort MODEL none INPUT [64, 9] DEVICE cpu DTYPE int32 A fair comparison changes "
           "one of them only. When two change at once, nobody can say which one did it.",
           (const char *const[]){
               "prose|What was held fixed while the sorts ran is this list, and nothing else was:",
               "contract|WORKLOAD merge sort MODEL none INPUT [64, 9] DEVICE cpu DTYPE int32",
               "prose|A fair comparison changes one of them only.",
               "prose|When two change at once, nobody can say which one did it.", NULL});
}

static void a_number_behind_a_listed_value_begins_anew(void **state) {
    (void)state;
    expect(
        "The same sort was timed in two ways by people who never met, and both wrote it down in "
        "their books as follows: in memory= 2.5 ms from disk= 16.5 ms 3 ms and 16 ms can both "
        "be true of it.",
        (const char *const[]){
            "prose|The same sort was timed in two ways by people who never met, and both wrote it "
            "down in their books as follows: in memory= 2.5 ms",
            "output|from disk= 16.5 ms", "prose|3 ms and 16 ms can both be true of it.", NULL});
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_keep_their_blocks),
        cmocka_unit_test(a_collapsed_line_is_cut_where_its_kind_changes),
        cmocka_unit_test(a_collapsed_listing_is_a_contract),
        cmocka_unit_test(a_number_behind_a_listed_value_begins_anew),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
