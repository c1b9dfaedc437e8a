/* Reading the words around quantities: what the prose checks share. */
#ifndef AUDIT_PROSE_H
#define AUDIT_PROSE_H

#include "audit/document.h"

/* Whole-word (letters and digits), ASCII case-insensitive; word may hold spaces. SIZE_MAX if none.
 * White space in text matches any run of white space... of length one in word. */
size_t prose_find_word(struct span text, const char *word, size_t from);
bool prose_has_word(struct span text, const char *word);
/* Whether any word of a NULL-terminated list stands in text; *found (may be NULL) gets it. */
bool prose_has_any(struct span text, const char *const *words, const char **found);
/* Where the first of them stands in text; of several at one place the first of the list. SIZE_MAX,
 * and *found untouched, where none does. One pass over text, however long the list. */
size_t prose_find_any(struct span text, const char *const *words, const char **found);
bool prose_starts_with_any(struct span text, const char *const *words, const char **found);

/* Whether the text names a row or column by its label: the whole label (case-insensitive, emphasis
 * marks left out), at least two letters or digits, at most 60 bytes. */
bool prose_has_label(struct span text, struct span label);

/* The text between two quantities (units left out), trimmed; empty when they are out of order. */
struct span prose_between(const struct document *document, size_t first, size_t second);
/* Up to so many bytes of the sentence before or behind a quantity, trimmed. */
struct span prose_before(const struct document *document, size_t quantity, size_t bytes);
struct span prose_after(const struct document *document, size_t quantity, size_t bytes);
/* End of the quantity with its unit. */
size_t prose_end(const struct quantity *q);
/* The sentence's text without markup. */
struct span prose_sentence(const struct document *document, size_t sentence);

#endif
