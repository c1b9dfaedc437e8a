/* The ledger as files and index: what is saved is read back, many processes may write at once, and
 * the index follows the files. */
#include "core/file.h"
#include "core/hash.h"
#include "ledger/index.h"
#include "ledger/record.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static struct arena arena;
static char workspace[64];

static int make_workspace(void **state) {
    (void)state;
    snprintf(workspace, sizeof workspace, "/tmp/assay-ledger-XXXXXX");
    return mkdtemp(workspace) ? 0 : 1;
}

static int drop_workspace(void **state) {
    (void)state;
    return folder_remove(workspace, NULL) ? 0 : 1;
}

static struct ledger open_as(enum ledger_access access, const char *who) {
    struct ledger_options options = {
        .workspace = workspace, .access = access, .who = who, .command = "assay test"};
    struct ledger ledger;
    struct error error = {0};
    if (!ledger_open(&arena, &options, &ledger, &error))
        fail_msg("%s: %s", error.where, error.message);
    return ledger;
}

static struct ledger_source add(struct ledger *ledger, const char *canonical, const char *title) {
    struct source_request request = {.canonical = span_of(canonical),
                                     .kind = SPAN("link"),
                                     .url = SPAN("https://example.org/"),
                                     .title = span_of(title)};
    struct ledger_source source;
    bool already;
    struct error error = {0};
    if (!ledger_add_source(ledger, &request, &source, &already, &error))
        fail_msg("%s: %s", error.where, error.message);
    return source;
}

static struct ledger_source add_text(struct ledger *ledger, const char *canonical, struct span text,
                                     enum reading_status status) {
    struct ledger_source source = add(ledger, canonical, "A title");
    struct reading_result result = {.status = status,
                                    .reason = SPAN("given as a file"),
                                    .text = text,
                                    .form = SPAN("text"),
                                    .from = SPAN("file.txt")};
    bool kept;
    struct error error = {0};
    if (!ledger_set_reading(ledger, &source, &result, &kept, &error))
        fail_msg("%s: %s", error.where, error.message);
    return source;
}

static struct ledger_claim claim(void) {
    static const char text[] = "The loop takes 9.491 ms per step on this machine.";
    struct span whole = span_of(text);
    return (struct ledger_claim){
        .book = SPAN("book"),
        .chapter = SPAN("chapter"),
        .pass = SPAN("book:chapter:20261207T120000:0123456789ab"),
        .id = SPAN("c-01234567"),
        .label = SPAN("C1"),
        .anchor = ledger_anchor_of(whole, sha256_hex(&arena, whole), 4, 33),
    };
}

static void a_source_is_read_back_with_its_history(void **state) {
    (void)state;
    struct ledger ledger = open_as(LEDGER_WRITE, "ada");
    struct ledger_source saved = add(&ledger, "doi:10.1/x", "Title \xE2\x80\x94 with \"marks\"");
    /* printf 'doi:10.1/x' | sha256sum */
    assert_string_equal(saved.id.at, "s-e08c464a2b8f");
    ledger_close(&ledger);
    ledger = open_as(LEDGER_READ, NULL);
    struct ledger_source read;
    struct error error = {0};
    assert_true(ledger_find_source(&ledger, SPAN("doi:10.1/x"), &read, &error));
    assert_true(span_equal(read.title, saved.title));
    assert_int_equal(read.reading, READING_LEAD);
    assert_int_equal(read.history.count, 1);
    assert_string_equal(read.history.events[0].who.at, "ada");
    assert_string_equal(read.history.events[0].command.at, "assay test");
    assert_true(ledger_find_source(&ledger, SPAN("s-e08c"), &read, &error));
    assert_false(ledger_find_source(&ledger, SPAN("s-../../x"), &read, &error));
    assert_false(ledger_save_source(&ledger, &read, SPAN("x"), &error));
    ledger_close(&ledger);
}

static void a_workspace_without_a_ledger_reads_as_empty(void **state) {
    (void)state;
    struct ledger ledger = open_as(LEDGER_READ, NULL);
    struct ledger_sources sources;
    struct error error = {0};
    assert_true(ledger_all_sources(&ledger, &sources, &error));
    assert_int_equal(sources.count, 0);
    ledger_close(&ledger);
    assert_false(file_exists(path_join(&arena, workspace, "ledger")));
}

static void a_reading_never_becomes_less(void **state) {
    (void)state;
    struct ledger ledger = open_as(LEDGER_WRITE, "ada");
    struct ledger_source source =
        add_text(&ledger, "url:https://a", SPAN("The whole text."), READING_FULL_TEXT);
    struct reading_result gone = {.status = READING_NOT_ACCESSIBLE, .reason = SPAN("status 404")};
    bool kept;
    struct error error = {0};
    assert_true(ledger_set_reading(&ledger, &source, &gone, &kept, &error));
    assert_true(kept && source.reading == READING_FULL_TEXT && source.text_sha256.len == 64);
    assert_non_null(strstr(source.history.events[2].what.at, "status 404"));
    ledger_close(&ledger);
}

static bool add_evidence(struct ledger *ledger, struct span source, const char *relation,
                         const char *quote, const char *note, struct ledger_evidence *evidence,
                         struct error *error) {
    struct evidence_request request = {.claim = claim(),
                                       .source = source,
                                       .relation = span_of(relation),
                                       .quote = span_of(quote),
                                       .note = span_of(note),
                                       .at = SIZE_MAX};
    bool already;
    *error = (struct error){0};
    return ledger_add_evidence(ledger, &request, evidence, &already, error);
}

static void evidence_is_stored_only_when_it_checks_out(void **state) {
    (void)state;
    struct ledger ledger = open_as(LEDGER_WRITE, "ada");
    struct span text =
        SPAN("We measured 0.95 on \xE2\x80\x9Cwarm\xE2\x80\x9D caches.\n\nOther: 7.");
    struct ledger_source full = add_text(&ledger, "url:https://a", text, READING_FULL_TEXT);
    struct ledger_source part = add_text(&ledger, "url:https://b", text, READING_ABSTRACT_ONLY);
    struct ledger_source lead = add(&ledger, "url:https://c", "");
    struct ledger_evidence item;
    struct error e;
    assert_false(add_evidence(&ledger, full.id, "QUALIFIES", "measured 0.9", "", &item, &e));
    assert_false(add_evidence(&ledger, full.id, "QUALIFIES", "we measured", "", &item, &e));
    assert_false(add_evidence(&ledger, full.id, "LIKES", "We measured", "", &item, &e));
    assert_false(add_evidence(&ledger, full.id, "QUALIFIES", "measured 0.95", "8 runs", &item, &e));
    assert_false(add_evidence(&ledger, part.id, "SUPPORTS", "measured 0.95", "", &item, &e));
    assert_non_null(strstr(e.message, "abstract"));
    assert_false(add_evidence(&ledger, lead.id, "BACKGROUND", "measured 0.95", "", &item, &e));
    assert_false(add_evidence(&ledger, SPAN("s-0123456789ab"), "METHOD", "x", "", &item, &e));
    struct ledger_evidences all;
    assert_true(ledger_all_evidence(&ledger, &all, &e));
    assert_int_equal(all.count, 0);
    assert_true(add_evidence(&ledger, part.id, "BACKGROUND", "measured 0.95", "", &item, &e));
    assert_true(add_evidence(&ledger, full.id, "QUALIFIES", "0.95 on \"warm\" caches.",
                             "0.95, not 9", &item, &e) == false);
    assert_true(add_evidence(&ledger, full.id, "QUALIFIES", "0.95 on \"warm\" caches.", "only 0.95",
                             &item, &e));
    assert_string_equal(item.normalization.at, "quotation marks");
    assert_int_equal(item.anchor.start, 12);
    assert_true(span_equal(item.anchor.prefix, SPAN("We measured ")));
    assert_string_equal(item.class.at, "source-reported");
    assert_true(ledger_all_evidence(&ledger, &all, &e));
    assert_int_equal(all.count, 2);
    ledger_close(&ledger);
}

static void a_second_decision_keeps_the_first_in_its_history(void **state) {
    (void)state;
    struct ledger ledger = open_as(LEDGER_WRITE, "ada");
    struct decision_request request = {
        .claim = claim(), .decision = SPAN("accept"), .reason = SPAN("it holds")};
    struct ledger_decision decision;
    struct error error = {0};
    assert_true(ledger_decide(&ledger, &request, &decision, &error));
    request.decision = SPAN("revise");
    request.reason = SPAN("say where");
    request.replacement = SPAN("loop takes 9.491 ms per step in eager mode");
    assert_true(ledger_decide(&ledger, &request, &decision, &error));
    assert_int_equal(decision.history.count, 2);
    assert_non_null(strstr(decision.history.events[1].what.at, "it holds"));
    request.decision = SPAN("maybe");
    assert_false(ledger_decide(&ledger, &request, &decision, &error));
    request.decision = SPAN("reject");
    request.reason = SPAN(" ");
    request.replacement = SPAN("");
    assert_false(ledger_decide(&ledger, &request, &decision, &error));
    ledger_close(&ledger);
}

enum { PROCESSES = 6, EACH = 5 };

/* Every process adds to the history of one shared item and makes items of its own. */
static int worker(int number) {
    for (int i = 0; i < EACH; i++) {
        char canonical[64], who[16];
        snprintf(canonical, sizeof canonical, "url:https://example.org/%d/%d", number, i);
        snprintf(who, sizeof who, "w%d", number);
        struct ledger ledger = open_as(LEDGER_WRITE, who);
        add(&ledger, canonical, "own");
        struct ledger_source shared;
        struct error error = {0};
        if (!ledger_find_source(&ledger, SPAN("url:https://shared"), &shared, &error) ||
            !ledger_save_source(&ledger, &shared, SPAN("counted"), &error))
            return 1;
        struct index_state state;
        struct ledger_index *index = index_open(&ledger, false, &state, &error);
        if (!index || state.problem_count)
            return 1;
        index_close(index);
        ledger_close(&ledger);
    }
    return 0;
}

static void processes_at_once_lose_nothing(void **state) {
    (void)state;
    struct ledger ledger = open_as(LEDGER_WRITE, "ada");
    add(&ledger, "url:https://shared", "shared");
    ledger_close(&ledger);
    pid_t children[PROCESSES];
    for (int i = 0; i < PROCESSES; i++) {
        children[i] = fork();
        if (children[i] == 0)
            _exit(worker(i));
    }
    for (int i = 0; i < PROCESSES; i++) {
        int status;
        waitpid(children[i], &status, 0);
        assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    ledger = open_as(LEDGER_WRITE, "ada");
    struct ledger_source shared;
    struct ledger_sources all;
    struct index_state index_state;
    struct error error = {0};
    assert_true(ledger_find_source(&ledger, SPAN("url:https://shared"), &shared, &error));
    assert_int_equal(shared.history.count, 1 + PROCESSES * EACH);
    assert_true(ledger_all_sources(&ledger, &all, &error));
    assert_int_equal(all.count, 1 + PROCESSES * EACH);
    index_close(index_open(&ledger, false, &index_state, &error));
    assert_int_equal(index_state.sources, 1 + PROCESSES * EACH);
    ledger_close(&ledger);
}

static size_t found(struct ledger *ledger, const char *words, struct index_state *state,
                    struct index_passage *first) {
    struct error error = {0};
    struct index_passage passages[4];
    size_t count;
    struct ledger_index *index = index_open(ledger, false, state, &error);
    if (!index)
        fail_msg("%s", error.message);
    assert_true(index_passages(index, span_of(words), SPAN(""), 4, passages, &count, &error));
    index_close(index);
    if (count)
        *first = passages[0];
    return count;
}

static void the_index_follows_the_files(void **state) {
    (void)state;
    struct ledger ledger = open_as(LEDGER_WRITE, "ada");
    struct index_state s;
    struct index_passage p;
    struct error error = {0};
    struct ledger_source one =
        add_text(&ledger, "url:https://a", SPAN("Caches are warm.\n\nThe bandwidth is 3.35 TB/s."),
                 READING_FULL_TEXT);
    add_text(&ledger, "url:https://b", SPAN("Nothing about that at all."), READING_FULL_TEXT);
    assert_int_equal(found(&ledger, "a memory bandwidth of 3.35 \"OR * NEAR(", &s, &p), 1);
    assert_true(s.made && s.sources == 2 && span_equal(p.source, one.id));
    assert_int_equal(p.start, 0);
    found(&ledger, "x", &s, &p);
    assert_true(!s.made && s.updated == 0 && s.removed == 0);
    add_text(&ledger, "url:https://a", SPAN("Something else entirely."), READING_FULL_TEXT);
    assert_int_equal(found(&ledger, "bandwidth", &s, &p), 0);
    assert_int_equal(s.updated, 1);
    unlink(ledger_path(&ledger, "sources", one.id, ".json"));
    assert_int_equal(found(&ledger, "entirely", &s, &p), 0);
    assert_true(s.removed == 1 && s.sources == 1);
    assert_true(file_write(path_join(&arena, ledger.folder, "index.sqlite"),
                           SPAN("this is no database, and long enough to be looked at"), &error));
    assert_int_equal(found(&ledger, "nothing", &s, &p), 1);
    assert_true(s.made && s.sources == 1);
    ledger_close(&ledger);
}

static void files_that_are_not_what_they_must_be_are_problems(void **state) {
    (void)state;
    static const char *const hostile[] = {
        "",
        "{",
        "[]",
        "{\"schema\":\"assay.claims.v1\"}",
        "\xFF\xFE",
        "{\"schema\":\"assay.ledger-source.v1\",\"id\":\"s-000000000000\"}",
        "{\"schema\":\"assay.ledger-source.v1\",\"id\":\"s-000000000000\",\"id\":\"x\"}",
    };
    struct ledger ledger = open_as(LEDGER_WRITE, "ada");
    struct ledger_source good = add(&ledger, "url:https://good", "Good");
    const char *path = ledger_path(&ledger, "sources", SPAN("s-000000000000"), ".json");
    for (size_t i = 0; i < sizeof hostile / sizeof *hostile; i++) {
        struct index_state s;
        struct error error = {0};
        assert_true(file_write(path, span_of(hostile[i]), &error));
        struct ledger_index *index = index_open(&ledger, false, &s, &error);
        assert_non_null(index);
        assert_int_equal(s.problem_count, 1);
        assert_int_equal(s.sources, 1);
        struct span ids[4];
        size_t count;
        assert_true(index_sources(index, SPAN("good"), 4, ids, &count, &error));
        assert_true(count == 1 && span_equal(ids[0], good.id));
        index_close(index);
        struct ledger_source source;
        bool there;
        assert_false(ledger_load_source(&ledger, SPAN("s-000000000000"), &source, &there, &error));
        assert_int_equal(error.kind, ERROR_INPUT);
    }
    ledger_close(&ledger);
}

static void a_changed_text_is_refused(void **state) {
    (void)state;
    struct ledger ledger = open_as(LEDGER_WRITE, "ada");
    struct ledger_source s =
        add_text(&ledger, "url:https://a", SPAN("It is 0.95 here."), READING_FULL_TEXT);
    struct error error = {0};
    struct ledger_evidence item;
    assert_true(file_write(ledger_path(&ledger, "texts", s.text_sha256, ""),
                           SPAN("It is 0.99 here."), &error));
    assert_false(add_evidence(&ledger, s.id, "SUPPORTS", "It is 0.99", "", &item, &error));
    assert_non_null(strstr(error.message, "SHA-256"));
    ledger_close(&ledger);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_workspace, drop_workspace)

int main(void) {
    arena_init(&arena);
    const struct CMUnitTest tests[] = {
        TEST(a_source_is_read_back_with_its_history),
        TEST(a_workspace_without_a_ledger_reads_as_empty),
        TEST(a_reading_never_becomes_less),
        TEST(evidence_is_stored_only_when_it_checks_out),
        TEST(a_second_decision_keeps_the_first_in_its_history),
        TEST(processes_at_once_lose_nothing),
        TEST(the_index_follows_the_files),
        TEST(files_that_are_not_what_they_must_be_are_problems),
        TEST(a_changed_text_is_refused),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_free(&arena);
    return failed;
}
