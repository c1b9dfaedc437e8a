/* annotations.jsonld: every claim with what was found of it, and every evidence item, as a page of
 * W3C Web Annotations (https://www.w3.org/TR/annotation-model/, 2017), so that other tools can show
 * them at their places. Positions count code points, as the model wants. */
#include "report/writers.h"

enum { CONTEXT_BYTES = 32 };

/* Code points before an offset, counted once along the text; offsets mostly grow. */
struct counter {
    struct span text;
    size_t at, points;
};

static size_t points_before(struct counter *counter, size_t offset) {
    if (offset < counter->at)
        *counter = (struct counter){.text = counter->text};
    for (; counter->at < offset && counter->at < counter->text.len; counter->at++)
        counter->points += ((unsigned char)counter->text.at[counter->at] & 0xC0) != 0x80;
    return counter->points;
}

static bool is_inside(struct span text, size_t at) {
    return at < text.len && ((unsigned char)text.at[at] & 0xC0) == 0x80;
}

static void put_quote_selector(struct json_writer *w, struct span exact, struct span prefix,
                               struct span suffix) {
    json_begin_object(w, NULL);
    json_put_string(w, "type", "TextQuoteSelector");
    json_put_text(w, "exact", exact);
    json_put_optional(w, "prefix", prefix);
    json_put_optional(w, "suffix", suffix);
    json_end_object(w);
}

static struct span chapter_source(const struct view *view) {
    return view->snapshot.final_url.len  ? view->snapshot.final_url
           : view->brief.chapter_url.len ? view->brief.chapter_url
                                         : SPAN("snapshot.txt");
}

static void put_claim_target(struct json_writer *w, const struct view *view,
                             struct counter *counter, const struct claim *c) {
    size_t from = c->start > CONTEXT_BYTES ? c->start - CONTEXT_BYTES : 0;
    size_t to = view->text.len - c->end > CONTEXT_BYTES ? c->end + CONTEXT_BYTES : view->text.len;
    while (is_inside(view->text, from))
        from++;
    while (is_inside(view->text, to))
        to--;
    json_begin_object(w, "target");
    json_put_text(w, "source", chapter_source(view));
    json_begin_array(w, "selector");
    json_begin_object(w, NULL);
    json_put_string(w, "type", "TextPositionSelector");
    json_put_size(w, "start", points_before(counter, c->start));
    json_put_size(w, "end", points_before(counter, c->end));
    json_end_object(w);
    put_quote_selector(w, c->quote, span_slice(view->text, from, c->start),
                       span_slice(view->text, c->end, to));
    json_end_array(w);
    json_end_object(w);
}

static void put_body(struct json_writer *w, const char *purpose, struct span value) {
    json_begin_object(w, NULL);
    json_put_string(w, "type", "TextualBody");
    json_put_string(w, "format", "text/plain");
    json_put_string(w, "purpose", purpose);
    json_put_text(w, "value", value);
    json_end_object(w);
}

static struct span urn(const struct view *view, struct span id) {
    return arena_printf(view->arena, "urn:assay:%.*s:%.*s", SPAN_ARG(view->pass->id), SPAN_ARG(id));
}

static void begin_annotation(struct json_writer *w, const struct view *view, struct span id,
                             const char *motivation) {
    json_begin_object(w, NULL);
    json_put_text(w, "id", urn(view, id));
    json_put_string(w, "type", "Annotation");
    json_put_string(w, "motivation", motivation);
}

static void put_claim(struct json_writer *w, const struct view *view, struct counter *counter,
                      const struct view_claim *item) {
    begin_annotation(w, view, item->claim->id, "assessing");
    json_begin_array(w, "body");
    put_body(w, "classifying", span_of(word_of(&claim_state_words, (int)item->state)));
    for (size_t i = 0; i < item->finding_count; i++)
        put_body(w, "assessing", view->findings.findings[item->findings[i]].message);
    json_end_array(w);
    put_claim_target(w, view, counter, item->claim);
    json_end_object(w);
}

static struct span source_url(const struct view *view, struct span id) {
    for (size_t i = 0; i < view->evidence.source_count; i++)
        if (span_equal(view->evidence.sources[i].id, id) && view->evidence.sources[i].url.len)
            return view->evidence.sources[i].url;
    return arena_printf(view->arena, "urn:assay:source:%.*s", SPAN_ARG(id));
}

static void put_evidence(struct json_writer *w, const struct view *view,
                         const struct ledger_evidence *e) {
    begin_annotation(w, view, e->id, "linking");
    json_begin_array(w, "body");
    json_begin_object(w, NULL);
    json_put_string(w, "type", "SpecificResource");
    json_put_text(w, "source", urn(view, e->claim.id));
    json_put_string(w, "purpose", "linking");
    json_end_object(w);
    put_body(w, "classifying", e->relation);
    if (e->note.len)
        put_body(w, "commenting", e->note);
    json_end_array(w);
    json_begin_object(w, "target");
    json_put_text(w, "source", source_url(view, e->source));
    json_begin_array(w, "selector");
    put_quote_selector(w, e->anchor.quote, e->anchor.prefix, e->anchor.suffix);
    json_end_array(w);
    json_end_object(w);
    json_end_object(w);
}

void write_annotations(struct buffer *out, const struct report_content *content) {
    const struct view *view = content->view;
    struct json_writer w = {.out = out};
    struct counter counter = {.text = view->text};
    json_begin_object(&w, NULL);
    json_put_string(&w, "@context", "http://www.w3.org/ns/anno.jsonld");
    json_put_text(&w, "id", urn(view, SPAN("annotations")));
    json_put_string(&w, "type", "AnnotationPage");
    json_begin_array(&w, "items");
    for (size_t i = 0; i < view->claims.count; i++)
        put_claim(&w, view, &counter, &view->items[i]);
    for (size_t i = 0; i < view->evidence.count; i++)
        put_evidence(&w, view, &view->evidence.items[i]);
    json_end_array(&w);
    json_end_object(&w);
    json_finish(&w);
}
