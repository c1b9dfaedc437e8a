/* URLs as names of documents: their parts (RFC 3986), one spelling for those that name the same
 * document, and where the file behind a viewer's page is. No network. */
#ifndef FETCH_URL_MAP_H
#define FETCH_URL_MAP_H

#include "core/memory.h"

/* Parts of an absolute http or https URL, without their delimiters; spans into it. */
struct url_parts {
    struct span scheme, host, port, path, query, fragment; /* user and password are left out */
};

/* False for everything that is not http://HOST... or https://HOST... */
bool url_split(struct span text, struct url_parts *parts);
/* The spelling under which two URLs of one document are equal: https, host in lower case, no user,
 * default port, fragment or tracking parameters, %41 decoded where that changes nothing. Empty for
 * what url_split refuses. Only for comparison: a server may answer differently. */
struct span url_canonical(struct arena *arena, struct span url);
/* The same document as one can ask for it: scheme and the rest kept, user, fragment and tracking
 * parameters gone. */
struct span url_clean(struct arena *arena, struct span url);
/* reference against base (RFC 3986, 5.2.2); empty when the result is no http or https URL. */
struct span url_resolve(struct arena *arena, struct span base, struct span reference);

/* A file in a repository on GitHub, by whichever page shows it (github.com/blob and /raw,
 * raw.githubusercontent.com, Colab, nbviewer). ref may hold a branch name of one segment only. */
struct url_repository_file {
    struct span owner, repository, ref, path;
};

bool url_is_repository_file(struct span url, struct url_repository_file *file);
/* Where the bytes that a page shows can be had: the raw file for a page of a repository file, the
 * URL itself, cleaned, for all others. */
struct span url_raw(struct arena *arena, struct span url);
/* Whether the host is a name or address of the writer's own machine or network. */
bool url_is_local(struct span host);

#endif
