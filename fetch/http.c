#include "fetch/http.h"

#include "core/clock.h"
#include "core/interrupt.h"
#include "core/version.h"
#include "fetch/cache.h"
#include "fetch/http_session.h"

#include <stdlib.h>
#include <sys/random.h>

static const char *const outcome_words[] = {
    "answered",     "offline",       "not archived", "bad URL",   "refused",
    "no such host", "no connection", "TLS error",    "timed out", "cut",
    "too large",    "redirects",     "malformed",    "stood down"};
const struct word_list http_outcome_words = {outcome_words,
                                             sizeof outcome_words / sizeof *outcome_words};

bool http_is_ok(const struct http_result *result) {
    return result->outcome == HTTP_ANSWERED && result->status >= 200 && result->status < 300;
}

struct span http_header(const struct http_result *result, const char *name) {
    for (size_t i = 0; i < result->header_count; i++)
        if (span_equal(result->headers[i].name, span_of(name)))
            return result->headers[i].value;
    return SPAN("");
}

/* "assay/0.1.0 (+https://example.org)" or "(mailto:me@example.org)"; no control bytes. */
static const char *user_agent(struct arena *arena, const char *contact) {
    if (!contact || !*contact || strpbrk(contact, "\r\n"))
        return "assay/" ASSAY_VERSION;
    bool mail = strchr(contact, '@') && !url_is_http(span_of(contact));
    return arena_printf(arena, "assay/%s (%s%s)", ASSAY_VERSION, mail ? "mailto:" : "+", contact)
        .at;
}

static struct curl_slist *list_of(const char *const *entries) {
    struct curl_slist *list = NULL;
    for (; entries && *entries; entries++) {
        struct curl_slist *longer = curl_slist_append(list, *entries);
        list = longer ? longer : list;
    }
    return list;
}

static void seed(struct http *http) {
    if (getrandom(&http->random, sizeof http->random, 0) != (ssize_t)sizeof http->random)
        http->random = clock_monotonic_ns();
    http->random |= 1;
}

static void make_transfers(struct http *http) {
    http->jobs = http->options.jobs > 0 ? (size_t)http->options.jobs : HTTP_JOBS;
    http->transfer_count = http->jobs * 2;
    http->transfers = arena_array(&http->arena, http->transfer_count, sizeof *http->transfers);
    http->idle = arena_array(&http->arena, http->transfer_count, sizeof *http->idle);
    for (size_t i = 0; i < http->transfer_count; i++)
        http->idle[http->idle_count++] = &http->transfers[i];
}

struct http *http_open(const struct http_options *options, struct error *error) {
    if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) {
        error_set(error, ERROR_SYSTEM, "libcurl", "Run again.", "libcurl cannot be started");
        return NULL;
    }
    struct http *http = memory_alloc(sizeof *http);
    *http = (struct http){.options = *options, .limits = http_limits()};
    arena_init(&http->arena);
    make_transfers(http);
    seed(http);
    http->common = (struct transfer_common){
        .limits = &http->limits,
        .connect_to = list_of(options->connect_to),
        .user_agent = user_agent(&http->arena, options->contact),
        .ca_file = options->ca_file,
    };
    http->cache = cache_folder(&http->arena, options->cache);
    if ((options->replay && !(http->archive = warc_open(options->replay, error))) ||
        (options->archive && !(http->writer = warc_create(error)))) {
        http_close(http);
        return NULL;
    }
    /* The handle opens a pair of sockets to wake itself: not where no network is allowed. */
    if (options->offline || options->replay)
        return http;
    http->multi = curl_multi_init();
    if (!http->multi) {
        http_close(http);
        error_set(error, ERROR_SYSTEM, "libcurl", "Run again.", "libcurl cannot be started");
        return NULL;
    }
    curl_multi_setopt(http->multi, CURLMOPT_MAXCONNECTS, (long)http->jobs * 8);
    return http;
}

void http_close(struct http *http) {
    if (!http)
        return;
    for (size_t i = 0; i < http->transfer_count; i++)
        transfer_free(&http->transfers[i]);
    if (http->multi)
        curl_multi_cleanup(http->multi);
    curl_slist_free_all(http->common.connect_to);
    warc_close(http->archive);
    warc_free(http->writer);
    arena_free(&http->arena);
    free(http);
    curl_global_cleanup();
}

/* Starts or ends a waiting job when its time has come; false when it must wait. */
static bool advance(struct batch *batch, struct job *job, uint64_t now, uint64_t *when) {
    if (http_host_is_down(job->host, job->at.port)) {
        job_fail(batch, job, job->host->down_outcome, job->host->down);
        return true;
    }
    if (job_answer_stored(batch, job)) {
        *when = job->state == JOB_WAITING ? now : *when; /* a redirect: there is more to do */
        return true;
    }
    if (job->ready_ns > now) {
        *when = job->ready_ns < *when ? job->ready_ns : *when;
        return false;
    }
    if (!http_host_is_ready(job->host, now, when))
        return false;
    job_start(batch, job, now);
    return true;
}

/* Whether an exchange would have to wait for the end of another one, which wakes the loop. */
static bool is_full(const struct batch *batch) {
    const struct http *http = batch->http;
    bool asks_nobody = http->archive || http->options.offline;
    return !asks_nobody && (http->idle_count == 0 || batch->active >= http->jobs);
}

/* Gives every job that may go its start; returns the next moment at which one may. */
static uint64_t start_ready(struct batch *batch) {
    uint64_t now = clock_monotonic_ns(), when = UINT64_MAX;
    while (batch->first_waiting < batch->count &&
           batch->jobs[batch->first_waiting].state != JOB_WAITING)
        batch->first_waiting++;
    for (size_t i = batch->first_waiting; i < batch->count && !is_full(batch); i++)
        if (batch->jobs[i].state == JOB_WAITING)
            advance(batch, &batch->jobs[i], now, &when);
    return when;
}

static void collect(struct batch *batch) {
    int left;
    for (CURLMsg *message; (message = curl_multi_info_read(batch->http->multi, &left));) {
        if (message->msg != CURLMSG_DONE)
            continue;
        CURLcode code = message->data.result;
        struct transfer *transfer = NULL;
        curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, (char **)&transfer);
        job_arrive(batch, transfer->owner, code);
    }
}

/* Whether libcurl should look at its sockets before the next answer is taken: it asks the system
 * about every connection each time, which is more work than a short answer is. */
static bool is_time_to_perform(const struct batch *batch) {
    enum { UNWATCHED_NS = 5 * 1000 * 1000 };
    return !batch->first_arrived || batch->started ||
           clock_monotonic_ns() - batch->worked_ns > UNWATCHED_NS;
}

/* Lets libcurl work; false when some exchange ended and its place can be given away. */
static bool perform(struct batch *batch) {
    int running;
    size_t active = batch->active;
    curl_multi_perform(batch->http->multi, &running);
    collect(batch);
    batch->started = false;
    batch->worked_ns = clock_monotonic_ns();
    return batch->active == active;
}

/* Lets libcurl work, and then takes one answer or waits for the network, at most until when. One
 * at a time, so that the places of all that ended are given away first: hashing, compressing and
 * storing an answer then costs no other exchange its time. A signal is noticed in time. */
static void work(struct batch *batch, uint64_t when) {
    enum { LONGEST_WAIT_MS = 200 };
    if (is_time_to_perform(batch) && !perform(batch))
        return;
    if (batch->first_arrived) {
        job_take_first(batch);
        return;
    }
    uint64_t now = clock_monotonic_ns(), wait_ms = when > now ? (when - now) / 1000000 + 1 : 0;
    curl_multi_poll(batch->http->multi, NULL, 0,
                    wait_ms < LONGEST_WAIT_MS ? (int)wait_ms : LONGEST_WAIT_MS, NULL);
}

/* Ends what is in flight. */
static void abandon(struct batch *batch) {
    struct http *http = batch->http;
    for (size_t i = 0; i < batch->count; i++) {
        struct job *job = &batch->jobs[i];
        if (job->state != JOB_ACTIVE && job->state != JOB_ARRIVED)
            continue;
        if (job->state == JOB_ACTIVE) {
            curl_multi_remove_handle(http->multi, job->transfer->easy);
            job->host->active--;
        }
        http->idle[http->idle_count++] = job->transfer;
    }
}

bool http_fetch_all(struct http *http, struct arena *arena, const struct http_request *requests,
                    size_t count, struct http_result *results, struct error *error) {
    struct batch batch = {.http = http, .arena = arena, .count = count};
    batch.jobs = arena_array(arena, count, sizeof *batch.jobs);
    http->asked += count;
    for (size_t i = 0; i < count; i++) {
        results[i] = (struct http_result){0};
        batch.jobs[i] = (struct job){.request = &requests[i], .result = &results[i]};
        job_begin(&batch, &batch.jobs[i]);
    }
    if (batch.done < count)
        job_tell(&batch, &batch.jobs[0]);
    while (batch.done < count) {
        if (!interrupt_check("fetching", error)) {
            abandon(&batch);
            return false;
        }
        uint64_t when = start_ready(&batch);
        if (batch.done < count && http->multi)
            work(&batch, when);
    }
    return true;
}

bool http_fetch(struct http *http, struct arena *arena, const struct http_request *request,
                struct http_result *result, struct error *error) {
    return http_fetch_all(http, arena, request, 1, result, error);
}
