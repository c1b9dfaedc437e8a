#include "fetch/snapshot_url.h"

static struct span origin_of(const struct http_result *result) {
    return result->origin == HTTP_FROM_CACHE     ? SPAN("cache")
           : result->origin == HTTP_FROM_ARCHIVE ? SPAN("archive")
                                                 : SPAN("url");
}

static void describe(struct snapshot *snapshot, const struct http_result *result) {
    snapshot->origin = origin_of(result);
    snapshot->requested_url = result->url;
    snapshot->final_url = result->final_url;
    snapshot->http_status = result->status;
    snapshot->headers = result->headers;
    snapshot->header_count = result->header_count;
    snapshot->redirects = result->hops;
    snapshot->redirect_count = result->hop_count;
    snapshot->received_at = result->received_at;
}

static struct span why_not(struct arena *arena, const struct http_result *result,
                           const struct snapshot *snapshot) {
    struct span why = result->reason.len ? result->reason : snapshot->reason;
    return arena_printf(arena, "the chapter could not be read from %.*s: %.*s",
                        SPAN_ARG(result->url), SPAN_ARG(why));
}

bool snapshot_from_url(struct arena *arena, struct http *http, const struct brief *brief,
                       struct span url, struct snapshot *snapshot, struct snapshot_text *text,
                       struct error *error) {
    static const char accept[] = "text/plain, text/markdown, text/html;q=0.9, */*;q=0.5";
    struct http_request request = {
        .url = url, .accept = span_of(accept), .max_bytes = SNAPSHOT_LARGEST_BYTES};
    struct http_result result;
    if (!http_fetch(http, arena, &request, &result, error))
        return false;
    describe(snapshot, &result);
    if (http_is_ok(&result) &&
        snapshot_accept(arena, result.body, result.content_type, snapshot, text))
        return true;
    struct span reason = why_not(arena, &result, snapshot);
    snapshot_from_excerpt(arena, brief, reason, snapshot, text);
    return true;
}
