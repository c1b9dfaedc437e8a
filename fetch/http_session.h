/* The inside of a session: hosts with their pace, transfers, and the jobs of one call. */
#ifndef FETCH_HTTP_SESSION_H
#define FETCH_HTTP_SESSION_H

#include "fetch/http_transfer.h"
#include "fetch/warc.h"

struct http_host {
    struct span name;
    struct http_pace pace;
    size_t active;    /* exchanges in flight */
    uint64_t next_ns; /* no start before */
    struct span down; /* why nothing more is asked of it; empty = asked */
    enum http_outcome down_outcome;
    int down_port; /* 0 = all */
    struct http_host *next;
};

struct http {
    struct arena arena; /* for what lives as long as the session */
    struct http_options options;
    struct http_limits limits;
    struct transfer_common common;
    CURLM *multi;               /* NULL where no network is allowed: offline and replay */
    struct transfer *transfers; /* (transfer_count): twice the jobs, so that new exchanges run while
                                   those that ended wait to be worked on */
    struct transfer **idle;     /* a stack of those that are free */
    size_t jobs, transfer_count, idle_count;
    struct http_host *hosts;
    uint64_t random;
    size_t asked, done;           /* requests of the session, for the progress line */
    uint64_t wire_bytes;          /* bodies as transferred */
    const char *cache;            /* folder; NULL = none */
    struct warc_archive *archive; /* that is replayed; NULL = none */
    struct warc_writer *writer;   /* NULL = nothing is archived */
};

enum job_state {
    JOB_WAITING,
    JOB_ACTIVE,
    JOB_ARRIVED, /* the exchange ended; nobody has looked at what it gave */
    JOB_DONE
};

/* One request on its way through redirects and retries. */
struct job {
    const struct http_request *request;
    struct http_result *result;
    struct url at; /* the hop that is asked now */
    struct http_host *host;
    struct transfer *transfer; /* while active or arrived */
    CURLcode code;             /* of the exchange that arrived */
    struct job *next_arrived;
    enum job_state state;
    uint64_t ready_ns, deadline_ns; /* deadline 0 = not started */
    size_t hop_capacity;
    struct http_exchange stored; /* the cache's copy of this hop */
    bool has_stored;
    bool settled; /* answered without the network: asking again gives nothing new */
};

/* One http_fetch_all. */
struct batch {
    struct http *http;
    struct arena *arena;
    struct job *jobs;
    size_t count, first_waiting, done, active;
    struct job *first_arrived, *last_arrived; /* a queue */
    bool started;                             /* something, since libcurl last worked */
    uint64_t worked_ns;                       /* when that was */
    uint64_t body_bytes;
};

struct http_host *http_host_of(struct http *http, struct span name);
/* Whether a start is allowed now; else *when gets the earliest time that is known. */
bool http_host_is_ready(const struct http_host *host, uint64_t now, uint64_t *when);
void http_host_start(struct http_host *host, uint64_t now);
void http_host_end(struct http_host *host, uint64_t now);
/* The host asked for a pause, or failed: everything for it waits until then and goes slower. */
void http_host_slow_down(struct http_host *host, uint64_t until_ns);
/* Takes over the limits that an answer's head states (x-rate-limit-*, x-ratelimit-*). */
void http_host_obey(struct http *http, struct http_host *host, struct span head);
/* Nothing more is asked of the host (at this port; 0 = at any) in this run. */
void http_host_stand_down(struct http_host *host, int port, enum http_outcome outcome,
                          struct span why);
bool http_host_is_down(const struct http_host *host, int port);
/* Whether --connect-to maps this host and port: then the user has chosen the address. */
bool http_is_mapped(const struct http *http, const struct url *url);

/* Begins a job: done at once when its URL is not fetched. */
void job_begin(struct batch *batch, struct job *job);
/* Starts the next exchange; needs an idle transfer unless the session is offline. */
void job_start(struct batch *batch, struct job *job, uint64_t now);
/* The exchange ended: its place is free for another one, its answer waits in the queue. */
void job_arrive(struct batch *batch, struct job *job, CURLcode code);
/* Takes what the first exchange of the queue gave: follows, retries, or finishes. */
void job_take_first(struct batch *batch);
/* Goes on from an exchange: follows to location, retries, or finishes. */
void job_handle(struct batch *batch, struct job *job, const struct http_exchange *exchange,
                struct span location);
/* Tells the progress how far the session is, with the URL of the job. */
void job_tell(const struct batch *batch, const struct job *job);
/* The Accept header of the request, as sent. */
struct span job_accept(const struct job *job);
/* http_stored.c: answers from the archive or, offline, the cache; false when the network may be
 * asked. */
bool job_answer_stored(struct batch *batch, struct job *job);
/* Makes the request conditional when the cache has a copy. */
void job_ask_whether_changed(struct batch *batch, struct job *job, struct transfer_request *ask);
/* Archives and caches an exchange; one that says "not modified" becomes the stored answer. */
void job_keep(struct batch *batch, struct job *job, struct http_exchange *exchange);
void job_fail(struct batch *batch, struct job *job, enum http_outcome outcome, struct span reason);

#endif
