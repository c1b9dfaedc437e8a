#include "fetch/brief_load.h"

#include "core/file.h"
#include "fetch/brief.h"
#include "fetch/url.h"

#include <stdint.h>

static bool load_url(struct arena *arena, struct http *http, struct span url, struct span *received,
                     struct error *error) {
    struct http_request request = {.url = url, .max_bytes = BRIEF_LARGEST_BYTES};
    struct http_result result;
    if (!http_fetch(http, arena, &request, &result, error))
        return false;
    *received = result.body;
    if (http_is_ok(&result))
        return true;
    return error_set(error, ERROR_INPUT, arena_string(arena, result.url),
                     "Check the address, or save the brief and give its file name.",
                     "the brief could not be read: %.*s", SPAN_ARG(result.reason));
}

static bool refuse_scheme(struct arena *arena, struct span name, struct error *error) {
    return error_set(error, ERROR_INPUT, arena_string(arena, url_redact(arena, name)),
                     "Give an http(s) URL, a file name, or - for standard input.",
                     "a brief is not read over this scheme");
}

bool brief_load(struct arena *arena, struct http *http, const char *name, struct span *received,
                struct brief *brief, struct error *error) {
    struct span text = span_of(name);
    const char *where = strcmp(name, "-") == 0 ? "standard input" : name;
    bool ok;
    if (url_is_http(text)) {
        where = arena_string(arena, url_redact(arena, text));
        ok = load_url(arena, http, text, received, error);
    } else if (span_find(text, SPAN("://"), 0) != SIZE_MAX && !file_exists(name)) {
        ok = refuse_scheme(arena, text, error);
    } else {
        ok = file_read(arena, name, BRIEF_LARGEST_BYTES, ERROR_INPUT, received, error);
    }
    return ok && brief_parse(arena, *received, where, brief, error);
}

bool brief_hide_secrets(struct arena *arena, const char *name, struct span *received,
                        const struct brief *brief, struct brief *shown, struct error *error) {
    struct span masked = url_mask(arena, *received);
    *shown = *brief;
    if (masked.at == received->at)
        return true;
    *received = masked;
    return brief_parse(arena, masked, arena_string(arena, url_redact(arena, span_of(name))), shown,
                       error);
}
