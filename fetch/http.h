/* HTTP(S) for everything that fetches: many requests at once, politely, within limits, guarded,
 * cached and archived. One session a pass:
 *
 *     struct http *http = http_open(&options, &error);
 *     struct http_request requests[] = {{.url = SPAN("https://example.org/a")}, ...};
 *     struct http_result results[2];
 *     http_fetch_all(http, arena, requests, 2, results, &error);
 *     if (http_is_ok(&results[0])) ... results[0].body ...
 *     http_close(http);
 *
 * A request that fails is a result with its outcome and a reason, never an error of the call. */
#ifndef FETCH_HTTP_H
#define FETCH_HTTP_H

#include "core/error.h"
#include "core/memory.h"
#include "core/progress.h"
#include "schemas/snapshot.h"

enum { HTTP_LARGEST_BYTES = 16 << 20, HTTP_JOBS = 32 };

enum http_outcome {
    HTTP_ANSWERED,      /* a final answer, of whatever status */
    HTTP_OFFLINE,       /* --offline, and the cache has no copy */
    HTTP_NOT_ARCHIVED,  /* --replay, and the archive has no such exchange */
    HTTP_BAD_URL,       /* not http(s), malformed, or with a password */
    HTTP_REFUSED,       /* an address that is not public, or a redirect to what is not fetched */
    HTTP_NO_HOST,       /* the name does not resolve */
    HTTP_NO_CONNECTION, /* nothing accepted the connection */
    HTTP_TLS,           /* the certificate or the handshake is not right */
    HTTP_TIMED_OUT,
    HTTP_CUT,       /* the connection broke before the answer was complete */
    HTTP_TOO_LARGE, /* headers, body, or decompressed body beyond the limit */
    HTTP_REDIRECTS, /* too many, or a loop */
    HTTP_MALFORMED, /* not HTTP, or an encoding that does not decode */
    HTTP_STOOD_DOWN /* the host asked for a longer pause than this run waits */
};

enum http_origin {
    HTTP_FROM_NETWORK,
    HTTP_FROM_CACHE, /* checked with the server (304) unless offline */
    HTTP_FROM_ARCHIVE
};

struct http_request {
    struct span url;
    struct span accept;        /* Accept header; empty = anything */
    struct span authorization; /* Authorization header; never recorded, never sent to another host
                                  by a redirect, and such answers are not cached */
    size_t max_bytes; /* of the body, both as sent and decompressed; 0 = HTTP_LARGEST_BYTES */
    bool stay;        /* a redirect is the answer; do not follow it */
};

/* Everything lives in the arena given to http_fetch_all. Text is as the server sent it: escape it
 * before it reaches a terminal. URLs are without credentials and secret parameters. */
struct http_result {
    enum http_outcome outcome;
    struct span reason; /* one sentence; empty for a 2xx answer */
    int status;         /* of the last answer; 0 when there was none */
    struct span url, final_url;
    struct snapshot_hop *hops; /* the redirects followed, in order: where, and the 3xx status */
    size_t hop_count;
    struct snapshot_header *headers; /* of the last answer, names in lower case */
    size_t header_count;
    struct span content_type; /* header value or empty */
    struct span body;         /* decompressed */
    struct span received_at;  /* RFC 3339: when these bytes arrived */
    enum http_origin origin;
    int tries;             /* exchanges of the last hop, retries included */
    size_t wire_bytes;     /* bodies as transferred, all exchanges of this request */
    size_t trailing_bytes; /* ignored behind the end of the compressed body */
};

struct http_options {
    const char *cache;  /* folder; NULL = the user's cache folder */
    const char *replay; /* archive.warc.gz; NULL = none */
    bool offline, refresh, allow_private;
    bool archive;                  /* keep every exchange for http_archive */
    const char *const *connect_to; /* NULL-terminated or NULL; a host mapped here may be private */
    const char *ca_file, *contact; /* may be NULL */
    int jobs;                      /* exchanges at once; 0 = HTTP_JOBS */
    struct progress *progress;
};

struct http;

/* NULL with ERROR_INPUT for a replay archive that cannot be read. Strings in options must outlive
 * the session. */
struct http *http_open(const struct http_options *options, struct error *error);
void http_close(struct http *http);

/* Fills results[0..count). false only when interrupted. */
bool http_fetch_all(struct http *http, struct arena *arena, const struct http_request *requests,
                    size_t count, struct http_result *results, struct error *error);
bool http_fetch(struct http *http, struct arena *arena, const struct http_request *request,
                struct http_result *result, struct error *error);

/* Exchanges kept so far. */
size_t http_archived(const struct http *http);
/* Writes them to path (archive.warc.gz); only for a session with the option archive. */
bool http_archive(struct http *http, const char *path, struct error *error);

/* Answered with a status from 200 to 299. */
bool http_is_ok(const struct http_result *result);
/* Value of the first header of that name (lower case), or empty. */
struct span http_header(const struct http_result *result, const char *name);
/* "answered", "timed out" ... */
extern const struct word_list http_outcome_words;

#endif
