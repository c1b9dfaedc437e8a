#include "fetch/html_tags.h"

#include <stdlib.h>

static const struct tag {
    const char *name;
    enum html_role role;
} tags[] = {
    /* sorted by name */
    {"a", HTML_LINK},           {"address", HTML_BLOCK},
    {"article", HTML_BLOCK},    {"aside", HTML_BLOCK},
    {"blockquote", HTML_BLOCK}, {"body", HTML_BLOCK},
    {"br", HTML_BREAK},         {"button", HTML_SKIP},
    {"canvas", HTML_SKIP},      {"caption", HTML_CAPTION},
    {"center", HTML_BLOCK},     {"datalist", HTML_SKIP},
    {"dd", HTML_ITEM},          {"details", HTML_BLOCK},
    {"dialog", HTML_SKIP},      {"div", HTML_BLOCK},
    {"dl", HTML_LIST},          {"dt", HTML_ITEM},
    {"fieldset", HTML_BLOCK},   {"figcaption", HTML_CAPTION},
    {"figure", HTML_FIGURE},    {"footer", HTML_BLOCK},
    {"form", HTML_BLOCK},       {"h1", HTML_HEADING},
    {"h2", HTML_HEADING},       {"h3", HTML_HEADING},
    {"h4", HTML_HEADING},       {"h5", HTML_HEADING},
    {"h6", HTML_HEADING},       {"head", HTML_SKIP},
    {"header", HTML_BLOCK},     {"hr", HTML_BREAK},
    {"html", HTML_BLOCK},       {"iframe", HTML_SKIP},
    {"li", HTML_ITEM},          {"main", HTML_BLOCK},
    {"map", HTML_SKIP},         {"math", HTML_MATH},
    {"menu", HTML_SKIP},        {"nav", HTML_SKIP},
    {"noscript", HTML_SKIP},    {"object", HTML_SKIP},
    {"ol", HTML_LIST},          {"option", HTML_SKIP},
    {"p", HTML_BLOCK},          {"pre", HTML_PRE},
    {"script", HTML_RAW},       {"search", HTML_SKIP},
    {"section", HTML_BLOCK},    {"select", HTML_SKIP},
    {"style", HTML_RAW},        {"summary", HTML_BLOCK},
    {"svg", HTML_SKIP},         {"table", HTML_TABLE},
    {"tbody", HTML_BLOCK},      {"td", HTML_CELL},
    {"template", HTML_SKIP},    {"textarea", HTML_SKIP},
    {"tfoot", HTML_BLOCK},      {"th", HTML_CELL},
    {"thead", HTML_BLOCK},      {"title", HTML_TITLE},
    {"tr", HTML_ROW},           {"ul", HTML_LIST},
};

enum { LONGEST_NAME = 16 };

static int by_name(const void *key, const void *tag) {
    return strcmp(key, ((const struct tag *)tag)->name);
}

enum html_role html_role_of(struct span name) {
    char lower[LONGEST_NAME];
    if (name.len == 0 || name.len >= sizeof lower)
        return HTML_INLINE;
    for (size_t i = 0; i < name.len; i++)
        lower[i] = name.at[i] >= 'A' && name.at[i] <= 'Z' ? (char)(name.at[i] + 32) : name.at[i];
    lower[name.len] = '\0';
    const struct tag *tag = bsearch(lower, tags, sizeof tags / sizeof *tags, sizeof *tags, by_name);
    return tag ? tag->role : HTML_INLINE;
}

static bool next_word(struct span *rest, struct span *word) {
    *rest = span_trim(*rest);
    size_t end = 0;
    while (end < rest->len && !strchr(" \t\n\r\f", rest->at[end]))
        end++;
    *word = span_slice(*rest, 0, end);
    *rest = span_slice(*rest, end, rest->len);
    return word->len > 0;
}

bool html_has_word(struct span list, struct span word) {
    struct span found;
    while (next_word(&list, &found))
        if (span_equal_nocase(found, word))
            return true;
    return false;
}

static bool any_word(struct span list, const char *const *wanted) {
    struct span word;
    while (next_word(&list, &word))
        for (size_t i = 0; wanted[i]; i++)
            if (span_equal_nocase(word, span_of(wanted[i])))
                return true;
    return false;
}

/* Class names that site generators and highlighters use (Hugo, Sphinx, MkDocs, Jekyll, Docusaurus,
 * Chroma, Pygments, Rouge). */
static const char *const furniture[] = {"nav",
                                        "navbar",
                                        "navigation",
                                        "menu",
                                        "toc",
                                        "table-of-contents",
                                        "sidebar",
                                        "breadcrumb",
                                        "breadcrumbs",
                                        "pagination",
                                        "headerlink",
                                        "heading-anchor",
                                        "header-link",
                                        "anchor-link",
                                        "hash-link",
                                        "anchorjs-link",
                                        "skip-link",
                                        "lineno",
                                        "linenos",
                                        "linenodiv",
                                        "lnt",
                                        "ln",
                                        "gutter",
                                        "copy-button",
                                        "visually-hidden",
                                        "sr-only",
                                        NULL};
static const char *const landmarks[] = {"navigation", "search", "menu",    "menubar", "banner",
                                        "toolbar",    "dialog", "tablist", NULL};
static const char *const footnotes[] = {"footnotes", "footnote", "footnote-list", "citation-list",
                                        NULL};
static const char *const note_marks[] = {"footnote-ref",  "footnote-reference", "footnote-backref",
                                         "footnote-back", "reversefootnote",    NULL};

bool html_class_is_furniture(struct span classes) {
    return any_word(classes, furniture);
}

bool html_landmark_is_furniture(struct span role) {
    return any_word(role, landmarks);
}

bool html_class_is_footnotes(struct span classes) {
    return any_word(classes, footnotes);
}

bool html_class_is_note_mark(struct span classes) {
    return any_word(classes, note_marks);
}
