/* The chapter by its URL. */
#ifndef FETCH_SNAPSHOT_URL_H
#define FETCH_SNAPSHOT_URL_H

#include "fetch/http.h"
#include "fetch/snapshot_read.h"

/* Fetches url and fills snapshot and text: scope full, or, with snapshot->reason, the brief's
 * excerpt with what is known of the exchange. false only when interrupted. */
bool snapshot_from_url(struct arena *arena, struct http *http, const struct brief *brief,
                       struct span url, struct snapshot *snapshot, struct snapshot_text *text,
                       struct error *error);

#endif
