#include "fetch/arxiv_atom.h"

#include "fetch/service.h"

#include <libxml/parser.h>
#include <libxml/tree.h>
#include <limits.h>
#include <stdint.h>

static bool is(const xmlNode *node, const char *name) {
    return node->type == XML_ELEMENT_NODE && strcmp((const char *)node->name, name) == 0;
}

static struct span content_of(struct arena *arena, xmlNode *node) {
    xmlChar *content = xmlNodeGetContent(node);
    struct span text = service_clean(arena, span_of((const char *)content));
    text = arena_copy(arena, text);
    xmlFree(content);
    return text;
}

/* "http://arxiv.org/abs/hep-th/9901001v2" -> id and version */
static void read_id(struct span url, struct arxiv_entry *entry) {
    size_t abs = span_find(url, SPAN("/abs/"), 0);
    if (abs == SIZE_MAX)
        return;
    struct span id = span_slice(url, abs + 5, url.len);
    size_t v = id.len;
    while (v > 0 && id.at[v - 1] >= '0' && id.at[v - 1] <= '9')
        v--;
    bool versioned = v > 1 && v < id.len && id.at[v - 1] == 'v';
    entry->id = span_slice(id, 0, versioned ? v - 1 : id.len);
    entry->version = versioned ? span_slice(id, v - 1, id.len) : SPAN("");
}

static void read_author(struct arena *arena, xmlNode *author, struct arxiv_entry *entry) {
    struct span family, given;
    for (xmlNode *node = author->children; node; node = node->next) {
        if (!is(node, "name"))
            continue;
        service_split_name(content_of(arena, node), &family, &given);
        entry->authors = service_add_author(arena, entry->authors, family, given);
    }
}

static const struct member {
    const char *name;
    size_t offset;
} members[] = {
    {"title", offsetof(struct arxiv_entry, title)},
    {"summary", offsetof(struct arxiv_entry, summary)},
    {"comment", offsetof(struct arxiv_entry, comment)},
    {"doi", offsetof(struct arxiv_entry, doi)},
    {"journal_ref", offsetof(struct arxiv_entry, journal)},
    {"published", offsetof(struct arxiv_entry, published)},
    {"updated", offsetof(struct arxiv_entry, updated)},
};

static const char *read_entry(struct arena *arena, xmlNode *item, struct arxiv_feed *feed) {
    struct arxiv_entry entry = {0};
    struct span url = SPAN("");
    for (xmlNode *node = item->children; node; node = node->next) {
        if (is(node, "id"))
            url = content_of(arena, node);
        if (is(node, "author"))
            read_author(arena, node, &entry);
        for (size_t i = 0; i < sizeof members / sizeof *members; i++)
            if (is(node, members[i].name))
                *(struct span *)((char *)&entry + members[i].offset) = content_of(arena, node);
    }
    if (span_find(url, SPAN("/api/errors"), 0) != SIZE_MAX ||
        (span_equal(entry.title, SPAN("Error")) && span_find(url, SPAN("/abs/"), 0) == SIZE_MAX))
        return arena_printf(arena, "arXiv answered with an error: %.*s", SPAN_ARG(entry.summary))
            .at;
    read_id(url, &entry);
    if (entry.id.len > 0)
        LIST_PUSH(arena, feed->entries, feed->count, feed->capacity, entry);
    return NULL;
}

const char *arxiv_feed_read(struct arena *arena, struct span text, struct arxiv_feed *feed) {
    const int options =
        XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING | XML_PARSE_NOCDATA;
    *feed = (struct arxiv_feed){0};
    if (text.len > INT_MAX || span_find(text, SPAN("<!ENTITY"), 0) != SIZE_MAX)
        return "the answer declares XML entities, which are not read";
    xmlDoc *document = xmlReadMemory(text.at, (int)text.len, NULL, "UTF-8", options);
    xmlNode *root = document ? xmlDocGetRootElement(document) : NULL;
    const char *fault = root && is(root, "feed") ? NULL : "the answer is no Atom feed";
    for (xmlNode *node = fault ? NULL : root->children; node && !fault; node = node->next)
        if (is(node, "entry"))
            fault = read_entry(arena, node, feed);
    xmlFreeDoc(document);
    return fault;
}
