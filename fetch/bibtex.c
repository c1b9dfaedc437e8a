#include "fetch/bibtex.h"

#include "fetch/service.h"
#include "fetch/sources_name.h"

#include <stdint.h>

enum { ENTRIES_MOST = 20000, FAULTS_MOST = 100, STRINGS_MOST = 2000, VALUE_BYTES = 64 << 10 };

struct field {
    struct span name, value; /* name in lower case; value as LaTeX */
};

struct reader {
    struct arena *arena;
    struct span text;
    size_t at;
    struct bibtex *bibtex;
    struct field *strings; /* @string names */
    size_t string_count, string_capacity;
    struct field fields[64]; /* of the entry being read */
    size_t field_count;
};

static bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Signs that end a key or name (BibTeX's own list, without what stands in keys in practice). */
static bool is_name(char c) {
    return (unsigned char)c > ' ' && c != 0x7F && !strchr("{}(),=\"#%~\\", c);
}

static char peek(const struct reader *r) {
    return r->at < r->text.len ? r->text.at[r->at] : '\0';
}

static void skip_space(struct reader *r) {
    while (r->at < r->text.len && is_space(r->text.at[r->at]))
        r->at++;
}

static struct span lower(struct arena *arena, struct span text) {
    char *out = arena_string(arena, text);
    for (size_t i = 0; i < text.len; i++)
        if (out[i] >= 'A' && out[i] <= 'Z')
            out[i] = (char)(out[i] + 32);
    return span_make(out, text.len);
}

static struct span read_name(struct reader *r) {
    skip_space(r);
    size_t start = r->at;
    while (r->at < r->text.len && is_name(r->text.at[r->at]))
        r->at++;
    return span_slice(r->text, start, r->at);
}

static bool fault(struct reader *r, size_t start, const char *expected) {
    size_t line = 1;
    if (r->bibtex->fault_count >= FAULTS_MOST)
        return false;
    for (size_t i = 0; i < start; i++)
        line += r->text.at[i] == '\n';
    struct span text = arena_printf(r->arena, "line %zu: expected %s", line, expected);
    LIST_PUSH(r->arena, r->bibtex->faults, r->bibtex->fault_count, r->bibtex->fault_capacity, text);
    return false;
}

/* Content up to the closing sign at depth 0; braces must balance, a backslash hides a brace. */
static bool read_until(struct reader *r, char close, struct span *value) {
    size_t depth = 0, start = r->at;
    for (; r->at < r->text.len && r->at - start < VALUE_BYTES; r->at++) {
        char c = r->text.at[r->at];
        if (c == '\\' && r->at + 1 < r->text.len && close != '"') {
            r->at++;
        } else if (c == close && depth == 0) {
            *value = span_slice(r->text, start, r->at++);
            return true;
        } else if (c == '{') {
            depth++;
        } else if (c == '}') {
            if (depth == 0)
                return false;
            depth--;
        }
    }
    return false;
}

static const char *const months[][2] = {
    {"jan", "January"},   {"feb", "February"}, {"mar", "March"},    {"apr", "April"},
    {"may", "May"},       {"jun", "June"},     {"jul", "July"},     {"aug", "August"},
    {"sep", "September"}, {"oct", "October"},  {"nov", "November"}, {"dec", "December"}};

/* An undefined name stands for nothing, as in BibTeX. */
static struct span string_value(const struct reader *r, struct span name) {
    for (size_t i = r->string_count; i-- > 0;)
        if (span_equal_nocase(r->strings[i].name, name))
            return r->strings[i].value;
    for (size_t i = 0; i < 12; i++)
        if (span_equal_nocase(name, span_of(months[i][0])))
            return span_of(months[i][1]);
    return SPAN("");
}

static bool is_number(struct span text) {
    for (size_t i = 0; i < text.len; i++)
        if (text.at[i] < '0' || text.at[i] > '9')
            return false;
    return text.len > 0;
}

static bool read_piece(struct reader *r, struct span *piece) {
    skip_space(r);
    char c = peek(r);
    if (c == '{' || c == '"') {
        r->at++;
        return read_until(r, c == '{' ? '}' : '"', piece);
    }
    struct span name = read_name(r);
    *piece = is_number(name) ? name : string_value(r, name);
    return name.len > 0;
}

static bool read_value(struct reader *r, struct span *value) {
    if (!read_piece(r, value))
        return false;
    for (skip_space(r); peek(r) == '#'; skip_space(r)) {
        struct span piece;
        r->at++;
        if (!read_piece(r, &piece) || value->len + piece.len > VALUE_BYTES)
            return false;
        *value = arena_printf(r->arena, "%.*s%.*s", SPAN_ARG(*value), SPAN_ARG(piece));
    }
    return true;
}

static struct span field_of(const struct reader *r, const char *name) {
    for (size_t i = 0; i < r->field_count; i++)
        if (span_equal(r->fields[i].name, span_of(name)))
            return bibtex_plain(r->arena, r->fields[i].value);
    return SPAN("");
}

static struct span first_field(const struct reader *r, const char *const *names) {
    struct span value = SPAN("");
    for (size_t i = 0; names[i] && value.len == 0; i++)
        value = field_of(r, names[i]);
    return value;
}

/* End of the next " and " outside braces, or the length. */
static size_t name_end(struct span list, size_t from, size_t *next) {
    size_t depth = 0;
    for (size_t i = from; i < list.len; i++) {
        depth += list.at[i] == '{';
        depth -= list.at[i] == '}' && depth > 0;
        if (depth == 0 && is_space(list.at[i]) &&
            span_starts_nocase(span_slice(list, i + 1, list.len), SPAN("and")) &&
            i + 4 < list.len && is_space(list.at[i + 4])) {
            *next = i + 5;
            return i;
        }
    }
    *next = list.len;
    return list.len;
}

/* "{OpenAI}" and "{The ATLAS Collaboration}" are one name; so is one without commas and spaces. */
static void add_author(struct arena *arena, struct span name, struct span *authors) {
    struct span family, given = SPAN(""), plain = bibtex_plain(arena, name);
    name = span_trim(name);
    if (span_equal(plain, SPAN("others")) || plain.len == 0)
        return;
    bool whole = span_starts(name, SPAN("{")) && span_find_byte(name, '}', 0) == name.len - 1;
    if (whole)
        family = plain;
    else
        service_split_name(plain, &family, &given);
    *authors = service_add_author(arena, *authors, family, given);
}

static struct span authors_of(const struct reader *r) {
    struct span list = SPAN(""), authors = SPAN("");
    for (size_t i = 0; i < r->field_count; i++)
        if (span_equal(r->fields[i].name, SPAN("author")))
            list = r->fields[i].value;
    for (size_t at = 0, next; at < list.len; at = next) {
        size_t end = name_end(list, at, &next);
        add_author(r->arena, span_slice(list, at, end), &authors);
    }
    return authors;
}

/* "https://doi.org/10.1/x" -> "10.1/x" */
static struct span bare_doi(struct span doi) {
    size_t at = span_find(doi, SPAN("10."), 0);
    return at == SIZE_MAX ? SPAN("") : span_trim(span_slice(doi, at, doi.len));
}

static struct span arxiv_of(const struct reader *r) {
    static const char *const archives[] = {"archiveprefix", "eprinttype", NULL};
    struct span archive = first_field(r, archives), id = field_of(r, "eprint");
    if (span_starts_nocase(id, SPAN("arxiv:")))
        id = span_slice(id, 6, id.len);
    bool arxiv = archive.len == 0 || span_equal_nocase(archive, SPAN("arxiv"));
    size_t length = source_arxiv_length(id);
    return arxiv && length > 0 && length == id.len ? id : SPAN("");
}

static struct bibtex_entry entry_of(const struct reader *r, struct span type, struct span key) {
    static const char *const venues[] = {"journal", "journaltitle", "booktitle",    "publisher",
                                         "school",  "institution",  "howpublished", NULL};
    static const char *const years[] = {"year", "date", NULL};
    static const char *const versions[] = {"version", "edition", NULL};
    return (struct bibtex_entry){
        .type = type,
        .key = key,
        .title = field_of(r, "title"),
        .venue = first_field(r, venues),
        .year = service_year(first_field(r, years)),
        .version = first_field(r, versions),
        .authors = authors_of(r),
        .doi = bare_doi(field_of(r, "doi")),
        .arxiv = arxiv_of(r),
        .isbn = field_of(r, "isbn"),
        .url = field_of(r, "url"),
    };
}

/* name = value, ... up to the closing sign. */
static bool read_fields(struct reader *r, char close) {
    r->field_count = 0;
    for (;;) {
        skip_space(r);
        if (peek(r) == close) {
            r->at++;
            return true;
        }
        struct span name = read_name(r), value;
        skip_space(r);
        if (name.len == 0 || peek(r) != '=')
            return fault(r, r->at, "a field as name = value");
        r->at++;
        if (!read_value(r, &value))
            return fault(r, r->at, "a value in braces or quotes that closes, a number or a name");
        if (r->field_count < sizeof r->fields / sizeof *r->fields)
            r->fields[r->field_count++] = (struct field){lower(r->arena, name), value};
        skip_space(r);
        if (peek(r) == ',')
            r->at++;
        else if (peek(r) != close)
            return fault(r, r->at, "a comma or the end of the entry behind a field");
    }
}

static bool read_string(struct reader *r, char close) {
    if (!read_fields(r, close))
        return false;
    for (size_t i = 0; i < r->field_count && r->string_count < STRINGS_MOST; i++)
        LIST_PUSH(r->arena, r->strings, r->string_count, r->string_capacity, r->fields[i]);
    return true;
}

static bool read_entry(struct reader *r, size_t start, struct span type, char close) {
    struct span key = read_name(r);
    skip_space(r);
    if (peek(r) == ',')
        r->at++;
    else if (peek(r) != close)
        return fault(r, r->at, "a comma behind the entry's key");
    if (!read_fields(r, close))
        return false;
    struct bibtex_entry entry = entry_of(r, type, key);
    entry.start = start;
    entry.end = r->at;
    if (r->bibtex->count < ENTRIES_MOST)
        LIST_PUSH(r->arena, r->bibtex->entries, r->bibtex->count, r->bibtex->capacity, entry);
    return true;
}

static bool is_word(struct span text) {
    for (size_t i = 0; i < text.len; i++)
        if (((text.at[i] | 32) < 'a' || (text.at[i] | 32) > 'z'))
            return false;
    return text.len > 0 && text.len <= 40;
}

/* Reads what stands at an '@'; false leaves r->at where reading goes on. */
static bool read_at(struct reader *r) {
    size_t start = r->at++;
    struct span type = lower(r->arena, read_name(r));
    skip_space(r);
    char open = peek(r), close = open == '(' ? ')' : '}';
    if (!is_word(type) || (open != '{' && open != '('))
        return false; /* "me@example.org": not an entry */
    r->at++;
    if (span_equal(type, SPAN("comment")) || span_equal(type, SPAN("preamble"))) {
        struct span ignored;
        return read_until(r, close, &ignored) ||
               fault(r, start, "a comment or preamble that closes");
    }
    if (span_equal(type, SPAN("string")))
        return read_string(r, close);
    return read_entry(r, start, type, close);
}

void bibtex_read(struct arena *arena, struct span text, struct bibtex *bibtex) {
    struct reader r = {.arena = arena, .text = text, .bibtex = bibtex};
    *bibtex = (struct bibtex){0};
    for (size_t at; (at = span_find_byte(text, '@', r.at)) != SIZE_MAX;) {
        r.at = at;
        size_t before = at;
        if (!read_at(&r) && r.at <= before)
            r.at = before + 1;
    }
}
