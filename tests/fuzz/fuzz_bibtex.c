#include "fetch/bibtex.h"

#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct span text = {(const char *)data, size};
    struct arena arena;
    struct bibtex bibtex;
    arena_init(&arena);
    bibtex_read(&arena, text, &bibtex);
    bibtex_plain(&arena, text);
    arena_free(&arena);
    return 0;
}
