#include "fetch/bibtex.h"

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

static void expect(struct span found, const char *expected) {
    assert_string_equal(arena_string(&arena, found), expected);
}

static struct bibtex read(const char *text) {
    struct bibtex bibtex;
    bibtex_read(&arena, span_of(text), &bibtex);
    return bibtex;
}

static void an_entry_with_all_kinds_of_values(void **state) {
    (void)state;
    struct bibtex b = read("text between me@example.org\n"
                           "@string{jt = \"Journal of \" # {Tests}}\n"
                           "@Article{dao22,\n"
                           "  title = {{FlashAttention}: Fast \\& {IO}-aware},\n"
                           "  author = \"Dao, Tri and Daniel Y. Fu and others\",\n"
                           "  journal = jt # \", vol. \" # 4, year = 2022, month = jan,\n"
                           "  doi = {https://doi.org/10.1000/ABC}, eprint={2205.14135v2},\n"
                           "  archivePrefix = {arXiv},\n"
                           "}\n");
    assert_int_equal(b.count, 1);
    assert_int_equal(b.fault_count, 0);
    const struct bibtex_entry *e = &b.entries[0];
    expect(e->type, "article");
    expect(e->key, "dao22");
    expect(e->title, "FlashAttention: Fast & IO-aware");
    expect(e->authors, "Dao, Tri; Fu, Daniel Y.");
    expect(e->venue, "Journal of Tests, vol. 4");
    expect(e->year, "2022");
    expect(e->doi, "10.1000/ABC");
    expect(e->arxiv, "2205.14135v2");
}

static void names_in_their_forms(void **state) {
    (void)state;
    struct bibtex b = read("@misc(k, author = {Donald E. Knuth and {The ATLAS Collaboration} and\n"
                           " van der Berg, Jan and Ren{\\'e} Descartes})");
    assert_int_equal(b.count, 1);
    expect(b.entries[0].authors,
           "Knuth, Donald E.; The ATLAS Collaboration; van der Berg, Jan; Descartes, Ren\xC3\xA9");
}

static void a_malformed_entry_is_a_fault_and_the_next_one_is_read(void **state) {
    (void)state;
    struct bibtex b = read("@article{a, title = {no end\n\n@book{b, title = }\n@book{c title={x}}\n"
                           "@book{d, title={good}}");
    assert_int_equal(b.count, 0); /* the brace of the first entry closes nowhere */
    b = read("@book{b, title = }\n@book{c title={x}}\n@book{d, title={good}}");
    assert_int_equal(b.count, 1);
    expect(b.entries[0].title, "good");
    assert_int_equal(b.fault_count, 2);
    expect(b.faults[0], "line 1: expected a value in braces or quotes that closes, a number or a "
                        "name");
    expect(b.faults[1], "line 2: expected a comma behind the entry's key");
}

static void comments_and_preambles_are_passed_over(void **state) {
    (void)state;
    struct bibtex b = read("@comment{@article{x, title={no}}}\n@preamble{\"\\newcommand\"}\n"
                           "@book{y, title={yes}, date={2019-05-06}, isbn={978-0-13-110362-7}}");
    assert_int_equal(b.count, 1);
    expect(b.entries[0].title, "yes");
    expect(b.entries[0].year, "2019");
    expect(b.entries[0].isbn, "978-0-13-110362-7");
}

/* Left: LaTeX. Right: what LaTeX prints, in NFC. */
static void latex_becomes_unicode(void **state) {
    static const struct {
        const char *latex, *text;
    } cases[] = {
        {"M{\\\"u}ller", "M\xC3\xBCller"},
        {"M\\\"uller", "M\xC3\xBCller"},
        {"Erd\\H{o}s", "Erd\xC5\x91s"},
        {"Fran\\c{c}ois", "Fran\xC3\xA7ois"},
        {"\\v{S}koda", "\xC5\xA0koda"},
        {"Na\\\"{\\i}ve", "Na\xC3\xAFve"},
        {"\\O re", "\xC3\x98re"},
        {"\\L{}\\'od\\'z", "\xC5\x81\xC3\xB3"
                           "d\xC5\xBA"},
        {"Stra{\\ss}e", "Stra\xC3\x9F"
                        "e"},
        {"a~b -- c --- d", "a b - c - d"},
        {"50\\% \\& $x$ \\textit{it} \\emph{em}", "50% & x it em"},
        {"\\", ""},
        {"\\\"", ""},
        {"{{{", ""},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect(bibtex_plain(&arena, span_of(cases[i].latex)), cases[i].text);
}

static void an_arxiv_id_needs_its_archive(void **state) {
    (void)state;
    struct bibtex b = read("@misc{a, eprint={2205.14135}, eprinttype={arxiv}}"
                           "@misc{b, eprint={2205.14135}, eprinttype={hdl}}"
                           "@misc{c, eprint={arXiv:hep-th/9901001}}@misc{d, eprint={12345}}");
    assert_int_equal(b.count, 4);
    expect(b.entries[0].arxiv, "2205.14135");
    expect(b.entries[1].arxiv, "");
    expect(b.entries[2].arxiv, "hep-th/9901001");
    expect(b.entries[3].arxiv, "");
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(an_entry_with_all_kinds_of_values),
        TEST(names_in_their_forms),
        TEST(a_malformed_entry_is_a_fault_and_the_next_one_is_read),
        TEST(comments_and_preambles_are_passed_over),
        TEST(latex_becomes_unicode),
        TEST(an_arxiv_id_needs_its_archive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
