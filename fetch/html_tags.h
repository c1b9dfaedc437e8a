/* What HTML elements mean for a chapter's structure. */
#ifndef FETCH_HTML_TAGS_H
#define FETCH_HTML_TAGS_H

#include "core/span.h"

enum html_role {
    HTML_INLINE,  /* also every element not in the table */
    HTML_BLOCK,   /* starts and ends a block */
    HTML_HEADING, /* h1 to h6 */
    HTML_PRE,
    HTML_LIST,
    HTML_ITEM,
    HTML_TABLE,
    HTML_ROW,
    HTML_CELL,
    HTML_CAPTION,
    HTML_FIGURE,
    HTML_BREAK, /* br, hr */
    HTML_LINK,
    HTML_MATH,
    HTML_SKIP, /* not part of the chapter: navigation, forms, drawings */
    HTML_RAW,  /* the same, and its content is not markup: script, style */
    HTML_TITLE,
};

/* name in any case, without "<" or "/". */
enum html_role html_role_of(struct span name);
/* Whether an element with one of these class names is page furniture (menu, table of contents,
 * heading anchor, line numbers). classes is the attribute's value. */
bool html_class_is_furniture(struct span classes);
/* The same for a role attribute, and for class names that mark footnotes. */
bool html_landmark_is_furniture(struct span role);
bool html_class_is_footnotes(struct span classes);
bool html_class_is_note_mark(struct span classes);
/* Whether word is one of the space-separated words of list, in any case. */
bool html_has_word(struct span list, struct span word);

#endif
