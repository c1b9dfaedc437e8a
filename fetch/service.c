#include "fetch/service.h"

#include "fetch/compare.h"
#include "fetch/outline.h"

#include <stdarg.h>
#include <stdint.h>

struct span service_id(const struct service_item *item, const char *prefix) {
    struct span id = item->source->id, start = span_of(prefix);
    return span_starts(id, start) ? span_slice(id, start.len, id.len) : SPAN("");
}

static bool is_plain(char c, const char *keep) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (c && (strchr("-._~", c) || strchr(keep, c)));
}

struct span service_escape(struct arena *arena, struct span text, const char *keep) {
    static const char hex[] = "0123456789ABCDEF";
    char *out = arena_alloc(arena, 3 * text.len + 1);
    size_t len = 0;
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.at[i];
        if (is_plain((char)c, keep)) {
            out[len++] = (char)c;
            continue;
        }
        out[len++] = '%';
        out[len++] = hex[c >> 4];
        out[len++] = hex[c & 15];
    }
    return span_make(out, len);
}

static struct service_answer *settle(struct service_reply *reply, size_t i, bool found) {
    struct service_answer *answer = &reply->items[i]->answers[reply->service];
    answer->settled = true;
    answer->state = REGISTRY_ANSWERED;
    answer->found = found;
    answer->url = reply->result->url;
    answer->at = reply->result->received_at;
    answer->status = reply->result->status;
    return answer;
}

struct service_record *service_found(struct service_reply *reply, size_t i) {
    struct service_answer *answer = settle(reply, i, true);
    answer->record = arena_alloc(reply->arena, sizeof *answer->record);
    return answer->record;
}

void service_absent(struct service_reply *reply, size_t i, const char *why) {
    settle(reply, i, false)->why = span_of(why);
}

void service_note(struct arena *arena, struct service_record *record, const char *kind,
                  enum severity severity, const char *format, ...) {
    struct buffer text = {0};
    va_list arguments;
    va_start(arguments, format);
    buffer_vprintf(&text, format, arguments);
    va_end(arguments);
    struct service_note note = {kind, severity, arena_copy(arena, buffer_span(&text))};
    buffer_free(&text);
    LIST_PUSH(arena, record->notes, record->note_count, record->note_capacity, note);
}

bool service_is_same_work(struct arena *arena, const struct source_claimed *claimed,
                          const struct source_record *record) {
    return compare_titles(arena, claimed->title, record->title, NULL) == COMPARE_MATCH &&
           compare_authors(arena, claimed->authors, record->authors) != COMPARE_DIFFERS;
}

cJSON *service_json(const struct service_reply *reply, const char **fault) {
    struct error error = {0};
    cJSON *json = json_parse(reply->result->body, "answer", &error);
    *fault =
        json ? NULL : arena_printf(reply->arena, "the answer is not JSON: %s", error.message).at;
    return json;
}

struct span service_clean(struct arena *arena, struct span text) {
    return outline_collapse(arena, text);
}

struct span service_add_author(struct arena *arena, struct span authors, struct span family,
                               struct span given) {
    enum { LONGEST = 4000 };
    family = service_clean(arena, family);
    given = service_clean(arena, given);
    if ((family.len == 0 && given.len == 0) || authors.len > LONGEST)
        return authors;
    return arena_printf(arena, "%.*s%s%.*s%s%.*s", SPAN_ARG(authors), authors.len ? "; " : "",
                        SPAN_ARG(family), family.len && given.len ? ", " : "", SPAN_ARG(given));
}

void service_split_name(struct span name, struct span *family, struct span *given) {
    size_t comma = span_find_byte(name, ',', 0);
    name = span_trim(name);
    *given = SPAN("");
    if (comma != SIZE_MAX) {
        *family = span_trim(span_slice(name, 0, comma));
        *given = span_trim(span_slice(name, comma + 1, name.len));
        return;
    }
    size_t space = name.len;
    while (space > 0 && name.at[space - 1] != ' ')
        space--;
    *family = span_slice(name, space, name.len);
    *given = span_trim(span_slice(name, 0, space));
}

struct span service_year(struct span date) {
    for (size_t i = 0; i + 4 <= date.len; i++) {
        size_t year;
        bool starts = i == 0 || date.at[i - 1] < '0' || date.at[i - 1] > '9';
        bool ends = i + 4 == date.len || date.at[i + 4] < '0' || date.at[i + 4] > '9';
        if (starts && ends && span_to_size(span_slice(date, i, i + 4), 2999, &year) && year >= 1000)
            return span_slice(date, i, i + 4);
    }
    return SPAN("");
}
