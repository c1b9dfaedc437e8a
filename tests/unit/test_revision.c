#include "fetch/revision.h"
#include "fetch/sequence.h"
#include "fetch/word_diff.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static struct arena arena;

static int set_up(void **state) {
    (void)state;
    arena_init(&arena);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    arena_free(&arena);
    return 0;
}

static size_t *match(const char *old, const char *now) {
    uint64_t keys[2][64];
    for (size_t i = 0; old[i]; i++)
        keys[0][i] = (unsigned char)old[i];
    for (size_t i = 0; now[i]; i++)
        keys[1][i] = (unsigned char)now[i];
    return sequence_match(&arena, (struct sequence){keys[0], strlen(old)},
                          (struct sequence){keys[1], strlen(now)});
}

static void equal_sequences_match_whole(void **state) {
    (void)state;
    size_t *to = match("abcabc", "abcabc");
    for (size_t i = 0; i < 6; i++)
        assert_int_equal(to[i], i);
}

static void what_moved_is_matched_once(void **state) {
    (void)state;
    /* "bcd" stays, "a" moves behind it */
    size_t *to = match("abcd", "bcda");
    assert_int_equal(to[0], SIZE_MAX);
    assert_int_equal(to[1], 0);
    assert_int_equal(to[3], 2);
}

static void repeated_keys_are_matched_exactly(void **state) {
    (void)state;
    /* nothing is unique: the longest common subsequence of xyxyx and yxyyx is yxyx */
    size_t *to = match("xyxyx", "yxyyx"), common = 0, last = 0;
    for (size_t i = 0; i < 5; i++) {
        if (to[i] == SIZE_MAX)
            continue;
        assert_true(common == 0 || to[i] > last);
        last = to[i];
        common++;
    }
    assert_int_equal(common, 4);
}

static void check_diff(const char *old, const char *now, const char *expected) {
    struct span diff = word_diff(&arena, span_of(old), span_of(now), 500);
    assert_string_equal(arena_string(&arena, diff), expected);
}

static void words_are_compared_without_their_white_space(void **state) {
    (void)state;
    check_diff("it takes 9.4 ms", "it  takes\n9.6 ms", "it takes [-9.4-]{+9.6+} ms");
    check_diff("a b c", "a b c d e", "a b c {+d e+}");
    check_diff("a b c", "b c", "[-a-] b c");
    check_diff("same words", " same\twords ", "");
    check_diff("", "new words", "{+new words+}");
}

static void long_runs_of_unchanged_words_are_cut(void **state) {
    (void)state;
    check_diff("1 2 3 4 5 6 7 8 9 old a b c d e f g h i", "1 2 3 4 5 6 7 8 9 new a b c d e f g h i",
               "... 4 5 6 7 8 9 [-old-]{+new+} a b c d e f ...");
}

static void a_diff_has_its_limit(void **state) {
    (void)state;
    struct span diff = word_diff(&arena, SPAN(""), SPAN("\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4"), 5);
    assert_string_equal(arena_string(&arena, diff), "{+\xC3\xA4 ..."); /* not in a character */
}

static struct snapshot compare(const char *old, const char *now) {
    struct snapshot snapshot = {0};
    revision_compare(&arena, span_of(old), span_of(now), &snapshot);
    return snapshot;
}

static void check_change(const struct snapshot *snapshot, size_t index, const char *kind,
                         size_t old_start, size_t old_end, size_t new_start, size_t new_end) {
    const struct snapshot_change *change = &snapshot->changes[index];
    assert_string_equal(arena_string(&arena, change->kind), kind);
    assert_int_equal(change->old_start, old_start);
    assert_int_equal(change->old_end, old_end);
    assert_int_equal(change->new_start, new_start);
    assert_int_equal(change->new_end, new_end);
}

static void paragraphs_are_added_removed_and_edited(void **state) {
    (void)state;
    struct snapshot snapshot =
        compare("One stays.\n\nTwo takes 5 ms here.\n\nThree goes.\n\nFour.\n",
                "One\nstays.\n\nTwo takes 6 ms here.\n\nFour.\n\nFive.\n");
    assert_int_equal(snapshot.change_count, 3);
    check_change(&snapshot, 0, "edited", 12, 32, 12, 32);
    check_change(&snapshot, 1, "removed", 34, 45, 32, 32);
    check_change(&snapshot, 2, "added", 52, 52, 41, 46);
    assert_string_equal(arena_string(&arena, snapshot.changes[0].diff),
                        "Two takes [-5-]{+6+} ms here.");
    assert_string_equal(arena_string(&arena, snapshot.changes[1].diff), "[-Three goes.-]");
}

static void white_space_is_no_change(void **state) {
    (void)state;
    struct snapshot snapshot = compare("a b\nc\n\nd\n", "a b c\r\n\r\n\r\nd");
    assert_int_equal(snapshot.change_count, 0);
}

static void more_changes_than_the_limit_are_counted(void **state) {
    (void)state;
    struct buffer text = {0};
    for (int i = 0; i < REVISION_CHANGES_MOST + 7; i++)
        buffer_printf(&text, "paragraph%d\n\n", i);
    struct snapshot snapshot = compare("", text.at);
    assert_int_equal(snapshot.change_count, REVISION_CHANGES_MOST);
    assert_int_equal(snapshot.changes_left_out, 7);
    buffer_free(&text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_sequences_match_whole),
        cmocka_unit_test(what_moved_is_matched_once),
        cmocka_unit_test(repeated_keys_are_matched_exactly),
        cmocka_unit_test(words_are_compared_without_their_white_space),
        cmocka_unit_test(long_runs_of_unchanged_words_are_cut),
        cmocka_unit_test(a_diff_has_its_limit),
        cmocka_unit_test(paragraphs_are_added_removed_and_edited),
        cmocka_unit_test(white_space_is_no_change),
        cmocka_unit_test(more_changes_than_the_limit_are_counted),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
