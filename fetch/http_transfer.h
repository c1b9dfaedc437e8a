/* One exchange over libcurl: bounded in time, headers and body, guarded at the socket. */
#ifndef FETCH_HTTP_TRANSFER_H
#define FETCH_HTTP_TRANSFER_H

#include "fetch/http_exchange.h"
#include "fetch/http_limits.h"
#include "fetch/url.h"

#include <curl/curl.h>

/* Why we ended it ourselves. */
enum transfer_stop { STOP_NONE, STOP_ADDRESS, STOP_HEAD, STOP_BODY };

struct transfer {
    CURL *easy; /* kept from exchange to exchange */
    struct curl_slist *lines;
    struct buffer request, head, payload;
    size_t head_bytes; /* all header lines seen */
    size_t max_head_bytes, max_bytes;
    bool head_done;       /* what follows is body or trailers */
    bool private_allowed; /* for this exchange's host */
    enum transfer_stop stop;
    char address[64]; /* that was refused */
    char message[CURL_ERROR_SIZE];
    void *owner;
};

/* The same for every exchange of a session. */
struct transfer_common {
    const struct http_limits *limits;
    struct curl_slist *connect_to;
    const char *user_agent, *ca_file;
};

/* What one exchange asks for. Empty spans send no header. */
struct transfer_request {
    const struct url *url;
    struct span accept, authorization, if_none_match, if_modified_since;
    size_t max_bytes;
    uint64_t time_ms;
    bool private_allowed;
};

/* false when libcurl has no memory. */
bool transfer_prepare(struct transfer *transfer, const struct transfer_common *common,
                      const struct transfer_request *request);
/* What came of it; spans point into the transfer or the arena. */
void transfer_describe(struct arena *arena, const struct transfer *transfer, CURLcode code,
                       struct http_exchange *exchange);
/* Gives back what a large body took. */
void transfer_shrink(struct transfer *transfer);
void transfer_free(struct transfer *transfer);

#endif
