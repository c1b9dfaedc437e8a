/* Answers without the network, and what is kept of those that came over it. */
#include "fetch/http_session.h"

#include "fetch/cache.h"

static bool has_secret(const struct job *job) {
    return job->request->authorization.len > 0;
}

static void note_damage(struct batch *batch, const struct job *job) {
    progress_note(batch->http->options.progress, "fetch",
                  arena_printf(batch->arena, "the cache's copy of %.*s is damaged; it is not used",
                               SPAN_ARG(job->at.shown))
                      .at);
}

static bool find_in_cache(struct batch *batch, struct job *job, struct http_exchange *exchange) {
    if (has_secret(job))
        return false;
    enum cache_answer answer =
        cache_find(batch->arena, batch->http->cache, job->at.shown, job_accept(job), exchange);
    if (answer == CACHE_CORRUPT)
        note_damage(batch, job);
    return answer == CACHE_FOUND;
}

static void answer(struct batch *batch, struct job *job, enum http_origin origin,
                   const struct http_exchange *exchange) {
    job->settled = true;
    job->result->origin = origin;
    job_handle(batch, job, exchange, http_head_value(exchange->head, "location"));
}

static void replay(struct batch *batch, struct job *job) {
    struct http_exchange exchange;
    if (warc_find(batch->http->archive, job->at.shown, job_accept(job), &exchange)) {
        exchange.head = http_head_restored(batch->arena, exchange.head);
        answer(batch, job, HTTP_FROM_ARCHIVE, &exchange);
    } else {
        job_fail(batch, job, HTTP_NOT_ARCHIVED,
                 SPAN("the archive given with --replay has no such exchange"));
    }
}

static void recall(struct batch *batch, struct job *job) {
    struct http_exchange exchange;
    if (find_in_cache(batch, job, &exchange)) {
        if (batch->http->writer)
            warc_add(batch->http->writer, &exchange);
        answer(batch, job, HTTP_FROM_CACHE, &exchange);
    } else {
        job_fail(batch, job, HTTP_OFFLINE,
                 SPAN("--offline was given and no earlier copy is in the cache"));
    }
}

bool job_answer_stored(struct batch *batch, struct job *job) {
    if (batch->http->archive)
        replay(batch, job);
    else if (batch->http->options.offline)
        recall(batch, job);
    else
        return false;
    return true;
}

void job_ask_whether_changed(struct batch *batch, struct job *job, struct transfer_request *ask) {
    job->has_stored = !batch->http->options.refresh && find_in_cache(batch, job, &job->stored) &&
                      job->stored.status == 200;
    if (!job->has_stored)
        return;
    ask->if_none_match = http_head_value(job->stored.head, "etag");
    ask->if_modified_since = http_head_value(job->stored.head, "last-modified");
}

/* A cache that cannot be written is said once and then left alone: it costs time, not truth. */
static void keep(struct batch *batch, const struct job *job, const struct http_exchange *exchange) {
    struct http *http = batch->http;
    struct error error = {0};
    if (!http->cache || has_secret(job) || !cache_may_keep(exchange) ||
        cache_keep(batch->arena, http->cache, exchange, &error))
        return;
    http->cache = NULL;
    progress_note(
        http->options.progress, "fetch",
        arena_printf(batch->arena, "the cache is not used: %s: %s", error.where, error.message).at);
}

void job_keep(struct batch *batch, struct job *job, struct http_exchange *exchange) {
    struct warc_writer *writer = batch->http->writer;
    exchange->head = http_head_shown(batch->arena, exchange->head);
    if (exchange->status == 304 && job->has_stored) {
        if (writer)
            warc_add_unchanged(writer, exchange, &job->stored);
        *exchange = job->stored;
        job->result->origin = HTTP_FROM_CACHE;
        return;
    }
    job->result->origin = HTTP_FROM_NETWORK;
    if (writer)
        warc_add(writer, exchange);
    keep(batch, job, exchange);
}

size_t http_archived(const struct http *http) {
    return http->writer ? warc_count(http->writer) : 0;
}

bool http_archive(struct http *http, const char *path, struct error *error) {
    return warc_finish(http->writer, path, error);
}
