/* What a person calls a source, as its canonical name. */
#include "fetch/source_read.h"
#include "fetch/url.h"

static bool is_digits(struct span text) {
    for (size_t i = 0; i < text.len; i++)
        if (text.at[i] < '0' || text.at[i] > '9')
            return false;
    return text.len > 0;
}

/* Cuts prefix off *text, in any case, with white space behind it. */
static bool cut_prefix(struct span *text, struct span prefix) {
    if (!span_starts_nocase(*text, prefix))
        return false;
    *text = span_trim(span_slice(*text, prefix.len, text->len));
    return true;
}

static bool is_doi(struct span text) {
    size_t slash = span_find_byte(text, '/', 0);
    return span_starts(text, SPAN("10.")) && slash != SIZE_MAX && slash >= 7 &&
           slash + 1 < text.len && is_digits(span_slice(text, 3, 7));
}

static bool read_arxiv(struct arena *arena, struct span text, struct source_name *name) {
    if (source_arxiv_length(text) != text.len || text.len == 0)
        return false;
    source_name_arxiv(arena, text, name);
    return true;
}

/* "owner/name#12" */
static bool read_issue(struct arena *arena, struct span text, struct source_name *name) {
    size_t slash = span_find_byte(text, '/', 0), hash = span_find_byte(text, '#', 0);
    if (slash == SIZE_MAX || hash == SIZE_MAX || slash == 0 || hash < slash + 2 ||
        !is_digits(span_slice(text, hash + 1, text.len)))
        return false;
    source_name_issue(arena, span_slice(text, 0, slash), span_slice(text, slash + 1, hash),
                      span_slice(text, hash + 1, text.len), name);
    return true;
}

static bool read_identifier(struct arena *arena, struct span text, struct source_name *name) {
    if (cut_prefix(&text, SPAN("arxiv:")))
        return read_arxiv(arena, text, name);
    if (cut_prefix(&text, SPAN("isbn:")) || cut_prefix(&text, SPAN("isbn ")))
        return source_name_isbn(arena, text, name);
    if (cut_prefix(&text, SPAN("rfc:")) || cut_prefix(&text, SPAN("rfc"))) {
        if (is_digits(text) && text.len <= 5)
            source_name_rfc(arena, text, name);
        return name->id.len > 0;
    }
    cut_prefix(&text, SPAN("doi:"));
    if (is_doi(text)) {
        source_name_doi(arena, text, name);
        return true;
    }
    return read_arxiv(arena, text, name) || read_issue(arena, text, name) ||
           (text.len == 13 && is_digits(text) && source_name_isbn(arena, text, name));
}

static bool name_fits(const struct source_name *name, struct span given, struct error *error) {
    if (name->note.len)
        return error_set(error, ERROR_USAGE, "source", "Check the identifier.", "%.*s: %.*s",
                         SPAN_ARG(given), SPAN_ARG(name->note));
    return true;
}

bool source_name_any(struct arena *arena, struct span text, struct source_name *name,
                     struct error *error) {
    *name = (struct source_name){0};
    text = arena_copy(arena, span_trim(text));
    struct url url;
    struct span reason = SPAN("");
    cut_prefix(&text, SPAN("url:"));
    if (url_is_http(text)) {
        if (!url_parse(arena, text, &url, &reason))
            return error_set(error, ERROR_USAGE, "source", "Give the address of the document.",
                             "%.*s", SPAN_ARG(reason));
        if (source_name_url(arena, url.shown, name))
            return name_fits(name, text, error);
    } else if (read_identifier(arena, text, name)) {
        return name_fits(name, text, error);
    }
    return error_set(error, ERROR_USAGE, "source",
                     "Examples: https://example.org/page, 10.1000/182, arXiv:2205.14135, "
                     "\"RFC 9110\", isbn:9780262035613, owner/name#12.",
                     "expected a URL, DOI, arXiv id, ISBN, RFC number or GitHub issue, got "
                     "\"%.*s\"",
                     SPAN_ARG(text));
}
