#include "core/file.h"
#include "fetch/brief.h"

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

static struct brief parsed(const char *text) {
    struct brief brief;
    struct error error = {0};
    if (!brief_parse(&arena, span_of(text), "b.txt", &brief, &error))
        fail_msg("%s: %s", error.where, error.message);
    return brief;
}

static struct error refused(struct span text) {
    struct brief brief;
    struct error error = {0};
    assert_false(brief_parse(&arena, text, "b.txt", &brief, &error));
    assert_int_equal(error.kind, ERROR_INPUT);
    assert_true(error.hint[0]);
    return error;
}

#define IDENTITY "== 1. Identity ==\nBook: Clocks\nChapter: Ticks\nStable id: clocks-1\n"
#define HEX "0123456789abcdef0123456789ABCDEF0123456789abcdef0123456789abcdef"

static void real_brief_parses_completely(void **state) {
    (void)state;
    static const char path[] = "../shared/briefs/pytorch-from-first-principles-12.txt";
    struct span text;
    struct brief b;
    struct error error = {0};
    if (!file_exists(path)) {
        print_message("# %s is not here\n", path);
        skip();
    }
    assert_true(file_read(&arena, path, BRIEF_LARGEST_BYTES, ERROR_INPUT, &text, &error));
    assert_true(brief_parse(&arena, text, path, &b, &error));
    expect(b.format, "research-brief");
    expect(b.book, "PyTorch From First Principles");
    expect(b.chapter, "Performance: What Is the Machine Waiting For?");
    expect(b.chapter_number, "12");
    expect(b.stable_id, "pytorch-from-first-principles-12-chapter");
    expect(b.chapter_url, "https://programmer.ie/books/pytorch-from-first-principles/12-chapter/");
    expect(b.research_pack_url,
           "https://programmer.ie/research/books/pytorch-from-first-principles/12-chapter/");
    expect(b.fingerprint, "add7ca9f31efc7ed5b52768d51cbf43370a120b6ce5703f2000172485104cbec");
    expect(b.fingerprint_label, "sha256, normalized");
    expect(b.fingerprint_profile, "");
    expect(b.snapshot_url, "https://programmer.ie/research/books/pytorch-from-first-principles/"
                           "12-chapter/chapter-snapshot.txt");
    assert_true(b.excerpt_is_partial);
    assert_true(b.excerpt.at == text.at + b.excerpt_start);
    assert_int_equal(b.excerpt.len, b.excerpt_end - b.excerpt_start);
    /* offsets by grep -abo over the file */
    assert_int_equal(b.excerpt_start, 1038);
    assert_true(span_starts(b.excerpt, SPAN("Here is a benchmark.")));
    assert_true(text.at[b.excerpt_end] == '\n' &&
                span_starts(span_slice(text, b.excerpt_end + 2, text.len), SPAN("[... end")));
    assert_int_equal(b.references.count, 0);
    assert_true(span_starts(b.references_note, SPAN("No references")));
    assert_int_equal(b.evidence.count, 0);
    assert_true(span_starts(b.evidence_note, SPAN("No validated evidence")));
    assert_int_equal(b.leads.count, 0);
    assert_true(span_starts(b.objective, SPAN("Decide whether")));
    assert_int_equal(b.materials.count, 1);
    expect(b.materials.items[0].label, "Colab notebook");
    expect(b.materials.items[0].kind, "notebook");
    expect(b.materials.items[0].url,
           "https://colab.research.google.com/github/ernanhughes/programmer.ie.notebooks/blob/main/"
           "notebooks/pytorch-from-first-principles/12-chapter.ipynb");
    assert_true(span_starts(b.history_note, SPAN("No research")));
    assert_int_equal(b.method.count, 13);
    expect(b.method.items[0].label, "1");
    expect(b.method.items[12].label, "13");
    static const char *const headings[] = {
        "1. Context and provenance", "2. Claim audit",
        "3. Source ledger",          "4. Findings",
        "5. Upgrade proposal",       "6. Experiment opportunities",
        "7. Review checklist"};
    assert_int_equal(b.section_count, 7);
    for (size_t i = 0; i < 7; i++)
        expect(b.sections[i].heading, headings[i]);
    assert_true(span_starts(b.sections[0].description, SPAN("chapter identity")));
    assert_true(span_find(b.output_note, SPAN("Never infer"), 0) != SIZE_MAX);
    assert_int_equal(b.unknown.count, 0);
}

static void brief_json_reads_back_the_same(void **state) {
    (void)state;
    struct brief b = parsed(IDENTITY "Fingerprint (sha256, lf): " HEX "\nPaper size: A4\n"
                                     "== 2. Chapter text ==\nOne \"two\"\n== 5. Questions ==\n"
                                     "== 6. Materials ==\n- Code: https://github.com/a/b\n"
                                     "== 9. Required output ==\n## 1. One - first\n## 2. Two\n");
    struct buffer once = {0}, twice = {0};
    brief_write(&once, &b);
    struct brief again;
    struct error error = {0};
    assert_true(brief_read(&arena, buffer_span(&once), "brief.json", &again, &error));
    brief_write(&twice, &again);
    assert_string_equal(once.at, twice.at);
    expect(again.fingerprint_profile, "lf");
    expect(again.fingerprint, "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef");
    expect(again.unknown.items[0].label, "Paper size");
    buffer_free(&once);
    buffer_free(&twice);
}

static void crlf_bom_and_odd_spacing_change_nothing(void **state) {
    (void)state;
    struct brief b = parsed("\xEF\xBB\xBFHello\r\n==1 . Identity==\r\nBook:Clocks\r\n"
                            "Chapter :  Ticks \r\nStable id: clocks-1\r\n"
                            "== 2 . Chapter text ==\r\n\r\nA\r\nB\r\n\r\n== 4. Existing evidence "
                            "==\r\n- one\r\n");
    expect(b.instruction, "Hello");
    expect(b.book, "Clocks");
    expect(b.chapter, "Ticks");
    expect(b.excerpt, "A\r\nB");
    assert_int_equal(b.excerpt_start, 107);
    expect(b.evidence.items[0].text, "one");
    assert_int_equal(b.evidence.items[0].line, 12);
}

static void sections_in_any_order_and_unknown_ones_are_kept(void **state) {
    (void)state;
    struct brief b = parsed("== 7. Research history ==\n- first pass\n== 11. Funding ==\nnobody\n"
                            "== 1. Identity ==\nBook: B\nChapter: C\nStable id: s\nColour: red\n");
    assert_int_equal(b.history.count, 1);
    assert_int_equal(b.unknown.count, 2);
    expect(b.unknown.items[0].label, "11. Funding");
    expect(b.unknown.items[0].text, "nobody");
    assert_int_equal(b.unknown.items[0].line, 3);
    expect(b.unknown.items[1].label, "Colour");
    expect(b.unknown.items[1].text, "red");
}

static void heading_like_lines_inside_the_chapter_stay_text(void **state) {
    (void)state;
    struct brief b = parsed(IDENTITY "== 2. Chapter text ==\nIntro\n== Results ==\n"
                                     "== 1. Setup ==\n== 3. Method of least squares ==\nEnd\n"
                                     "== 3. References ==\n- r\n");
    expect(b.excerpt,
           "Intro\n== Results ==\n== 1. Setup ==\n== 3. Method of least squares ==\nEnd");
    assert_int_equal(b.references.count, 1);
    assert_int_equal(b.unknown.count, 0);
}

static void nothing_before_the_end_mark_ends_the_excerpt(void **state) {
    (void)state;
    struct brief b =
        parsed(IDENTITY "== 2. Chapter text ==\nIntro\n== 3. References ==\nmore\n\n"
                        "[... end of excerpt: it goes on ...]\n\n== 3. References ==\n- r\n");
    expect(b.excerpt, "Intro\n== 3. References ==\nmore");
    assert_true(b.excerpt_is_partial);
    assert_int_equal(b.references.count, 1);
}

static void unknown_section_between_text_and_a_known_one_is_a_section(void **state) {
    (void)state;
    struct brief b = parsed(IDENTITY "== 2. Chapter text ==\nIntro\n== 3. Funding ==\nx\n"
                                     "== 4. Existing evidence ==\n- e\n");
    expect(b.excerpt, "Intro");
    expect(b.unknown.items[0].label, "3. Funding");
}

static void leads_follow_the_line_that_announces_them(void **state) {
    (void)state;
    struct brief b = parsed(IDENTITY "== 4. Existing evidence ==\n- e1 https://a.org/x.\n"
                                     "  goes on\n\nUnverified candidates:\n- l1\n- l2\n");
    assert_int_equal(b.evidence.count, 1);
    expect(b.evidence.items[0].text, "e1 https://a.org/x.\n  goes on");
    expect(b.evidence.items[0].url, "https://a.org/x");
    assert_int_equal(b.leads.count, 2);
}

static void a_second_value_of_a_field_is_reported(void **state) {
    (void)state;
    struct brief b = parsed(IDENTITY "Book: Other\n");
    expect(b.book, "Clocks");
    expect(b.unknown.items[0].kind, "repeated field");
}

static void missing_identity_names_the_line(void **state) {
    (void)state;
    assert_string_equal(refused(SPAN("")).where, "b.txt:1");
    assert_string_equal(refused(SPAN(" \n\n")).where, "b.txt:1");
    assert_string_equal(refused(SPAN("just text\n")).where, "b.txt:1");
    struct error no_id = refused(SPAN("x\n\n== 1. Identity ==\nBook: B\nChapter: C\n"));
    assert_string_equal(no_id.where, "b.txt:3");
    assert_non_null(strstr(no_id.message, "Stable id"));
    assert_string_equal(refused(SPAN("a\n== 3. References ==\n")).where, "b.txt:2");
}

static void malformed_fingerprint_names_the_line(void **state) {
    (void)state;
    struct error e = refused(SPAN(IDENTITY "Fingerprint: 12ab\n"));
    assert_string_equal(e.where, "b.txt:5");
    assert_non_null(strstr(e.message, "64 hexadecimal digits"));
    e = refused(SPAN("---\nbook: B\nchapter: C\nstable_id: s\nfingerprint:\n  sha256: " HEX
                     "\n  profile: nfc-fl\n---\n"));
    assert_non_null(strstr(e.message, "nfc-fl"));
}

static void bytes_that_are_no_text_name_the_line(void **state) {
    (void)state;
    assert_string_equal(refused(SPAN("a\nb\xFF\n")).where, "b.txt:2");
    assert_string_equal(refused(SPAN("a\n\nb\0c\n")).where, "b.txt:3");
}

static void very_long_line_is_read(void **state) {
    (void)state;
    struct buffer text = {0};
    buffer_add_string(&text, IDENTITY "== 2. Chapter text ==\n");
    for (size_t i = 0; i < 300000; i++)
        buffer_add_string(&text, "word == ");
    struct brief b = parsed(text.at);
    assert_int_equal(b.excerpt.len, 300000 * 8 - 1);
    buffer_free(&text);
}

static void markdown_with_front_matter_is_the_same_model(void **state) {
    (void)state;
    struct brief b =
        parsed("---\nbook: Clocks\nchapter: \"Ticks: a study\"\nstable_id: clocks-1\n"
               "fingerprint:\n  sha256: " HEX "\n  profile: nfc-lf\n"
               "questions:\n  - Does it hold?\nmaterials:\n  - label: Code\n"
               "    url: https://github.com/a/b\ncolour: red\n---\nHello\n\n"
               "## Chapter text\n\nIntro\n\n```\n## References\n```\n\n## Own heading\n\n"
               "End\n\n## References\n\n- r1\n\n## Required output\n\n"
               "### 1. Context - what\n### 2. Rest\n");
    expect(b.format, "markdown");
    expect(b.chapter, "Ticks: a study");
    expect(b.fingerprint_profile, "nfc-lf");
    expect(b.questions.items[0].text, "Does it hold?");
    expect(b.materials.items[0].kind, "repository");
    expect(b.instruction, "Hello");
    expect(b.excerpt, "Intro\n\n```\n## References\n```\n\n## Own heading\n\nEnd");
    assert_int_equal(b.references.count, 1);
    assert_int_equal(b.section_count, 2);
    expect(b.sections[0].heading, "1. Context");
    expect(b.unknown.items[0].label, "colour");
    assert_int_equal(b.unknown.items[0].line, 13);
}

static void front_matter_faults_name_the_line(void **state) {
    (void)state;
    assert_string_equal(refused(SPAN("---\nbook: B\n")).where, "b.txt:1");
    assert_string_equal(refused(SPAN("---\nbook: [B\n---\n")).where, "b.txt:3");
    assert_string_equal(refused(SPAN("---\nbook: B\n---\n")).where, "b.txt:1");
    struct error e =
        refused(SPAN("---\nbook: B\nchapter: C\nstable_id: s\nfingerprint: zz\n---\n"));
    assert_string_equal(e.where, "b.txt:5");
}

static void json_form_is_read_and_unknown_members_kept(void **state) {
    (void)state;
    struct brief b = parsed("{\"schema\": \"assay.brief.v1\",\n\"identity\": {\"book\": \"B\",\n"
                            "\"chapter\": \"C\", \"stable_id\": \"s\"},\n\"mood\": [1],\n"
                            "\"excerpt\": {\"text\": \"A\", \"partial\": true}}");
    expect(b.format, "json");
    expect(b.book, "B");
    assert_true(b.excerpt_is_partial);
    expect(b.unknown.items[0].label, "mood");
    expect(b.unknown.items[0].text, "[1]");
    assert_int_equal(b.unknown.items[0].line, 4);
    struct error e =
        refused(SPAN("{\"schema\": \"assay.brief.v1\",\n\"identity\": {\"book\": \"B\"}}"));
    assert_string_equal(e.where, "b.txt:2");
    e = refused(
        SPAN("{\"schema\": \"assay.brief.v1\",\n\"identity\": {\"book\": \"B\", \"chapter\": "
             "\"C\", \"stable_id\": \"s\"},\n\"fingerprint\": {\"sha256\": \"xyz\"}}"));
    assert_string_equal(e.where, "b.txt:3");
}

static void json_of_a_person_needs_no_schema_and_loses_nothing(void **state) {
    (void)state;
    struct brief b =
        parsed("{\"identity\": {\"Book\": \"B\", \"chapter\": \"C\", \"Stable id\": \"s\",\n"
               "\"editor\": \"Jane\", \"pages\": 7},\n\"fingerprint\": \"" HEX "\",\n"
               "\"excerpt\": \"It took 4 ms.\",\n"
               "\"references\": [\"Doe https://a.org/x\", {\"label\": \"R\", \"url\": "
               "\"https://b.org/\"}, 5],\n\"objective\": [1],\n"
               "\"required_output\": [\"1. Context - what\"]}");
    expect(b.book, "B");
    expect(b.stable_id, "s");
    assert_int_equal(b.fingerprint.len, 64);
    expect(b.excerpt, "It took 4 ms.");
    assert_int_equal(b.references.count, 2);
    expect(b.references.items[0].url, "https://a.org/x");
    expect(b.references.items[1].label, "R");
    expect(b.sections[0].heading, "1. Context");
    assert_int_equal(b.unknown.count, 4);
    expect(b.unknown.items[0].label, "editor");
    expect(b.unknown.items[0].text, "Jane");
    assert_int_equal(b.unknown.items[0].line, 2);
    expect(b.unknown.items[1].text, "7");
    expect(b.unknown.items[2].text, "5");
    expect(b.unknown.items[3].label, "objective");
    struct error e = refused(SPAN("{\n\"schema\": \"assay.claims.v1\"}"));
    assert_string_equal(e.where, "b.txt:2");
    assert_non_null(strstr(e.message, "assay.brief.v1"));
}

static void unknown_lists_of_the_front_matter_are_kept_whole(void **state) {
    (void)state;
    struct brief b = parsed("---\nbook: B\nchapter: C\nauthors:\n- J\xC3\xBCrgen\n- Ann\n"
                            "stable_id: s\ntags: [a, b]\n---\n");
    assert_int_equal(b.unknown.count, 2);
    expect(b.unknown.items[0].label, "authors");
    expect(b.unknown.items[0].text, "- J\xC3\xBCrgen\n- Ann");
    expect(b.unknown.items[1].text, "tags: [a, b]");
}

static void urls_end_where_prose_goes_on(void **state) {
    (void)state;
    expect(brief_find_url(SPAN("see https://a.org/b).")), "https://a.org/b");
    expect(brief_find_url(SPAN("(https://a.org/b_(c))")), "https://a.org/b_(c)");
    expect(brief_find_url(SPAN("http: none https://a.org/?q=1, next")), "https://a.org/?q=1");
    expect(brief_find_url(SPAN("no url")), "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(real_brief_parses_completely),
        cmocka_unit_test(brief_json_reads_back_the_same),
        cmocka_unit_test(crlf_bom_and_odd_spacing_change_nothing),
        cmocka_unit_test(sections_in_any_order_and_unknown_ones_are_kept),
        cmocka_unit_test(heading_like_lines_inside_the_chapter_stay_text),
        cmocka_unit_test(nothing_before_the_end_mark_ends_the_excerpt),
        cmocka_unit_test(unknown_section_between_text_and_a_known_one_is_a_section),
        cmocka_unit_test(leads_follow_the_line_that_announces_them),
        cmocka_unit_test(a_second_value_of_a_field_is_reported),
        cmocka_unit_test(missing_identity_names_the_line),
        cmocka_unit_test(malformed_fingerprint_names_the_line),
        cmocka_unit_test(bytes_that_are_no_text_name_the_line),
        cmocka_unit_test(very_long_line_is_read),
        cmocka_unit_test(markdown_with_front_matter_is_the_same_model),
        cmocka_unit_test(front_matter_faults_name_the_line),
        cmocka_unit_test(json_form_is_read_and_unknown_members_kept),
        cmocka_unit_test(json_of_a_person_needs_no_schema_and_loses_nothing),
        cmocka_unit_test(unknown_lists_of_the_front_matter_are_kept_whole),
        cmocka_unit_test(urls_end_where_prose_goes_on),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
