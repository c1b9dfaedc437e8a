/* Stage 1: brief -> snapshot, structure, sources, archive. The only header cli includes from here,
 * beside structure.h (for assay check) and feed.h. */
#ifndef FETCH_FETCH_H
#define FETCH_FETCH_H

#include "core/progress.h"
#include "schemas/brief.h"
#include "schemas/chapter.h"
#include "schemas/pass.h"
#include "schemas/snapshot.h"

struct fetch_options {
    const char *brief;     /* file, "-", or URL */
    const char *workspace; /* --out: passes/ and ledger/ live under it */
    const char *snapshot;  /* --snapshot: file or "-"; NULL = from the brief's URL */
    const char *cache;   /* folder of the content-addressed store; NULL = the user's cache folder */
    const char *replay;  /* --replay: archive.warc.gz; NULL = none */
    const char *profile; /* --profile: pinned normalization profile; NULL = try all */
    const char *command; /* the command line, for pass.json */
    bool offline, refresh, allow_private, allow_mismatch;
    /* tests: maps host names to a local server and trusts a test CA */
    const char *const
        *connect_to; /* "HOST:PORT:CONNECT-HOST:CONNECT-PORT", NULL-terminated or NULL */
    const char *ca_file;
    const char *contact;         /* mail address or URL for the User-Agent; NULL = none */
    const char *const *services; /* base URLs, "crossref=https://..."; NULL-terminated or NULL */
    const char *const *bibliographies; /* BibTeX files; NULL-terminated or NULL */
    int jobs;
    struct progress *progress;
};

/* Reads and parses the brief only (exit 5 cases), without touching the disk. received gets the
 * bytes as they came. */
bool fetch_brief(struct arena *arena, const struct fetch_options *options, struct span *received,
                 struct brief *brief, struct error *error);

/* The whole stage. Makes the pass directory only after the brief was accepted. Returns true also
 * when the chapter could not be read (scope excerpt or none, stage state partial); false with
 * ERROR_MISMATCH after the pass was written when the fingerprint did not match and allow_mismatch
 * is off; false with another error when no pass could be made. */
bool fetch_pass(struct arena *arena, const struct fetch_options *options, struct pass *pass,
                struct error *error);

#endif
