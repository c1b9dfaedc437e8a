/* Web pages: what a page says of itself. There is no service behind it: the base is the page's own
 * URL. A 404 or 410 is a dead link; 403, 429, 5xx and silence are not. */
#include "fetch/service.h"

#include "fetch/charset.h"
#include "fetch/page_meta.h"
#include "fetch/url_map.h"

#include <stdint.h>

static bool accepts(const struct service_item *item, const struct service_settings *settings,
                    const char **why) {
    (void)settings, (void)why;
    return service_id(item, "url:").len > 0 && item->source->url.len > 0;
}

static void ask(struct service_ask *ask) {
    ask->request->url = ask->items[0]->source->url;
    ask->request->accept = SPAN("text/html,application/xhtml+xml,*/*;q=0.5");
}

static void note_move(struct service_reply *reply, struct service_record *record) {
    struct arena *arena = reply->arena;
    struct span asked = url_canonical(arena, reply->items[0]->source->url);
    struct span got = url_canonical(arena, reply->result->final_url);
    bool permanent = reply->result->hop_count > 0;
    for (size_t i = 0; i < reply->result->hop_count; i++)
        permanent = permanent &&
                    (reply->result->hops[i].status == 301 || reply->result->hops[i].status == 308);
    if (permanent && got.len > 0 && !span_equal(asked, got))
        service_note(arena, record, "moved", SEVERITY_INFO, "the page moved for good to %.*s",
                     SPAN_ARG(reply->result->final_url));
}

static void note_dates(struct arena *arena, const struct page_meta *meta,
                       struct service_record *record) {
    if (meta->modified.len > 0 && record->fields.version.len == 0)
        record->fields.version =
            arena_printf(arena, "modified %.*s", SPAN_ARG(span_slice(meta->modified, 0, 10)));
}

static const char *read(struct service_reply *reply) {
    struct arena *arena = reply->arena;
    const struct http_result *result = reply->result;
    struct service_record *record = service_found(reply, 0);
    struct charset charset;
    struct page_meta meta;
    record->fields.url = result->final_url;
    note_move(reply, record);
    size_t semicolon = span_find_byte(result->content_type, ';', 0);
    struct span type = span_trim(span_slice(
        result->content_type, 0, semicolon == SIZE_MAX ? result->content_type.len : semicolon));
    bool html = type.len == 0 || span_find_nocase(type, SPAN("html"), 0) != SIZE_MAX;
    if (!html || charset_is_binary(result->body, result->content_type) ||
        !page_meta_read(arena, charset_decode(arena, result->body, result->content_type, &charset),
                        &meta)) {
        record->fields.kind = type;
        return NULL;
    }
    record->fields = meta.record;
    record->fields.url = result->final_url;
    note_dates(arena, &meta, record);
    if (meta.docs_root.len > 0)
        record->docs_root = url_resolve(arena, result->final_url, meta.docs_root);
    return NULL;
}

const struct service service_page = {
    .id = "page",
    .is_page = true,
    .base = "",
    .absent = "the server says that there is no such page",
    .absent_kind = "dead link",
    .batch = 1,
    .most = 500,
    .accepts = accepts,
    .ask = ask,
    .read = read,
};
