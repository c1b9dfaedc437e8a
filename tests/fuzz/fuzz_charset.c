#include "core/utf8.h"
#include "fetch/charset.h"

#include <stdlib.h>

#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct span text = {(const char *)data, size};
    struct arena arena;
    arena_init(&arena);
    struct charset charset;
    struct span type = SPAN("");
    span_next_line(&text, &type);
    if (utf8_first_invalid(charset_decode(&arena, text, type, &charset)) != SIZE_MAX)
        abort();
    arena_free(&arena);
    return 0;
}
