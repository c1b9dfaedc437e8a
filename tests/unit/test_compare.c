/* Expected results follow from the rules stated in fetch/compare.h, by hand. */
#include "fetch/compare.h"
#include "fetch/fold.h"
#include "fetch/version_pep440.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

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

static void accents_ligatures_markup_and_signs_fall_away(void **state) {
    static const struct {
        const char *text, *folded;
    } cases[] = {
        {"M\xC3\xBCller", "muller"},
        {"Mu\xCC\x88ller", "muller"}, /* the same in NFD */
        {"\xC3\x98rsted & \xC5\x81ukasz", "orsted lukasz"},
        {"Stra\xC3\x9F"
         "e",
         "strasse"},
        {"\xEF\xAC\x81le", "file"}, /* the ligature fi */
        {"<i>E. coli</i>: a re\xE2\x80\x93view", "e coli a re view"},
        {"H<sub>2</sub>O &amp; more", "h2o more"},
        {"Don\xE2\x80\x99t  STOP!", "dont stop"},
        {"\xE7\x9F\xA9\xE9\x98\xB5 2", "\xE7\x9F\xA9\xE9\x98\xB5 2"},
        {"\xFF\xFE", ""},
        {"", ""},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(arena_string(&arena, fold_text(&arena, span_of(cases[i].text))),
                            cases[i].folded);
}

/* kitten -> sitting takes 3 edits of 7 letters. */
static void similarity_is_one_minus_edits_over_length(void **state) {
    (void)state;
    assert_true(fabs(fold_similarity(&arena, SPAN("kitten"), SPAN("sitting")) - (1 - 3.0 / 7)) <
                1e-12);
    assert_true(fold_similarity(&arena, SPAN(""), SPAN("")) == 1);
    assert_true(fold_similarity(&arena, SPAN("ab"), SPAN("")) == 0);
}

static void titles_with_and_without_subtitle(void **state) {
    static const struct {
        const char *claimed, *registered;
        enum compare_result result;
    } cases[] = {
        {"Attention Is All You Need", "Attention is all you need.", COMPARE_MATCH},
        {"Deep residual nets", "Deep Residual Nets: A Study of Depth", COMPARE_MATCH},
        {"FlashAttention: Fast", "FlashAttention: Slow and Long Winded", COMPARE_DIFFERS},
        {"Measuring the speed of light", "Measuring the speed of lights in vacuum", COMPARE_CLOSE},
        {"A tour of clocks", "Protein folding in yeast", COMPARE_DIFFERS},
        {"", "Protein folding in yeast", COMPARE_NONE},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(
            compare_titles(&arena, span_of(cases[i].claimed), span_of(cases[i].registered), NULL),
            cases[i].result);
}

static void titles_in_a_line_of_references(void **state) {
    const char *line = "[3] A. Vaswani et al., \"Attention is all you need\", NeurIPS 2017.";
    (void)state;
    assert_int_equal(
        compare_title_in(&arena, span_of(line), SPAN("Attention Is All You Need"), NULL),
        COMPARE_MATCH);
    assert_int_equal(
        compare_title_in(&arena, span_of(line), SPAN("Protein folding in yeast"), NULL),
        COMPARE_DIFFERS);
    /* a shared long word: not sure enough */
    assert_int_equal(
        compare_title_in(&arena, span_of(line), SPAN("Attention deficits in rodents"), NULL),
        COMPARE_NONE);
    /* a remark is no entry */
    assert_int_equal(compare_title_in(&arena, SPAN("The paper that started all of this, see here"),
                                      SPAN("Protein folding in yeast"), NULL),
                     COMPARE_NONE);
    assert_int_equal(compare_title_in(&arena, SPAN("doi:10.1000/1234"), SPAN("Any title"), NULL),
                     COMPARE_NONE);
}

static void authors_by_family_and_initial(void **state) {
    static const struct {
        const char *claimed, *registered;
        enum compare_result result;
    } cases[] = {
        {"Dao, T.; Fu, D.", "Dao, Tri; Fu, Daniel Y.; Ermon, Stefano", COMPARE_MATCH},
        {"M\xC3\xBCller, J.", "Mueller, Jean", COMPARE_MATCH},
        {"Berg, Zo\xC3\xAB van der", "van der Berg, Zoe", COMPARE_MATCH},
        {"Dao, Tri", "Dao, Minh", COMPARE_DIFFERS},
        {"Fu, Daniel", "Dao, Tri; Fu, Daniel", COMPARE_CLOSE}, /* without the first author */
        {"Dao, Tri; Nobody, X.", "Dao, Tri", COMPARE_CLOSE},
        {"Curie, Marie", "Dao, Tri", COMPARE_DIFFERS},
        {"", "Dao, Tri", COMPARE_NONE},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(
            compare_authors(&arena, span_of(cases[i].claimed), span_of(cases[i].registered)),
            cases[i].result);
    assert_int_equal(compare_authors_in(&arena, SPAN("T. Dao and others, 2022"), SPAN("Dao, Tri")),
                     COMPARE_MATCH);
    assert_int_equal(compare_authors_in(&arena, SPAN("Daoud 2022"), SPAN("Dao, Tri")),
                     COMPARE_DIFFERS);
}

static void years_and_venues(void **state) {
    (void)state;
    assert_int_equal(compare_years(SPAN("2022"), SPAN("2022")), COMPARE_MATCH);
    assert_int_equal(compare_years(SPAN("2022"), SPAN("2023")), COMPARE_CLOSE);
    assert_int_equal(compare_years(SPAN("2022"), SPAN("2019")), COMPARE_DIFFERS);
    assert_int_equal(compare_years(SPAN(""), SPAN("2019")), COMPARE_NONE);
    assert_int_equal(compare_venues(&arena, SPAN("Proc. Natl. Acad. Sci."),
                                    SPAN("Proceedings of the Natl Academy of Sciences")),
                     COMPARE_MATCH);
    assert_int_equal(compare_venues(&arena, SPAN("NeurIPS"), SPAN("Advances in Neural ...")),
                     COMPARE_NONE);
}

/* The order of PEP 440's own examples: each is after the one before. */
static void python_versions_are_ordered(void **state) {
    static const char *const order[] = {"1.dev0",
                                        "1.0.dev456",
                                        "1.0a1",
                                        "1.0a2.dev456",
                                        "1.0a12.dev456",
                                        "1.0a12",
                                        "1.0b1.dev456",
                                        "1.0b2",
                                        "1.0b2.post345.dev456",
                                        "1.0b2.post345",
                                        "1.0rc1.dev456",
                                        "1.0rc1",
                                        "1.0",
                                        "1.0.post456.dev34",
                                        "1.0.post456",
                                        "1.0.15",
                                        "1.1.dev1",
                                        "1.10",
                                        "2!0.1"};
    struct version440 a, b;
    (void)state;
    for (size_t i = 1; i < sizeof order / sizeof *order; i++) {
        assert_true(version440_read(span_of(order[i - 1]), &a));
        assert_true(version440_read(span_of(order[i]), &b));
        if (version440_compare(&a, &b) >= 0)
            fail_msg("%s is not before %s", order[i - 1], order[i]);
    }
    assert_true(version440_read(SPAN("v1.0.0"), &a) && version440_read(SPAN("1"), &b));
    assert_int_equal(version440_compare(&a, &b), 0);
    assert_true(version440_read(SPAN("2.6.0+cu118"), &a) && version440_read(SPAN("2.6"), &b));
    assert_int_equal(version440_compare(&a, &b), 0);
    assert_true(version440_read(SPAN("1.0-beta.2"), &a) && version440_is_pre(&a));
    assert_false(version440_read(SPAN("latest"), &a));
    assert_false(version440_read(SPAN("1.0 and more"), &a));
    assert_false(version440_read(SPAN("1.2.3.4.5.6.7.8.9.10"), &a));
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(accents_ligatures_markup_and_signs_fall_away),
        TEST(similarity_is_one_minus_edits_over_length),
        TEST(titles_with_and_without_subtitle),
        TEST(titles_in_a_line_of_references),
        TEST(authors_by_family_and_initial),
        TEST(years_and_venues),
        TEST(python_versions_are_ordered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
