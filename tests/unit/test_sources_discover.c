#include "fetch/sources_discover.h"
#include "fetch/structure.h"
#include "fetch/url_map.h"

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
    char *got = arena_string(&arena, text);
    assert_string_equal(got, wanted);
}

/* The sources of a chapter in plain text under a brief that says nothing else. */
static struct sources found_in(const char *text) {
    struct brief brief = {.format = SPAN("research-brief"),
                          .chapter_url = SPAN("https://book.example/a/b/")};
    struct chapter chapter;
    struct error error = {0};
    struct sources sources = {0};
    assert_true(structure_read(&arena, SPAN("text"), span_of(text), "t", &chapter, &error));
    sources_discover(&arena, SPAN(""), &brief, &chapter, &sources);
    return sources;
}

static void only_id(const char *text, const char *id) {
    struct sources sources = found_in(text);
    if (sources.count != 1)
        fail_msg("%zu sources in: %s", sources.count, text);
    expect(sources.sources[0].id, id);
}

static void nothing(const char *text) {
    struct sources sources = found_in(text);
    if (sources.count != 0)
        fail_msg("%.*s found in: %s", SPAN_ARG(sources.sources[0].id), text);
}

static void spellings_of_one_document_have_one_id(void **state) {
    (void)state;
    static const char *const spellings[][2] = {
        /* DOI handbook: case-insensitive; the resolver's address and bare form are equal */
        {"see 10.1145/3297858.3304013.", "doi:10.1145/3297858.3304013"},
        {"https://doi.org/10.1000/ABC", "doi:10.1000/abc"},
        {"(http://dx.doi.org/10.1000/AbC)", "doi:10.1000/abc"},
        {"doi:10.1002/(SICI)1097-4636(199823)43:3<338::AID-JBM16>3.0.CO;2-B ok",
         "doi:10.1002/(sici)1097-4636(199823)43:3<338::aid-jbm16>3.0.co;2-b"},
        {"arXiv:2205.14135v2", "arxiv:2205.14135"},
        {"https://arxiv.org/pdf/2205.14135v1.pdf", "arxiv:2205.14135"},
        {"http://www.arxiv.org/abs/2205.14135#section", "arxiv:2205.14135"},
        {"10.48550/arXiv.2205.14135", "arxiv:2205.14135"},
        {"arxiv.org/abs/hep-th/9901001", "arxiv:hep-th/9901001"},
        {"RFC 9110", "rfc:9110"},
        {"https://datatracker.ietf.org/doc/html/rfc9110#section-4", "rfc:9110"},
        /* ISBN users' manual's own example, 0-306-40615-2 = 978-0-306-40615-7 */
        {"ISBN 0-306-40615-2", "isbn:9780306406157"},
        {"ISBN-13: 978-0-306-40615-7", "isbn:9780306406157"},
        {"https://GitHub.com/Owner/Name.git", "github:owner/name"},
        {"https://github.com/o/n/pull/12/files", "github:o/n#12"},
        {"fixed in o/n#12, later", "github:o/n#12"},
        {"https://github.com/o/n/commit/0123456789abcdef", "github:o/n@0123456789abcdef"},
        {"https://colab.research.google.com/github/o/n/blob/main/a/b.ipynb",
         "github:o/n@main:a/b.ipynb"},
        {"https://github.com/o/n/blob/main/a/b.ipynb?raw=true", "github:o/n@main:a/b.ipynb"},
        {"https://raw.githubusercontent.com/o/n/refs/heads/main/a/b.ipynb",
         "github:o/n@main:a/b.ipynb"},
        {"HTTP://Example.COM:80/a%7Eb?utm_source=x&q=1#top", "url:https://example.com/a~b?q=1"},
        {"https://user:secret@example.com", "url:https://example.com/"},
        {"pip install some_thing==1.2.3", "pypi:some-thing@1.2.3"},
        {"ran on PyTorch 2.6.0+cu118.", "pypi:torch@2.6.0+cu118"},
        {"Dao et al. (2022) show", "mention:dao-et-al-2022"},
        {"as shown in the Roofline Model, it", "mention:roofline-model"},
    };
    for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++)
        only_id(spellings[i][0], spellings[i][1]);
}

static void what_only_looks_like_a_source_is_left(void **state) {
    (void)state;
    nothing("10.5 ms per step, 10.1234 of them, 192.168.10.1000/8");
    nothing("if x == 1.5: loss==y; a==b.c; C# 7.0");
    nothing("as shown in Chapter 6 and as shown in Figure 3");
    nothing("arXiv is a preprint server; RFCs are many; an ISBN has digits");
    nothing("Anna and Bert (who wrote it) in May 2022");
    nothing("see http:// and https://");
}

static void wrong_check_digit_is_said(void **state) {
    (void)state;
    struct sources sources = found_in("ISBN 0-306-40615-3");
    assert_int_equal(sources.count, 1);
    expect(sources.sources[0].id, "isbn:0306406153");
    assert_non_null(strstr(sources.sources[0].limitation.at, "check digit"));
}

static void places_are_kept_and_mentions_counted(void **state) {
    (void)state;
    static const char text[] = "A 10.1000/x and\nhttps://doi.org/10.1000/X.";
    struct sources sources = found_in(text);
    assert_int_equal(sources.count, 1);
    const struct source *source = &sources.sources[0];
    assert_int_equal(source->mentions, 2);
    assert_int_equal(source->place_count, 2);
    expect(
        span_make(text + source->places[0].start, source->places[0].end - source->places[0].start),
        "10.1000/x");
    expect(
        span_make(text + source->places[1].start, source->places[1].end - source->places[1].start),
        "https://doi.org/10.1000/X");
    expect(source->found_in, "chapter");
    expect(source->label, "S1");
    assert_int_equal(source->reading, READING_LEAD);
    assert_int_equal(source->title.len, 0);
}

static void local_addresses_are_not_accessible(void **state) {
    (void)state;
    struct sources sources = found_in("open http://localhost:8000/x and https://example.org/");
    assert_int_equal(sources.count, 2);
    assert_int_equal(sources.sources[0].reading, READING_NOT_ACCESSIBLE);
    assert_int_equal(sources.sources[1].reading, READING_LEAD);
}

static void html_links_are_resolved_and_placed(void **state) {
    (void)state;
    static const char text[] = "<p>See <a href='../c#d'>the other</a> and "
                               "<a href=\"mailto:a@b.example\">me</a>, "
                               "<a href=https://arxiv.org/abs/2205.14135>2205.14135</a>.</p>";
    struct brief brief = {.format = SPAN("research-brief"),
                          .chapter_url = SPAN("https://book.example/a/b/")};
    struct chapter chapter;
    struct error error = {0};
    struct sources sources = {0};
    assert_true(structure_read(&arena, SPAN("html"), span_of(text), "t", &chapter, &error));
    sources_discover(&arena, SPAN(""), &brief, &chapter, &sources);
    assert_int_equal(sources.count, 2);
    expect(sources.sources[0].id, "url:https://book.example/a/c");
    expect(span_make(text + sources.sources[0].start, 9), "the other");
    expect(sources.sources[1].id, "arxiv:2205.14135");
}

static void brief_places_know_their_section(void **state) {
    (void)state;
    static const char received[] = "== 1. Identity ==\nChapter URL: https://book.example/a/b/\n"
                                   "== 2. Chapter text ==\nhttps://inside.example/\n"
                                   "== 6. Associated material ==\n- Data: https://d.example/x\n";
    struct span excerpt = SPAN("https://inside.example/");
    struct brief brief = {.format = SPAN("research-brief"),
                          .chapter_url = SPAN("https://book.example/a/b/"),
                          .excerpt = excerpt};
    brief.excerpt_start = (size_t)(strstr(received, "https://inside") - received);
    brief.excerpt_end = brief.excerpt_start + excerpt.len;
    struct chapter chapter = {.text = excerpt, .view = excerpt};
    struct sources sources = {0};
    sources_discover(&arena, span_of(received), &brief, &chapter, &sources);
    assert_int_equal(sources.count, 3);
    expect(sources.sources[0].kind, "chapter");
    expect(sources.sources[0].places[0].part, "Identity");
    expect(sources.sources[1].places[0].part, "Associated material");
    expect(sources.sources[2].found_in, "chapter");
    assert_int_equal(sources.sources[2].start, 0);
}

static void rows_and_places_are_bounded(void **state) {
    (void)state;
    struct buffer text = {0};
    for (int i = 0; i < SOURCES_MOST + 5; i++)
        buffer_printf(&text, "https://e.example/%d https://same.example/ ", i);
    struct sources sources = found_in(text.at);
    assert_int_equal(sources.count, SOURCES_MOST);
    assert_int_equal(sources.omitted, 6);
    assert_int_equal(sources.sources[1].mentions, SOURCES_MOST + 5);
    assert_int_equal(sources.sources[1].place_count, SOURCE_PLACES_MOST);
    buffer_free(&text);
}

static void sources_survive_writing_and_reading(void **state) {
    (void)state;
    struct sources sources = found_in("10.1000/x and RFC 9110 and 10.1000/x"), read;
    struct buffer json = {0}, again = {0};
    struct error error = {0};
    sources_write(&json, &sources);
    assert_true(sources_read(&arena, buffer_span(&json), "s", &read, &error));
    sources_write(&again, &read);
    assert_string_equal(json.at, again.at);
    buffer_free(&json);
    buffer_free(&again);
}

/* RFC 3986, section 5.4.1 and 5.4.2, against http://a/b/c/d;p?q */
static void references_resolve_as_in_rfc_3986(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"g", "http://a/b/c/g"},
        {"./g", "http://a/b/c/g"},
        {"g/", "http://a/b/c/g/"},
        {"/g", "http://a/g"},
        {"//g", "http://g"},
        {"?y", "http://a/b/c/d;p?y"},
        {"g?y", "http://a/b/c/g?y"},
        {"#s", "http://a/b/c/d;p?q#s"},
        {"g#s", "http://a/b/c/g#s"},
        {"", "http://a/b/c/d;p?q"},
        {".", "http://a/b/c/"},
        {"./", "http://a/b/c/"},
        {"..", "http://a/b/"},
        {"../", "http://a/b/"},
        {"../g", "http://a/b/g"},
        {"../..", "http://a/"},
        {"../../g", "http://a/g"},
        {"../../../g", "http://a/g"},
        {"/./g", "http://a/g"},
        {"/../g", "http://a/g"},
        {"g.", "http://a/b/c/g."},
        {"..g", "http://a/b/c/..g"},
        {"./../g", "http://a/b/g"},
        {"./g/.", "http://a/b/c/g/"},
        {"g/../h", "http://a/b/c/h"},
        {"g;x=1/../y", "http://a/b/c/y"},
        {"g?y/../x", "http://a/b/c/g?y/../x"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect(url_resolve(&arena, SPAN("http://a/b/c/d;p?q"), span_of(cases[i][0])), cases[i][1]);
    expect(url_resolve(&arena, SPAN("http://a/b"), SPAN("mailto:x@y.example")), "");
    expect(url_resolve(&arena, SPAN("http://a/b"), SPAN("javascript:alert(1)")), "");
}

static void viewer_pages_map_to_raw_files(void **state) {
    (void)state;
    static const char *const pages[] = {
        "https://colab.research.google.com/github/o/r/blob/main/d/n.ipynb#scrollTo=x",
        "https://github.com/o/r/blob/main/d/n.ipynb",
        "https://nbviewer.org/github/o/r/blob/main/d/n.ipynb",
        "https://raw.githubusercontent.com/o/r/main/d/n.ipynb"};
    for (size_t i = 0; i < 4; i++)
        expect(url_raw(&arena, span_of(pages[i])),
               "https://raw.githubusercontent.com/o/r/main/d/n.ipynb");
    expect(url_raw(&arena, SPAN("https://x.example/a?b#c")), "https://x.example/a?b");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(spellings_of_one_document_have_one_id, setup, teardown),
        cmocka_unit_test_setup_teardown(what_only_looks_like_a_source_is_left, setup, teardown),
        cmocka_unit_test_setup_teardown(wrong_check_digit_is_said, setup, teardown),
        cmocka_unit_test_setup_teardown(places_are_kept_and_mentions_counted, setup, teardown),
        cmocka_unit_test_setup_teardown(local_addresses_are_not_accessible, setup, teardown),
        cmocka_unit_test_setup_teardown(html_links_are_resolved_and_placed, setup, teardown),
        cmocka_unit_test_setup_teardown(brief_places_know_their_section, setup, teardown),
        cmocka_unit_test_setup_teardown(rows_and_places_are_bounded, setup, teardown),
        cmocka_unit_test_setup_teardown(sources_survive_writing_and_reading, setup, teardown),
        cmocka_unit_test_setup_teardown(references_resolve_as_in_rfc_3986, setup, teardown),
        cmocka_unit_test_setup_teardown(viewer_pages_map_to_raw_files, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
