#include "fetch/feed.h"

#include "core/clock.h"
#include "core/file.h"
#include "core/hash.h"
#include "fetch/charset.h"
#include "fetch/feed_entry.h"
#include "fetch/fetch_http.h"
#include "fetch/html_view.h"
#include "fetch/outline.h"
#include "fetch/url.h"

#include <stdint.h>

enum { TITLE_LONGEST = 300, SUMMARY_LONGEST = 400, ID_LONGEST = 2000 };

/* At most `most` bytes, cut where a character ends. */
static struct span cut(struct span text, size_t most) {
    if (text.len <= most)
        return text;
    while (most > 0 && ((unsigned char)text.at[most] & 0xC0) == 0x80)
        most--;
    return span_slice(text, 0, most);
}

struct span feed_plain(struct arena *arena, struct span text, size_t most) {
    /* Tags take room: what is looked at is bounded too. */
    struct span part = cut(text, 64 * most);
    char *view = html_view(arena, part);
    size_t len = 0;
    for (size_t i = 0; i < part.len; i++) {
        bool was_markup = view[i] == ' ' && !strchr(" \t\r\n", part.at[i]);
        if (!was_markup) /* tags within a word leave no gap */
            view[len++] = view[i];
    }
    return cut(outline_collapse(arena, span_make(view, len)), most);
}

static struct span date_of(struct arena *arena, struct span text) {
    int64_t seconds;
    return clock_parse(span_trim(text), &seconds) ? clock_rfc3339(arena, seconds) : SPAN("");
}

void feed_add(struct arena *arena, struct feed *feed, struct feed_entry raw) {
    struct url url;
    struct span why;
    if (feed->count >= FEED_ENTRIES_MOST) {
        feed->left_out++;
        return;
    }
    struct feed_entry entry = {.title = feed_plain(arena, raw.title, TITLE_LONGEST),
                               .summary = feed_plain(arena, raw.summary, SUMMARY_LONGEST),
                               .published = date_of(arena, raw.published),
                               .updated = date_of(arena, raw.updated),
                               .id = arena_copy(arena, cut(span_trim(raw.id), ID_LONGEST)),
                               .link = SPAN(""),
                               .reason = SPAN(""),
                               .pass = SPAN("")};
    if (url_is_http(span_trim(raw.link)) && url_parse(arena, span_trim(raw.link), &url, &why))
        entry.link = url.shown;
    if (url_is_http(entry.id))
        entry.id = url_redact(arena, entry.id);
    struct span parts[] = {entry.title, SPAN("\n"), entry.published};
    if (entry.id.len == 0)
        entry.id = arena_printf(arena, "sha256:%.*s", SPAN_ARG(sha256_hex_parts(arena, parts, 3)));
    LIST_PUSH(arena, feed->entries, feed->count, feed->capacity, entry);
}

static struct span first_of(struct arena *arena, const cJSON *item, const char *const *names) {
    struct span text = SPAN("");
    for (size_t i = 0; names[i] && text.len == 0; i++)
        text = json_text(arena, item, names[i]);
    return text;
}

/* JSON Feed 1.1 (jsonfeed.org). */
static bool parse_json(struct arena *arena, struct span text, const char *where, struct feed *feed,
                       struct error *error) {
    static const char *const summaries[] = {"summary", "content_text", "content_html", NULL};
    static const char *const links[] = {"url", "external_url", NULL};
    size_t count;
    cJSON *root = json_parse(text, where, error);
    if (!root)
        return false;
    const cJSON *item, *items = json_array(root, "items", &count);
    feed->format = SPAN("json");
    feed->title = feed_plain(arena, json_text(arena, root, "title"), TITLE_LONGEST);
    cJSON_ArrayForEach(item, items) {
        if (cJSON_IsObject(item))
            feed_add(arena, feed,
                     (struct feed_entry){.id = json_text(arena, item, "id"),
                                         .link = first_of(arena, item, links),
                                         .title = json_text(arena, item, "title"),
                                         .published = json_text(arena, item, "date_published"),
                                         .updated = json_text(arena, item, "date_modified"),
                                         .summary = first_of(arena, item, summaries)});
    }
    cJSON_Delete(root);
    return items || error_set(error, ERROR_INPUT, where, "Give an RSS, Atom or JSON feed.",
                              "expected a JSON Feed with a list of items");
}

static bool is_date(struct span line) {
    int64_t seconds;
    return line.len < 64 && clock_parse(span_trim(line), &seconds);
}

/* A line that the next line with text dates is a title; what follows up to the next is its text. */
static bool parse_text(struct arena *arena, struct span text, const char *where, struct feed *feed,
                       struct error *error) {
    struct span line, rest = text, before = SPAN("");
    struct feed_entry raw = {0};
    bool open = false;
    size_t body = 0;
    feed->format = SPAN("text");
    while (span_next_line(&rest, &line)) {
        size_t at = (size_t)(line.at - text.at);
        if (span_trim(line).len == 0)
            continue;
        if (feed->title.len == 0 && !open && before.len == 0)
            feed->title = feed_plain(arena, line, TITLE_LONGEST);
        if (is_date(line) && before.len > 0) {
            raw.summary = span_slice(text, body, (size_t)(before.at - text.at));
            if (open)
                feed_add(arena, feed, raw);
            raw = (struct feed_entry){.title = before, .published = line};
            open = true;
            body = at + line.len;
        }
        before = line;
    }
    raw.summary = span_slice(text, body, text.len);
    if (open)
        feed_add(arena, feed, raw);
    return open || error_set(error, ERROR_INPUT, where, "Give an RSS, Atom or JSON feed.",
                             "this is no feed: no entry with a title and a date");
}

bool feed_parse(struct arena *arena, struct span text, const char *where, struct feed *feed,
                struct error *error) {
    *feed = (struct feed){.title = SPAN("")};
    if (span_starts(text, SPAN("\xEF\xBB\xBF")))
        text = span_slice(text, 3, text.len);
    struct span start = span_trim(text);
    if (span_starts(start, SPAN("{")))
        return parse_json(arena, text, where, feed, error);
    if (span_starts(start, SPAN("<")))
        return feed_parse_xml(arena, start, where, feed, error);
    return parse_text(arena, text, where, feed, error);
}

static bool load(struct arena *arena, const struct fetch_options *options, const char *from,
                 struct span *bytes, struct span *type, struct error *error) {
    *type = SPAN("");
    if (!url_is_http(span_of(from)))
        return file_read(arena, from, FEED_LARGEST_BYTES, ERROR_INPUT, bytes, error);
    struct http *http = fetch_open_http(options, error);
    struct http_request request = {.url = span_of(from), .max_bytes = FEED_LARGEST_BYTES};
    struct http_result result;
    bool ok = http && http_fetch(http, arena, &request, &result, error);
    if (ok && !http_is_ok(&result))
        ok = error_set(error, ERROR_UNAVAILABLE, arena_string(arena, result.url),
                       "Check the address, or save the feed and give its file name.",
                       "the feed could not be read: %.*s", SPAN_ARG(result.reason));
    if (ok) {
        *bytes = result.body;
        *type = result.content_type;
    }
    http_close(http);
    return ok;
}

bool feed_load(struct arena *arena, const struct fetch_options *options, const char *from,
               struct feed *feed, struct error *error) {
    struct span bytes, type;
    struct charset charset;
    const char *where = arena_string(arena, url_redact(arena, span_of(from)));
    if (!load(arena, options, from, &bytes, &type, error))
        return false;
    if (charset_is_binary(bytes, type))
        return error_set(error, ERROR_INPUT, where, "Give an RSS, Atom or JSON feed.",
                         "expected a feed, found binary data");
    return feed_parse(arena, charset_decode(arena, bytes, type, &charset), where, feed, error) &&
           feed_match(arena, options->workspace ? options->workspace : ".", feed, error);
}
