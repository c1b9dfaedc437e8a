/* snapshot.json (assay.snapshot.v1): what was read, how, when, and whether it is the text the brief
 * means. Written by fetch. */
#ifndef SCHEMAS_SNAPSHOT_H
#define SCHEMAS_SNAPSHOT_H

#include "core/json.h"
#include "schemas/status.h"

#define SNAPSHOT_SCHEMA "assay.snapshot.v1"

struct snapshot_header {
    struct span name, value;
};

struct snapshot_hop {
    struct span url;
    int status;
};

/* A claim of the last known pass that a change touches. */
struct snapshot_claim {
    struct span id, label, quote;
};

/* One block that differs from the last known snapshot. Ranges are bytes in the old and new text;
 * where one has no such block its range is empty and stands where the block would. */
struct snapshot_change {
    struct span kind; /* added | removed | edited */
    size_t old_start, old_end, new_start, new_end;
    struct span diff; /* word-level, "[-old-]{+new+}" */
    struct snapshot_claim *claims;
    size_t claim_count;
};

struct snapshot {
    struct span origin; /* url | file | stdin | excerpt | cache | archive | document */
    struct span scope;  /* full | excerpt | none */
    struct span requested_url, final_url, file_name;
    int http_status; /* 0 when no HTTP exchange answered */
    struct snapshot_header *headers;
    size_t header_count;
    struct snapshot_hop *redirects;
    size_t redirect_count;
    struct span received_at; /* RFC 3339; when the bytes arrived here */
    size_t bytes;            /* of snapshot.txt */
    struct span sha256;      /* of snapshot.txt as stored */
    struct span charset;     /* as declared or detected before conversion to UTF-8 */
    size_t replaced;         /* invalid parts written as U+FFFD */
    enum fingerprint_verdict verdict;
    struct span expected;       /* the brief's fingerprint or empty */
    struct span profile;        /* the profile that matched, or empty */
    struct span profiles_tried; /* comma-separated names */
    struct span reason; /* why UNVERIFIED or MISMATCH, in one sentence; why it was not read */
    struct span previous_sha256; /* the last known snapshot's; empty when none is known */
    struct span previous_pass;   /* id of the pass that holds it */
    struct snapshot_change *changes;
    size_t change_count;
    size_t changes_left_out; /* further ones that were left out for their number */
    struct span pack_note; /* comparison with the research pack: "same", "older than its pack: ...",
                              or why not compared */
};

void snapshot_write(struct buffer *out, const struct snapshot *snapshot);
bool snapshot_read(struct arena *arena, struct span json, const char *where,
                   struct snapshot *snapshot, struct error *error);

#endif
