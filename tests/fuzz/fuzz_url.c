#include "fetch/url.h"

#include <stdlib.h>

#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct span text = {(const char *)data, size};
    struct arena arena;
    arena_init(&arena);
    struct url url, next, again;
    struct span reason, line = SPAN("");
    span_next_line(&text, &line);
    if (url_parse(&arena, line, &url, &reason)) {
        /* What is requested parses to itself, and is never more than http(s). */
        if (!url_is_http(url.text) || !url_parse(&arena, url.text, &again, &reason) ||
            !span_equal(again.text, url.text))
            abort();
        url_follow(&arena, &url, text, &next, &reason);
    }
    url_redact(&arena, line);
    arena_free(&arena);
    return 0;
}
