/* One source by whatever a person calls it, and its text as it can be obtained now. */
#ifndef FETCH_SOURCE_READ_H
#define FETCH_SOURCE_READ_H

#include "fetch/fetch.h"
#include "fetch/sources_name.h"

/* A URL, a DOI ("10.1/x", "doi:10.1/x"), an arXiv id ("arXiv:2205.14135v2"), an ISBN ("isbn:..." or
 * 13 digits), "RFC 9110", or "owner/name#12". ERROR_USAGE for anything else. */
bool source_name_any(struct arena *arena, struct span text, struct source_name *name,
                     struct error *error);

struct source_text {
    bool asked; /* false: nobody answered, so nothing was learned about the source */
    enum reading_status status; /* by what was really obtained */
    struct span reason;         /* one sentence; of the failure when !asked */
    struct span text, form;     /* empty unless full text or abstract only */
    struct span from;           /* final URL, or the file's name */
    struct span original_sha256;
    size_t archived; /* exchanges written to the archive */
};

/* Asks for the full text where it is most likely to be: arXiv's HTML, then its PDF, then the
 * abstract; for a DOI the page it leads to and what that says of its PDF; else the URL itself.
 * archive: path of a WARC file for the exchanges, NULL = none. false when interrupted, or when the
 * archive cannot be written. */
bool source_text_fetch(struct arena *arena, const struct fetch_options *options,
                       const struct source_name *name, const char *archive,
                       struct source_text *text, struct error *error);
/* The same from a file that the person has. */
bool source_text_of_file(struct arena *arena, const char *path, struct source_text *text,
                         struct error *error);

#endif
