/* A web page as text, and what its head says of the document. */
#include "fetch/html_node.h"
#include "fetch/html_walk.h"
#include "fetch/outline.h"
#include "fetch/source_text.h"

#include <libxml/HTMLparser.h>
#include <limits.h>
#include <stdint.h>

/* As in structure_html.c: nothing is loaded, expanded, or nested without end. */
enum {
    OPTIONS = HTML_PARSE_NONET | HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING | HTML_PARSE_RECOVER |
              HTML_PARSE_IGNORE_ENC
};

static const struct meta_rule {
    const char *name;
    size_t offset; /* of a span in struct page_facts, SIZE_MAX: none */
    bool scholarly;
} meta_rules[] = {
    {"citation_title", offsetof(struct page_facts, title), true},
    {"dc.title", offsetof(struct page_facts, title), true},
    {"og:title", offsetof(struct page_facts, title), false},
    {"citation_abstract", offsetof(struct page_facts, abstract), true},
    {"dc.description", offsetof(struct page_facts, abstract), true},
    {"dcterms.abstract", offsetof(struct page_facts, abstract), true},
    {"citation_pdf_url", offsetof(struct page_facts, pdf_url), true},
    {"citation_fulltext_html_url", offsetof(struct page_facts, full_text_url), true},
    {"citation_doi", SIZE_MAX, true},
    {"citation_author", SIZE_MAX, true},
};

static void read_meta(struct arena *arena, const xmlNode *node, struct page_facts *facts) {
    struct span name = node_attribute(node, "name"), content = node_attribute(node, "content");
    if (name.len == 0)
        name = node_attribute(node, "property");
    for (size_t i = 0; i < sizeof meta_rules / sizeof *meta_rules; i++) {
        const struct meta_rule *rule = &meta_rules[i];
        if (!span_equal_nocase(name, span_of(rule->name)))
            continue;
        facts->scholarly |= rule->scholarly;
        if (rule->offset == SIZE_MAX)
            continue;
        struct span *field = (struct span *)((char *)facts + rule->offset);
        if (field->len == 0)
            *field = outline_collapse(arena, content);
    }
}

/* arXiv's pages and many others have the abstract in an element of that class. */
static void read_abstract(struct arena *arena, const xmlNode *node, struct page_facts *facts) {
    xmlChar *content = xmlNodeGetContent(node);
    struct span text = outline_collapse(arena, span_of((const char *)content));
    if (span_starts_nocase(text, SPAN("abstract:")))
        text = span_trim(span_slice(text, 9, text.len));
    facts->abstract = text;
    xmlFree(content);
}

/* "isAccessibleForFree": false in JSON-LD (schema.org/isAccessibleForFree; also written "False").
 */
static void read_access(const xmlNode *node, struct page_facts *facts) {
    struct span key = SPAN("isAccessibleForFree");
    struct span text = span_of(node->children ? (const char *)node->children->content : "");
    size_t at = span_find(text, key, 0);
    for (; at != SIZE_MAX; at = span_find(text, key, at)) {
        at += key.len;
        while (at < text.len && text.at[at] && strchr("\": \t\r\n", text.at[at]))
            at++;
        facts->walled |= span_starts_nocase(span_slice(text, at, text.len), SPAN("false"));
    }
}

static void read_facts(struct arena *arena, const xmlNode *root, struct page_facts *facts) {
    for (const xmlNode *node = root; node; node = node_next(node, root)) {
        if (node->type != XML_ELEMENT_NODE)
            continue;
        if (node_is(node, "meta"))
            read_meta(arena, node, facts);
        else if (node_is(node, "script") &&
                 span_equal_nocase(node_attribute(node, "type"), SPAN("application/ld+json")))
            read_access(node, facts);
        else if (facts->title.len == 0 && node_is(node, "title") && node->children &&
                 node->children->content)
            facts->title = outline_collapse(arena, span_of((const char *)node->children->content));
        else if (facts->abstract.len == 0 && node_is(node, "blockquote") &&
                 span_find(node_attribute(node, "class"), SPAN("abstract"), 0) != SIZE_MAX)
            read_abstract(arena, node, facts);
    }
}

/* Headings of a paper's parts: an abstract's page has none of them but references. */
static size_t count_parts(const struct chapter *chapter) {
    static const char *const parts[] = {"introduction", "background", "related work", "method",
                                        "approach",     "experiment", "evaluation",   "results",
                                        "discussion",   "conclusion", "references"};
    size_t found = 0;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        for (size_t h = 0; h < chapter->heading_count; h++)
            if (span_find_nocase(chapter->headings[h].text, span_of(parts[i]), 0) != SIZE_MAX) {
                found++;
                break;
            }
    return found;
}

static bool keeps_lines(enum block_kind kind) {
    return kind == BLOCK_CODE || kind == BLOCK_OUTPUT || kind == BLOCK_CONTRACT ||
           kind == BLOCK_TABLE || kind == BLOCK_TEXT || kind == BLOCK_LIST;
}

static void add_block(struct arena *arena, struct buffer *out, const struct chapter_block *block,
                      struct span text) {
    size_t before = out->len;
    if (before)
        buffer_add_string(out, "\n\n");
    size_t empty = out->len;
    struct span line, rest = text;
    if (!keeps_lines(block->kind))
        buffer_add(out, outline_collapse(arena, text));
    while (keeps_lines(block->kind) && span_next_line(&rest, &line)) {
        while (line.len && (line.at[line.len - 1] == ' ' || line.at[line.len - 1] == '\r'))
            line.len--;
        if (line.len == 0 && (out->len == empty || out->at[out->len - 1] == '\n'))
            continue;
        buffer_printf(out, "%s%.*s", out->len == empty ? "" : "\n", SPAN_ARG(line));
    }
    if (out->len == empty)
        out->len = before;
}

static struct span text_of_blocks(struct arena *arena, const struct html_page *page) {
    struct buffer out = {0};
    struct span text = buffer_span(&page->text);
    for (size_t i = 0; i < page->chapter.block_count; i++) {
        const struct chapter_block *block = &page->chapter.blocks[i];
        add_block(arena, &out, block, span_slice(text, block->start, block->end));
    }
    struct span copy = arena_copy(arena, buffer_span(&out));
    buffer_free(&out);
    return copy;
}

bool source_text_of_html(struct arena *arena, struct span html, const char *where,
                         struct span *text, struct page_facts *facts, struct error *error) {
    if (html.len > INT_MAX)
        return error_set(error, ERROR_INPUT, where, "Give its text with --file FILE.",
                         "%zu bytes of HTML are more than the parser takes", html.len);
    struct html_page page = {.chapter = {.format = SPAN("html")}};
    xmlDoc *document = htmlReadMemory(html.at, (int)html.len, NULL, "UTF-8", OPTIONS);
    const xmlNode *root = document ? xmlDocGetRootElement(document) : NULL;
    *text = SPAN("");
    if (root) {
        html_walk(arena, root, &page);
        *text = text_of_blocks(arena, &page);
    }
    if (root && facts) {
        *facts = (struct page_facts){.parts = count_parts(&page.chapter)};
        read_facts(arena, root, facts);
    }
    buffer_free(&page.text);
    xmlFreeDoc(document);
    return true;
}
