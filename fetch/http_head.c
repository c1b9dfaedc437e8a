/* Rewriting heads for what is kept: without secrets, and framed as the stored payload is. */
#include "fetch/http_exchange.h"
#include "fetch/url.h"

/* The name of a header line, or empty. */
static struct span name_of(struct span line) {
    size_t colon = span_find_byte(line, ':', 0);
    return colon == SIZE_MAX ? SPAN("") : span_slice(line, 0, colon);
}

static struct span finish(struct arena *arena, struct buffer *out) {
    struct span copy = arena_copy(arena, buffer_span(out));
    buffer_free(out);
    return copy;
}

static void add_line(struct buffer *out, const char *prefix, struct span line) {
    buffer_add_string(out, prefix);
    buffer_add(out, line);
    buffer_add(out, SPAN("\r\n"));
}

static bool is_place(struct span name) {
    return span_equal_nocase(name, SPAN("location")) ||
           span_equal_nocase(name, SPAN("content-location"));
}

struct span http_head_shown(struct arena *arena, struct span head) {
    struct buffer out = {0};
    struct span line;
    while (span_next_line(&head, &line)) {
        struct span name = name_of(line);
        if (is_place(name))
            line = arena_printf(
                arena, "%.*s: %.*s", SPAN_ARG(name),
                SPAN_ARG(url_redact(arena, span_trim(span_slice(line, name.len + 1, line.len)))));
        add_line(&out, "", line);
    }
    return finish(arena, &out);
}

/* "/path?query" of an absolute URL. */
static struct span target_of(struct span url) {
    size_t scheme = span_find(url, SPAN("://"), 0);
    size_t path = scheme == SIZE_MAX ? SIZE_MAX : span_find_byte(url, '/', scheme + 3);
    return path == SIZE_MAX ? SPAN("/") : span_slice(url, path, url.len);
}

struct span http_request_shown(struct arena *arena, const struct http_exchange *exchange) {
    struct buffer out = {0};
    struct span rest = exchange->request, line, method;
    if (!span_next_line(&rest, &line) || !span_next_field(&line, ' ', &method))
        return SPAN("");
    buffer_printf(&out, "%.*s %.*s HTTP/1.1\r\n", SPAN_ARG(method),
                  SPAN_ARG(target_of(exchange->url)));
    buffer_add(&out, rest);
    return finish(arena, &out);
}

static bool is_stale_length(struct span line, size_t bytes) {
    size_t length;
    struct span name = name_of(line);
    return span_equal_nocase(name, SPAN("content-length")) &&
           !(span_to_size(span_trim(span_slice(line, name.len + 1, line.len)), SIZE_MAX / 2,
                          &length) &&
             length == bytes);
}

struct span http_head_plain(struct arena *arena, const struct http_exchange *exchange) {
    struct buffer out = {0};
    struct span rest = exchange->head, line, version = SPAN("");
    if (span_next_line(&rest, &line)) {
        span_next_field(&line, ' ', &version);
        bool plain = span_starts(version, SPAN("HTTP/1."));
        buffer_printf(&out, "%.*s %.*s\r\n", SPAN_ARG(plain ? version : SPAN("HTTP/1.1")),
                      SPAN_ARG(line));
    }
    while (span_next_line(&rest, &line)) {
        bool renamed = span_equal_nocase(name_of(line), SPAN("transfer-encoding")) ||
                       is_stale_length(line, exchange->payload.len);
        add_line(&out, renamed ? HTTP_ORIGINAL_PREFIX : "", line);
    }
    return finish(arena, &out);
}

struct span http_head_restored(struct arena *arena, struct span head) {
    struct buffer out = {0};
    struct span line, prefix = SPAN(HTTP_ORIGINAL_PREFIX);
    while (span_next_line(&head, &line))
        add_line(&out, "", span_slice(line, span_starts(line, prefix) ? prefix.len : 0, line.len));
    return finish(arena, &out);
}
