/* Open Library: editions by ISBN. One by one it names no authors (only their keys); several at once
 * through the books API it does. Books it does not know may well exist. */
#include "fetch/service.h"

static struct span isbn_of(const struct service_item *item) {
    return service_id(item, "isbn:");
}

static bool accepts(const struct service_item *item, const struct service_settings *settings,
                    const char **why) {
    (void)settings, (void)why;
    return isbn_of(item).len > 0;
}

static void ask(struct service_ask *ask) {
    struct buffer url = {0};
    if (ask->count == 1) {
        buffer_printf(&url, "%.*s/isbn/%.*s.json", SPAN_ARG(ask->base),
                      SPAN_ARG(service_escape(ask->arena, isbn_of(ask->items[0]), "")));
    } else {
        buffer_printf(&url, "%.*s/api/books?format=json&jscmd=data&bibkeys=", SPAN_ARG(ask->base));
        for (size_t i = 0; i < ask->count; i++)
            buffer_printf(&url, "%sISBN:%.*s", i ? "," : "",
                          SPAN_ARG(service_escape(ask->arena, isbn_of(ask->items[i]), "")));
    }
    ask->request->url = arena_copy(ask->arena, buffer_span(&url));
    buffer_free(&url);
}

/* Of a list of strings, or of objects with a name. */
static struct span first_name(struct arena *arena, const cJSON *book, const char *key) {
    size_t count;
    const cJSON *list = json_array(book, key, &count), *first = count ? list->child : NULL;
    return cJSON_IsString(first) ? arena_copy(arena, span_of(first->valuestring))
                                 : json_text(arena, first, "name");
}

static void read_book(struct arena *arena, struct span isbn, const cJSON *book,
                      struct service_record *record) {
    size_t count;
    struct span title = json_text(arena, book, "title"), sub = json_text(arena, book, "subtitle");
    record->fields = (struct source_record){
        .identifier = arena_printf(arena, "isbn:%.*s", SPAN_ARG(isbn)),
        .kind = SPAN("book"),
        .title =
            sub.len ? arena_printf(arena, "%.*s: %.*s", SPAN_ARG(title), SPAN_ARG(sub)) : title,
        .venue = first_name(arena, book, "publishers"),
        .date = json_text(arena, book, "publish_date"),
        .version = json_text(arena, book, "edition_name"),
        .url = json_text(arena, book, "url"),
    };
    record->fields.year = service_year(record->fields.date);
    const cJSON *one, *list = json_array(book, "authors", &count);
    cJSON_ArrayForEach(one, list) {
        struct span family, given;
        service_split_name(json_text(arena, one, "name"), &family, &given);
        record->fields.authors = service_add_author(arena, record->fields.authors, family, given);
    }
}

static const char *read(struct service_reply *reply) {
    const char *fault;
    cJSON *json = service_json(reply, &fault);
    if (!json)
        return fault;
    if (!cJSON_IsObject(json))
        fault = "the answer is no book of Open Library: expected an object";
    if (!fault && reply->count == 1) {
        if (json_text(reply->arena, json, "title").len > 0)
            read_book(reply->arena, isbn_of(reply->items[0]), json, service_found(reply, 0));
        else
            fault = "the answer is no book of Open Library: expected a title";
    }
    for (size_t i = 0; !fault && reply->count > 1 && i < reply->count; i++) {
        struct span isbn = isbn_of(reply->items[i]);
        struct span key = arena_printf(reply->arena, "ISBN:%.*s", SPAN_ARG(isbn));
        const cJSON *book = json_member(json, key.at);
        if (cJSON_IsObject(book))
            read_book(reply->arena, isbn, book, service_found(reply, i));
    }
    cJSON_Delete(json);
    return fault;
}

const struct service service_openlibrary = {
    .id = "openlibrary",
    .base = "https://openlibrary.org",
    .absent = "Open Library has no book of that ISBN; it does not have all",
    .batch = 40,
    .accepts = accepts,
    .ask = ask,
    .read = read,
};
