/* arXiv's search: all words anywhere in the record. */
#include "fetch/arxiv_atom.h"
#include "fetch/lead_service.h"

static void ask(struct arena *arena, struct span base, struct span text,
                struct http_request *request) {
    struct buffer query = {0};
    struct span word;
    while (span_next_field(&text, ' ', &word))
        buffer_printf(&query, "%sall:%.*s", query.len ? " AND " : "", SPAN_ARG(word));
    request->url =
        arena_printf(arena, "%.*s/api/query?start=0&max_results=5&search_query=%.*s",
                     SPAN_ARG(base), SPAN_ARG(service_escape(arena, buffer_span(&query), ":")));
    buffer_free(&query);
}

static const char *read(struct lead_hits *hits, const struct http_result *result) {
    struct arxiv_feed feed;
    const char *fault = arxiv_feed_read(hits->arena, result->body, &feed);
    for (size_t i = 0; !fault && i < feed.count; i++) {
        struct lead *lead = lead_hit_arxiv(hits, feed.entries[i].id);
        if (!lead)
            continue;
        lead->title = feed.entries[i].title;
        lead->authors = feed.entries[i].authors;
        lead->year = service_year(feed.entries[i].published);
    }
    return fault;
}

const struct lead_service lead_arxiv = {
    .id = "arxiv",
    .base = "https://export.arxiv.org",
    .words = 3,
    .most = 5,
    .ask = ask,
    .read = read,
};
