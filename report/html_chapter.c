/* The chapter as it was read, with the claims in their places. */
#include "report/html.h"
#include "report/sections.h"

#include <math.h>

struct writer_state {
    struct buffer *out;
    const struct view *view;
    size_t next; /* claims before this one begin before the current place */
};

/* Text of a block: markup is blank in the view, so runs of space mean nothing outside code. */
static void put_text(const struct writer_state *w, size_t from, size_t to, bool literal) {
    struct span text = span_slice(w->view->chapter.view, from, to);
    if (literal) {
        html_escape(w->out, text);
        return;
    }
    for (size_t i = 0; i < text.len;) {
        size_t start = i;
        while (i < text.len && text.at[i] != ' ')
            i++;
        html_escape(w->out, span_slice(text, start, i));
        if (i < text.len)
            buffer_add_byte(w->out, ' ');
        while (i < text.len && text.at[i] == ' ')
            i++;
    }
}

/* True when a refuting finding names this number as the one that breaks its law. */
static bool breaks(const struct view *view, const struct view_claim *item,
                   const struct quantity *quantity) {
    for (size_t i = 0; i < item->finding_count; i++) {
        const struct finding *finding = &view->findings.findings[item->findings[i]];
        if (finding_refutes(finding) && finding->place_count &&
            finding->places[0].start < quantity->end && quantity->start < finding->places[0].end &&
            finding->places[0].end - finding->places[0].start <
                item->claim->end - item->claim->start)
            return true;
    }
    return false;
}

static void put_title(const struct writer_state *w, const struct view_claim *item,
                      const struct quantity *quantity) {
    buffer_add_string(w->out, breaks(w->view, item, quantity) ? "<span class=\"breaks\" title=\""
                                                              : "<span title=\"");
    html_escape(w->out, quantity->printed);
    buffer_add_byte(w->out, ' ');
    html_escape(w->out, quantity->unit);
    if (quantity->per.len) {
        buffer_add_byte(w->out, '/');
        html_escape(w->out, quantity->per);
    }
    if (isfinite(quantity->lo) && isfinite(quantity->hi))
        buffer_printf(w->out, ": the printed digits stand for %.9g to %.9g", quantity->lo,
                      quantity->hi);
    buffer_add(w->out, SPAN("\">"));
}

/* A claim's text with each number explained; quantities are in order of start. */
static void put_claim_text(const struct writer_state *w, const struct view_claim *item, size_t to,
                           bool literal) {
    const struct claim *claim = item->claim;
    size_t at = claim->start;
    for (size_t i = 0; i < claim->quantity_count; i++) {
        const struct quantity *q = &w->view->claims.quantities[claim->first_quantity + i];
        if (q->start < at || q->end > to || q->end <= q->start)
            continue;
        put_text(w, at, q->start, literal);
        put_title(w, item, q);
        put_text(w, q->start, q->end, true);
        buffer_add(w->out, SPAN("</span>"));
        at = q->end;
    }
    put_text(w, at, to, literal);
}

static void put_label(const struct writer_state *w, const struct claim *claim, const char *extra) {
    buffer_add(w->out, SPAN("<a href=\"#"));
    page_anchor(w->out, claim->id);
    buffer_add(w->out, SPAN("\""));
    buffer_add_string(w->out, extra);
    buffer_add(w->out, SPAN(">"));
    html_escape(w->out, claim->label);
    buffer_add(w->out, SPAN("</a>"));
}

static const char *class_of(enum claim_state state) {
    static const char *const classes[] = {"contradicted", "concern", "open", "holds"};
    return classes[state];
}

static void put_id(const struct writer_state *w, const struct claim *claim) {
    buffer_add(w->out, SPAN(" id=\"text-"));
    page_anchor(w->out, claim->id);
    buffer_add_byte(w->out, '"');
}

/* Claims that begin inside one already marked keep a place to link to, without a mark of their own.
 */
static void put_inner(struct writer_state *w, size_t end) {
    while (w->next < w->view->claims.count && w->view->claims.claims[w->next].start < end) {
        const struct claim *claim = &w->view->claims.claims[w->next++];
        buffer_add(w->out, SPAN(" <span"));
        put_id(w, claim);
        buffer_add(w->out, SPAN(">"));
        put_label(w, claim, "");
        buffer_add(w->out, SPAN("</span>"));
    }
}

static void put_mark(struct writer_state *w, size_t end, bool literal) {
    const struct view_claim *item = &w->view->items[w->next++];
    buffer_printf(w->out, "<mark class=\"%s\"", class_of(item->state));
    put_id(w, item->claim);
    buffer_add(w->out, SPAN(">"));
    put_claim_text(w, item, end, literal);
    put_label(w, item->claim, "");
    put_inner(w, end);
    buffer_add(w->out, SPAN("</mark>"));
}

/* [from, to) with its marks. A claim that runs on into the next block is marked up to here. */
static void put_range(struct writer_state *w, size_t from, size_t to, bool literal) {
    const struct claims *claims = &w->view->claims;
    while (w->next < claims->count && claims->claims[w->next].start < from)
        w->next++;
    while (w->next < claims->count && claims->claims[w->next].start < to) {
        const struct claim *claim = &claims->claims[w->next];
        size_t end = claim->end < to ? claim->end : to;
        put_text(w, from, claim->start, literal);
        put_mark(w, end, literal);
        from = end;
    }
    put_text(w, from, to, literal);
}

static bool is_literal(enum block_kind kind) {
    return kind == BLOCK_CODE || kind == BLOCK_OUTPUT || kind == BLOCK_CONTRACT ||
           kind == BLOCK_TABLE || kind == BLOCK_TEXT;
}

static void put_block(struct writer_state *w, const struct chapter_block *block) {
    bool literal = is_literal(block->kind);
    buffer_add_string(w->out, literal                        ? "<pre>"
                              : block->kind == BLOCK_HEADING ? "<p class=\"heading\">"
                                                             : "<p>");
    put_range(w, block->start, block->end, literal);
    buffer_add_string(w->out, literal ? "</pre>\n" : "</p>\n");
}

static bool is_blank(const struct view *view, size_t from, size_t to) {
    return span_trim(span_slice(view->chapter.view, from, to)).len == 0;
}

void html_chapter(struct buffer *out, const struct view *view) {
    struct writer_state w = {.out = out, .view = view};
    size_t at = 0;
    buffer_add(out, SPAN("<div class=\"chapter\">\n"));
    for (size_t i = 0; i < view->chapter.block_count; i++) {
        const struct chapter_block *block = &view->chapter.blocks[i];
        struct chapter_block between = {.kind = BLOCK_TEXT, .start = at, .end = block->start};
        if (block->start < at || block->end <= block->start)
            continue;
        if (!is_blank(view, at, block->start))
            put_block(&w, &between);
        if (!is_blank(view, block->start, block->end))
            put_block(&w, block);
        at = block->end;
    }
    struct chapter_block rest = {.kind = BLOCK_TEXT, .start = at, .end = view->text.len};
    if (!is_blank(view, at, view->text.len))
        put_block(&w, &rest);
    buffer_add(out, SPAN("</div>\n"));
}
