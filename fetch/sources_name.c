#include "fetch/sources_name.h"

#include "fetch/url_map.h"

#include <stdint.h>

static struct span lower(struct arena *arena, struct span text) {
    char *out = arena_string(arena, text);
    for (size_t i = 0; i < text.len; i++)
        if (out[i] >= 'A' && out[i] <= 'Z')
            out[i] = (char)(out[i] + 32);
    return span_make(out, text.len);
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static size_t digits_at(struct span text, size_t at) {
    size_t end = at;
    while (end < text.len && is_digit(text.at[end]))
        end++;
    return end - at;
}

/* "v2" at `at`: its length, or 0. */
static size_t version_at(struct span text, size_t at) {
    if (at >= text.len || text.at[at] != 'v')
        return 0;
    size_t digits = digits_at(text, at + 1);
    return digits > 0 && digits <= 3 ? digits + 1 : 0;
}

/* Since 2007 YYMM.NNNN or YYMM.NNNNN; before, archive[.XX]/YYMMNNN
 * (https://info.arxiv.org/help/arxiv_identifier.html). */
size_t source_arxiv_length(struct span text) {
    size_t end;
    if (digits_at(text, 0) == 4 && text.len > 4 && text.at[4] == '.') {
        size_t number = digits_at(text, 5);
        int month = (text.at[2] - '0') * 10 + text.at[3] - '0';
        if (number < 4 || number > 5 || month < 1 || month > 12)
            return 0;
        end = 5 + number;
    } else {
        size_t slash = 0;
        while (slash < text.len && slash < 20 &&
               ((text.at[slash] >= 'a' && text.at[slash] <= 'z') ||
                (text.at[slash] >= 'A' && text.at[slash] <= 'Z') || strchr("-.", text.at[slash])))
            slash++;
        if (slash < 2 || slash >= text.len || text.at[slash] != '/' ||
            digits_at(text, slash + 1) != 7)
            return 0;
        end = slash + 8;
    }
    return end + version_at(text, end);
}

void source_name_arxiv(struct arena *arena, struct span id, struct source_name *name) {
    size_t bare = id.len;
    while (bare > 0 && is_digit(id.at[bare - 1]))
        bare--;
    bool versioned = bare > 1 && bare < id.len && id.at[bare - 1] == 'v';
    struct span plain = lower(arena, span_slice(id, 0, versioned ? bare - 1 : id.len));
    *name = (struct source_name){
        .id = arena_printf(arena, "arxiv:%.*s", SPAN_ARG(plain)),
        .kind = SPAN("arxiv"),
        .url = arena_printf(arena, "https://arxiv.org/abs/%.*s%.*s", SPAN_ARG(plain),
                            SPAN_ARG(span_slice(id, plain.len, id.len))),
    };
}

static struct span decoded(struct arena *arena, struct span text) {
    static const char digits[] = "0123456789abcdef";
    char *out = arena_alloc(arena, text.len + 1);
    size_t len = 0;
    for (size_t i = 0; i < text.len; i++) {
        const char *high = NULL, *low = NULL;
        if (text.at[i] == '%' && i + 2 < text.len && text.at[i + 1] && text.at[i + 2]) {
            high = strchr(digits, text.at[i + 1] | 32);
            low = strchr(digits, text.at[i + 2] | 32);
        }
        int code = high && low ? (int)(high - digits) * 16 + (int)(low - digits) : 0;
        bool visible = code > 0x20 && code < 0x7F;
        out[len++] = visible ? (char)code : text.at[i];
        i += visible ? 2 : 0;
    }
    return span_make(out, len);
}

void source_name_doi(struct arena *arena, struct span doi, struct source_name *name) {
    struct span canonical = lower(arena, decoded(arena, doi));
    struct span arxiv = SPAN("10.48550/arxiv.");
    struct span rest = span_slice(canonical, arxiv.len, canonical.len);
    if (span_starts(canonical, arxiv) && source_arxiv_length(rest) == rest.len && rest.len > 0) {
        source_name_arxiv(arena, rest, name);
        return;
    }
    *name = (struct source_name){
        .id = arena_printf(arena, "doi:%.*s", SPAN_ARG(canonical)),
        .kind = SPAN("doi"),
        .url = arena_printf(arena, "https://doi.org/%.*s", SPAN_ARG(doi)),
    };
}

/* ISO 2108: weights 10..1 modulo 11 (X = 10), or 1 and 3 in turn modulo 10. */
static bool isbn_holds(const char *digits, size_t len) {
    int sum = 0;
    for (size_t i = 0; i < len; i++) {
        int digit = digits[i] == 'X' ? 10 : digits[i] - '0';
        sum += digit * (len == 10 ? 10 - (int)i : i % 2 ? 3 : 1);
    }
    return sum % (len == 10 ? 11 : 10) == 0;
}

static struct span isbn13_of_10(struct arena *arena, const char *digits) {
    int sum = 38; /* 9 + 3 * 7 + 8 of the prefix */
    for (int i = 0; i < 9; i++)
        sum += (digits[i] - '0') * (i % 2 ? 1 : 3);
    return arena_printf(arena, "978%.9s%d", digits, (10 - sum % 10) % 10);
}

bool source_name_isbn(struct arena *arena, struct span text, struct source_name *name) {
    char digits[14] = {0};
    size_t len = 0;
    for (size_t i = 0; i < text.len; i++) {
        bool check = (text.at[i] | 32) == 'x' && len == 9;
        if (!check && !is_digit(text.at[i]))
            continue;
        if (len == 13)
            return false;
        digits[len++] = check ? 'X' : text.at[i];
    }
    if (len != 10 && len != 13)
        return false;
    bool holds = isbn_holds(digits, len);
    struct span isbn =
        holds && len == 10 ? isbn13_of_10(arena, digits) : arena_copy(arena, span_of(digits));
    *name = (struct source_name){
        .id = arena_printf(arena, "isbn:%.*s", SPAN_ARG(isbn)),
        .kind = SPAN("isbn"),
        .url = arena_printf(arena, "https://openlibrary.org/isbn/%.*s", SPAN_ARG(isbn)),
        .note = holds ? SPAN("") : SPAN("its check digit is wrong: no book has this ISBN"),
    };
    return true;
}

void source_name_rfc(struct arena *arena, struct span digits, struct source_name *name) {
    while (digits.len > 1 && digits.at[0] == '0')
        digits = span_slice(digits, 1, digits.len);
    *name = (struct source_name){
        .id = arena_printf(arena, "rfc:%.*s", SPAN_ARG(digits)),
        .kind = SPAN("rfc"),
        .url = arena_printf(arena, "https://www.rfc-editor.org/rfc/rfc%.*s", SPAN_ARG(digits)),
    };
}

void source_name_issue(struct arena *arena, struct span owner, struct span repository,
                       struct span number, struct source_name *name) {
    struct span o = lower(arena, owner), r = lower(arena, repository);
    *name = (struct source_name){
        .id = arena_printf(arena, "github:%.*s/%.*s#%.*s", SPAN_ARG(o), SPAN_ARG(r),
                           SPAN_ARG(number)),
        .kind = SPAN("issue"),
        .url = arena_printf(arena, "https://github.com/%.*s/%.*s/issues/%.*s", SPAN_ARG(owner),
                            SPAN_ARG(repository), SPAN_ARG(number)),
    };
}

static const struct package_index {
    const char *name, *page, *version_path;
} package_indexes[] = {
    {"pypi", "https://pypi.org/project/", "/"},
    {"npm", "https://www.npmjs.com/package/", "/v/"},
    {"crates", "https://crates.io/crates/", "/"},
};

void source_name_package(struct arena *arena, struct span index, struct span package,
                         struct span version, struct source_name *name) {
    const struct package_index *found = &package_indexes[0];
    for (size_t i = 0; i < sizeof package_indexes / sizeof *package_indexes; i++)
        if (span_equal(index, span_of(package_indexes[i].name)))
            found = &package_indexes[i];
    /* PEP 503: runs of - _ . are one hyphen; a local version ("+cu118") is not in the index. */
    struct span id = lower(arena, package);
    for (size_t i = 0; i < id.len; i++)
        if (strchr("_.", id.at[i]) && span_equal(index, SPAN("pypi")))
            ((char *)(uintptr_t)id.at)[i] = '-';
    size_t plus = span_find_byte(version, '+', 0);
    struct span listed = span_slice(version, 0, plus == SIZE_MAX ? version.len : plus);
    *name = (struct source_name){.kind = SPAN("package")};
    name->id = version.len ? arena_printf(arena, "%s:%.*s@%.*s", found->name, SPAN_ARG(id),
                                          SPAN_ARG(version))
                           : arena_printf(arena, "%s:%.*s", found->name, SPAN_ARG(id));
    name->url = arena_printf(arena, "%s%.*s%s%.*s%s", found->page, SPAN_ARG(id),
                             listed.len ? found->version_path : "/", SPAN_ARG(listed),
                             listed.len ? "/" : "");
}

/* URLs. A rule's reader may refuse; then the next one is asked, and `link` is the last. */
struct link {
    struct arena *arena;
    struct span url, canonical;
    struct url_parts parts;
    struct span segments[5]; /* of the path; "" where it has fewer */
};

static bool read_doi(const struct link *link, struct source_name *name) {
    struct span path = span_slice(link->parts.path, 1, link->parts.path.len);
    if (!span_starts(path, SPAN("10.")) || span_find_byte(path, '/', 0) == SIZE_MAX)
        return false;
    source_name_doi(link->arena, path, name);
    return true;
}

/* /abs/ID, /pdf/ID.pdf, /html/ID: behind the first segment; old ids hold a slash. */
static bool read_arxiv(const struct link *link, struct source_name *name) {
    struct span path = link->parts.path;
    size_t slash = span_find_byte(path, '/', 1);
    if (slash == SIZE_MAX)
        return false;
    path = span_slice(path, slash + 1, path.len);
    if (span_ends(link->parts.host, SPAN("huggingface.co")) &&
        !span_equal(link->segments[0], SPAN("papers")))
        return false;
    size_t length = source_arxiv_length(path);
    if (length == 0)
        return false;
    source_name_arxiv(link->arena, span_slice(path, 0, length), name);
    return true;
}

static bool read_rfc(const struct link *link, struct source_name *name) {
    size_t at = span_find_nocase(link->parts.path, SPAN("/rfc"), 0);
    for (; at != SIZE_MAX; at = span_find_nocase(link->parts.path, SPAN("/rfc"), at + 4)) {
        size_t digits = digits_at(link->parts.path, at + 4);
        if (digits == 0 || digits > 5)
            continue;
        source_name_rfc(link->arena, span_slice(link->parts.path, at + 4, at + 4 + digits), name);
        return true;
    }
    return false;
}

static bool read_repository_file(const struct link *link, struct source_name *name) {
    struct url_repository_file file;
    if (!url_is_repository_file(link->canonical, &file))
        return false;
    struct span owner = lower(link->arena, file.owner);
    struct span repository = lower(link->arena, file.repository);
    *name = (struct source_name){
        .id = arena_printf(link->arena, "github:%.*s/%.*s@%.*s:%.*s", SPAN_ARG(owner),
                           SPAN_ARG(repository), SPAN_ARG(file.ref), SPAN_ARG(file.path)),
        .kind = span_ends(file.path, SPAN(".ipynb")) ? SPAN("notebook") : SPAN("link"),
        .url = link->url,
    };
    return true;
}

/* First path segments of github.com that are no account. */
static const char *const github_pages[] = {
    "features",    "topics",   "orgs",          "sponsors",
    "marketplace", "settings", "about",         "login",
    "explore",     "search",   "notifications", "pricing",
    "security",    "apps",     "site",          "enterprise",
    "collections", "trending", "contact",       "customer-stories",
    NULL};

static bool is_github_page(struct span segment) {
    for (size_t i = 0; github_pages[i]; i++)
        if (span_equal_nocase(segment, span_of(github_pages[i])))
            return true;
    return false;
}

static bool is_commit(struct span text) {
    if (text.len < 7 || text.len > 40)
        return false;
    for (size_t i = 0; i < text.len; i++)
        if (!strchr("0123456789abcdefABCDEF", text.at[i]) || !text.at[i])
            return false;
    return true;
}

static bool read_github(const struct link *link, struct source_name *name) {
    const struct span *s = link->segments;
    if (s[0].len == 0 || s[1].len == 0 || is_github_page(s[0]))
        return false;
    struct span repository = s[1];
    if (span_ends(repository, SPAN(".git")))
        repository.len -= 4;
    bool issue = span_equal(s[2], SPAN("issues")) || span_equal(s[2], SPAN("pull")) ||
                 span_equal(s[2], SPAN("discussions"));
    if (issue && s[3].len > 0 && digits_at(s[3], 0) == s[3].len) {
        source_name_issue(link->arena, s[0], repository, s[3], name);
        name->url = link->url;
        return true;
    }
    struct span o = lower(link->arena, s[0]), r = lower(link->arena, repository);
    bool commit = span_equal(s[2], SPAN("commit")) && is_commit(s[3]);
    if (s[2].len > 0 && !commit)
        return false;
    *name = (struct source_name){.kind = commit ? SPAN("commit") : SPAN("repository"),
                                 .url = link->url};
    name->id = commit ? arena_printf(link->arena, "github:%.*s/%.*s@%.*s", SPAN_ARG(o), SPAN_ARG(r),
                                     SPAN_ARG(lower(link->arena, s[3])))
                      : arena_printf(link->arena, "github:%.*s/%.*s", SPAN_ARG(o), SPAN_ARG(r));
    return true;
}

static bool read_pypi(const struct link *link, struct source_name *name) {
    if (!span_equal(link->segments[0], SPAN("project")) || link->segments[1].len == 0)
        return false;
    source_name_package(link->arena, SPAN("pypi"), link->segments[1], link->segments[2], name);
    return true;
}

static const struct link_rule {
    const char *host, *path, *kind;
    bool (*read)(const struct link *, struct source_name *);
} link_rules[] = {
    {"doi.org", "/", NULL, read_doi},
    {"dx.doi.org", "/", NULL, read_doi},
    {"www.doi.org", "/", NULL, read_doi},
    {"arxiv.org", "/", NULL, read_arxiv},
    {"www.arxiv.org", "/", NULL, read_arxiv},
    {"export.arxiv.org", "/", NULL, read_arxiv},
    {"huggingface.co", "/papers/", NULL, read_arxiv},
    {"www.rfc-editor.org", "/", NULL, read_rfc},
    {"rfc-editor.org", "/", NULL, read_rfc},
    {"datatracker.ietf.org", "/doc/", NULL, read_rfc},
    {"tools.ietf.org", "/html/", NULL, read_rfc},
    {NULL, "/", NULL, read_repository_file},
    {"github.com", "/", NULL, read_github},
    {"www.github.com", "/", NULL, read_github},
    {"pypi.org", "/", NULL, read_pypi},
    {"gitlab.com", "/", "repository", NULL},
    {"codeberg.org", "/", "repository", NULL},
    {"bitbucket.org", "/", "repository", NULL},
    {"huggingface.co", "/datasets/", "dataset", NULL},
    {"www.kaggle.com", "/datasets/", "dataset", NULL},
    {"zenodo.org", "/", "dataset", NULL},
    {"colab.research.google.com", "/", "notebook", NULL},
    {"news.ycombinator.com", "/item", "discussion", NULL},
    {"stackoverflow.com", "/questions/", "discussion", NULL},
    {"discuss.pytorch.org", "/", "discussion", NULL},
    {"www.reddit.com", "/", "discussion", NULL},
    {"www.iso.org", "/standard/", "standard", NULL},
    {"www.w3.org", "/TR/", "standard", NULL},
};

static void name_link(const struct link *link, const char *kind, struct source_name *name) {
    *name = (struct source_name){.kind = span_of(kind), .url = link->url};
    name->id = arena_printf(link->arena, "url:%.*s", SPAN_ARG(link->canonical));
}

bool source_name_url(struct arena *arena, struct span url, struct source_name *name) {
    struct link link = {.arena = arena, .url = url_clean(arena, url)};
    link.canonical = url_canonical(arena, url);
    if (link.canonical.len == 0 || !url_split(link.canonical, &link.parts))
        return false;
    struct span rest = span_slice(link.parts.path, 1, link.parts.path.len);
    for (size_t i = 0; i < sizeof link.segments / sizeof *link.segments; i++)
        if (!span_next_field(&rest, '/', &link.segments[i]))
            link.segments[i] = SPAN("");
    for (size_t i = 0; i < sizeof link_rules / sizeof *link_rules; i++) {
        const struct link_rule *rule = &link_rules[i];
        if ((rule->host && !span_equal(link.parts.host, span_of(rule->host))) ||
            !span_starts(link.parts.path, span_of(rule->path)))
            continue;
        if (!rule->read)
            name_link(&link, rule->kind, name);
        if (!rule->read || rule->read(&link, name))
            return true;
    }
    name_link(&link, span_ends(link.parts.path, SPAN(".ipynb")) ? "notebook" : "link", name);
    return true;
}
