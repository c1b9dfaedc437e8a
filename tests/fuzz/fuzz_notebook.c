#include "fetch/structure.h"

#include "core/utf8.h"

#include <stdint.h>
#include <stdlib.h>

/* Blocks in order, inside the text, without overlap; a view of the same length. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct span text = {(const char *)data, size};
    struct arena arena;
    struct chapter chapter;
    struct error error = {0};
    if (utf8_first_invalid(text) != SIZE_MAX)
        return 0;
    arena_init(&arena);
    if (!structure_read(&arena, SPAN("notebook"), text, "fuzz.ipynb", &chapter, &error)) {
        arena_free(&arena);
        return 0;
    }
    if (chapter.view.len != size)
        abort();
    size_t at = 0;
    for (size_t i = 0; i < chapter.block_count; i++) {
        if (chapter.blocks[i].start < at || chapter.blocks[i].end < chapter.blocks[i].start)
            abort();
        at = chapter.blocks[i].end;
    }
    if (at > size)
        abort();
    arena_free(&arena);
    return 0;
}
