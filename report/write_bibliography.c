/* references.bib (BibTeX; Patashnik, "BibTeXing", 1988, with biblatex's eprint fields) and
 * references.json (CSL-JSON 1.0.2): the sources of the pass for a reference manager. What nobody
 * verified is left out of the fields and said in the note. */
#include "report/writers.h"

#include <ctype.h>

/* What a reference says: verified metadata, else what the text itself claims of the work. */
struct reference {
    struct span title, authors, venue, year, version;
    bool verified;
};

static struct span either(struct span verified, const struct source_claimed *claimed,
                          struct span value) {
    return verified.len || !claimed ? verified : value;
}

static struct reference reference_of(const struct source *s) {
    const struct source_claimed *c = s->metadata.claimed;
    struct span none = SPAN("");
    return (struct reference){
        .title = either(s->title, c, c ? c->title : none),
        .authors = either(s->authors, c, c ? c->authors : none),
        .venue = either(s->venue, c, c ? c->venue : none),
        .year = either(s->year, c, c ? c->year : none),
        .version = either(s->version, c, c ? c->version : none),
        .verified = span_starts(s->metadata_status, SPAN("verified")),
    };
}

static struct span note_of(struct arena *arena, const struct source *s, bool verified) {
    return arena_printf(arena, "metadata %s%.*s; reading status: %s", verified ? "" : "UNVERIFIED",
                        verified ? (int)s->metadata_status.len : 0, s->metadata_status.at,
                        word_of(&reading_words, (int)s->reading));
}

/* "doi:10.1/x" -> "10.1/x" when the id has that scheme. */
static struct span identifier_of(const struct source *s, const char *scheme) {
    struct span prefix = span_of(scheme);
    return span_starts(s->id, prefix) ? span_slice(s->id, prefix.len, s->id.len) : SPAN("");
}

/* The digits of a year; a date or a range is none. */
static bool is_year(struct span year) {
    bool digits = year.len == 4;
    for (size_t i = 0; digits && i < year.len; i++)
        digits = isdigit((unsigned char)year.at[i]);
    return digits;
}

/* --- BibTeX --- */

/* TeX's special characters escaped, control bytes left out, so that no text leaves its braces. */
static void put_tex(struct buffer *out, struct span text) {
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.at[i];
        if (c < 0x20 || c == 0x7f)
            buffer_add_string(out, c == '\n' || c == '\t' ? " " : "");
        else if (c == '\\')
            buffer_add_string(out, "\\textbackslash{}");
        else if (c == '~')
            buffer_add_string(out, "\\textasciitilde{}");
        else if (c == '^')
            buffer_add_string(out, "\\textasciicircum{}");
        else if (strchr("{}%&#_$", c))
            buffer_printf(out, "\\%c", c);
        else
            buffer_add_byte(out, (char)c);
    }
}

/* Read by TeX as it stands: what could end it is percent-encoded. */
static void put_verbatim(struct buffer *out, struct span text) {
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.at[i];
        if (c <= 0x20 || c == 0x7f || strchr("{}\\", c))
            buffer_printf(out, "%%%02X", c);
        else
            buffer_add_byte(out, (char)c);
    }
}

static void put_field(struct buffer *out, const char *name, struct span value, bool verbatim) {
    if (value.len == 0)
        return;
    buffer_printf(out, ",\n  %s = {", name);
    (verbatim ? put_verbatim : put_tex)(out, value);
    buffer_add_string(out, "}");
}

static void put_authors(struct buffer *out, struct span authors) {
    if (authors.len == 0)
        return;
    buffer_add_string(out, ",\n  author = {");
    struct span author;
    bool first = true;
    while (span_next_field(&authors, ';', &author)) {
        author = span_trim(author);
        if (author.len == 0)
            continue;
        buffer_add_string(out, first ? "{" : " and {");
        /* "Family, Given" is BibTeX's own form; a name without comma is kept whole. */
        if (span_find_byte(author, ',', 0) != SIZE_MAX)
            out->len--;
        put_tex(out, author);
        if (span_find_byte(author, ',', 0) == SIZE_MAX)
            buffer_add_string(out, "}");
        first = false;
    }
    buffer_add_string(out, "}");
}

static const char *bibtex_type(const struct source *s, const struct reference *r) {
    return span_equal(s->kind, SPAN("doi")) && r->venue.len ? "article"
           : span_equal(s->kind, SPAN("isbn"))              ? "book"
           : span_equal(s->kind, SPAN("rfc"))               ? "techreport"
                                                            : "misc";
}

static void put_entry(struct buffer *out, struct arena *arena, const struct source *s) {
    struct reference r = reference_of(s);
    const char *type = bibtex_type(s, &r);
    buffer_printf(out, "@%s{", type);
    for (size_t i = 0; i < s->label.len; i++)
        if (isalnum((unsigned char)s->label.at[i]))
            buffer_add_byte(out, s->label.at[i]);
    put_field(out, "title", r.title.len ? r.title : s->url, r.title.len == 0);
    put_authors(out, r.authors);
    put_field(out, strcmp(type, "article") == 0 ? "journal" : "howpublished", r.venue, false);
    put_field(out, "year", is_year(r.year) ? r.year : SPAN(""), false);
    put_field(out, "version", r.version, false);
    put_field(out, "doi", identifier_of(s, "doi:"), true);
    put_field(out, "isbn", identifier_of(s, "isbn:"), true);
    put_field(out, "eprint", identifier_of(s, "arxiv:"), true);
    put_field(out, "archiveprefix", identifier_of(s, "arxiv:").len ? SPAN("arXiv") : SPAN(""),
              false);
    put_field(out, "url", s->url, true);
    put_field(out, "note", note_of(arena, s, r.verified), false);
    buffer_add_string(out, "\n}\n");
}

void write_bibtex(struct buffer *out, const struct report_content *content) {
    const struct sources *sources = &content->view->sources;
    for (size_t i = 0; i < sources->count; i++) {
        if (i)
            buffer_add_string(out, "\n");
        put_entry(out, content->view->arena, &sources->sources[i]);
    }
}

/* --- CSL-JSON --- */

static const char *csl_type(const struct source *s, const struct reference *r) {
    return span_equal(s->kind, SPAN("doi")) && r->venue.len ? "article-journal"
           : span_equal(s->kind, SPAN("arxiv"))             ? "article"
           : span_equal(s->kind, SPAN("isbn"))              ? "book"
           : span_equal(s->kind, SPAN("rfc"))               ? "report"
           : span_equal(s->kind, SPAN("repository")) || span_equal(s->kind, SPAN("package"))
               ? "software"
               : "webpage";
}

static void put_names(struct json_writer *w, struct span authors) {
    struct span author;
    json_begin_array(w, "author");
    while (span_next_field(&authors, ';', &author)) {
        author = span_trim(author);
        size_t comma = span_find_byte(author, ',', 0);
        if (author.len == 0)
            continue;
        json_begin_object(w, NULL);
        if (comma == SIZE_MAX) {
            json_put_text(w, "literal", author);
        } else {
            json_put_text(w, "family", span_trim(span_slice(author, 0, comma)));
            json_put_text(w, "given", span_trim(span_slice(author, comma + 1, author.len)));
        }
        json_end_object(w);
    }
    json_end_array(w);
}

static void put_issued(struct json_writer *w, struct span year) {
    size_t number;
    if (!is_year(year) || !span_to_size(year, 9999, &number))
        return;
    json_begin_object(w, "issued");
    json_begin_array(w, "date-parts");
    json_begin_array(w, NULL);
    json_put_size(w, NULL, number);
    json_end_array(w);
    json_end_array(w);
    json_end_object(w);
}

static void put_item(struct json_writer *w, struct arena *arena, const struct source *s) {
    struct reference r = reference_of(s);
    json_begin_object(w, NULL);
    json_put_text(w, "id", s->label);
    json_put_string(w, "type", csl_type(s, &r));
    json_put_optional(w, "title", r.title);
    if (r.authors.len)
        put_names(w, r.authors);
    json_put_optional(w, "container-title", r.venue);
    put_issued(w, r.year);
    json_put_optional(w, "version", r.version);
    json_put_optional(w, "DOI", identifier_of(s, "doi:"));
    json_put_optional(w, "ISBN", identifier_of(s, "isbn:"));
    struct span arxiv = identifier_of(s, "arxiv:");
    if (arxiv.len)
        json_put_text(w, "number", arena_printf(arena, "arXiv:%.*s", SPAN_ARG(arxiv)));
    json_put_optional(w, "URL", s->url);
    json_put_text(w, "note", note_of(arena, s, r.verified));
    json_end_object(w);
}

void write_csl(struct buffer *out, const struct report_content *content) {
    const struct sources *sources = &content->view->sources;
    struct json_writer w = {.out = out};
    json_begin_array(&w, NULL);
    for (size_t i = 0; i < sources->count; i++)
        put_item(&w, content->view->arena, &sources->sources[i]);
    json_end_array(&w);
    json_finish(&w);
}
