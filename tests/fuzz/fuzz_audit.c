/* Any valid UTF-8, read as plain text and as Markdown, through extraction and every check.
 * Quantities stay in order, inside the text and inside their sentence. */
#include "audit/audit.h"
#include "fetch/structure.h"

#include "core/utf8.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

static void read_as(struct span format, struct span text) {
    struct arena arena;
    struct chapter chapter = {0};
    struct claims claims = {0};
    struct findings findings = {0};
    struct audit_options options = {0};
    struct error error = {0};
    arena_init(&arena);
    if (!structure_read(&arena, format, text, "fuzz", &chapter, &error) ||
        !audit_text(&arena, &chapter, SPAN("fuzz"), NULL, &options, &claims, &findings, &error))
        abort();
    size_t at = 0;
    for (size_t i = 0; i < claims.quantity_count; i++) {
        const struct quantity *q = &claims.quantities[i];
        if (q->start < at || q->end <= q->start || q->end > text.len || q->unit_end > text.len ||
            isnan(q->value))
            abort();
        at = q->start;
    }
    arena_free(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct span text = {(const char *)data, size};
    if (utf8_first_invalid(text) != SIZE_MAX)
        return 0;
    read_as(SPAN("text"), text);
    read_as(SPAN("markdown"), text);
    return 0;
}
