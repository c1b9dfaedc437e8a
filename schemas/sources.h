/* sources.json (assay.sources.v1): every document outside the chapter that the brief or the text
 * names. A source that nobody opened is a lead; nothing here is evidence by itself. */
#ifndef SCHEMAS_SOURCES_H
#define SCHEMAS_SOURCES_H

#include "core/json.h"
#include "schemas/source_metadata.h"
#include "schemas/status.h"

#define SOURCES_SCHEMA "assay.sources.v1"

/* One place that names a source: bytes of snapshot.txt (in: chapter) or brief.txt (in: brief). */
struct source_place {
    struct span in;   /* brief | chapter | notebook | feed | bibliography */
    struct span part; /* heading of the brief's section, "" in the chapter */
    size_t start, end;
};

struct source {
    struct span id; /* canonical: "doi:10.1/x", "arxiv:2205.14135", "url:https://...", "isbn:..." */
    struct span label; /* "S1" in order of appearance */
    struct span kind;  /* link | doi | arxiv | repository | notebook | issue | commit | isbn | rfc |
                          package | paper ...; chapter | pack: the chapter's own pages */
    struct span url;
    struct span title, authors, venue, year, version; /* "" = UNVERIFIED */
    struct span metadata_status; /* UNVERIFIED, or "verified: <authority>, <date>" */
    enum reading_status reading;
    struct span found_in; /* brief | chapter | notebook | feed */
    size_t start, end;    /* first place in snapshot.txt or brief.txt (found_in); 0,0 when none */
    struct source_place *places; /* the first so many of them */
    size_t place_count, place_capacity;
    size_t mentions;     /* how often it is named altogether */
    struct span context; /* the line or link text it was found in */
    struct span *claims; /* ids of claims it stands near */
    size_t claim_count;
    struct span limitation;          /* why it says nothing yet: "nobody has read it" ... */
    struct span accessed_at;         /* RFC 3339, "" = never */
    int http_status;                 /* 0 = not asked */
    struct source_metadata metadata; /* what registries say */
};

struct sources {
    struct source *sources;
    size_t count, capacity;
    size_t omitted; /* further sources that were left out for their number */
};

void sources_write(struct buffer *out, const struct sources *sources);
bool sources_read(struct arena *arena, struct span json, const char *where, struct sources *sources,
                  struct error *error);

#endif
