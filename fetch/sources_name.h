/* What a URL or identifier names: one id for every spelling of it (sources.json). */
#ifndef FETCH_SOURCES_NAME_H
#define FETCH_SOURCES_NAME_H

#include "core/memory.h"

struct source_name {
    struct span id;   /* "doi:10.1/x", "arxiv:2205.14135", "github:owner/name#12" ... */
    struct span kind; /* schemas/sources.h */
    struct span url;  /* where it can be looked up */
    struct span note; /* what is known to be wrong with the identifier; else empty */
};

/* An absolute http or https URL; false when it is none. */
bool source_name_url(struct arena *arena, struct span url, struct source_name *name);
/* "10.1000/X", with or without an escape; arXiv's own DOIs name the arXiv paper. */
void source_name_doi(struct arena *arena, struct span doi, struct source_name *name);
/* Length of the arXiv id at the start of text ("2205.14135v2", "hep-th/9901001"), 0 = none. */
size_t source_arxiv_length(struct span text);
void source_name_arxiv(struct arena *arena, struct span id, struct source_name *name);
/* ISBN-10 and ISBN-13 with or without hyphens; false when it has another number of digits. */
bool source_name_isbn(struct arena *arena, struct span digits, struct source_name *name);
void source_name_rfc(struct arena *arena, struct span digits, struct source_name *name);
/* "owner/name#12" */
void source_name_issue(struct arena *arena, struct span owner, struct span repository,
                       struct span number, struct source_name *name);
/* A version of a package of an index: pypi, npm, crates. */
void source_name_package(struct arena *arena, struct span index, struct span package,
                         struct span version, struct source_name *name);

#endif
