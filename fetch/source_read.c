#include "fetch/source_read.h"

#include "core/file.h"
#include "core/hash.h"
#include "core/utf8.h"
#include "fetch/fetch_http.h"
#include "fetch/source_text.h"
#include "fetch/url_map.h"

/* Fewer words than these are a notice ("enable JavaScript", a scanned PDF), not a document. */
enum { LEAST_WORDS = 40, LEAST_ABSTRACT_WORDS = 15 };
/* A page that describes a paper is the paper itself only when it has these. */
enum { PAPER_WORDS = 1500, PAPER_PARTS = 2 };

struct reader {
    struct arena *arena;
    struct http *http;
    struct error *error;
    struct source_text *result;
    struct page_facts facts; /* of the last page read */
    bool paper;              /* a DOI: what it leads to is expected to be a paper's page */
    bool broken;             /* interrupted */
    struct span outage;      /* an address that did not answer, or what this machine lacks */
    struct error lack;       /* the latter */
};

static void set_reason(struct reader *r, enum reading_status status, struct span reason) {
    r->result->status = status;
    r->result->reason = reason;
}

static void accept(struct reader *r, enum reading_status status, struct span text, struct span form,
                   struct span reason) {
    r->result->text = text;
    r->result->form = form;
    set_reason(r, status, reason);
}

/* What an HTML page is: the document, its abstract, or neither. */
static void judge_page(struct reader *r, struct span text, size_t words) {
    const struct page_facts *facts = &r->facts;
    bool describes = facts->scholarly || r->paper;
    bool whole = !describes || (words >= PAPER_WORDS && facts->parts >= PAPER_PARTS);
    if (whole && !facts->walled && words >= LEAST_WORDS) {
        accept(r, READING_FULL_TEXT, text, SPAN("html"),
               arena_printf(r->arena, "the page, %zu words", words));
    } else if (words >= LEAST_WORDS && (facts->walled || !facts->scholarly)) {
        accept(r, READING_ABSTRACT_ONLY, text, SPAN("html"),
               facts->walled ? SPAN("the page says that its full text is not free to read")
                             : SPAN("the DOI leads to a page that is no full paper"));
    } else if (facts->scholarly && source_words(facts->abstract) >= LEAST_ABSTRACT_WORDS) {
        struct span both = arena_printf(r->arena, "%.*s\n\n%.*s", SPAN_ARG(facts->title),
                                        SPAN_ARG(facts->abstract));
        accept(r, READING_ABSTRACT_ONLY, both, SPAN("html"),
               SPAN("the page describes the paper and gives its abstract"));
    } else {
        set_reason(r, READING_NOT_ACCESSIBLE,
                   arena_printf(r->arena,
                                facts->scholarly
                                    ? "the page describes the paper without an abstract (%zu words)"
                                    : "the page holds %zu words: a notice, or text that a script "
                                      "loads",
                                words));
    }
}

static void judge(struct reader *r, struct span form, struct span text) {
    size_t words = source_words(text);
    if (span_equal(form, SPAN("html")))
        judge_page(r, text, words);
    else if (words == 0 || (words < LEAST_WORDS && span_equal(form, SPAN("pdf"))))
        set_reason(r, READING_NOT_ACCESSIBLE,
                   arena_printf(r->arena, "the %.*s holds %zu words: pages of pictures, perhaps",
                                SPAN_ARG(form), words));
    else
        accept(r, READING_FULL_TEXT, text, form,
               arena_printf(r->arena, "the %.*s, %zu words", SPAN_ARG(form), words));
}

/* Bytes of a document that arrived. */
static void read_bytes(struct reader *r, struct span bytes, struct span content_type,
                       struct span name, const char *where) {
    struct span form = source_form(content_type, name, bytes), text;
    struct error error = {0};
    r->facts = (struct page_facts){0};
    r->result->original_sha256 = sha256_hex(r->arena, bytes);
    if (form.len == 0) {
        set_reason(r, READING_NOT_ACCESSIBLE,
                   arena_printf(r->arena, "%.*s is no text",
                                SPAN_ARG(content_type.len ? content_type : SPAN("the file"))));
    } else if (!source_text_of(r->arena, form, bytes, content_type, where, &text, &r->facts,
                               &error)) {
        set_reason(r, READING_NOT_ACCESSIBLE,
                   arena_printf(r->arena, "%s: %s", error.where, error.message));
        if (error.kind == ERROR_INTERRUPTED) {
            r->broken = true;
            if (r->error)
                *r->error = error;
        }
        if (error.kind != ERROR_INPUT) {
            r->outage = r->result->reason;
            r->lack = error;
        }
    } else {
        judge(r, form, text);
    }
}

/* Answers that say "not for you" or "not there"; all others (429, 5xx ...) say nothing. */
static bool is_refusal(int status) {
    return status == 401 || status == 402 || status == 403 || status == 404 || status == 410 ||
           status == 451;
}

static void ask(struct reader *r, struct span url) {
    static const char accepted[] = "text/html, application/xhtml+xml, application/pdf;q=0.9, "
                                   "text/plain;q=0.8, */*;q=0.5";
    struct http_request request = {
        .url = url, .accept = span_of(accepted), .max_bytes = SOURCE_LARGEST_BYTES};
    struct http_result answer;
    if (r->broken || !http_fetch(r->http, r->arena, &request, &answer, r->error)) {
        r->broken = true;
        return;
    }
    r->result->from = answer.final_url.len ? answer.final_url : answer.url;
    if (http_is_ok(&answer)) {
        struct url_parts parts;
        struct span name = url_split(r->result->from, &parts) ? parts.path : SPAN("");
        const char *where = arena_string(r->arena, r->result->from);
        read_bytes(r, answer.body, answer.content_type, name, where);
        return;
    }
    struct span reason =
        arena_printf(r->arena, "%.*s: %.*s", SPAN_ARG(answer.url), SPAN_ARG(answer.reason));
    if (answer.outcome != HTTP_ANSWERED || !is_refusal(answer.status))
        r->outage = reason;
    set_reason(r, READING_NOT_ACCESSIBLE, reason);
}

static bool has_full_text(const struct reader *r) {
    return r->result->status == READING_FULL_TEXT;
}

/* Tries another address; what was obtained before stays when this one gives less. */
static void ask_also(struct reader *r, struct span url) {
    struct source_text before = *r->result;
    struct page_facts facts = r->facts;
    if (url.len == 0 || has_full_text(r) || r->broken)
        return;
    ask(r, url);
    if (r->result->status > before.status)
        return;
    *r->result = before;
    r->facts = facts;
}

static void read_arxiv(struct reader *r, const struct source_name *name) {
    struct span id = span_slice(name->url, sizeof "https://arxiv.org/abs/" - 1, name->url.len);
    static const char *const views[] = {"html", "pdf", "abs"};
    for (size_t i = 0; i < sizeof views / sizeof *views; i++)
        ask_also(r, arena_printf(r->arena, "https://arxiv.org/%s/%.*s", views[i], SPAN_ARG(id)));
}

static void read_page(struct reader *r, const struct source_name *name) {
    ask_also(r, url_raw(r->arena, name->url));
    struct span base = r->result->from;
    struct span html = r->facts.full_text_url, pdf = r->facts.pdf_url;
    if (html.len)
        ask_also(r, url_resolve(r->arena, base, html));
    if (pdf.len)
        ask_also(r, url_resolve(r->arena, base, pdf));
}

static void read_rfc(struct reader *r, const struct source_name *name) {
    ask_also(r, arena_printf(r->arena, "%.*s.txt", SPAN_ARG(name->url)));
    ask_also(r, name->url);
}

/* Not even a book's own page holds its text. */
static void read_isbn(struct reader *r, const struct source_name *name) {
    (void)name;
    r->outage = SPAN("an ISBN names a book, not a place where its text is");
}

static const struct kind_reader {
    const char *kind;
    void (*read)(struct reader *, const struct source_name *);
} kind_readers[] = {
    {"arxiv", read_arxiv},
    {"rfc", read_rfc},
    {"isbn", read_isbn},
};

static void read_by_kind(struct reader *r, const struct source_name *name) {
    for (size_t i = 0; i < sizeof kind_readers / sizeof *kind_readers; i++)
        if (span_equal(name->kind, span_of(kind_readers[i].kind))) {
            kind_readers[i].read(r, name);
            return;
        }
    read_page(r, name);
}

/* "Not accessible" is said only when every address answered so. */
static void conclude(struct reader *r) {
    r->result->asked = r->result->status > READING_NOT_ACCESSIBLE || r->outage.len == 0;
    if (!r->result->asked)
        set_reason(r, READING_LEAD, r->outage);
}

bool source_text_fetch(struct arena *arena, const struct fetch_options *options,
                       const struct source_name *name, const char *archive,
                       struct source_text *text, struct error *error) {
    *text = (struct source_text){.status = READING_LEAD};
    struct http *http = fetch_open_http(options, error);
    if (!http)
        return false;
    struct reader r = {.arena = arena, .http = http, .error = error, .result = text};
    r.paper = span_equal(name->kind, SPAN("doi"));
    read_by_kind(&r, name);
    conclude(&r);
    bool ok = !r.broken;
    text->archived = options->replay ? 0 : http_archived(http);
    if (ok && archive && text->archived)
        ok = http_archive(http, archive, error);
    http_close(http);
    return ok;
}

bool source_text_of_file(struct arena *arena, const char *path, struct source_text *text,
                         struct error *error) {
    struct span bytes;
    *text = (struct source_text){.asked = true, .from = span_of(path_name(path))};
    if (!file_read(arena, path, SOURCE_LARGEST_BYTES, ERROR_INPUT, &bytes, error))
        return false;
    struct reader r = {.arena = arena, .error = error, .result = text};
    read_bytes(&r, bytes, SPAN(""), text->from, path);
    if (r.lack.kind != ERROR_NONE) {
        if (error)
            *error = r.lack;
        return false;
    }
    if (text->status == READING_FULL_TEXT || text->status == READING_ABSTRACT_ONLY)
        return true;
    return error_set(error, ERROR_INPUT, path, "Name a file that holds the source's text.", "%.*s",
                     SPAN_ARG(text->reason));
}
