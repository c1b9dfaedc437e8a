#include "fetch/feed.h"

#include "core/utf8.h"

#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct span text = {(const char *)data, size};
    struct arena arena;
    struct feed feed;
    struct error error = {0};
    if (utf8_first_invalid(text) != SIZE_MAX)
        return 0;
    arena_init(&arena);
    feed_parse(&arena, text, "fuzz", &feed, &error);
    arena_free(&arena);
    return 0;
}
