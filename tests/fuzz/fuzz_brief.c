#include "fetch/brief.h"

#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct span text = {(const char *)data, size};
    struct arena arena;
    arena_init(&arena);
    struct brief brief = {0};
    struct error error = {0};
    brief_parse(&arena, text, "fuzz", &brief, &error);
    arena_free(&arena);
    return 0;
}
