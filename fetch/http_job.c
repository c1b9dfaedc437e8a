/* One request on its way: each answer leads to the next hop, to another try, or to the result. */
#include "fetch/http_session.h"

#include "core/clock.h"
#include "fetch/http_retry.h"

static const uint64_t ms_ns = 1000000;

void job_tell(const struct batch *batch, const struct job *job) {
    struct http *http = batch->http;
    if (http->options.progress)
        progress_step(http->options.progress, "fetch", http->done, http->asked, http->wire_bytes,
                      arena_string(batch->arena, job->result->url));
}

static void finish(struct batch *batch, struct job *job) {
    job->state = JOB_DONE;
    job->result->final_url = job->at.shown;
    batch->done++;
    batch->http->done++;
    job_tell(batch, job);
}

void job_fail(struct batch *batch, struct job *job, enum http_outcome outcome, struct span reason) {
    job->result->outcome = outcome;
    job->result->reason = arena_copy(batch->arena, reason);
    finish(batch, job);
}

void job_begin(struct batch *batch, struct job *job) {
    struct span reason;
    job->result->url = url_redact(batch->arena, job->request->url);
    if (!url_parse(batch->arena, job->request->url, &job->at, &reason)) {
        job->at.shown = job->result->url;
        job_fail(batch, job, HTTP_BAD_URL, reason);
        return;
    }
    job->host = http_host_of(batch->http, job->at.host);
}

struct span job_accept(const struct job *job) {
    return job->request->accept.len ? job->request->accept : SPAN("*/*");
}

static size_t body_limit(const struct job *job) {
    return job->request->max_bytes ? job->request->max_bytes : HTTP_LARGEST_BYTES;
}

/* Milliseconds that the next exchange may take; 0 when the request's time is over. */
static uint64_t time_left_ms(const struct http *http, struct job *job, uint64_t now) {
    if (job->deadline_ns == 0)
        job->deadline_ns = now + http->limits.request_ms * ms_ns;
    uint64_t left = job->deadline_ns > now ? (job->deadline_ns - now) / ms_ns : 0;
    return left < http->limits.exchange_ms ? left : http->limits.exchange_ms;
}

static bool same_host(const struct job *job, struct arena *arena) {
    struct url first;
    struct span reason;
    return job->result->hop_count == 0 ||
           (url_parse(arena, job->request->url, &first, &reason) &&
            span_equal(first.host, job->at.host) && first.port == job->at.port &&
            first.secure == job->at.secure);
}

void job_start(struct batch *batch, struct job *job, uint64_t now) {
    struct http *http = batch->http;
    uint64_t time_ms = time_left_ms(http, job, now);
    if (time_ms == 0) {
        job_fail(batch, job, HTTP_TIMED_OUT, SPAN("the time limit of the request was reached"));
        return;
    }
    struct transfer_request ask = {
        .url = &job->at,
        .accept = job_accept(job),
        .authorization = same_host(job, batch->arena) ? job->request->authorization : SPAN(""),
        .max_bytes = body_limit(job),
        .time_ms = time_ms,
        .private_allowed = http->options.allow_private || http_is_mapped(http, &job->at),
    };
    job_ask_whether_changed(batch, job, &ask);
    struct transfer *transfer = http->idle[--http->idle_count];
    if (!transfer_prepare(transfer, &http->common, &ask) ||
        curl_multi_add_handle(http->multi, transfer->easy) != CURLM_OK) {
        http->idle[http->idle_count++] = transfer;
        job_fail(batch, job, HTTP_NO_CONNECTION, SPAN("libcurl could not start the exchange"));
        return;
    }
    transfer->owner = job;
    job->transfer = transfer;
    job->state = JOB_ACTIVE;
    job->result->tries++;
    batch->active++;
    batch->started = true;
    http_host_start(job->host, now);
}

static void wait_until(struct batch *batch, struct job *job, uint64_t ready_ns) {
    job->state = JOB_WAITING;
    job->ready_ns = ready_ns;
    size_t index = (size_t)(job - batch->jobs);
    if (index < batch->first_waiting)
        batch->first_waiting = index;
}

/* Whether another try was arranged. *pause_s gets a Retry-After that is longer than we wait. */
static bool retry(struct batch *batch, struct job *job, const struct http_exchange *exchange,
                  uint64_t *pause_s) {
    struct http *http = batch->http;
    uint64_t now = clock_monotonic_ns(), seconds = 0;
    if (job->settled)
        return false;
    struct span after = http_head_value(exchange->head, "retry-after");
    bool asked =
        exchange->outcome == HTTP_ANSWERED &&
        http_retry_after(after, http_head_value(exchange->head, "date"), clock_now(), &seconds);
    *pause_s = asked && seconds > http->limits.retry_after_s ? seconds : 0;
    if (*pause_s || job->result->tries >= (int)http->limits.tries)
        return false;
    uint64_t wait_ms = http_backoff_ms(&http->limits, job->result->tries, &http->random);
    if (asked)
        wait_ms += seconds * 1000;
    uint64_t ready_ns = now + wait_ms * ms_ns;
    if (asked || exchange->status == 429)
        http_host_slow_down(job->host, ready_ns);
    if (ready_ns >= job->deadline_ns)
        return false;
    wait_until(batch, job, ready_ns);
    return true;
}

static void stand_down(struct http *http, struct http_host *host, int status, uint64_t pause_s) {
    http_host_stand_down(
        host, 0, HTTP_STOOD_DOWN,
        arena_printf(&http->arena,
                     "the host answered %d and asks for a pause of %llu s; it is not asked "
                     "again in this run",
                     status, (unsigned long long)pause_s));
}

/* What cannot be reached at all is not tried once for each of its pages. */
static void leave_dead_host(struct http *http, const struct job *job,
                            const struct http_exchange *exchange) {
    bool nameless = exchange->outcome == HTTP_NO_HOST;
    if (nameless || exchange->outcome == HTTP_NO_CONNECTION || exchange->outcome == HTTP_TLS)
        http_host_stand_down(job->host, nameless ? 0 : job->at.port, exchange->outcome,
                             arena_copy(&http->arena, exchange->reason));
}

static void add_hop(struct batch *batch, struct job *job, int status) {
    struct snapshot_hop hop = {job->at.shown, status};
    LIST_PUSH(batch->arena, job->result->hops, job->result->hop_count, job->hop_capacity, hop);
}

static bool was_here(const struct job *job, struct span shown) {
    for (size_t i = 0; i < job->result->hop_count; i++)
        if (span_equal(job->result->hops[i].url, shown))
            return true;
    return false;
}

static bool is_redirect(int status) {
    return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

static void follow(struct batch *batch, struct job *job, int status, struct span location) {
    struct url next;
    struct span reason;
    add_hop(batch, job, status);
    job->result->tries = 0;
    if (!url_follow(batch->arena, &job->at, location, &next, &reason)) {
        reason =
            arena_printf(batch->arena, "redirected to what is not fetched: %.*s", SPAN_ARG(reason));
        job_fail(batch, job, HTTP_REFUSED, reason);
    } else if (was_here(job, next.shown)) {
        job_fail(batch, job, HTTP_REDIRECTS, SPAN("the redirects form a loop"));
    } else if (job->result->hop_count > batch->http->limits.redirects) {
        job_fail(
            batch, job, HTTP_REDIRECTS,
            arena_printf(batch->arena, "more than %zu redirects", batch->http->limits.redirects));
    } else {
        job->at = next;
        job->host = http_host_of(batch->http, next.host);
        wait_until(batch, job, 0);
    }
}

static void fill_result(struct batch *batch, struct job *job,
                        const struct http_exchange *exchange) {
    struct http_result *result = job->result;
    result->status = exchange->status;
    result->headers = http_head_parse(batch->arena, exchange->head, &result->header_count);
    result->content_type = http_header(result, "content-type");
    result->received_at = arena_copy(batch->arena, exchange->date);
}

/* Decodes the body into the arena. */
static bool take_body(struct batch *batch, struct job *job, const struct http_exchange *exchange) {
    struct http_result *result = job->result;
    struct span body;
    if (!http_decode(batch->arena, exchange, body_limit(job), &body, &result->trailing_bytes,
                     &result->outcome, &result->reason))
        return false;
    batch->body_bytes += body.len;
    if (batch->body_bytes > batch->http->limits.batch_bytes) {
        result->outcome = HTTP_TOO_LARGE;
        result->reason = SPAN("the bodies fetched together are larger than the limit");
        return false;
    }
    result->body = body.at == exchange->payload.at ? arena_copy(batch->arena, body) : body;
    return true;
}

static void conclude(struct batch *batch, struct job *job, const struct http_exchange *exchange,
                     uint64_t pause_s) {
    struct http_result *result = job->result;
    fill_result(batch, job, exchange);
    if (pause_s)
        stand_down(batch->http, job->host, exchange->status, pause_s);
    if (take_body(batch, job, exchange)) {
        result->outcome = HTTP_ANSWERED;
        if (!http_is_ok(result))
            result->reason = arena_printf(batch->arena, "the server answered %d", result->status);
    }
    finish(batch, job);
}

void job_handle(struct batch *batch, struct job *job, const struct http_exchange *exchange,
                struct span location) {
    uint64_t pause_s = 0;
    if (exchange->outcome != HTTP_ANSWERED) {
        if (http_outcome_may_pass(exchange->outcome) && retry(batch, job, exchange, &pause_s))
            return;
        leave_dead_host(batch->http, job, exchange);
        job_fail(batch, job, exchange->outcome, exchange->reason);
    } else if (is_redirect(exchange->status) && location.len && !job->request->stay) {
        follow(batch, job, exchange->status, location);
    } else if (!http_status_may_pass(exchange->status) || !retry(batch, job, exchange, &pause_s)) {
        conclude(batch, job, exchange, pause_s);
    }
}

void job_arrive(struct batch *batch, struct job *job, CURLcode code) {
    curl_multi_remove_handle(batch->http->multi, job->transfer->easy);
    http_host_end(job->host, clock_monotonic_ns());
    batch->active--;
    job->state = JOB_ARRIVED;
    job->code = code;
    job->next_arrived = NULL;
    if (batch->first_arrived)
        batch->last_arrived->next_arrived = job;
    else
        batch->first_arrived = job;
    batch->last_arrived = job;
}

void job_take_first(struct batch *batch) {
    struct http *http = batch->http;
    struct job *job = batch->first_arrived;
    struct transfer *transfer = job->transfer;
    struct http_exchange exchange = {.url = job->at.shown, .accept = job_accept(job)};
    batch->first_arrived = job->next_arrived;
    transfer_describe(batch->arena, transfer, job->code, &exchange);
    struct span location = http_head_value(exchange.head, "location"); /* with its secrets */
    job->result->wire_bytes += exchange.payload.len;
    http->wire_bytes += exchange.payload.len;
    job_keep(batch, job, &exchange);
    if (exchange.outcome == HTTP_ANSWERED)
        http_host_obey(http, job->host, exchange.head);
    job->transfer = NULL;
    job_handle(batch, job, &exchange, location);
    transfer_shrink(transfer); /* now the exchange's bytes may go */
    http->idle[http->idle_count++] = transfer;
}
