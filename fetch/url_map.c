#include "fetch/url_map.h"

#include <stdint.h>

static bool is_scheme(struct span text, const char *name, size_t *end) {
    struct span scheme = span_of(name);
    if (!span_starts_nocase(text, scheme))
        return false;
    *end = scheme.len;
    return true;
}

static size_t first_of(struct span text, size_t from, const char *set) {
    while (from < text.len && !strchr(set, text.at[from]))
        from++;
    return from;
}

/* "user:secret@host:port" */
static void split_authority(struct span authority, struct url_parts *parts) {
    for (size_t i = authority.len; i > 0; i--)
        if (authority.at[i - 1] == '@') {
            authority = span_slice(authority, i, authority.len);
            break;
        }
    size_t bracket = span_starts(authority, SPAN("[")) ? span_find_byte(authority, ']', 0) : 0;
    size_t colon = span_find_byte(authority, ':', bracket == SIZE_MAX ? 0 : bracket);
    parts->host = span_slice(authority, 0, colon == SIZE_MAX ? authority.len : colon);
    if (colon != SIZE_MAX)
        parts->port = span_slice(authority, colon + 1, authority.len);
}

bool url_split(struct span text, struct url_parts *parts) {
    size_t at;
    *parts = (struct url_parts){0};
    if (!is_scheme(text, "http://", &at) && !is_scheme(text, "https://", &at))
        return false;
    parts->scheme = span_slice(text, 0, at - 3);
    size_t authority_end = first_of(text, at, "/?#\\");
    split_authority(span_slice(text, at, authority_end), parts);
    size_t path_end = first_of(text, authority_end, "?#");
    parts->path = span_slice(text, authority_end, path_end);
    size_t query_end = first_of(text, path_end, "#");
    if (query_end > path_end)
        parts->query = span_slice(text, path_end + 1, query_end);
    if (query_end < text.len)
        parts->fragment = span_slice(text, query_end + 1, text.len);
    return parts->host.len > 0;
}

/* Parameters that say where a reader came from and not what is asked for. A trailing '*' stands for
 * any ending. */
static const char *const tracking[] = {
    "utm_*",  "fbclid", "gclid",   "dclid",   "msclkid", "yclid", "mc_cid", "mc_eid", "igshid",
    "_hsenc", "_hsmi",  "mkt_tok", "ref_src", "ref_url", "cmpid", "spm",    "vero_id"};

static bool is_tracking(struct span parameter) {
    size_t equals = span_find_byte(parameter, '=', 0);
    struct span name = span_slice(parameter, 0, equals == SIZE_MAX ? parameter.len : equals);
    for (size_t i = 0; i < sizeof tracking / sizeof *tracking; i++) {
        struct span known = span_of(tracking[i]);
        bool open = span_ends(known, SPAN("*"));
        known.len -= open;
        if (open ? span_starts_nocase(name, known) : span_equal_nocase(name, known))
            return true;
    }
    return false;
}

static int hex_digit(char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

static bool is_unreserved(int c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '.' || c == '_' || c == '~';
}

/* RFC 3986, 6.2.2: escapes of unreserved characters decoded, others with upper-case digits. */
static void add_normalized(struct buffer *out, struct span text) {
    static const char digits[] = "0123456789ABCDEF";
    for (size_t i = 0; i < text.len; i++) {
        int high = i + 2 < text.len && text.at[i] == '%' ? hex_digit(text.at[i + 1]) : -1;
        int low = high >= 0 ? hex_digit(text.at[i + 2]) : -1;
        if (low < 0) {
            buffer_add_byte(out, text.at[i]);
            continue;
        }
        int code = high * 16 + low;
        if (is_unreserved(code))
            buffer_add_byte(out, (char)code);
        else
            buffer_printf(out, "%%%c%c", digits[high], digits[low]);
        i += 2;
    }
}

static void add_lower(struct buffer *out, struct span text) {
    for (size_t i = 0; i < text.len; i++) {
        char c = text.at[i];
        buffer_add_byte(out, c >= 'A' && c <= 'Z' ? (char)(c + 32) : c);
    }
}

static void add_query(struct buffer *out, struct span query, bool normalize) {
    struct span parameter;
    char separator = '?';
    while (span_next_field(&query, '&', &parameter)) {
        if (parameter.len == 0 || is_tracking(parameter))
            continue;
        buffer_add_byte(out, separator);
        separator = '&';
        if (normalize)
            add_normalized(out, parameter);
        else
            buffer_add(out, parameter);
    }
}

static bool is_default_port(const struct url_parts *parts) {
    return parts->port.len == 0 || span_equal(parts->port, SPAN("80")) ||
           span_equal(parts->port, SPAN("443"));
}

static struct span joined(struct arena *arena, const struct url_parts *parts, bool canonical) {
    struct buffer out = {0};
    if (canonical)
        buffer_add_string(&out, "https");
    else
        add_lower(&out, parts->scheme);
    buffer_add_string(&out, "://");
    struct span host = parts->host;
    host.len -= span_ends(host, SPAN(".")) && host.len > 1;
    add_lower(&out, host);
    if (!is_default_port(parts)) {
        buffer_add_byte(&out, ':');
        buffer_add(&out, parts->port);
    }
    if (parts->path.len == 0)
        buffer_add_byte(&out, '/');
    else if (canonical)
        add_normalized(&out, parts->path);
    else
        buffer_add(&out, parts->path);
    add_query(&out, parts->query, canonical);
    struct span made = arena_copy(arena, buffer_span(&out));
    buffer_free(&out);
    return made;
}

struct span url_canonical(struct arena *arena, struct span url) {
    struct url_parts parts;
    return url_split(url, &parts) ? joined(arena, &parts, true) : SPAN("");
}

struct span url_clean(struct arena *arena, struct span url) {
    struct url_parts parts;
    return url_split(url, &parts) ? joined(arena, &parts, false) : SPAN("");
}

static bool has_scheme(struct span reference) {
    size_t i = 0;
    while (i < reference.len && (is_unreserved(reference.at[i]) || reference.at[i] == '+'))
        i++;
    return i > 0 && i < reference.len && reference.at[i] == ':' &&
           !(reference.at[0] >= '0' && reference.at[0] <= '9');
}

/* RFC 3986, 5.2.4, on a path that starts with '/'. */
static void add_without_dots(struct buffer *out, struct span path) {
    size_t base = out->len;
    struct span segment, rest = span_slice(path, 1, path.len);
    bool open = true; /* the path ends with a slash so far */
    for (bool last = false; !last;) {
        size_t slash = span_find_byte(rest, '/', 0);
        last = slash == SIZE_MAX;
        segment = span_slice(rest, 0, last ? rest.len : slash);
        rest = last ? SPAN("") : span_slice(rest, slash + 1, rest.len);
        open = true;
        if (span_equal(segment, SPAN(".."))) {
            while (out->len > base && out->at[--out->len] != '/')
                ;
        } else if (!span_equal(segment, SPAN("."))) {
            buffer_add_byte(out, '/');
            buffer_add(out, segment);
            open = false;
        }
    }
    if (open)
        buffer_add_byte(out, '/');
}

static size_t last_slash(struct span path) {
    size_t at = path.len;
    while (at > 0 && path.at[at - 1] != '/')
        at--;
    return at;
}

/* Path, query and fragment of the reference behind the base's scheme and authority. */
static void add_resolved(struct buffer *out, const struct url_parts *base, struct span reference) {
    size_t path_end = first_of(reference, 0, "?#");
    struct span path = span_slice(reference, 0, path_end);
    struct span behind = span_slice(reference, path_end, reference.len);
    if (path.len == 0) {
        buffer_add(out, base->path.len ? base->path : SPAN("/"));
        if (base->query.len > 0 && !span_starts(behind, SPAN("?"))) {
            buffer_add_byte(out, '?');
            buffer_add(out, base->query);
        }
    } else if (path.at[0] == '/') {
        add_without_dots(out, path);
    } else {
        struct buffer whole = {0};
        buffer_add(&whole,
                   base->path.len ? span_slice(base->path, 0, last_slash(base->path)) : SPAN("/"));
        buffer_add(&whole, path);
        add_without_dots(out, buffer_span(&whole));
        buffer_free(&whole);
    }
    buffer_add(out, behind);
}

struct span url_resolve(struct arena *arena, struct span base, struct span reference) {
    struct url_parts parts;
    reference = span_trim(reference);
    if (url_split(reference, &parts))
        return arena_copy(arena, reference);
    if (has_scheme(reference) || !url_split(base, &parts))
        return SPAN("");
    struct buffer out = {0};
    buffer_add(&out, parts.scheme);
    buffer_add_byte(&out, ':');
    if (span_starts(reference, SPAN("//"))) {
        buffer_add(&out, reference);
    } else {
        buffer_printf(&out, "//%.*s", SPAN_ARG(parts.host));
        if (parts.port.len > 0)
            buffer_printf(&out, ":%.*s", SPAN_ARG(parts.port));
        add_resolved(&out, &parts, reference);
    }
    struct span made = arena_copy(arena, buffer_span(&out));
    buffer_free(&out);
    return url_split(made, &parts) ? made : SPAN("");
}

/* Hosts that show files of GitHub repositories; between owner/repository and ref stands `between`
 * ("" = nothing). */
static const struct viewer {
    const char *host, *prefix, *between;
} viewers[] = {
    {"github.com", "/", "blob"},
    {"github.com", "/", "raw"},
    {"www.github.com", "/", "blob"},
    {"raw.githubusercontent.com", "/", ""},
    {"colab.research.google.com", "/github/", "blob"},
    {"colab.google", "/github/", "blob"},
    {"nbviewer.org", "/github/", "blob"},
    {"nbviewer.jupyter.org", "/github/", "blob"},
};

static bool next_segment(struct span *path, struct span *segment) {
    return span_next_field(path, '/', segment) && segment->len > 0;
}

static bool viewer_shows(const struct viewer *viewer, const struct url_parts *parts,
                         struct url_repository_file *file) {
    struct span prefix = span_of(viewer->prefix), between = span_of(viewer->between), word;
    if (!span_equal_nocase(parts->host, span_of(viewer->host)) || !span_starts(parts->path, prefix))
        return false;
    struct span rest = span_slice(parts->path, prefix.len, parts->path.len);
    if (!next_segment(&rest, &file->owner) || !next_segment(&rest, &file->repository))
        return false;
    if (between.len > 0 && (!next_segment(&rest, &word) || !span_equal(word, between)))
        return false;
    /* raw.githubusercontent.com also takes refs/heads/NAME and refs/tags/NAME */
    if (span_starts(rest, SPAN("refs/heads/")) || span_starts(rest, SPAN("refs/tags/"))) {
        next_segment(&rest, &word);
        next_segment(&rest, &word);
    }
    if (!next_segment(&rest, &file->ref) || rest.len == 0)
        return false;
    file->path = rest;
    return true;
}

bool url_is_repository_file(struct span url, struct url_repository_file *file) {
    struct url_parts parts;
    if (!url_split(url, &parts))
        return false;
    for (size_t i = 0; i < sizeof viewers / sizeof *viewers; i++)
        if (viewer_shows(&viewers[i], &parts, file))
            return true;
    return false;
}

struct span url_raw(struct arena *arena, struct span url) {
    struct url_repository_file file;
    if (!url_is_repository_file(url, &file))
        return url_clean(arena, url);
    return arena_printf(arena, "https://raw.githubusercontent.com/%.*s/%.*s/%.*s/%.*s",
                        SPAN_ARG(file.owner), SPAN_ARG(file.repository), SPAN_ARG(file.ref),
                        SPAN_ARG(file.path));
}

bool url_is_local(struct span host) {
    static const char *const names[] = {"localhost", "127.", "0.0.0.0", "[::1]", "10.", "192.168."};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct span name = span_of(names[i]);
        if (span_ends(name, SPAN(".")) ? span_starts(host, name) : span_equal_nocase(host, name))
            return true;
    }
    return span_ends(host, SPAN(".local")) || span_ends(host, SPAN(".internal")) ||
           span_ends(host, SPAN(".localhost")) || span_find_byte(host, '.', 0) == SIZE_MAX;
}
