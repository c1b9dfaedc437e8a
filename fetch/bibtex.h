/* BibTeX: a strict reader of what bibliographies hold. Entries with braces or parentheses, values
 * in braces, quotes, numbers and @string names joined by '#', months predefined; @comment and
 * @preamble are passed over, text between entries too. LaTeX in values becomes Unicode: accents,
 * special letters, escapes; other commands are dropped and their arguments kept.
 * (Patashnik, "BibTeXing", 1988; biblatex's date, journaltitle, eprinttype and location fields.) */
#ifndef FETCH_BIBTEX_H
#define FETCH_BIBTEX_H

#include "core/memory.h"

struct bibtex_entry {
    struct span type, key; /* type in lower case */
    size_t start, end;     /* bytes of the text, '@' to the closing bracket */
    struct span title, venue, year, version;
    struct span authors; /* "Family, Given; Family, Given", "others" left out */
    struct span doi, arxiv, isbn, url;
};

struct bibtex {
    struct bibtex_entry *entries;
    size_t count, capacity;
    struct span *faults; /* "line 7: expected ..." */
    size_t fault_count, fault_capacity;
};

/* Reads all entries of text; one that is malformed is a fault, and reading goes on behind it. */
void bibtex_read(struct arena *arena, struct span text, struct bibtex *bibtex);

/* LaTeX as Unicode text, white space collapsed. */
struct span bibtex_plain(struct arena *arena, struct span latex);

#endif
