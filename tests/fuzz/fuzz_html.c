#include "core/utf8.h"
#include "fetch/structure.h"

#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct span text = {(const char *)data, size};
    struct arena arena;
    arena_init(&arena);
    struct chapter chapter = {0};
    struct error error = {0};
    if (utf8_first_invalid(text) == SIZE_MAX)
        structure_read(&arena, SPAN("html"), text, "fuzz", &chapter, &error);
    arena_free(&arena);
    return 0;
}
