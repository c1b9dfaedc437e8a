#include "fetch/html_node.h"

#include <stdint.h>

enum { WIDEST_SPAN = 64 };

static struct span xml_span(const xmlChar *text) {
    return text ? span_of((const char *)text) : SPAN("");
}

struct span node_attribute(const xmlNode *node, const char *name) {
    if (node->type != XML_ELEMENT_NODE)
        return SPAN("");
    for (const xmlAttr *attribute = node->properties; attribute; attribute = attribute->next)
        if (strcmp((const char *)attribute->name, name) == 0)
            return attribute->children ? xml_span(attribute->children->content) : SPAN("");
    return SPAN("");
}

static bool has_attribute(const xmlNode *node, const char *name) {
    for (const xmlAttr *attribute = node->properties; attribute; attribute = attribute->next)
        if (strcmp((const char *)attribute->name, name) == 0)
            return true;
    return false;
}

bool node_is(const xmlNode *node, const char *name) {
    return node && node->type == XML_ELEMENT_NODE && strcmp((const char *)node->name, name) == 0;
}

enum html_role node_role(const xmlNode *node) {
    return html_role_of(xml_span(node->name));
}

const xmlNode *node_next(const xmlNode *node, const xmlNode *root) {
    if (node->type == XML_ELEMENT_NODE && node->children)
        return node->children;
    while (node != root && !node->next)
        node = node->parent;
    return node == root ? NULL : node->next;
}

const xmlNode *node_find(const xmlNode *root, const char *name, size_t most) {
    for (const xmlNode *node = root; node && most > 0; node = node_next(node, root), most--)
        if (node_is(node, name))
            return node;
    return NULL;
}

const xmlNode *node_main(const xmlNode *root) {
    const xmlNode *article = NULL;
    size_t articles = 0;
    for (const xmlNode *node = root; node; node = node_next(node, root)) {
        if (node_is(node, "main") || span_equal_nocase(node_attribute(node, "role"), SPAN("main")))
            return node;
        if (node_is(node, "article") && articles++ == 0)
            article = node;
    }
    return articles == 1 ? article : NULL;
}

static bool is_page_frame(const xmlNode *node) {
    if (!node->parent || !node_is(node->parent, "body"))
        return false;
    return node_is(node, "footer") || (node_is(node, "header") && !node_find(node, "h1", SIZE_MAX));
}

bool node_is_furniture(const xmlNode *node) {
    enum html_role role = node_role(node);
    struct span classes = node_attribute(node, "class"), landmark = node_attribute(node, "role");
    if (role == HTML_SKIP || role == HTML_RAW || role == HTML_TITLE)
        return true;
    if (!node->properties)
        return is_page_frame(node);
    /* The page's own frame may carry any class; these two hold everything. */
    if (node_is(node, "body") || node_is(node, "html"))
        return false;
    return has_attribute(node, "hidden") ||
           span_equal_nocase(node_attribute(node, "aria-hidden"), SPAN("true")) ||
           html_class_is_furniture(classes) || html_class_is_note_mark(classes) ||
           html_landmark_is_furniture(landmark) || html_has_word(landmark, SPAN("doc-noteref")) ||
           html_has_word(landmark, SPAN("doc-backlink")) || is_page_frame(node);
}

bool node_is_footnotes(const xmlNode *node) {
    struct span landmark = node_attribute(node, "role");
    return html_class_is_footnotes(node_attribute(node, "class")) ||
           html_has_word(landmark, SPAN("doc-endnotes")) ||
           html_has_word(landmark, SPAN("doc-footnote"));
}

static const char *const language_prefixes[] = {"language-", "lang-", "highlight-source-",
                                                "highlight-", "sourceCode-"};

static struct span language_in(struct span classes) {
    struct span word;
    while (span_next_field(&classes, ' ', &word))
        for (size_t i = 0; i < sizeof language_prefixes / sizeof *language_prefixes; i++) {
            struct span prefix = span_of(language_prefixes[i]);
            if (span_starts_nocase(word, prefix) && word.len > prefix.len)
                return span_slice(word, prefix.len, word.len);
        }
    return SPAN("");
}

static struct span language_on(const xmlNode *node) {
    struct span named = node_attribute(node, "data-lang");
    if (named.len == 0)
        named = node_attribute(node, "data-language");
    return named.len > 0 ? named : language_in(node_attribute(node, "class"));
}

struct span node_language(const xmlNode *pre) {
    const xmlNode *code = node_find(pre, "code", 16);
    struct span named = code ? language_on(code) : SPAN("");
    const xmlNode *node = pre;
    for (int level = 0; named.len == 0 && level < 3 && node && node->type == XML_ELEMENT_NODE;
         level++, node = node->parent)
        named = language_on(node);
    return named;
}

struct span node_id(const xmlNode *node) {
    size_t most = 16;
    for (const xmlNode *at = node; at && most > 0; at = node_next(at, node), most--) {
        struct span id = node_attribute(at, "id");
        if (id.len > 0)
            return id;
    }
    return SPAN("");
}

size_t node_cell_span(const xmlNode *cell, const char *name) {
    size_t value;
    if (!span_to_size(span_trim(node_attribute(cell, name)), WIDEST_SPAN, &value) || value == 0)
        return 1;
    return value;
}
