/* The brief's bytes from where the user said: a file, standard input, or an http(s) URL. */
#ifndef FETCH_BRIEF_LOAD_H
#define FETCH_BRIEF_LOAD_H

#include "fetch/http.h"
#include "schemas/brief.h"

/* Reads and parses. What cannot be read is ERROR_INPUT: without a brief there is nothing to do. */
bool brief_load(struct arena *arena, struct http *http, const char *name, struct span *received,
                struct brief *brief, struct error *error);
/* The brief as it may be written: *received with the secrets of its URLs overwritten (same length,
 * so that offsets stay), and shown parsed from that. */
bool brief_hide_secrets(struct arena *arena, const char *name, struct span *received,
                        const struct brief *brief, struct brief *shown, struct error *error);

#endif
