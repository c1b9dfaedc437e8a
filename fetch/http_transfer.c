#include "fetch/http_transfer.h"

#include "core/clock.h"
#include "fetch/address.h"

#include <sys/socket.h>
#include <unistd.h>

static bool take_header(struct transfer *transfer, struct span line) {
    transfer->head_bytes += line.len;
    if (transfer->head_bytes > transfer->max_head_bytes) {
        transfer->stop = STOP_HEAD;
        return false;
    }
    if (span_starts(line, SPAN("HTTP/"))) { /* a new head: what came before was interim */
        buffer_clear(&transfer->head);
        transfer->head_done = false;
    }
    if (!transfer->head_done) /* else a trailer */
        buffer_add(&transfer->head, line);
    if (span_trim(line).len == 0)
        transfer->head_done = true;
    return true;
}

static size_t on_header(char *at, size_t size, size_t count, void *context) {
    return take_header(context, span_make(at, size * count)) ? size * count : 0;
}

static size_t on_body(char *at, size_t size, size_t count, void *context) {
    struct transfer *transfer = context;
    size_t bytes = size * count;
    if (bytes > transfer->max_bytes - transfer->payload.len) {
        transfer->stop = STOP_BODY;
        return 0;
    }
    buffer_add(&transfer->payload, span_make(at, bytes));
    return bytes;
}

/* The request as sent, without its authorization. */
static int on_debug(CURL *easy, curl_infotype kind, char *at, size_t len, void *context) {
    struct transfer *transfer = context;
    struct span rest = span_make(at, len), line;
    (void)easy;
    if (kind != CURLINFO_HEADER_OUT)
        return 0;
    buffer_clear(&transfer->request);
    while (span_next_line(&rest, &line)) {
        if (span_starts_nocase(line, SPAN("authorization:")))
            continue;
        buffer_add(&transfer->request, line);
        buffer_add(&transfer->request, SPAN("\r\n"));
    }
    return 0;
}

/* Every connection is opened here, so every address is judged after name resolution and the one
 * that is judged is the one that is used. */
static curl_socket_t on_socket(void *context, curlsocktype purpose, struct curl_sockaddr *to) {
    struct transfer *transfer = context;
    (void)purpose;
    if (!transfer->private_allowed && !address_is_public(&to->addr)) {
        struct arena arena;
        arena_init(&arena);
        transfer->stop = STOP_ADDRESS;
        snprintf(transfer->address, sizeof transfer->address, "%s",
                 address_text(&arena, &to->addr).at);
        arena_free(&arena);
        return CURL_SOCKET_BAD;
    }
    return socket(to->family, to->socktype | SOCK_CLOEXEC, to->protocol);
}

static void add_line(struct transfer *transfer, const char *name, struct span value) {
    if (value.len == 0)
        return;
    struct buffer line = {0};
    buffer_printf(&line, "%s: %.*s", name, SPAN_ARG(value));
    /* A validator from a server must not smuggle a header of its own. */
    bool clean = !strpbrk(line.at, "\r\n");
    struct curl_slist *longer = clean ? curl_slist_append(transfer->lines, line.at) : NULL;
    transfer->lines = longer ? longer : transfer->lines;
    buffer_free(&line);
}

static void set_lines(struct transfer *transfer, const struct transfer_request *request) {
    curl_slist_free_all(transfer->lines);
    transfer->lines = NULL;
    add_line(transfer, "Accept", request->accept);
    add_line(transfer, "Accept-Encoding", SPAN("gzip, deflate, br"));
    add_line(transfer, "Authorization", request->authorization);
    add_line(transfer, "If-None-Match", request->if_none_match);
    add_line(transfer, "If-Modified-Since", request->if_modified_since);
    curl_easy_setopt(transfer->easy, CURLOPT_HTTPHEADER, transfer->lines);
}

static void set_callbacks(struct transfer *transfer) {
    CURL *easy = transfer->easy;
    curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, on_header);
    curl_easy_setopt(easy, CURLOPT_HEADERDATA, transfer);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, on_body);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, transfer);
    curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, on_socket);
    curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, transfer);
    curl_easy_setopt(easy, CURLOPT_DEBUGFUNCTION, on_debug);
    curl_easy_setopt(easy, CURLOPT_DEBUGDATA, transfer);
    curl_easy_setopt(easy, CURLOPT_VERBOSE, 1L);
    curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, transfer->message);
    curl_easy_setopt(easy, CURLOPT_PRIVATE, transfer);
}

static void set_limits(CURL *easy, const struct http_limits *limits, uint64_t time_ms) {
    enum { STALL_BYTES_A_SECOND = 16 };
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, (long)limits->connect_ms);
    curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, (long)time_ms);
    curl_easy_setopt(easy, CURLOPT_LOW_SPEED_LIMIT, (long)STALL_BYTES_A_SECOND);
    curl_easy_setopt(easy, CURLOPT_LOW_SPEED_TIME, (long)(limits->stall_ms + 999) / 1000);
}

/* No proxy from the environment: the guard must see the address that is really asked. */
static void set_protocol(CURL *easy, const struct transfer_common *common, const struct url *url) {
    curl_easy_setopt(easy, CURLOPT_URL, url->text.at);
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(easy, CURLOPT_PROXY, "");
    curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_2TLS);
    curl_easy_setopt(easy, CURLOPT_PIPEWAIT, url->secure ? 1L : 0L);
    curl_easy_setopt(easy, CURLOPT_USERAGENT, common->user_agent);
    curl_easy_setopt(easy, CURLOPT_CONNECT_TO, common->connect_to);
    if (common->ca_file)
        curl_easy_setopt(easy, CURLOPT_CAINFO, common->ca_file);
}

bool transfer_prepare(struct transfer *transfer, const struct transfer_common *common,
                      const struct transfer_request *request) {
    if (!transfer->easy && !(transfer->easy = curl_easy_init()))
        return false;
    curl_easy_reset(transfer->easy);
    buffer_clear(&transfer->request);
    buffer_clear(&transfer->head);
    buffer_clear(&transfer->payload);
    transfer->head_bytes = 0;
    transfer->head_done = false;
    transfer->stop = STOP_NONE;
    transfer->message[0] = '\0';
    transfer->max_head_bytes = common->limits->head_bytes;
    transfer->max_bytes = request->max_bytes;
    transfer->private_allowed = request->private_allowed;
    set_callbacks(transfer);
    set_limits(transfer->easy, common->limits, request->time_ms);
    set_protocol(transfer->easy, common, request->url);
    set_lines(transfer, request);
    return true;
}

static const struct code_meaning {
    CURLcode code;
    enum http_outcome outcome;
    const char *reason;
} meanings[] = {
    {CURLE_URL_MALFORMAT, HTTP_BAD_URL, "the URL is not valid"},
    {CURLE_COULDNT_RESOLVE_HOST, HTTP_NO_HOST, "the host name does not resolve"},
    {CURLE_COULDNT_CONNECT, HTTP_NO_CONNECTION, "no connection to the host"},
    {CURLE_OPERATION_TIMEDOUT, HTTP_TIMED_OUT, "the time limit was reached"},
    {CURLE_SEND_ERROR, HTTP_CUT, "the connection broke while asking"},
    {CURLE_RECV_ERROR, HTTP_CUT, "the connection broke before the answer was complete"},
    {CURLE_GOT_NOTHING, HTTP_CUT, "the connection closed without an answer"},
    {CURLE_PARTIAL_FILE, HTTP_CUT, "the body is shorter than its announced length"},
    {CURLE_HTTP2, HTTP_CUT, "the HTTP/2 connection broke"},
    {CURLE_HTTP2_STREAM, HTTP_CUT, "the HTTP/2 stream broke"},
    {CURLE_SSL_CONNECT_ERROR, HTTP_TLS, "the TLS handshake failed"},
    {CURLE_PEER_FAILED_VERIFICATION, HTTP_TLS, "the certificate is not valid for this host"},
    {CURLE_SSL_CACERT_BADFILE, HTTP_TLS, "the file of trusted certificates cannot be read"},
    {CURLE_SSL_CERTPROBLEM, HTTP_TLS, "the certificate is not right"},
    {CURLE_SSL_CIPHER, HTTP_TLS, "no common TLS cipher"},
    {CURLE_WEIRD_SERVER_REPLY, HTTP_MALFORMED, "the answer is not HTTP"},
    {CURLE_UNSUPPORTED_PROTOCOL, HTTP_MALFORMED, "the answer is not HTTP"},
    {CURLE_BAD_CONTENT_ENCODING, HTTP_MALFORMED, "the answer's transfer coding is not right"},
    {CURLE_FILESIZE_EXCEEDED, HTTP_TOO_LARGE, "the body is larger than the limit"},
};

static const struct code_meaning *meaning_of(CURLcode code) {
    static const struct code_meaning other = {CURLE_OK, HTTP_MALFORMED, "the answer is not right"};
    for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++)
        if (meanings[i].code == code)
            return &meanings[i];
    return &other;
}

static bool describe_stop(struct arena *arena, const struct transfer *transfer, CURLcode code,
                          struct http_exchange *exchange) {
    /* libcurl 7.88 reports a header line beyond its own 100 kB as exhausted memory. */
    bool line_too_long = code == CURLE_OUT_OF_MEMORY && !transfer->head_done;
    if (transfer->stop == STOP_ADDRESS && code == CURLE_COULDNT_CONNECT) {
        exchange->outcome = HTTP_REFUSED;
        exchange->reason =
            arena_printf(arena, "the host's address %s is not public (--allow-private permits it)",
                         transfer->address);
    } else if (transfer->stop == STOP_HEAD || line_too_long) {
        exchange->outcome = HTTP_TOO_LARGE;
        exchange->reason =
            arena_printf(arena, "the answer's headers are larger than the limit of %zu bytes",
                         transfer->max_head_bytes);
    } else if (transfer->stop == STOP_BODY) {
        exchange->outcome = HTTP_TOO_LARGE;
        exchange->reason = arena_printf(arena, "the body is larger than the limit of %zu bytes",
                                        transfer->max_bytes);
    } else {
        return false;
    }
    return true;
}

/* libcurl gives a chunk size that is none the same code as a broken connection. */
static CURLcode sharpen(const struct transfer *transfer, CURLcode code) {
    bool chunk = code == CURLE_RECV_ERROR && strstr(transfer->message, "chunked-encoding");
    return chunk ? CURLE_BAD_CONTENT_ENCODING : code;
}

/* libcurl's own words say more; they may quote the server, which the receiver escapes. */
static void describe_code(struct arena *arena, const struct transfer *transfer, CURLcode code,
                          struct http_exchange *exchange) {
    const struct code_meaning *meaning = meaning_of(sharpen(transfer, code));
    exchange->outcome = meaning->outcome;
    bool certificate = meaning->outcome == HTTP_TLS || meaning == meaning_of(CURLE_OK);
    exchange->reason = certificate && transfer->message[0]
                           ? arena_printf(arena, "%s: %s", meaning->reason, transfer->message)
                           : span_of(meaning->reason);
}

void transfer_describe(struct arena *arena, const struct transfer *transfer, CURLcode code,
                       struct http_exchange *exchange) {
    long version = 0;
    curl_easy_getinfo(transfer->easy, CURLINFO_HTTP_VERSION, &version);
    exchange->request = buffer_span(&transfer->request);
    exchange->head = buffer_span(&transfer->head);
    exchange->payload = buffer_span(&transfer->payload);
    exchange->protocol = version == CURL_HTTP_VERSION_2_0 ? SPAN("h2") : SPAN("http/1.1");
    exchange->date = clock_rfc3339(arena, clock_now());
    exchange->status = http_head_status(exchange->head);
    exchange->outcome = HTTP_ANSWERED;
    exchange->reason = SPAN("");
    if (code == CURLE_OK && exchange->status >= 200 && transfer->head_done)
        return;
    /* libcurl takes the end of the connection for the end of the headers. */
    if (code == CURLE_OK && !transfer->head_done)
        code = CURLE_RECV_ERROR;
    if (!describe_stop(arena, transfer, code, exchange))
        describe_code(arena, transfer, code, exchange);
}

void transfer_shrink(struct transfer *transfer) {
    enum { KEPT_BYTES = 1 << 20 };
    if (transfer->payload.capacity > KEPT_BYTES)
        buffer_free(&transfer->payload);
}

void transfer_free(struct transfer *transfer) {
    curl_easy_cleanup(transfer->easy);
    curl_slist_free_all(transfer->lines);
    buffer_free(&transfer->request);
    buffer_free(&transfer->head);
    buffer_free(&transfer->payload);
}
