#include "fetch/page_meta.h"

#include "fetch/html_node.h"
#include "fetch/service.h"

#include <libxml/HTMLparser.h>
#include <limits.h>
#include <stdint.h>

enum {
    OPTIONS = HTML_PARSE_NONET | HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING | HTML_PARSE_RECOVER |
              HTML_PARSE_IGNORE_ENC,
    JSON_LD_BYTES = 256 << 10,
};

struct page {
    struct arena *arena;
    struct page_meta *meta;
    /* (layer): the same facts from each kind of markup, the most trusted first */
    struct source_record layers[4];
};
enum { CITATION, JSON_LD, GRAPH, TITLE };
static const char *const layer_names[] = {"citation", "json-ld", "og", "title"};

static const struct meta_name {
    const char *name;
    int layer;
    size_t field; /* of struct source_record */
} meta_names[] = {
    {"citation_title", CITATION, offsetof(struct source_record, title)},
    {"citation_publication_date", CITATION, offsetof(struct source_record, date)},
    {"citation_online_date", CITATION, offsetof(struct source_record, date)},
    {"citation_date", CITATION, offsetof(struct source_record, date)},
    {"citation_year", CITATION, offsetof(struct source_record, date)},
    {"citation_journal_title", CITATION, offsetof(struct source_record, venue)},
    {"citation_conference_title", CITATION, offsetof(struct source_record, venue)},
    {"citation_publisher", CITATION, offsetof(struct source_record, venue)},
    {"dc.title", CITATION, offsetof(struct source_record, title)},
    {"dc.date", CITATION, offsetof(struct source_record, date)},
    {"og:title", GRAPH, offsetof(struct source_record, title)},
    {"og:site_name", GRAPH, offsetof(struct source_record, venue)},
    {"article:published_time", GRAPH, offsetof(struct source_record, date)},
};

static void fill(struct span *field, struct span value) {
    if (field->len == 0)
        *field = value;
}

static void read_meta(struct page *page, const xmlNode *node) {
    struct span name = node_attribute(node, "name"), content;
    if (name.len == 0)
        name = node_attribute(node, "property");
    content = service_clean(page->arena, node_attribute(node, "content"));
    if (content.len == 0)
        return;
    content = arena_copy(page->arena, content);
    for (size_t i = 0; i < sizeof meta_names / sizeof *meta_names; i++)
        if (span_equal_nocase(name, span_of(meta_names[i].name)))
            fill((struct span *)((char *)&page->layers[meta_names[i].layer] + meta_names[i].field),
                 content);
    struct span family, given, *authors = &page->layers[CITATION].authors;
    bool author = span_equal_nocase(name, SPAN("citation_author")) ||
                  span_equal_nocase(name, SPAN("dc.creator"));
    if (author || span_equal_nocase(name, SPAN("author"))) {
        authors = author ? authors : &page->layers[GRAPH].authors;
        service_split_name(content, &family, &given);
        *authors = service_add_author(page->arena, *authors, family, given);
    }
    if (span_equal_nocase(name, SPAN("citation_doi")))
        page->meta->doi = content;
    if (span_equal_nocase(name, SPAN("citation_arxiv_id")))
        page->meta->arxiv = content;
    if (span_equal_nocase(name, SPAN("article:modified_time")))
        page->meta->modified = content;
}

static bool is_article(const cJSON *type) {
    static const char *const types[] = {"Article",     "ScholarlyArticle",  "TechArticle",
                                        "NewsArticle", "BlogPosting",       "Report",
                                        "Dataset",     "SoftwareSourceCode"};
    if (cJSON_IsArray(type))
        type = type->child;
    for (size_t i = 0; cJSON_IsString(type) && i < sizeof types / sizeof *types; i++)
        if (strcmp(type->valuestring, types[i]) == 0)
            return true;
    return false;
}

/* A string, an object with a name, or a list of either. */
static struct span authors_of(struct arena *arena, const cJSON *author) {
    struct span authors = SPAN(""), family, given;
    const cJSON *one = cJSON_IsArray(author) ? author->child : author;
    for (; one; one = cJSON_IsArray(author) ? one->next : NULL) {
        struct span name =
            cJSON_IsString(one) ? span_of(one->valuestring) : json_text(arena, one, "name");
        service_split_name(name, &family, &given);
        authors = service_add_author(arena, authors, family, given);
    }
    return authors;
}

static void take_article(struct page *page, const cJSON *article) {
    struct arena *arena = page->arena;
    struct source_record *layer = &page->layers[JSON_LD];
    if (!is_article(json_member(article, "@type")) || layer->title.len > 0)
        return;
    fill(&layer->title, service_clean(arena, json_text(arena, article, "headline")));
    fill(&layer->title, service_clean(arena, json_text(arena, article, "name")));
    fill(&layer->date, json_text(arena, article, "datePublished"));
    fill(&layer->version, json_text(arena, article, "version"));
    fill(&layer->venue, json_text(arena, json_member(article, "isPartOf"), "name"));
    fill(&layer->venue, json_text(arena, json_member(article, "publisher"), "name"));
    layer->authors = authors_of(arena, json_member(article, "author"));
    fill(&page->meta->modified, json_text(arena, article, "dateModified"));
}

static void read_json_ld(struct page *page, const xmlNode *script) {
    xmlChar *content = xmlNodeGetContent(script);
    struct span text = span_of((const char *)content);
    struct error error = {0};
    cJSON *json = text.len > 0 && text.len <= JSON_LD_BYTES
                      ? json_parse(span_trim(text), "JSON-LD", &error)
                      : NULL;
    const cJSON *list = json, *one;
    if (cJSON_IsObject(json) && json_member(json, "@graph"))
        list = json_member(json, "@graph");
    if (cJSON_IsObject(list))
        take_article(page, list);
    else
        cJSON_ArrayForEach(one, list) take_article(page, one);
    cJSON_Delete(json);
    xmlFree(content);
}

/* Sphinx 7.2: <html data-content_root="../">; before: <script id="documentation_options"
 * data-url_root="../">, or an empty value at the root itself. */
static void read_docs_root(struct page *page, const xmlNode *node) {
    static const char *const names[] = {"data-content_root", "data-url_root"};
    for (size_t i = 0; i < 2; i++) {
        struct span root = node_attribute(node, names[i]);
        bool there = xmlHasProp(node, (const xmlChar *)names[i]) != NULL;
        if (there && page->meta->docs_root.len == 0)
            page->meta->docs_root = root.len ? arena_copy(page->arena, root) : SPAN("./");
    }
}

static void read_link(struct page *page, const xmlNode *node) {
    if (html_has_word(node_attribute(node, "rel"), SPAN("canonical")))
        fill(&page->meta->canonical, arena_copy(page->arena, node_attribute(node, "href")));
}

static void read_title(struct page *page, const xmlNode *node) {
    xmlChar *content = xmlNodeGetContent(node);
    struct span text = service_clean(page->arena, span_of((const char *)content));
    fill(&page->layers[TITLE].title, arena_copy(page->arena, text));
    xmlFree(content);
}

static void read_node(struct page *page, const xmlNode *node) {
    if (node->type != XML_ELEMENT_NODE)
        return;
    if (node_is(node, "meta"))
        read_meta(page, node);
    else if (node_is(node, "title"))
        read_title(page, node);
    else if (node_is(node, "link"))
        read_link(page, node);
    else if (node_is(node, "script") &&
             span_starts_nocase(node_attribute(node, "type"), SPAN("application/ld+json")))
        read_json_ld(page, node);
    if (node_is(node, "html") || node_is(node, "script"))
        read_docs_root(page, node);
}

/* Each field from the most trusted markup that has it; the kind says where the title came from. */
static void merge(struct page *page) {
    struct source_record *record = &page->meta->record;
    for (int layer = TITLE; layer >= CITATION; layer--)
        if (page->layers[layer].title.len > 0)
            record->kind = span_of(layer_names[layer]);
    for (int layer = CITATION; layer <= TITLE; layer++) {
        const struct source_record *from = &page->layers[layer];
        fill(&record->title, from->title);
        fill(&record->authors, from->authors);
        fill(&record->venue, from->venue);
        fill(&record->date, from->date);
        fill(&record->version, from->version);
    }
    record->year = service_year(record->date);
    record->identifier = page->meta->doi;
}

bool page_meta_read(struct arena *arena, struct span text, struct page_meta *meta) {
    struct page page = {.arena = arena, .meta = meta};
    *meta = (struct page_meta){0};
    if (text.len > INT_MAX || span_find_byte(text, '<', 0) == SIZE_MAX)
        return false;
    xmlDoc *document = htmlReadMemory(text.at, (int)text.len, NULL, "UTF-8", OPTIONS);
    const xmlNode *root = document ? xmlDocGetRootElement(document) : NULL;
    for (const xmlNode *node = root; node; node = node_next(node, root))
        read_node(&page, node);
    merge(&page);
    xmlFreeDoc(document);
    return root != NULL;
}
