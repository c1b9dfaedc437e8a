/* The words of a document, as plain UTF-8 text that quotes are taken from: paragraphs on lines of
 * their own with an empty line between them, code line by line, no markup, no control bytes. */
#ifndef FETCH_SOURCE_TEXT_H
#define FETCH_SOURCE_TEXT_H

#include "core/error.h"
#include "core/memory.h"

enum { SOURCE_LARGEST_BYTES = 32 << 20 };

/* What the head of a web page says of the document it shows; empty where it says nothing. */
struct page_facts {
    struct span title, abstract, pdf_url, full_text_url; /* URLs as they stand in the page */
    bool scholarly; /* it describes a paper (citation_* or Dublin Core elements) */
    bool walled;    /* it says that its text is not free to read (schema.org) */
    size_t parts;   /* headings such as Introduction, Methods, Results, References */
};

/* html | pdf | notebook | markdown | text from the content type, the name's ending, else the bytes;
 * the empty span for what is none of them (an image, an archive). */
struct span source_form(struct span content_type, struct span name, struct span bytes);
/* The text of bytes in that form; facts may be NULL. ERROR_INPUT for what is not of that form,
 * ERROR_UNAVAILABLE when the program that reads PDF is not here. where names it in messages. */
bool source_text_of(struct arena *arena, struct span form, struct span bytes,
                    struct span content_type, const char *where, struct span *text,
                    struct page_facts *facts, struct error *error);
/* Number of words: runs of letters and digits, and each character of a script without spaces. */
size_t source_words(struct span text);

/* The parts of source_text_of. */
bool source_text_of_html(struct arena *arena, struct span html, const char *where,
                         struct span *text, struct page_facts *facts, struct error *error);
/* Through pdftotext (poppler), a process of its own with limits on time, memory and output. */
bool source_text_of_pdf(struct arena *arena, struct span pdf, const char *where, struct span *text,
                        struct error *error);

#endif
