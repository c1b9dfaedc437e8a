#include "fetch/url.h"

#include <curl/curl.h>
#include <idn2.h>
#include <stdint.h>

/* Query parameters whose values are keys or tokens by the services' own documentation. */
static const char *const secret_names[] = {
    "access_token", "api_key",   "apikey", "auth_token",           "client_secret",  "password",
    "secret",       "signature", "token",  "x-amz-security-token", "x-amz-signature"};

static bool refuse(struct span *reason, struct span why) {
    *reason = why;
    return false;
}

bool url_is_http(struct span text) {
    return span_starts_nocase(text, SPAN("http://")) || span_starts_nocase(text, SPAN("https://"));
}

bool url_is_secret(struct span name) {
    for (size_t i = 0; i < sizeof secret_names / sizeof *secret_names; i++)
        if (span_equal_nocase(name, span_of(secret_names[i])))
            return true;
    return false;
}

/* End of the part of text that the authority can reach to. */
static size_t authority_end(struct span text, size_t from) {
    while (from < text.len && !strchr("/?#\\", text.at[from]))
        from++;
    return from;
}

static struct span without_user(struct arena *arena, struct span text) {
    size_t scheme = span_find(text, SPAN("//"), 0);
    if (scheme == SIZE_MAX)
        return text;
    size_t start = scheme + 2, end = authority_end(text, start), at = end;
    while (at > start && text.at[at - 1] != '@')
        at--;
    if (at == start)
        return text;
    return arena_printf(arena, "%.*s%.*s", SPAN_ARG(span_slice(text, 0, start)),
                        SPAN_ARG(span_slice(text, at, text.len)));
}

struct span url_redact(struct arena *arena, struct span text) {
    text = without_user(arena, text);
    size_t query = span_find_byte(text, '?', 0);
    if (query == SIZE_MAX)
        return text;
    struct buffer out = {0};
    size_t fragment = span_find_byte(text, '#', query);
    size_t end = fragment == SIZE_MAX ? text.len : fragment;
    struct span rest = span_slice(text, query + 1, end), field;
    buffer_add(&out, span_slice(text, 0, query + 1));
    for (bool first = true; span_next_field(&rest, '&', &field); first = false) {
        size_t equals = span_find_byte(field, '=', 0);
        bool hide = equals != SIZE_MAX && url_is_secret(span_slice(field, 0, equals));
        buffer_add(&out, first ? SPAN("") : SPAN("&"));
        buffer_add(&out, hide ? span_slice(field, 0, equals + 1) : field);
        buffer_add(&out, hide ? SPAN("REDACTED") : SPAN(""));
    }
    buffer_add(&out, span_slice(text, end, text.len));
    struct span shown = arena_copy(arena, buffer_span(&out));
    buffer_free(&out);
    return shown;
}

/* One part as text in the arena; empty when the URL has none. */
static struct span part(struct arena *arena, CURLU *handle, CURLUPart what, unsigned flags) {
    char *text = NULL;
    if (curl_url_get(handle, what, &text, flags) != CURLUE_OK)
        return SPAN("");
    struct span copy = arena_copy(arena, span_of(text));
    curl_free(text);
    return copy;
}

/* Host in lower case, non-ASCII labels as A-labels (UTS #46, non-transitional, as browsers do).
 * libcurl would read the name in the locale's encoding, so that is not left to it. */
static bool normalize_host(struct arena *arena, CURLU *handle) {
    struct span host = part(arena, handle, CURLUPART_HOST, 0);
    bool ascii = true;
    for (size_t i = 0; i < host.len; i++)
        ascii = ascii && (unsigned char)host.at[i] < 0x80;
    char *name = arena_string(arena, host);
    if (!ascii) {
        uint8_t *labels = NULL;
        if (idn2_lookup_u8((const uint8_t *)name, &labels, IDN2_NFC_INPUT | IDN2_NONTRANSITIONAL) !=
            IDN2_OK)
            return false;
        name = arena_string(arena, span_of((char *)labels));
        idn2_free(labels);
    }
    for (char *at = name; *at; at++)
        if (*at >= 'A' && *at <= 'Z')
            *at += 'a' - 'A';
    return *name && curl_url_set(handle, CURLUPART_HOST, name, 0) == CURLUE_OK;
}

static bool has_user(struct arena *arena, CURLU *handle) {
    return part(arena, handle, CURLUPART_USER, 0).len ||
           part(arena, handle, CURLUPART_PASSWORD, 0).len;
}

/* Fills url from a handle that holds a whole URL. */
static bool describe(struct arena *arena, CURLU *handle, struct url *url, struct span *reason) {
    struct span scheme = part(arena, handle, CURLUPART_SCHEME, 0);
    url->secure = span_equal_nocase(scheme, SPAN("https"));
    if (!url->secure && !span_equal_nocase(scheme, SPAN("http")))
        return refuse(reason, SPAN("only http and https URLs are fetched"));
    if (has_user(arena, handle))
        return refuse(reason, SPAN("a URL with a user name or password is not fetched"));
    if (!normalize_host(arena, handle))
        return refuse(reason, SPAN("the URL's host name is not valid"));
    curl_url_set(handle, CURLUPART_FRAGMENT, NULL, 0);
    url->text = part(arena, handle, CURLUPART_URL, CURLU_NO_DEFAULT_PORT);
    url->host = part(arena, handle, CURLUPART_HOST, 0);
    size_t port = 0;
    span_to_size(part(arena, handle, CURLUPART_PORT, CURLU_DEFAULT_PORT), 65535, &port);
    url->port = (int)port;
    url->shown = url_redact(arena, url->text);
    if (url->text.len == 0 || url->text.len > URL_LONGEST_BYTES || port == 0)
        return refuse(reason, SPAN("the URL is too long or has no valid port"));
    return true;
}

/* Sets the URL, or what a relative one makes of the base that the handle holds. */
static bool set_url(struct arena *arena, CURLU *handle, struct span text, struct span *reason) {
    text = span_trim(text);
    if (text.len == 0 || text.len > URL_LONGEST_BYTES)
        return refuse(reason, text.len ? SPAN("the URL is too long") : SPAN("the URL is empty"));
    for (size_t i = 0; i < text.len; i++)
        if ((unsigned char)text.at[i] < 0x20 || text.at[i] == 0x7f)
            return refuse(reason, SPAN("the URL holds control characters"));
    CURLUcode code = curl_url_set(handle, CURLUPART_URL, arena_string(arena, text),
                                  CURLU_URLENCODE | CURLU_NON_SUPPORT_SCHEME);
    return code == CURLUE_OK ||
           refuse(reason, arena_printf(arena, "not a valid URL: %s", curl_url_strerror(code)));
}

static bool read_url(struct arena *arena, const struct url *base, struct span text, struct url *url,
                     struct span *reason) {
    *url = (struct url){0};
    CURLU *handle = curl_url();
    if (!handle)
        return refuse(reason, SPAN("no memory for the URL"));
    bool ok = (!base || set_url(arena, handle, base->text, reason)) &&
              set_url(arena, handle, text, reason) && describe(arena, handle, url, reason) &&
              /* Once more: a host that was written percent-encoded may turn out to be a number. */
              set_url(arena, handle, url->text, reason) && describe(arena, handle, url, reason);
    curl_url_cleanup(handle);
    return ok;
}

bool url_parse(struct arena *arena, struct span text, struct url *url, struct span *reason) {
    return read_url(arena, NULL, text, url, reason);
}

bool url_follow(struct arena *arena, const struct url *base, struct span location, struct url *url,
                struct span *reason) {
    if (!read_url(arena, base, location, url, reason))
        return false;
    if (base->secure && !url->secure)
        return refuse(reason, SPAN("a redirect from https to http is not followed"));
    return true;
}
