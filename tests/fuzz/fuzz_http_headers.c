#include "fetch/http_exchange.h"

#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct span text = {(const char *)data, size};
    struct arena arena;
    arena_init(&arena);
    size_t count, trailing;
    struct http_exchange exchange = {.url = SPAN("http://example.org/a?b"), .head = text};
    size_t end = span_find(text, SPAN("\r\n\r\n"), 0);
    if (end != SIZE_MAX) {
        exchange.head = span_slice(text, 0, end + 4);
        exchange.payload = span_slice(text, end + 4, size);
    }
    enum http_outcome outcome;
    struct span body, reason;
    http_head_status(exchange.head);
    http_head_parse(&arena, exchange.head, &count);
    exchange.request = exchange.head;
    http_request_shown(&arena, &exchange);
    http_head_restored(&arena, http_head_plain(&arena, &exchange));
    http_head_shown(&arena, exchange.head);
    http_decode(&arena, &exchange, 1 << 20, &body, &trailing, &outcome, &reason);
    arena_free(&arena);
    return 0;
}
