/* What the reading rules quote of a small chapter written for them, and what they say they did not
 * find. */
#include "audit/audit.h"
#include "audit/document.h"
#include "audit/reading.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static struct arena arena;

static struct findings read_text(const char *text) {
    struct chapter *chapter = arena_array(&arena, 1, sizeof *chapter);
    struct claims *claims = arena_array(&arena, 1, sizeof *claims);
    struct document *document = arena_array(&arena, 1, sizeof *document);
    struct findings findings = {0};
    *chapter = (struct chapter){.text = span_of(text), .view = span_of(text)};
    LIST_PUSH(
        &arena, chapter->blocks, chapter->block_count, chapter->block_capacity,
        (struct chapter_block){.kind = BLOCK_PROSE, .end = strlen(text), .heading = SIZE_MAX});
    document_build(&arena, chapter, claims, document);
    struct check_input input = {.document = document};
    reading_take(&input, &findings);
    return findings;
}

static struct span first_quote(const struct findings *findings, const char *topic) {
    for (size_t i = 0; i < findings->reading_count; i++)
        if (span_equal(findings->reading[i].topic, span_of(topic)))
            return findings->reading[i].quote;
    fail_msg("no note on %s", topic);
    return SPAN("");
}

static void quotes_are_sentences_of_the_text(void **state) {
    (void)state;
    struct findings f = read_text("In this chapter we time a loop. The central question is simple. "
                                  "We assume one machine. The rest is called slack.");
    assert_true(span_equal(first_quote(&f, "thesis"), SPAN("In this chapter we time a loop.")));
    assert_true(span_equal(first_quote(&f, "question"), SPAN("The central question is simple.")));
    assert_true(span_equal(first_quote(&f, "assumption"), SPAN("We assume one machine.")));
    assert_true(span_equal(first_quote(&f, "term"), SPAN("The rest is called slack.")));
}

static void what_is_not_there_is_said_to_be_not_found(void **state) {
    (void)state;
    struct findings f = read_text("The cat sleeps.");
    assert_true(f.reading_count == 8);
    for (size_t i = 0; i < f.reading_count; i++) {
        assert_int_equal(f.reading[i].quote.len, 0);
        assert_true(span_starts(f.reading[i].note, SPAN("not found: ")));
    }
}

static int start(void **state) {
    (void)state;
    arena_init(&arena);
    return 0;
}

static int stop(void **state) {
    (void)state;
    arena_free(&arena);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quotes_are_sentences_of_the_text),
        cmocka_unit_test(what_is_not_there_is_said_to_be_not_found),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
