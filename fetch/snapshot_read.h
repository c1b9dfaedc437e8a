/* The chapter's bytes: accepted as text, judged against the brief's fingerprint. */
#ifndef FETCH_SNAPSHOT_READ_H
#define FETCH_SNAPSHOT_READ_H

#include "schemas/brief.h"
#include "schemas/snapshot.h"

enum { SNAPSHOT_LARGEST_BYTES = 64 << 20 };

struct snapshot_text {
    struct span bytes; /* exactly as received */
    struct span text;  /* as UTF-8: what snapshot.txt holds and all ranges count in */
};

/* Reads --snapshot FILE or "-". A name that cannot be read, a folder, an empty or too large file is
 * ERROR_INPUT: the person named this file, so nothing else may stand in for it. */
bool snapshot_from_file(struct arena *arena, const char *path, struct snapshot *snapshot,
                        struct snapshot_text *text, struct error *error);
/* Fills bytes, sha256, charset and replaced; false, with snapshot->reason, for what is no text. */
bool snapshot_accept(struct arena *arena, struct span bytes, struct span content_type,
                     struct snapshot *snapshot, struct snapshot_text *text);
/* Falls back on the brief's excerpt because of reason: scope excerpt, or none without one. */
void snapshot_from_excerpt(struct arena *arena, const struct brief *brief, struct span reason,
                           struct snapshot *snapshot, struct snapshot_text *text);
/* Sets verdict, profile, profiles_tried and reason. pinned: a profile's name or empty. */
void snapshot_judge(struct arena *arena, const struct brief *brief, struct span pinned,
                    const struct snapshot_text *text, struct snapshot *snapshot);

#endif
