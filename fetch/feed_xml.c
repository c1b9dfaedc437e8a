/* RSS 0.9x to 2.0 and Atom (RFC 4287). libxml2 loads nothing from outside, expands no entity, and
 * keeps its own limits on depth and size; a document that declares entities is not read at all. */
#include "fetch/feed_entry.h"

#include <libxml/parser.h>
#include <libxml/tree.h>
#include <limits.h>
#include <stdint.h>

static struct span local_name(const xmlNode *node) {
    return node->type == XML_ELEMENT_NODE ? span_of((const char *)node->name) : SPAN("");
}

/* All text below a node, in order. */
static struct span content_of(struct arena *arena, xmlNode *node) {
    xmlChar *content = xmlNodeGetContent(node);
    struct span text = arena_copy(arena, span_of((const char *)content));
    xmlFree(content);
    return text;
}

static struct span attribute_of(struct arena *arena, xmlNode *node, const char *name) {
    xmlChar *value = xmlGetNoNsProp(node, (const xmlChar *)name);
    struct span text = value ? arena_copy(arena, span_of((const char *)value)) : SPAN("");
    xmlFree(value);
    return text;
}

static const struct member {
    const char *name;
    size_t offset;
    bool weak; /* only where nothing better was there */
} members[] = {
    {"id", offsetof(struct feed_entry, id), false},
    {"guid", offsetof(struct feed_entry, id), false},
    {"title", offsetof(struct feed_entry, title), false},
    {"pubDate", offsetof(struct feed_entry, published), false},
    {"published", offsetof(struct feed_entry, published), false},
    {"date", offsetof(struct feed_entry, published), true},
    {"updated", offsetof(struct feed_entry, updated), false},
    {"summary", offsetof(struct feed_entry, summary), false},
    {"description", offsetof(struct feed_entry, summary), false},
    {"content", offsetof(struct feed_entry, summary), true},
    {"encoded", offsetof(struct feed_entry, summary), true},
};

static void read_link(struct arena *arena, xmlNode *node, struct feed_entry *entry) {
    struct span relation = attribute_of(arena, node, "rel"), link;
    link = attribute_of(arena, node, "href");
    if (link.len == 0)
        link = content_of(arena, node);
    if (relation.len == 0 || span_equal(relation, SPAN("alternate")))
        entry->link = entry->link.len ? entry->link : link;
}

static void read_entry(struct arena *arena, xmlNode *item, struct feed *feed) {
    struct feed_entry entry = {0};
    for (xmlNode *node = item->children; node; node = node->next) {
        struct span name = local_name(node);
        if (span_equal(name, SPAN("link")))
            read_link(arena, node, &entry);
        for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
            struct span *value = (struct span *)((char *)&entry + members[i].offset);
            if (span_equal(name, span_of(members[i].name)) && (!members[i].weak || !value->len))
                *value = content_of(arena, node);
        }
    }
    /* A guid is the link unless it says otherwise (RSS 2.0). */
    if (entry.link.len == 0)
        entry.link = entry.id;
    feed_add(arena, feed, entry);
}

static void read_children(struct arena *arena, xmlNode *parent, struct feed *feed) {
    for (xmlNode *node = parent ? parent->children : NULL; node; node = node->next) {
        struct span name = local_name(node);
        if (span_equal(name, SPAN("item")) || span_equal(name, SPAN("entry")))
            read_entry(arena, node, feed);
        else if (span_equal(name, SPAN("channel")))
            read_children(arena, node, feed);
        else if (span_equal(name, SPAN("title")) && feed->title.len == 0)
            feed->title = feed_plain(arena, content_of(arena, node), 300);
    }
}

static bool refuse(const char *where, struct error *error, const char *why) {
    return error_set(error, ERROR_INPUT, where, "Give an RSS, Atom or JSON feed.", "%s", why);
}

bool feed_parse_xml(struct arena *arena, struct span text, const char *where, struct feed *feed,
                    struct error *error) {
    const int options =
        XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING | XML_PARSE_NOCDATA;
    if (span_find(text, SPAN("<!ENTITY"), 0) != SIZE_MAX)
        return refuse(where, error, "the feed declares XML entities, which are not read");
    if (text.len > INT_MAX)
        return refuse(where, error, "the feed is larger than the XML parser takes");
    xmlDoc *document = xmlReadMemory(text.at, (int)text.len, NULL, "UTF-8", options);
    xmlNode *root = document ? xmlDocGetRootElement(document) : NULL;
    struct span name = root ? local_name(root) : SPAN("");
    bool atom = span_equal(name, SPAN("feed"));
    bool known = atom || span_equal(name, SPAN("rss")) || span_equal(name, SPAN("RDF"));
    feed->format = atom ? SPAN("atom") : SPAN("rss");
    if (known)
        read_children(arena, root, feed);
    xmlFreeDoc(document);
    if (known)
        return true;
    return refuse(where, error,
                  root ? "this XML is neither RSS nor Atom" : "this is not well-formed XML");
}
