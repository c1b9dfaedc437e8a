#include "core/file.h"
#include "fetch/feed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

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
    assert_string_equal(arena_string(&arena, text), wanted);
}

static struct feed parsed(const char *text) {
    struct feed feed;
    struct error error = {0};
    if (!feed_parse(&arena, span_of(text), "f", &feed, &error))
        fail_msg("%s: %s", error.where, error.message);
    return feed;
}

static void rss_is_read(void **state) {
    (void)state;
    struct feed f = parsed(
        "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>B &amp; "
        "C</title><link>u</link>"
        "<item><title>One</title><link>https://example.org/1/</link><guid>g1</guid>"
        "<pubDate>Sat, 08 Aug 2026 13:21:00 +0100</pubDate>"
        "<description>&lt;p&gt;5 ms "
        "&lt;b&gt;bold&lt;/b&gt;&lt;script&gt;x()&lt;/script&gt;</description>"
        "</item><item><title>Two</title><guid>https://example.org/2</guid><link>javascript:a</link>"
        "</item></channel></rss>");
    expect(f.format, "rss");
    expect(f.title, "B & C");
    assert_int_equal(f.count, 2);
    expect(f.entries[0].id, "g1");
    expect(f.entries[0].link, "https://example.org/1/");
    expect(f.entries[0].published, "2026-08-08T12:21:00Z");
    expect(f.entries[0].summary, "5 ms bold");
    expect(f.entries[1].link, ""); /* not http(s) */
    expect(f.entries[1].published, "");
}

static void atom_is_read(void **state) {
    (void)state;
    struct feed f = parsed(
        "<feed xmlns=\"http://www.w3.org/2005/Atom\"><title>T</title><entry><id>urn:1</id>"
        "<title>E</title><link rel=\"self\" href=\"https://example.org/x\"/>"
        "<link href=\"https://u:p@example.org/\"/><link href=\"https://example.org/e#f\"/>"
        "<published>2026-01-02T03:04:05+02:00</published><updated>2026-02-01T00:00:00Z</updated>"
        "<content>all</content><summary>short</summary></entry></feed>");
    expect(f.format, "atom");
    assert_int_equal(f.count, 1);
    expect(f.entries[0].id, "urn:1");
    expect(f.entries[0].published, "2026-01-02T01:04:05Z");
    expect(f.entries[0].updated, "2026-02-01T00:00:00Z");
    expect(f.entries[0].summary, "short");
    assert_int_equal(span_find(f.entries[0].link, SPAN("u:p"), 0), SIZE_MAX);
}

static void json_feed_is_read(void **state) {
    (void)state;
    struct feed f =
        parsed("{\"version\":\"https://jsonfeed.org/version/1.1\",\"title\":\"J\",\"items\":["
               "{\"id\":\"1\",\"url\":\"https://example.org/1\",\"title\":\"A\","
               "\"content_html\":\"<p>x</p>\",\"date_published\":\"2026-01-02T00:00:00Z\"},"
               "7,{\"title\":\"B\"}]}");
    expect(f.format, "json");
    assert_int_equal(f.count, 2);
    expect(f.entries[0].summary, "x");
    assert_true(span_starts(f.entries[1].id, SPAN("sha256:")));
}

static void plain_text_is_read(void **state) {
    (void)state;
    struct feed f =
        parsed("A feed\n\nFirst title\n\nSat, 08 Aug 2026 13:21:00 +0100\n\nBody 1.\n\nMore.\n\n"
               "Second\n\nWed, 02 Sep 2026 15:30:00 +0100\n\nBody 2.\n");
    expect(f.format, "text");
    expect(f.title, "A feed");
    assert_int_equal(f.count, 2);
    expect(f.entries[0].title, "First title");
    expect(f.entries[0].summary, "Body 1. More.");
    expect(f.entries[1].title, "Second");
    expect(f.entries[1].published, "2026-09-02T14:30:00Z");
}

static void the_saved_feed_is_read(void **state) {
    (void)state;
    static const char path[] = "../shared/feeds/performance-feed.txt";
    struct span text;
    struct feed feed;
    struct error error = {0};
    if (!file_exists(path)) {
        print_message("# %s is not here\n", path);
        skip();
    }
    assert_true(file_read(&arena, path, FEED_LARGEST_BYTES, ERROR_INPUT, &text, &error));
    assert_true(feed_parse(&arena, text, path, &feed, &error));
    assert_int_equal(feed.count, 7); /* grep -c '^[A-Z][a-z][a-z], [0-9]' */
    for (size_t i = 0; i < feed.count; i++)
        assert_true(feed.entries[i].published.len == 20);
}

static void hostile_feeds_are_refused_or_harmless(void **state) {
    (void)state;
    static const char *const refused[] = {
        "<!DOCTYPE a [<!ENTITY b \"c\"><!ENTITY d "
        "\"&b;&b;\">]><rss><channel><title>&d;</title></channel></rss>",
        "<!DOCTYPE a [<!ENTITY x SYSTEM \"file:///etc/hostname\">]><rss><channel/></rss>",
        "<html><body>no</body></html>",
        "<",
        "{\"items\":3}",
        "{",
        "no feed at all",
        ""};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        struct feed feed;
        struct error error = {0};
        assert_false(feed_parse(&arena, span_of(refused[i]), "f", &feed, &error));
        assert_int_equal(error.kind, ERROR_INPUT);
    }
    struct buffer deep = {0};
    buffer_add_string(&deep, "<rss><channel><item><title>t</title><description>");
    for (int i = 0; i < 100000; i++)
        buffer_add_string(&deep, "<b>");
    struct feed feed;
    struct error error = {0};
    (void)feed_parse(&arena, buffer_span(&deep), "f", &feed, &error);
    buffer_free(&deep);
}

static void write(const char *folder, const char *name, const char *text) {
    struct error error = {0};
    if (!file_write(path_join(&arena, folder, name), span_of(text), &error))
        fail_msg("%s", error.message);
}

/* A pass that read the chapter on 2 September 2026. */
static struct pass make_pass(const char *workspace, const char *chapter, enum stage_state fetched) {
    struct error error = {0};
    struct pass pass = {.book = SPAN("book"),
                        .chapter = span_of(chapter),
                        .stable_id = span_of(chapter),
                        .command = SPAN(""),
                        .scope = SPAN("full")};
    assert_true(pass_create(&arena, workspace, SPAN(""), &pass, &error));
    pass.scope = SPAN("full");
    assert_true(pass_stage_end(&arena, &pass, STAGE_FETCH, fetched, "", &error));
    struct brief brief = {.chapter_url = arena_printf(&arena, "https://example.org/%s/", chapter),
                          .book = SPAN("Book"),
                          .chapter = span_of(chapter),
                          .stable_id = span_of(chapter),
                          .format = SPAN("json")};
    struct snapshot snapshot = {
        .scope = SPAN("full"), .origin = SPAN("url"), .received_at = SPAN("2026-09-02T00:00:00Z")};
    struct buffer json = {0};
    brief_write(&json, &brief);
    write(pass.folder, "brief.json", json.at);
    buffer_clear(&json);
    snapshot_write(&json, &snapshot);
    write(pass.folder, "snapshot.json", json.at);
    buffer_free(&json);
    return pass;
}

static void states_follow_the_latest_pass(void **state) {
    (void)state;
    char workspace[] = "/tmp/assay-feed-XXXXXX";
    struct error error = {0};
    assert_non_null(mkdtemp(workspace));
    make_pass(workspace, "one", STAGE_COMPLETE);
    make_pass(workspace, "two", STAGE_COMPLETE);
    make_pass(workspace, "three", STAGE_FAILED);
    struct feed f = parsed("<rss><channel>"
                           "<item><link>https://example.org/one</link><pubDate>Tue, 01 Sep 2026 "
                           "00:00:00 GMT</pubDate></item>"
                           "<item><link>https://example.org/two/</link><pubDate>Thu, 03 Sep 2026 "
                           "00:00:00 GMT</pubDate></item>"
                           "<item><link>https://example.org/three/#x</link></item>"
                           "<item><link>https://example.org/four/</link></item></channel></rss>");
    assert_true(feed_match(&arena, workspace, &f, &error));
    assert_int_equal(f.entries[0].state, CHAPTER_CURRENT);
    assert_int_equal(f.entries[1].state, CHAPTER_STALE);
    assert_int_equal(f.entries[2].state, CHAPTER_FAILED_LATEST);
    assert_int_equal(f.entries[3].state, CHAPTER_NEVER_RESEARCHED);
    assert_true(f.entries[0].pass.len > 0);
    assert_true(folder_remove(workspace, &error));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rss_is_read),
        cmocka_unit_test(atom_is_read),
        cmocka_unit_test(json_feed_is_read),
        cmocka_unit_test(plain_text_is_read),
        cmocka_unit_test(the_saved_feed_is_read),
        cmocka_unit_test(hostile_feeds_are_refused_or_harmless),
        cmocka_unit_test(states_follow_the_latest_pass),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
