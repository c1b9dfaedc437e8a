/* Which of a feed's chapters were researched here, and whether they changed since. */
#include "core/clock.h"
#include "fetch/feed.h"
#include "fetch/known.h"

#include <stdint.h>

/* The latest pass over one chapter. */
struct known {
    struct pass pass;
    struct span url, final_url, title, received_at;
};

struct known_list {
    struct known *items;
    size_t count, capacity;
};

/* What cannot be read of a pass is no reason to refuse the feed: the pass is then FAILED_LATEST. */
static void describe(struct arena *arena, struct known *known) {
    struct span json;
    struct brief brief = {0};
    struct snapshot snapshot = {0};
    struct error ignored;
    if (pass_read(arena, &known->pass, "brief.json", &json, &ignored) &&
        brief_read(arena, json, "brief.json", &brief, &ignored)) {
        known->url = brief.chapter_url;
        known->title = brief.chapter;
    }
    if (pass_read(arena, &known->pass, "snapshot.json", &json, &ignored) &&
        snapshot_read(arena, json, "snapshot.json", &snapshot, &ignored)) {
        known->final_url = snapshot.final_url;
        known->received_at = snapshot.received_at;
    }
}

static bool latest_passes(struct arena *arena, const char *workspace, struct known_list *list,
                          struct error *error) {
    struct known_passes all;
    if (!known_passes(arena, workspace, NULL, NULL, &all, error))
        return false;
    for (size_t i = 0; i < all.count; i++) {
        const struct pass *pass = &all.items[i], *next = pass + 1;
        bool last = i + 1 == all.count || !span_equal(next->book, pass->book) ||
                    !span_equal(next->chapter, pass->chapter);
        if (!last)
            continue;
        LIST_PUSH(arena, list->items, list->count, list->capacity, (struct known){.pass = *pass});
        describe(arena, &list->items[list->count - 1]);
    }
    return true;
}

/* "https://host/a/#b" -> "host/a" */
static struct span bare_url(struct span url) {
    size_t end = span_find_byte(url, '#', 0), scheme = span_find(url, SPAN("://"), 0);
    url = span_slice(url, scheme == SIZE_MAX ? 0 : scheme + 3, end == SIZE_MAX ? url.len : end);
    while (url.len && url.at[url.len - 1] == '/')
        url.len--;
    return url;
}

static bool same_url(struct span a, struct span b) {
    return a.len && b.len && span_equal(bare_url(a), bare_url(b));
}

static bool is_same(const struct known *known, const struct feed_entry *entry) {
    if (entry->link.len)
        return same_url(entry->link, known->url) || same_url(entry->link, known->final_url);
    return known->title.len && span_equal_nocase(entry->title, known->title);
}

static bool is_failed(const struct pass *pass) {
    for (int stage = 0; stage < STAGE_COUNT; stage++)
        if (pass->stages[stage].state == STAGE_FAILED ||
            pass->stages[stage].state == STAGE_INTERRUPTED)
            return true;
    return pass->stages[STAGE_FETCH].state == STAGE_NOT_STARTED;
}

static bool is_later(struct span a, struct span b) {
    int64_t left, right;
    return clock_parse(a, &left) && clock_parse(b, &right) && left > right;
}

static void judge(const struct known *known, struct feed_entry *entry) {
    struct span date = entry->updated.len ? entry->updated : entry->published;
    entry->pass = known->pass.id;
    entry->state = CHAPTER_STALE;
    if (is_failed(&known->pass)) {
        entry->state = CHAPTER_FAILED_LATEST;
        entry->reason = SPAN("the latest pass did not finish");
    } else if (!span_equal(known->pass.scope, SPAN("full"))) {
        entry->reason = SPAN("the latest pass did not read the whole chapter");
    } else if (known->pass.fingerprint == FINGERPRINT_MISMATCH) {
        entry->reason = SPAN("the latest pass read another revision than its brief means");
    } else if (is_later(date, known->received_at)) {
        entry->reason = SPAN("the feed dates the chapter after the latest pass read it");
    } else {
        entry->state = CHAPTER_CURRENT;
        entry->reason = date.len ? SPAN("read after the feed's date")
                                 : SPAN("read; the feed gives no date to compare with");
    }
}

bool feed_match(struct arena *arena, const char *workspace, struct feed *feed,
                struct error *error) {
    struct known_list list = {0};
    if (!latest_passes(arena, workspace, &list, error))
        return false;
    for (size_t i = 0; i < feed->count; i++) {
        struct feed_entry *entry = &feed->entries[i];
        entry->state = CHAPTER_NEVER_RESEARCHED;
        entry->reason = SPAN("no pass here");
        for (size_t k = 0; k < list.count; k++)
            if (is_same(&list.items[k], entry)) {
                judge(&list.items[k], entry);
                break;
            }
    }
    return true;
}
