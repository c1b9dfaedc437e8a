/* The chapter's page gives structure, the snapshot gives identity. */
#include "fetch/around.h"

#include "fetch/charset.h"
#include "fetch/structure.h"

static bool is_worth_it(struct span snapshot, const struct chapter *placed) {
    return placed->block_count > 1 && placed->aligned_bytes >= snapshot.len / 2;
}

bool around_structure(struct arena *arena, const struct around *around, struct span snapshot,
                      struct chapter *chapter) {
    struct chapter rendered, placed;
    struct charset charset;
    struct error ignored;
    if (!around->has_page || !http_is_ok(&around->page) ||
        charset_is_binary(around->page.body, around->page.content_type))
        return false;
    struct span html =
        charset_decode(arena, around->page.body, around->page.content_type, &charset);
    if (!span_equal(structure_format(SPAN(""), html), SPAN("html")) ||
        !structure_read(arena, SPAN("html"), html, "the chapter's page", &rendered, &ignored) ||
        !structure_align(arena, &rendered, snapshot, &placed, &ignored) ||
        !is_worth_it(snapshot, &placed))
        return false;
    *chapter = placed;
    return true;
}
