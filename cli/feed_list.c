#include "cli/feed_list.h"

#include "cli/stages.h"
#include "core/terminal.h"
#include "fetch/feed.h"

static void put_entry_json(struct json_writer *w, const struct feed_entry *entry) {
    json_begin_object(w, NULL);
    json_put_text(w, "id", entry->id);
    json_put_text(w, "link", entry->link);
    json_put_text(w, "title", entry->title);
    json_put_text(w, "published", entry->published);
    json_put_text(w, "updated", entry->updated);
    json_put_text(w, "summary", entry->summary);
    json_put_string(w, "state", word_of(&chapter_state_words, (int)entry->state));
    json_put_text(w, "reason", entry->reason);
    json_put_optional(w, "pass", entry->pass);
    json_end_object(w);
}

static void put_json(struct buffer *out, const struct feed *feed) {
    struct json_writer w = {.out = out};
    json_begin_object(&w, NULL);
    json_put_text(&w, "format", feed->format);
    json_put_text(&w, "title", feed->title);
    json_begin_array(&w, "entries");
    for (size_t i = 0; i < feed->count; i++)
        put_entry_json(&w, &feed->entries[i]);
    json_end_array(&w);
    json_put_size(&w, "left_out", feed->left_out);
    json_end_object(&w);
    json_finish(&w);
}

static void put_line(struct buffer *out, const char *before, struct span text) {
    if (text.len == 0)
        return;
    buffer_add_string(out, before);
    terminal_escape(out, text);
    buffer_add_byte(out, '\n');
}

static void put_text(struct buffer *out, const struct feed *feed) {
    put_line(out, "", feed->title);
    for (size_t i = 0; i < feed->count; i++) {
        const struct feed_entry *entry = &feed->entries[i];
        struct span date = entry->updated.len ? entry->updated : entry->published;
        buffer_printf(out, "\n%s (", word_of(&chapter_state_words, (int)entry->state));
        terminal_escape(out, entry->reason);
        put_line(out, ")  ", date.len ? date : SPAN("date UNVERIFIED"));
        put_line(out, "  ", entry->title);
        put_line(out, "  ", entry->link);
        put_line(out, "  id ", entry->id);
        put_line(out, "  ", entry->summary);
    }
    buffer_printf(out, "\n%zu entries", feed->count);
    if (feed->left_out)
        buffer_printf(out, ", %zu more were left out", feed->left_out);
    buffer_add_byte(out, '\n');
}

enum exit_status feed_list(const struct options *options, struct error *error) {
    struct arena arena;
    struct fetch_options fetch;
    struct feed feed;
    struct buffer out = {0};
    arena_init(&arena);
    stages_fetch_options(options, NULL, NULL, &fetch);
    bool ok = feed_load(&arena, &fetch, options->feed, &feed, error);
    if (ok && options->json)
        put_json(&out, &feed);
    else if (ok)
        put_text(&out, &feed);
    output_write(buffer_span(&out));
    buffer_free(&out);
    arena_free(&arena);
    return ok ? EXIT_COMPLETE : exit_status_of(error);
}
