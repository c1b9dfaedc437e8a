/* arXiv: the latest version of each paper, up to a hundred in one request (its rule is one request
 * in three seconds). max_results must be given: without it ten entries come back. A well-formed id
 * that is not known gives no entry; an error gives an entry too, with status 200. */
#include "fetch/service.h"

#include "fetch/arxiv_atom.h"

#include <stdint.h>

static struct span id_of(const struct service_item *item) {
    return service_id(item, "arxiv:");
}

static bool accepts(const struct service_item *item, const struct service_settings *settings,
                    const char **why) {
    (void)settings, (void)why;
    return id_of(item).len > 0;
}

static void ask(struct service_ask *ask) {
    struct buffer url = {0};
    buffer_printf(&url, "%.*s/api/query?id_list=", SPAN_ARG(ask->base));
    for (size_t i = 0; i < ask->count; i++)
        buffer_printf(&url, "%s%.*s", i ? "," : "",
                      SPAN_ARG(service_escape(ask->arena, id_of(ask->items[i]), "/")));
    buffer_printf(&url, "&max_results=%zu", ask->count);
    ask->request->url = arena_copy(ask->arena, buffer_span(&url));
    buffer_free(&url);
}

/* "v2" at the end of the URL under which the source is named, or the empty span. */
static struct span named_version(struct span url) {
    size_t v = url.len;
    while (v > 0 && url.at[v - 1] >= '0' && url.at[v - 1] <= '9')
        v--;
    return v > 1 && v < url.len && url.at[v - 1] == 'v' ? span_slice(url, v - 1, url.len)
                                                        : SPAN("");
}

static void note_version(struct arena *arena, const struct service_item *item,
                         const struct arxiv_entry *entry, struct service_record *record) {
    struct span named = named_version(item->source->url);
    size_t older, newer;
    if (!span_to_size(span_slice(named, 1, named.len), 999, &older) ||
        !span_to_size(span_slice(entry->version, 1, entry->version.len), 999, &newer))
        return;
    if (older < newer)
        service_note(arena, record, "later version", SEVERITY_LOW,
                     "%.*s is named; arXiv has %.*s of %.*s", SPAN_ARG(named),
                     SPAN_ARG(entry->version), SPAN_ARG(span_slice(entry->updated, 0, 10)));
    if (older > newer)
        service_note(arena, record, "phantom identifier", SEVERITY_MEDIUM,
                     "%.*s is named; the latest that arXiv has is %.*s", SPAN_ARG(named),
                     SPAN_ARG(entry->version));
}

/* arXiv has no field for a withdrawal: the comment says it, or the abstract of the last version is
 * replaced by it. */
static bool says_withdrawn(const struct arxiv_entry *entry) {
    static const char *const openings[] = {
        "This paper has been withdrawn", "This article has been withdrawn",
        "This submission has been withdrawn", "This manuscript has been withdrawn", "Withdrawn"};
    if (span_find_nocase(entry->comment, SPAN("withdrawn"), 0) != SIZE_MAX)
        return true;
    for (size_t i = 0; i < sizeof openings / sizeof *openings; i++)
        if (span_starts_nocase(entry->summary, span_of(openings[i])))
            return true;
    return false;
}

static void read_entry(struct arena *arena, const struct service_item *item,
                       const struct arxiv_entry *entry, struct service_record *record) {
    struct span said = span_find_nocase(entry->comment, SPAN("withdrawn"), 0) != SIZE_MAX
                           ? entry->comment
                           : span_slice(entry->summary, 0, 200);
    record->fields = (struct source_record){
        .identifier = arena_printf(arena, "arxiv:%.*s", SPAN_ARG(entry->id)),
        .kind = SPAN("preprint"),
        .title = entry->title,
        .authors = entry->authors,
        .venue = entry->journal.len ? entry->journal : SPAN("arXiv"),
        .year = service_year(entry->published),
        .date = span_slice(entry->published, 0, 10),
        .version = entry->version,
        .url = arena_printf(arena, "https://arxiv.org/abs/%.*s%.*s", SPAN_ARG(entry->id),
                            SPAN_ARG(entry->version)),
    };
    note_version(arena, item, entry, record);
    if (says_withdrawn(entry))
        service_note(arena, record, "withdrawn", SEVERITY_HIGH, "arXiv says: %.*s", SPAN_ARG(said));
    if (entry->doi.len > 0 || entry->journal.len > 0)
        service_note(arena, record, "published", SEVERITY_INFO,
                     "arXiv says it was published: %.*s%s%.*s", SPAN_ARG(entry->journal),
                     entry->journal.len && entry->doi.len ? ", " : "", SPAN_ARG(entry->doi));
}

static const char *read(struct service_reply *reply) {
    struct arxiv_feed feed;
    const char *fault = arxiv_feed_read(reply->arena, reply->result->body, &feed);
    for (size_t k = 0; !fault && k < feed.count; k++)
        for (size_t i = 0; i < reply->count; i++)
            if (span_equal_nocase(feed.entries[k].id, id_of(reply->items[i])))
                read_entry(reply->arena, reply->items[i], &feed.entries[k],
                           service_found(reply, i));
    return fault;
}

const struct service service_arxiv = {
    .id = "arxiv",
    .base = "https://export.arxiv.org",
    .absent = "arXiv has no paper of that id",
    .absent_kind = "phantom identifier",
    .batch = 100,
    .halves = true,
    .max_bytes = 8 << 20,
    .accepts = accepts,
    .ask = ask,
    .read = read,
};
