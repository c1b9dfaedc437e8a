/* Fetches the URLs on standard input, one a line, all at once, and prints one JSON line for each in
 * the same order: the transport of `assay fetch` without a brief, for tests and measurements.
 *
 *     fetch_urls [--cacert F] [--cache DIR] [--replay F] [--offline] [--refresh] [--allow-private]
 *                [--jobs N] [--max-bytes N] [--accept A] [--authorization A] [--stay]
 *                [--connect-to H:P:H2:P2]... [--quiet] [--archive F] */
#include "core/hash.h"
#include "core/interrupt.h"
#include "core/json.h"
#include "fetch/http.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_MAPS = 64 };

struct settings {
    struct http_options http;
    struct http_request request; /* what all have in common */
    const char *maps[MOST_MAPS + 1];
    const char *archive; /* where to write the archive; NULL = nowhere */
    bool quiet;          /* only a last line with counts */
};

static const struct option long_options[] = {
    {"cacert", required_argument, NULL, 'a'},
    {"cache", required_argument, NULL, 'c'},
    {"replay", required_argument, NULL, 'r'},
    {"offline", no_argument, NULL, 'o'},
    {"refresh", no_argument, NULL, 'f'},
    {"allow-private", no_argument, NULL, 'p'},
    {"jobs", required_argument, NULL, 'j'},
    {"max-bytes", required_argument, NULL, 'm'},
    {"accept", required_argument, NULL, 'A'},
    {"authorization", required_argument, NULL, 'U'},
    {"stay", no_argument, NULL, 's'},
    {"connect-to", required_argument, NULL, 't'},
    {"archive", required_argument, NULL, 'w'},
    {"quiet", no_argument, NULL, 'q'},
    {0},
};

static bool take_option(struct settings *to, int option, const char *value) {
    size_t map = 0;
    switch (option) {
    case 'a':
        to->http.ca_file = value;
        return true;
    case 'c':
        to->http.cache = value;
        return true;
    case 'r':
        to->http.replay = value;
        return true;
    case 'o':
        to->http.offline = true;
        return true;
    case 'f':
        to->http.refresh = true;
        return true;
    case 'p':
        to->http.allow_private = true;
        return true;
    case 'j':
        to->http.jobs = atoi(value);
        return true;
    case 'm':
        to->request.max_bytes = strtoul(value, NULL, 10);
        return true;
    case 'A':
        to->request.accept = span_of(value);
        return true;
    case 'U':
        to->request.authorization = span_of(value);
        return true;
    case 's':
        to->request.stay = true;
        return true;
    case 'w':
        to->archive = value;
        to->http.archive = true;
        return true;
    case 'q':
        to->quiet = true;
        return true;
    case 't':
        while (map < MOST_MAPS && to->maps[map])
            map++;
        to->maps[map < MOST_MAPS ? map : 0] = value;
        return map < MOST_MAPS;
    default:
        return false;
    }
}

static struct http_request *read_urls(struct arena *arena, const struct http_request *common,
                                      size_t *count) {
    struct http_request *requests = NULL;
    size_t capacity = 0, room = 0;
    char *line = NULL;
    *count = 0;
    for (ssize_t got; (got = getline(&line, &room, stdin)) > 0;) {
        struct http_request request = *common;
        request.url = arena_copy(arena, span_trim(span_make(line, (size_t)got)));
        LIST_PUSH(arena, requests, *count, capacity, request);
    }
    free(line);
    return requests;
}

static const char *const origin_words[] = {"network", "cache", "archive"};

static void put_hops(struct json_writer *w, const struct http_result *result) {
    json_begin_array(w, "hops");
    for (size_t i = 0; i < result->hop_count; i++) {
        json_begin_object(w, NULL);
        json_put_text(w, "url", result->hops[i].url);
        json_put_size(w, "status", (size_t)result->hops[i].status);
        json_end_object(w);
    }
    json_end_array(w);
}

static void print_result(struct arena *arena, const struct http_result *result) {
    struct buffer out = {0};
    struct json_writer w = {.out = &out, .compact = true};
    json_begin_object(&w, NULL);
    json_put_text(&w, "url", result->url);
    json_put_text(&w, "final_url", result->final_url);
    json_put_string(&w, "outcome", word_of(&http_outcome_words, (int)result->outcome));
    json_put_text(&w, "reason", result->reason);
    json_put_size(&w, "status", (size_t)result->status);
    put_hops(&w, result);
    json_put_text(&w, "content_type", result->content_type);
    json_put_string(&w, "origin", origin_words[result->origin]);
    json_put_text(&w, "received_at", result->received_at);
    json_put_size(&w, "tries", (size_t)result->tries);
    json_put_size(&w, "wire_bytes", result->wire_bytes);
    json_put_size(&w, "trailing_bytes", result->trailing_bytes);
    json_put_size(&w, "bytes", result->body.len);
    json_put_text(&w, "sha256", sha256_hex(arena, result->body));
    json_end_object(&w);
    json_finish(&w);
    fwrite(out.at, 1, out.len, stdout);
    buffer_free(&out);
}

static void print_counts(const struct http_result *results, size_t count) {
    size_t ok = 0, bytes = 0, wire = 0;
    for (size_t i = 0; i < count; i++) {
        ok += http_is_ok(&results[i]);
        bytes += results[i].body.len;
        wire += results[i].wire_bytes;
    }
    printf("{\"count\":%zu,\"ok\":%zu,\"bytes\":%zu,\"wire_bytes\":%zu}\n", count, ok, bytes, wire);
}

static bool run(struct arena *arena, struct settings *settings, struct error *error) {
    size_t count;
    struct http_request *requests = read_urls(arena, &settings->request, &count);
    struct http_result *results = arena_array(arena, count, sizeof *results);
    struct http *http = http_open(&settings->http, error);
    bool ok = http && http_fetch_all(http, arena, requests, count, results, error);
    for (size_t i = 0; ok && !settings->quiet && i < count; i++)
        print_result(arena, &results[i]);
    if (ok && settings->quiet)
        print_counts(results, count);
    if (ok && settings->archive)
        ok = http_archive(http, settings->archive, error);
    http_close(http);
    return ok;
}

int main(int argc, char **argv) {
    struct settings settings = {0};
    struct error error = {0};
    struct arena arena;
    for (int option; (option = getopt_long(argc, argv, "", long_options, NULL)) != -1;)
        if (!take_option(&settings, option, optarg))
            return 2;
    settings.http.connect_to = settings.maps[0] ? settings.maps : NULL;
    interrupt_watch();
    arena_init(&arena);
    bool ok = run(&arena, &settings, &error);
    if (!ok)
        fprintf(stderr, "fetch_urls: %s: %s\n", error.where, error.message);
    arena_free(&arena);
    return ok ? 0 : 1;
}
