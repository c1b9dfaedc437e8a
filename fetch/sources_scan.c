#include "fetch/sources_scan.h"

#include "fetch/sources_mention.h"
#include "fetch/url_map.h"

#include <stdint.h>

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_word(char c) {
    return is_letter(c) || is_digit(c) || c == '_' || ((unsigned char)c & 0x80);
}

static bool starts_word(struct span text, size_t at) {
    return at == 0 || !is_word(text.at[at - 1]);
}

static struct span from(struct span text, size_t at) {
    return span_slice(text, at, text.len);
}

/* End of the run of bytes at `at` that may belong to a URL or DOI: up to white space, a quote, or a
 * bracket that was not opened in it; without punctuation at its end. */
static size_t token_end(struct span text, size_t at) {
    size_t round = 0, square = 0, end = at;
    for (; end < text.len; end++) {
        char c = text.at[end];
        if ((unsigned char)c <= ' ' || c == 0x7F || strchr("\"`|\\^{}<>", c))
            break;
        if ((c == ')' && round == 0) || (c == ']' && square == 0))
            break;
        round += c == '(' ? 1 : c == ')' ? SIZE_MAX : 0;
        square += c == '[' ? 1 : c == ']' ? SIZE_MAX : 0;
        /* typographic quotes, dashes, ellipsis and the no-break space */
        if ((unsigned char)c == 0xC2 && end + 1 < text.len &&
            (unsigned char)text.at[end + 1] == 0xA0)
            break;
        if ((unsigned char)c == 0xE2 && end + 1 < text.len &&
            (unsigned char)text.at[end + 1] == 0x80)
            break;
    }
    while (end > at && strchr(".,;:!?*'_~", text.at[end - 1]))
        end--;
    return end;
}

/* Recognizers get the place of their first byte and return the end of what they found, or 0. */
typedef size_t recognizer(struct source_scan *scan, size_t at, struct source_name *name);

static size_t find_url(struct source_scan *scan, size_t at, struct source_name *name) {
    size_t end = token_end(scan->text, at);
    struct span url = span_slice(scan->text, at, end);
    return source_name_url(scan->arena, url, name) ? end : 0;
}

/* "arxiv.org/abs/..." without a scheme */
static size_t find_bare_url(struct source_scan *scan, size_t at, struct source_name *name) {
    if (at > 0 && strchr("/.@-", scan->text.at[at - 1]))
        return 0;
    size_t end = token_end(scan->text, at);
    struct span url =
        arena_printf(scan->arena, "https://%.*s", SPAN_ARG(span_slice(scan->text, at, end)));
    return source_name_url(scan->arena, url, name) ? end : 0;
}

/* 10.REGISTRANT/SUFFIX (ISO 26324): four to nine digits, then anything printable. */
static size_t find_doi(struct source_scan *scan, size_t at, struct source_name *name) {
    struct span text = scan->text;
    size_t slash = at + 3;
    while (slash < text.len && is_digit(text.at[slash]))
        slash++;
    if (slash - at < 7 || slash - at > 12 || slash >= text.len || text.at[slash] != '/' ||
        (at > 0 && strchr("./-", text.at[at - 1])))
        return 0;
    size_t end = token_end(text, slash + 1);
    if (end < text.len && text.at[end] == '<' && end + 1 < text.len && is_digit(text.at[end + 1])) {
        /* "(SICI)1097-4636(199823)43:3<338::AID-JBM16>3.0.CO;2-B" */
        size_t closing = token_end(text, end + 1);
        if (closing < text.len && text.at[closing] == '>')
            end = token_end(text, closing + 1);
    }
    if (end == slash + 1)
        return 0;
    source_name_doi(scan->arena, span_slice(text, at, end), name);
    return end;
}

static size_t skip_any(struct span text, size_t at, const char *set) {
    while (at < text.len && text.at[at] && strchr(set, text.at[at]))
        at++;
    return at;
}

static size_t find_arxiv(struct source_scan *scan, size_t at, struct source_name *name) {
    size_t id = skip_any(span_slice(scan->text, 0, at + 10), at + 5, ": ");
    size_t length = source_arxiv_length(span_slice(scan->text, id, id + 40));
    if (length == 0)
        return 0;
    source_name_arxiv(scan->arena, span_slice(scan->text, id, id + length), name);
    return id + length;
}

static size_t find_rfc(struct source_scan *scan, size_t at, struct source_name *name) {
    size_t first = skip_any(span_slice(scan->text, 0, at + 5), at + 3, " -"), end = first;
    while (end < scan->text.len && is_digit(scan->text.at[end]))
        end++;
    if (end == first || end - first > 5)
        return 0;
    source_name_rfc(scan->arena, span_slice(scan->text, first, end), name);
    return end;
}

static size_t find_isbn(struct source_scan *scan, size_t at, struct source_name *name) {
    struct span text = scan->text;
    size_t first = at + 4;
    if (span_starts(from(text, first), SPAN("-13")) || span_starts(from(text, first), SPAN("-10")))
        first += 3;
    first = skip_any(span_slice(text, 0, first + 4), first, ": ");
    size_t end = first, last = first;
    for (; end < text.len && end - first < 20; end++) {
        bool digit = is_digit(text.at[end]) || (text.at[end] | 32) == 'x';
        if (!digit && text.at[end] != '-' && text.at[end] != ' ')
            break;
        last = digit ? end + 1 : last;
    }
    return source_name_isbn(scan->arena, span_slice(text, first, last), name) ? last : 0;
}

static bool is_account(char c) {
    return is_letter(c) || is_digit(c) || c == '-' || c == '_' || c == '.';
}

/* owner/name#12: read backwards from the '#', at most so far as GitHub's names go. */
static size_t find_issue(struct source_scan *scan, size_t at, struct source_name *name) {
    enum { LONGEST_NAME = 140 };
    struct span text = scan->text;
    size_t end = at + 1, slash = SIZE_MAX, start = at;
    while (end < text.len && is_digit(text.at[end]))
        end++;
    size_t floor = at > LONGEST_NAME ? at - LONGEST_NAME : 0;
    while (start > floor &&
           (is_account(text.at[start - 1]) || (text.at[start - 1] == '/' && slash == SIZE_MAX))) {
        start--;
        if (text.at[start] == '/')
            slash = start;
    }
    if (end == at + 1 || end - at > 9 || slash == SIZE_MAX || slash == start || slash + 1 == at ||
        (start > 0 && strchr("/:@", text.at[start - 1])) || !is_letter(text.at[slash + 1]))
        return 0;
    source_name_issue(scan->arena, span_slice(text, start, slash), span_slice(text, slash + 1, at),
                      span_slice(text, at + 1, end), name);
    return end;
}

/* A version: digits and dots first ("2.6.0+cu118", "3.2.0rc1"); 0 when there is none. */
static size_t version_length(struct span text, size_t at) {
    size_t end = at, dots = 0;
    while (end < text.len && (is_word(text.at[end]) || strchr(".+-", text.at[end])) &&
           text.at[end] && end - at < 40) {
        dots += text.at[end] == '.' && end > at;
        end++;
    }
    while (end > at && strchr(".+-", text.at[end - 1]))
        dots -= text.at[--end] == '.';
    return end > at && is_digit(text.at[at]) && dots > 0 ? end - at : 0;
}

/* pip's "name==1.2.3": read backwards from the signs. */
static size_t find_pinned(struct source_scan *scan, size_t at, struct source_name *name) {
    enum { LONGEST_NAME = 60 };
    struct span text = scan->text;
    if (!span_starts(from(text, at), SPAN("==")))
        return 0;
    size_t start = at, length = version_length(text, at + 2);
    while (start > 0 && at - start < LONGEST_NAME && is_account(text.at[start - 1]))
        start--;
    struct span package = span_slice(text, start, at);
    bool clean = start == 0 || strchr(" \t\n\r'\"`", text.at[start - 1]);
    if (package.len < 2 || !is_letter(package.at[0]) || !clean || length < 3)
        return 0;
    source_name_package(scan->arena, SPAN("pypi"), package,
                        span_slice(text, at + 2, at + 2 + length), name);
    return at + 2 + length;
}

void source_scan_init(struct source_scan *scan, struct arena *arena) {
    *scan = (struct source_scan){.arena = arena};
    scan->packages = table_parse(arena, data_file("fetch/data/packages.tsv"));
    for (size_t i = 0; i < scan->packages.row_count; i++) {
        struct span shown = table_cell(&scan->packages, i, 0);
        if (shown.len > 0 && is_letter(shown.at[0])) {
            scan->package_start[shown.at[0] | 32] = true;
            scan->package_start[shown.at[0] & ~32] = true;
        }
    }
}

/* "PyTorch 2.6.0+cu118": a name of the table with a version behind it. */
static size_t find_package(struct source_scan *scan, size_t at, struct source_name *name) {
    struct span text = scan->text;
    if (!scan->package_start[(unsigned char)text.at[at]])
        return 0;
    for (size_t i = 0; i < scan->packages.row_count; i++) {
        struct span shown = table_cell(&scan->packages, i, 0);
        if (!span_starts_nocase(from(text, at), shown))
            continue;
        size_t version = skip_any(span_slice(text, 0, at + shown.len + 3), at + shown.len, " v");
        size_t length = version > at + shown.len ? version_length(text, version) : 0;
        if (length == 0)
            continue;
        source_name_package(scan->arena, table_cell(&scan->packages, i, 1),
                            table_cell(&scan->packages, i, 2),
                            span_slice(text, version, version + length), name);
        return version + length;
    }
    return 0;
}

/* Asked in this order where the text at hand starts so. `word`: only at the start of a word. */
static const struct trigger {
    const char *start;
    bool word;
    recognizer *find;
} triggers[] = {
    {"http://", false, find_url},
    {"https://", false, find_url},
    {"10.", true, find_doi},
    {"arxiv.org/", true, find_bare_url},
    {"github.com/", true, find_bare_url},
    {"doi.org/", true, find_bare_url},
    {"www.", true, find_bare_url},
    {"arxiv", true, find_arxiv},
    {"rfc", true, find_rfc},
    {"isbn", true, find_isbn},
    {"#", false, find_issue},
    {"=", false, find_pinned},
};

static size_t find_here(struct source_scan *scan, size_t at, struct source_name *name) {
    struct span here = from(scan->text, at);
    bool word = starts_word(scan->text, at);
    for (size_t i = 0; i < sizeof triggers / sizeof *triggers; i++) {
        const struct trigger *trigger = &triggers[i];
        if ((trigger->word && !word) || !span_starts_nocase(here, span_of(trigger->start)))
            continue;
        size_t end = trigger->find(scan, at, name);
        if (end > 0)
            return end;
    }
    size_t end = word && is_letter(here.at[0]) ? find_package(scan, at, name) : 0;
    return end > 0 ? end : word ? source_mention(scan->arena, scan->text, at, name) : 0;
}

/* Whether anything can start with this byte at all: most bytes end here. */
static bool may_start(struct span text, size_t at) {
    char c = text.at[at];
    return c == '#' || c == '=' || ((is_letter(c) || is_digit(c)) && starts_word(text, at)) ||
           c == 'h' || c == 'H';
}

bool source_scan_next(struct source_scan *scan, struct source_found *found) {
    for (; scan->at < scan->text.len; scan->at++) {
        if (!may_start(scan->text, scan->at))
            continue;
        size_t end = find_here(scan, scan->at, &found->name);
        if (end <= scan->at)
            continue;
        found->start = scan->at;
        found->end = end;
        scan->at = end;
        return true;
    }
    return false;
}

struct span source_line_around(struct span text, size_t start, size_t most) {
    size_t from_at = start, to = start;
    while (from_at > 0 && start - from_at < most && text.at[from_at - 1] != '\n')
        from_at--;
    if (start - from_at == most)
        while (from_at < start && text.at[from_at] != ' ')
            from_at++;
    while (to < text.len && to - start < most && text.at[to] != '\n')
        to++;
    return span_slice(text, from_at, to);
}
