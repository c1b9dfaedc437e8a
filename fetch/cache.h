/* Answers kept from pass to pass. Bodies are files named by their SHA-256, shared by every URL that
 * gave the same bytes; an entry names the body of one question (URL and Accept). Both are checked
 * when they are read: a file that is not what its hash says counts as not there.
 *
 *     FOLDER/entries/ab/<SHA-256 of the question>   FOLDER/bodies/cd/<SHA-256 of the body> */
#ifndef FETCH_CACHE_H
#define FETCH_CACHE_H

#include "fetch/http_exchange.h"

/* The folder given, else $XDG_CACHE_HOME/assay, else ~/.cache/assay; NULL when there is no home. */
const char *cache_folder(struct arena *arena, const char *given);

enum cache_answer { CACHE_ABSENT, CACHE_FOUND, CACHE_CORRUPT };
/* Fills exchange (in the arena) but for its request. */
enum cache_answer cache_find(struct arena *arena, const char *folder, struct span url,
                             struct span accept, struct http_exchange *exchange);
/* Whether an answer may be kept: 200 or a redirect, and no Cache-Control: no-store (RFC 9111, 3),
 * no Vary: *. */
bool cache_may_keep(const struct http_exchange *exchange);
bool cache_keep(struct arena *arena, const char *folder, const struct http_exchange *exchange,
                struct error *error);

#endif
