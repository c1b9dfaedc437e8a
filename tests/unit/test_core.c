/* core: spans, JSON gate and writer, UTF-8, clock, files, terminal escapes. */
#include "core/clock.h"
#include "core/file.h"
#include "core/hash.h"
#include "core/json.h"
#include "core/table.h"
#include "core/terminal.h"
#include "core/utf8.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

static void assert_span(struct span found, const char *expected) {
    assert_int_equal(found.len, strlen(expected));
    assert_memory_equal(found.at, expected, found.len);
}

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

static void lines_end_at_lf_and_crlf(void **state) {
    (void)state;
    struct span rest = SPAN("one\r\ntwo\n\nlast"), line;
    static const char *const expected[] = {"one", "two", "", "last"};
    for (int i = 0; i < 4; i++) {
        assert_true(span_next_line(&rest, &line));
        assert_span(line, expected[i]);
    }
    assert_false(span_next_line(&rest, &line));
}

static void size_refuses_overflow_and_rubbish(void **state) {
    (void)state;
    size_t value = 0;
    assert_true(span_to_size(SPAN("18446744073709551615"), SIZE_MAX, &value));
    assert_true(value == SIZE_MAX);
    assert_false(span_to_size(SPAN("18446744073709551616"), SIZE_MAX, &value));
    assert_false(span_to_size(SPAN("12x"), SIZE_MAX, &value));
    assert_false(span_to_size(SPAN(""), SIZE_MAX, &value));
    assert_false(span_to_size(SPAN("11"), 10, &value));
}

static void sha256_agrees_with_fips_180_4(void **state) {
    (void)state;
    assert_span(sha256_hex(&arena, SPAN("abc")),
                "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    assert_span(sha256_hex(&arena, SPAN("")),
                "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

static void json_gate_refuses(void **state) {
    (void)state;
    static const char *const bad[] = {
        "",     "{",   "{} x", "{\"a\":1,\"a\":2}", "[1e400]", "\"\\u0000\"", "{\"a\":\xFF}",
        "[1,]", "nul",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct error error = {0};
        assert_null(json_parse(span_of(bad[i]), "x.json", &error));
        assert_int_equal(error.kind, ERROR_INPUT);
        assert_non_null(strstr(error.where, "x.json:1"));
    }
}

static void json_gate_refuses_deep_nesting(void **state) {
    (void)state;
    struct buffer deep = {0};
    for (int i = 0; i < 200000; i++)
        buffer_add_byte(&deep, '[');
    struct error error = {0};
    assert_null(json_parse(buffer_span(&deep), "x.json", &error));
    buffer_free(&deep);
}

static void json_writer_output_reads_back(void **state) {
    (void)state;
    struct buffer out = {0};
    struct json_writer w = {.out = &out};
    json_begin_object(&w, NULL);
    json_put_text(&w, "text", SPAN("a\"b\\\n\x01\xFFz"));
    json_begin_array(&w, "numbers");
    json_put_number(&w, NULL, 9.491);
    json_put_number(&w, NULL, 0.1 + 0.2);
    json_put_number(&w, NULL, -0.0);
    json_put_number(&w, NULL, 12288);
    json_end_array(&w);
    json_begin_object(&w, "empty");
    json_end_object(&w);
    json_end_object(&w);
    json_finish(&w);
    assert_string_equal(out.at,
                        "{\n  \"text\": \"a\\\"b\\\\\\n\\u0001\xEF\xBF\xBDz\",\n  \"numbers\": [\n"
                        "    9.491,\n    0.30000000000000004,\n    0,\n    12288\n  ],\n"
                        "  \"empty\": {}\n}\n");
    cJSON *root = json_parse(buffer_span(&out), "x", NULL);
    assert_non_null(root);
    cJSON_Delete(root);
    buffer_free(&out);
}

/* RFC 8259, section 7: what is escaped; DEL is Assay's own addition, "\xFF" is no UTF-8. */
static void expect_byte(struct buffer *out, unsigned byte) {
    if (byte == 0 || byte >= 0x80)
        buffer_add(out, SPAN("\xEF\xBF\xBD"));
    else if (byte == '"' || byte == '\\')
        buffer_printf(out, "\\%c", (char)byte);
    else if (byte == '\n' || byte == '\t')
        buffer_printf(out, "\\%c", byte == '\n' ? 'n' : 't');
    else if (byte < 0x20 || byte == 0x7F)
        buffer_printf(out, "\\u%04x", byte);
    else
        buffer_add_byte(out, (char)byte);
}

/* Texts are taken eight bytes at a time: every byte at every place of two such words and the rest.
 */
static void json_writer_escapes_every_byte_at_every_place(void **state) {
    (void)state;
    for (unsigned byte = 0; byte < 256; byte++)
        for (size_t place = 0; place < 19; place++) {
            char text[19];
            memset(text, place % 2 ? ' ' : '~', sizeof text); /* the least and the greatest plain */
            text[place] = (char)byte;
            struct buffer out = {0}, expected = {0};
            buffer_add_byte(&expected, '"');
            for (size_t i = 0; i < sizeof text; i++)
                expect_byte(&expected, (unsigned char)text[i]);
            buffer_add_byte(&expected, '"');
            struct json_writer w = {.out = &out};
            json_put_text(&w, NULL, (struct span){text, sizeof text});
            assert_span(buffer_span(&out), expected.at);
            buffer_free(&out);
            buffer_free(&expected);
        }
}

static void utf8_refuses_what_rfc_3629_refuses(void **state) {
    (void)state;
    static const char *const bad[] = {"\xC0\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80",
                                      "\xE2\x82", "\x80",         "\xFE"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(utf8_first_invalid(span_of(bad[i])), 0);
    assert_true(utf8_first_invalid(SPAN("µs × 10⁻³ 😀")) == SIZE_MAX);
}

static void utf8_repair_counts_replacements(void **state) {
    (void)state;
    struct buffer out = {0};
    assert_int_equal(utf8_repair(&out, SPAN("a\xFF"
                                            "b\xE2\x82"
                                            "c")),
                     2);
    assert_string_equal(out.at, "a\xEF\xBF\xBD"
                                "b\xEF\xBF\xBD"
                                "c");
    buffer_free(&out);
}

static void dates_of_both_forms_agree(void **state) {
    (void)state;
    int64_t a = 0, b = 0; /* date -d '2026-08-29T15:00:00Z' +%s */
    assert_true(clock_parse(SPAN("Sat, 29 Aug 2026 16:00:00 +0100"), &a));
    assert_true(clock_parse(SPAN("2026-08-29T15:00:00Z"), &b));
    assert_true(a == 1788015600);
    assert_true(a == b);
    assert_false(clock_parse(SPAN("2026-02-30T00:00:00Z"), &a));
    assert_false(clock_parse(SPAN("yesterday"), &a));
    assert_span(clock_rfc3339(&arena, 1788015600), "2026-08-29T15:00:00Z");
    assert_span(clock_compact(&arena, 1788015600), "20260829T150000Z");
}

static void terminal_never_gets_an_escape(void **state) {
    (void)state;
    struct buffer out = {0};
    terminal_escape(&out, SPAN("a\033[31m\x9b\xC2\x9B\xE2\x80\xAE\nb\xC3\xA9"));
    assert_string_equal(out.at, "a\\x1B[31m\\x9B\\u{009B}\\u{202E} b\xC3\xA9");
    buffer_free(&out);
}

static void slug_cannot_leave_a_folder(void **state) {
    (void)state;
    assert_string_equal(path_slug(&arena, SPAN("../../etc/passwd")), "etc-passwd");
    assert_string_equal(path_slug(&arena, SPAN("PyTorch From: Scratch!")), "pytorch-from-scratch");
    assert_string_equal(path_slug(&arena, SPAN("...")), "unnamed");
    assert_string_equal(path_slug(&arena, SPAN("")), "unnamed");
}

static void write_is_all_or_nothing(void **state) {
    (void)state;
    char folder[] = "/tmp/assay-core-XXXXXX";
    assert_non_null(mkdtemp(folder));
    const char *path = path_join(&arena, folder, "a.json");
    struct error error = {0};
    struct span text;
    assert_true(file_write(path, SPAN("one"), &error));
    assert_true(file_write(path, SPAN("two"), &error));
    assert_true(file_read(&arena, path, 100, ERROR_INPUT, &text, &error));
    assert_span(text, "two");
    assert_false(file_read(&arena, path, 2, ERROR_INPUT, &text, &error));
    assert_int_equal(error.kind, ERROR_INPUT);
    assert_false(file_read(&arena, folder, 100, ERROR_INPUT, &text, &error));
    assert_non_null(strstr(error.message, "folder"));
    assert_false(file_write(path_join(&arena, folder, "none/a.json"), SPAN("x"), &error));
    assert_int_equal(error.kind, ERROR_SYSTEM);
    assert_true(folder_remove(folder, &error));
    assert_false(file_exists(folder));
}

static void table_keeps_empty_cells(void **state) {
    (void)state;
    struct table table = table_parse(&arena, SPAN("# c\nid\tcores\tghz\na\t\t1.5\nb\t4\n"));
    assert_int_equal(table.row_count, 2);
    assert_span(table_cell(&table, 0, table_column(&table, "id")), "a");
    assert_true(table_number(&table, 0, 1) != table_number(&table, 0, 1));
    assert_true(table_number(&table, 0, 2) == 1.5);
    assert_span(table_cell(&table, 1, 2), "");
    assert_true(table_column(&table, "none") == SIZE_MAX);
}

/* Expected forms from Unicode Standard Annex 15 and, for what mixes them, Python's unicodedata. */
static void nfc_composes_across_runs(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"plain text", "plain text"},
        {"", ""},
        {"A\xCC\x8A and e\xCC\x81!", "\xC3\x85 and \xC3\xA9!"},
        {"\xE1\x84\x80\xE1\x85\xA1\xE1\x86\xA8", "\xEA\xB0\x81"},
        {"\xCC\x81x\xE2\x80\x99s", "\xCC\x81x\xE2\x80\x99s"},
        {"s\xCC\xA3\xCC\x87", "\xE1\xB9\xA9"},
        {"\xE2\x84\xAB", "\xC3\x85"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct buffer out = {0};
        assert_true(utf8_nfc(&out, span_of(cases[i][0])));
        assert_true(span_equal(buffer_span(&out), span_of(cases[i][1])));
        buffer_free(&out);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nfc_composes_across_runs),
        cmocka_unit_test(lines_end_at_lf_and_crlf),
        cmocka_unit_test(size_refuses_overflow_and_rubbish),
        cmocka_unit_test(sha256_agrees_with_fips_180_4),
        cmocka_unit_test(json_gate_refuses),
        cmocka_unit_test(json_gate_refuses_deep_nesting),
        cmocka_unit_test(json_writer_output_reads_back),
        cmocka_unit_test(json_writer_escapes_every_byte_at_every_place),
        cmocka_unit_test(utf8_refuses_what_rfc_3629_refuses),
        cmocka_unit_test(utf8_repair_counts_replacements),
        cmocka_unit_test(dates_of_both_forms_agree),
        cmocka_unit_test(terminal_never_gets_an_escape),
        cmocka_unit_test(slug_cannot_leave_a_folder),
        cmocka_unit_test(write_is_all_or_nothing),
        cmocka_unit_test(table_keeps_empty_cells),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
