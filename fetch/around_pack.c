/* The research pack's page against the brief: a brief that is older than its pack speaks of another
 * revision. The pack is read as a brief where it is one (text, Markdown, JSON, or text inside the
 * page), else as a page: visible SHA-256 values, words, and the links below a heading of
 * references. */
#include "fetch/around.h"

#include "core/hash.h"
#include "fetch/brief.h"
#include "fetch/charset.h"
#include "fetch/outline.h"
#include "fetch/structure.h"

enum { SHORTEST_PARAGRAPH = 40 };

struct pack {
    struct arena *arena;
    struct span words;       /* what a person sees, white space collapsed */
    struct span fingerprint; /* empty = none is shown */
    bool has_ours;           /* the brief's fingerprint is among those shown */
    struct span *references; /* URLs */
    size_t reference_count, reference_capacity;
    bool is_brief;
};

static bool is_hex(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/* Runs of exactly 64 hex digits. */
static void find_fingerprints(struct pack *pack, struct span ours) {
    struct span words = pack->words;
    for (size_t i = 0, end; i < words.len; i = end + 1) {
        for (end = i; end < words.len && is_hex(words.at[end]);)
            end++;
        struct span run = span_slice(words, i, end);
        if (run.len != SHA256_HEX_LEN)
            continue;
        if (span_equal_nocase(run, ours))
            pack->has_ours = true;
        if (pack->fingerprint.len == 0 || pack->has_ours)
            pack->fingerprint = run;
        if (pack->has_ours)
            return;
    }
}

static void add_reference(struct pack *pack, struct span url) {
    if (url.len)
        LIST_PUSH(pack->arena, pack->references, pack->reference_count, pack->reference_capacity,
                  url);
}

static bool is_about_references(const struct chapter *page, size_t heading) {
    for (; heading != SIZE_MAX; heading = page->headings[heading].parent) {
        struct span text = page->headings[heading].text;
        if (span_find_nocase(text, SPAN("reference"), 0) != SIZE_MAX ||
            span_find_nocase(text, SPAN("bibliography"), 0) != SIZE_MAX)
            return true;
    }
    return false;
}

/* Blocks and links are in order of the text. */
static void find_references(struct pack *pack, const struct chapter *page) {
    size_t block = 0;
    for (size_t i = 0; i < page->link_count; i++) {
        const struct chapter_link *link = &page->links[i];
        while (block < page->block_count && page->blocks[block].end <= link->start)
            block++;
        bool inside = block < page->block_count && page->blocks[block].start <= link->start;
        if (inside && is_about_references(page, page->blocks[block].heading))
            add_reference(pack, link->url);
    }
}

static bool read_as_brief(struct pack *pack, struct span text) {
    struct brief brief = {0};
    struct error ignored;
    if (!brief_parse(pack->arena, text, "the research pack", &brief, &ignored))
        return false;
    pack->is_brief = true;
    pack->fingerprint = brief.fingerprint;
    pack->words = outline_collapse(pack->arena, brief.excerpt);
    for (size_t i = 0; i < brief.references.count; i++)
        add_reference(pack, brief.references.items[i].url);
    return true;
}

/* A brief shown inside a page begins with its first section. */
static bool read_inner_brief(struct pack *pack, struct span view) {
    size_t at = span_find(view, SPAN("== 1. "), 0);
    return at != SIZE_MAX && read_as_brief(pack, span_slice(view, at, view.len));
}

static void read_page(struct pack *pack, struct span html, struct span ours) {
    struct chapter page = {0};
    struct error ignored;
    if (!structure_read(pack->arena, SPAN("html"), html, "the research pack", &page, &ignored) ||
        read_inner_brief(pack, page.view))
        return;
    pack->words = outline_collapse(pack->arena, page.view);
    find_fingerprints(pack, ours);
    find_references(pack, &page);
}

static void read_pack(struct pack *pack, const struct http_result *result, struct span ours) {
    struct charset charset;
    struct span text = charset_decode(pack->arena, result->body, result->content_type, &charset);
    if (span_equal(structure_format(SPAN(""), text), SPAN("html"))) {
        read_page(pack, text, ours);
    } else if (!read_as_brief(pack, text)) {
        pack->words = outline_collapse(pack->arena, text);
        find_fingerprints(pack, ours);
    }
    pack->has_ours = pack->has_ours || (ours.len && span_equal_nocase(pack->fingerprint, ours));
}

/* Notes, joined by "; ". older: the pack has what the brief has not. */
struct notes {
    struct buffer text;
    bool older, differs;
};

static void separate(struct notes *notes) {
    if (notes->text.len)
        buffer_add_string(&notes->text, "; ");
}

static void compare_fingerprints(struct notes *notes, const struct pack *pack, struct span ours) {
    separate(notes);
    if (pack->has_ours) {
        buffer_add_string(&notes->text, "same fingerprint");
    } else if (pack->fingerprint.len && ours.len) {
        buffer_printf(&notes->text, "the pack names fingerprint %.12s..., the brief %.12s...",
                      pack->fingerprint.at, ours.at);
        notes->older = true;
    } else {
        buffer_printf(&notes->text, "fingerprints not compared, %s names none",
                      ours.len ? "the pack" : "the brief");
    }
}

static void compare_excerpts(struct arena *arena, struct notes *notes, const struct pack *pack,
                             struct span excerpt) {
    struct span rest = excerpt, line;
    size_t all = 0, missing = 0;
    while (span_next_line(&rest, &line)) {
        struct span words = outline_collapse(arena, line);
        if (words.len < SHORTEST_PARAGRAPH)
            continue;
        all++;
        missing += span_find(pack->words, words, 0) == SIZE_MAX;
    }
    separate(notes);
    if (all == 0 || missing == all)
        buffer_printf(&notes->text, "excerpts not compared, %s shows none",
                      all ? "the pack" : "the brief");
    else
        buffer_printf(&notes->text, "%zu of %zu lines of the excerpt are in the pack",
                      all - missing, all);
    notes->differs = notes->differs || (missing && missing < all);
}

static bool is_known(const struct brief *brief, struct span url) {
    for (size_t i = 0; i < brief->references.count; i++)
        if (span_equal(brief->references.items[i].url, url) ||
            span_find(brief->references.items[i].text, url, 0) != SIZE_MAX)
            return true;
    return false;
}

static void compare_references(struct notes *notes, const struct pack *pack,
                               const struct brief *brief) {
    size_t unknown = 0;
    struct span first = SPAN("");
    for (size_t i = 0; i < pack->reference_count; i++) {
        if (is_known(brief, pack->references[i]))
            continue;
        first = unknown++ ? first : pack->references[i];
    }
    separate(notes);
    if (unknown)
        buffer_printf(&notes->text, "the pack lists %zu references that the brief has not: %.*s%s",
                      unknown, SPAN_ARG(first), unknown > 1 ? " ..." : "");
    else
        buffer_printf(&notes->text, "no reference of the pack (%zu) is missing in the brief",
                      pack->reference_count);
    notes->older = notes->older || unknown;
}

struct span around_pack_note(struct arena *arena, const struct brief *brief,
                             const struct around *around) {
    if (!around->has_pack)
        return SPAN("");
    if (!http_is_ok(&around->pack) ||
        charset_is_binary(around->pack.body, around->pack.content_type))
        return arena_printf(arena, "not compared: %.*s",
                            SPAN_ARG(http_is_ok(&around->pack) ? SPAN("the pack is no text")
                                                               : around->pack.reason));
    struct pack pack = {.arena = arena, .words = SPAN(""), .fingerprint = SPAN("")};
    struct notes notes = {0};
    read_pack(&pack, &around->pack, brief->fingerprint);
    compare_fingerprints(&notes, &pack, brief->fingerprint);
    compare_excerpts(arena, &notes, &pack, brief->excerpt);
    compare_references(&notes, &pack, brief);
    const char *verdict = notes.older     ? "older than its pack"
                          : notes.differs ? "differs from its pack"
                          : pack.has_ours ? "same as its pack"
                                          : "not decided";
    struct span note = arena_printf(arena, "%s: %.*s", verdict, SPAN_ARG(buffer_span(&notes.text)));
    buffer_free(&notes.text);
    return note;
}
