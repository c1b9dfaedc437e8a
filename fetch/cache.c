#include "fetch/cache.h"

#include "core/file.h"
#include "core/hash.h"

#include <stdlib.h>

/* An entry is this line, the SHA-256 of what follows, and then url, accept, date, protocol and the
 * body's SHA-256 on a line each, and the head as it came. */
static const char magic[] = "assay-cache 1\n";
enum { ENTRY_LARGEST_BYTES = 1 << 20, BODY_LARGEST_BYTES = 1 << 28 };

const char *cache_folder(struct arena *arena, const char *given) {
    if (given)
        return given;
    const char *base = getenv("XDG_CACHE_HOME");
    if (base && *base == '/')
        return path_join(arena, base, "assay");
    const char *home = getenv("HOME");
    return home && *home == '/' ? path_join(arena, home, ".cache/assay") : NULL;
}

static const char *folder_for(struct arena *arena, const char *folder, const char *kind,
                              struct span hex) {
    return arena_printf(arena, "%s/%s/%.2s", folder, kind, hex.at).at;
}

static const char *path_for(struct arena *arena, const char *folder, const char *kind,
                            struct span hex) {
    return path_join(arena, folder_for(arena, folder, kind, hex), hex.at);
}

static struct span question(struct arena *arena, struct span url, struct span accept) {
    struct span parts[] = {url, SPAN("\n"), accept};
    return sha256_hex_parts(arena, parts, sizeof parts / sizeof *parts);
}

/* A file of the store, or CACHE_ABSENT when it is not there. */
static enum cache_answer read_file(struct arena *arena, const char *path, size_t max_bytes,
                                   struct span *text) {
    if (!file_exists(path))
        return CACHE_ABSENT;
    return file_read(arena, path, max_bytes, ERROR_INPUT, text, NULL) ? CACHE_FOUND : CACHE_CORRUPT;
}

static bool is_hash_of(struct arena *arena, struct span hex, struct span text) {
    return span_equal(hex, sha256_hex(arena, text));
}

/* Reads an entry that was written whole, for this very question. */
static bool parse_entry(struct arena *arena, struct span text, struct http_exchange *exchange,
                        struct span *body) {
    struct span sum, url, accept;
    if (!span_starts(text, span_of(magic)))
        return false;
    text = span_slice(text, sizeof magic - 1, text.len);
    if (!span_next_line(&text, &sum) || !is_hash_of(arena, sum, text) ||
        !span_next_line(&text, &url) || !span_next_line(&text, &accept) ||
        !span_next_line(&text, &exchange->date) || !span_next_line(&text, &exchange->protocol) ||
        !span_next_line(&text, body) || !sha256_is_hex(*body) || !span_equal(url, exchange->url) ||
        !span_equal(accept, exchange->accept))
        return false;
    *body = arena_copy(arena, *body);
    exchange->head = text;
    exchange->status = http_head_status(text);
    return exchange->status >= 200;
}

enum cache_answer cache_find(struct arena *arena, const char *folder, struct span url,
                             struct span accept, struct http_exchange *exchange) {
    struct span text, body, key = question(arena, url, accept);
    *exchange = (struct http_exchange){.url = url, .accept = accept};
    if (!folder)
        return CACHE_ABSENT;
    enum cache_answer answer =
        read_file(arena, path_for(arena, folder, "entries", key), ENTRY_LARGEST_BYTES, &text);
    if (answer != CACHE_FOUND)
        return answer;
    if (!parse_entry(arena, text, exchange, &body))
        return CACHE_CORRUPT;
    answer = read_file(arena, path_for(arena, folder, "bodies", body), BODY_LARGEST_BYTES,
                       &exchange->payload);
    bool whole = answer == CACHE_FOUND && is_hash_of(arena, body, exchange->payload);
    return whole ? CACHE_FOUND : CACHE_CORRUPT;
}

static bool is_kept_status(int status) {
    return status == 200 || status == 301 || status == 302 || status == 303 || status == 307 ||
           status == 308;
}

bool cache_may_keep(const struct http_exchange *exchange) {
    return exchange->outcome == HTTP_ANSWERED && is_kept_status(exchange->status) &&
           span_find_nocase(http_head_value(exchange->head, "cache-control"), SPAN("no-store"),
                            0) == SIZE_MAX &&
           !span_equal(http_head_value(exchange->head, "vary"), SPAN("*"));
}

static bool write_to(struct arena *arena, const char *folder, const char *kind, struct span hex,
                     struct span text, struct error *error) {
    const char *path = path_for(arena, folder, kind, hex);
    if (file_write_lightly(path, text, NULL)) /* mostly the folder is there */
        return true;
    return folder_make(folder_for(arena, folder, kind, hex), error) &&
           file_write_lightly(path, text, error);
}

/* A body that is there already is left alone, unless it is damaged. */
static bool keep_body(struct arena *arena, const char *folder, struct span hex, struct span body,
                      struct error *error) {
    struct span there;
    enum cache_answer answer =
        read_file(arena, path_for(arena, folder, "bodies", hex), BODY_LARGEST_BYTES, &there);
    if (answer == CACHE_FOUND && span_equal(there, body))
        return true;
    return write_to(arena, folder, "bodies", hex, body, error);
}

bool cache_keep(struct arena *arena, const char *folder, const struct http_exchange *exchange,
                struct error *error) {
    struct span key = question(arena, exchange->url, exchange->accept);
    struct span hex = sha256_hex(arena, exchange->payload);
    struct buffer entry = {0};
    buffer_printf(&entry, "%.*s\n%.*s\n%.*s\n%.*s\n%.*s\n", SPAN_ARG(exchange->url),
                  SPAN_ARG(exchange->accept), SPAN_ARG(exchange->date),
                  SPAN_ARG(exchange->protocol), SPAN_ARG(hex));
    buffer_add(&entry, exchange->head);
    struct span sum = sha256_hex(arena, buffer_span(&entry));
    struct span parts[] = {span_of(magic), sum, SPAN("\n"), buffer_span(&entry)};
    struct buffer text = {0};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        buffer_add(&text, parts[i]);
    bool ok = keep_body(arena, folder, hex, exchange->payload, error) &&
              write_to(arena, folder, "entries", key, buffer_span(&text), error);
    buffer_free(&entry);
    buffer_free(&text);
    return ok;
}
