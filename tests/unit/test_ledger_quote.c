/* Quotes, words and numbers of evidence. Expectations are read off the sentences by hand. */
#include "ledger/passage.h"
#include "ledger/quote.h"
#include "ledger/word.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

static struct arena arena;

static struct quote_match stands(const char *text, const char *quote) {
    struct quote_match match = {0};
    struct error error = {0};
    if (!quote_find(&arena, span_of(text), span_of(quote), SIZE_MAX, "text", &match, &error))
        fail_msg("\"%s\" in \"%s\": %s", quote, text, error.message);
    return match;
}

static const char *refused(const char *text, const char *quote) {
    struct quote_match match;
    struct error error = {0};
    if (quote_find(&arena, span_of(text), span_of(quote), SIZE_MAX, "text", &match, &error))
        fail_msg("\"%s\" in \"%s\" was accepted", quote, text);
    assert_int_equal(error.kind, ERROR_INPUT);
    assert_true(error.hint[0] != '\0');
    return arena_string(&arena, span_of(error.message));
}

static void an_exact_quote_keeps_its_bytes(void **state) {
    (void)state;
    struct quote_match match = stands("It is 0.95 in all runs.", "0.95 in all");
    assert_int_equal(match.start, 6);
    assert_int_equal(match.end, 17);
    assert_int_equal(match.normalization.len, 0);
}

static void a_number_is_never_cut(void **state) {
    (void)state;
    static const struct {
        const char *text, *quote;
    } cases[] = {
        {"accuracy of 0.95 here", "0.9"},
        {"accuracy of 0.95 here", "accuracy of 0"},
        {"accuracy of 0.95 here", "95"},
        {"a loss of -0.5 there", "0.5"},
        {"a loss of \xE2\x88\x92"
         "5 there",
         "5"},
        {"takes 12,345 steps", "12"},
        {"takes 12 345 steps", "345"},
        {"takes 1.9e-5 s", "1.9"},
        {"takes 1.9e-5 s", "1.9e"},
        {"takes 9.5ms", "9.5"},
        {"by 95% more", "95"},
        {"by 95 % more", "95"},
        {"2 x 10^5 of them", "2"},
        {"2 \xC3\x97 10^5 of them", "10^5 of"},
        {"between 10-20 ms", "20 ms"},
        {"between 10\xE2\x80\x93"
         "20 ms",
         "between 10"},
        {"on 2017-06-12 it", "2017"},
        {"version 2.0.1 of", "version 2.0"},
        {"the ratio 3:1 of", "1 of"},
        {"at .95 of it", "95 of"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_non_null(strstr(refused(cases[i].text, cases[i].quote), " inside "));
}

static void a_word_is_never_cut(void **state) {
    (void)state;
    assert_non_null(strstr(refused("a non-linear law", "linear law"), "non-linear"));
    refused("it doesn't hold", "it does");
    refused("scaling of networks", "scaling of network");
    refused("na\xC3\xAFve methods", "ve methods");
    refused("call torch.compile first", "compile first");
    refused("cafe\xCC\x81 here", "cafe");
    stands("It holds. Next line", "Next line");
    stands("(see above)", "see above");
    stands("speed\xE2\x80\x94"
           "and size",
           "and size");
    stands("a, b and c", "b and c");
    stands("\xE9\x80\x9F\xE5\xBA\xA6\xE6\x9B\xB4\xE5\xBF\xAB", "\xE5\xBA\xA6\xE6\x9B\xB4");
    stands("in 2017 the 100 best", "the 100 best");
    stands("takes 1 ms, 2 ms", "1 ms");
}

static void a_declared_normalization_is_named(void **state) {
    (void)state;
    struct quote_match m = stands("the  \xE2\x80\x9C"
                                  "fast\xE2\x80\x9D\n path",
                                  "the \"fast\" path");
    assert_int_equal(m.start, 0);
    assert_int_equal(m.end, 21);
    assert_string_equal(m.normalization.at, "white space, quotation marks");
    m = stands("e\xCC\x81t\xC3\xA9 was warm", "\xC3\xA9t\xC3\xA9 was");
    assert_string_equal(m.normalization.at, "Unicode NFC");
    m = stands("10\xE2\x80\x93"
               "20 ms per step",
               "10-20 ms");
    assert_string_equal(m.normalization.at, "dashes");
    m = stands("an ef\xEF\xAC\x81"
               "cient kernel",
               "efficient kernel");
    assert_string_equal(m.normalization.at, "ligatures");
    m = stands("memory band-\n  width is the", "memory bandwidth is");
    assert_string_equal(m.normalization.at, "hyphens at line ends dropped");
    m = stands("a state-of-\nthe-art result", "state-of-the-art result");
    assert_string_equal(m.normalization.at, "line ends behind hyphens");
    refused("the fast path", "The fast path");
    refused("it is 0.95", "it is 0,95");
}

static void what_is_not_there_says_how_far_it_stands(void **state) {
    (void)state;
    const char *why = refused("We see a speedup of 2.5x on one GPU.", "a speedup of 3.5x on one");
    assert_non_null(strstr(why, "a speedup of "));
    assert_non_null(strstr(why, "2.5x on one GPU."));
    refused("short", "");
    refused("text", "\xFF\xFE");
}

static void a_quote_that_stands_twice_needs_its_place(void **state) {
    (void)state;
    struct span text = SPAN("one fast loop and one fast loop");
    struct quote_match match;
    struct error error = {0};
    assert_non_null(strstr(refused(text.at, "fast loop"), "2 places"));
    assert_true(quote_find(&arena, text, SPAN("fast loop"), 22, "text", &match, &error));
    assert_int_equal(match.start, 22);
    assert_false(quote_find(&arena, text, SPAN("fast loop"), 5, "text", &match, &error));
}

static bool holds(const char *note, const char *passage) {
    struct span missing = {0};
    return word_numbers_stand(&arena, span_of(note), span_of(passage), &missing);
}

static void the_numbers_of_a_note_stand_in_the_passage(void **state) {
    (void)state;
    assert_true(holds("no number at all", ""));
    assert_true(holds("says 1000 steps", "takes 1,000 steps"));
    assert_true(holds("9.5 ms on the H100", "On an H100 it takes 9.5ms."));
    assert_true(holds("10 to 20", "between 10\xE2\x80\x93"
                                  "20 ms"));
    assert_true(holds("of 12 June 2017", "dated 12 June 2017"));
    assert_false(holds("0.950", "it is 0.95"));
    assert_false(holds("0.9", "it is 0.95"));
    assert_false(holds("5", "a change of -5 points"));
    assert_false(holds("on an A100", "on an H100 of 100 W"));
    assert_false(holds("twice as fast, 2x", "half the time"));
    assert_false(holds("1e5", "1e6"));
}

static void passages_cover_the_text_in_order(void **state) {
    (void)state;
    struct buffer text = {0};
    for (int i = 0; i < 400; i++)
        buffer_printf(&text, "Sentence number %d ends here.%s", i, i % 50 == 49 ? "\n\n" : " ");
    struct passage p;
    size_t covered = 0, count = 0;
    for (size_t at = 0; passage_next(buffer_span(&text), &at, &p); count++) {
        assert_true(p.start >= covered && p.start - covered <= 2 && p.end > p.start);
        assert_true(p.end - p.start <= PASSAGE_BYTES);
        assert_int_equal(text.at[p.end - 1], '.');
        covered = p.end;
    }
    assert_true(count >= text.len / PASSAGE_BYTES && text.len - covered <= 2);
    p = passage_around(buffer_span(&text), 1500, 1510);
    assert_true(p.start <= 1500 && p.end >= 1510);
    buffer_free(&text);
}

static void hostile_texts_cost_their_length(void **state) {
    (void)state;
    enum { LENGTH = 1 << 20 };
    static const char *const pieces[] = {" ",   "x",  "-\n", "e\xCC\x81", "\xCC\x81",    "1",
                                         "10^", "\f", ".",   "\xC2\xAD",  "\xE2\x80\x8B"};
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        struct buffer text = {0};
        while (text.len < LENGTH)
            buffer_add_string(&text, pieces[i]);
        struct error error = {0};
        struct quote_match match;
        quote_find(&arena, buffer_span(&text), SPAN("a quote"), SIZE_MAX, "text", &match, &error);
        struct passage p;
        size_t end = 0;
        for (size_t at = 0; passage_next(buffer_span(&text), &at, &p); end = p.end)
            assert_true(p.start >= end && p.end > p.start && p.end <= text.len);
        struct span word;
        for (size_t at = 0; word_next_number(buffer_span(&text), &at, &word);)
            assert_true(word.len > 0);
        buffer_free(&text);
    }
}

int main(void) {
    arena_init(&arena);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_exact_quote_keeps_its_bytes),
        cmocka_unit_test(a_number_is_never_cut),
        cmocka_unit_test(a_word_is_never_cut),
        cmocka_unit_test(a_declared_normalization_is_named),
        cmocka_unit_test(what_is_not_there_says_how_far_it_stands),
        cmocka_unit_test(a_quote_that_stands_twice_needs_its_place),
        cmocka_unit_test(the_numbers_of_a_note_stand_in_the_passage),
        cmocka_unit_test(passages_cover_the_text_in_order),
        cmocka_unit_test(hostile_texts_cost_their_length),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_free(&arena);
    return failed;
}
