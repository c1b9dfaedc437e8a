#include "fetch/bibliography.h"

#include "core/file.h"
#include "core/utf8.h"
#include "fetch/bibtex.h"
#include "fetch/fold.h"
#include "fetch/sources_rows.h"
#include "fetch/url_map.h"

#include <stdint.h>

enum { FILE_BYTES = 8 << 20 };

/* The strongest identifier that the entry has; else the title, else its key. */
static void name_entry(struct arena *arena, const struct bibtex_entry *entry,
                       struct source_name *name) {
    if (entry->doi.len > 0) {
        source_name_doi(arena, entry->doi, name);
        return;
    }
    if (entry->arxiv.len > 0) {
        source_name_arxiv(arena, entry->arxiv, name);
        return;
    }
    if (entry->isbn.len > 0 && source_name_isbn(arena, entry->isbn, name))
        return;
    if (entry->url.len > 0 && source_name_url(arena, entry->url, name))
        return;
    struct span slug = fold_text(arena, entry->title.len ? entry->title : entry->key);
    char *words = arena_string(arena, span_slice(slug, 0, 100));
    for (char *at = words; *at; at++)
        *at = *at == ' ' ? '-' : *at;
    *name = (struct source_name){
        .id = arena_printf(arena, "mention:%s", words),
        .kind = SPAN("paper"),
        .url = SPAN(""),
        .note = SPAN("a bibliography entry without an identifier"),
    };
}

static struct span identifier_of(struct arena *arena, const struct bibtex_entry *entry) {
    return entry->doi.len     ? entry->doi
           : entry->arxiv.len ? arena_printf(arena, "arxiv:%.*s", SPAN_ARG(entry->arxiv))
                              : SPAN("");
}

static void claim(struct arena *arena, const struct bibtex_entry *entry, struct source *source) {
    if (!source || (source->metadata.claimed && source->metadata.claimed->key.len > 0))
        return; /* two entries of one work: the first one counts */
    source->metadata.claimed = arena_alloc(arena, sizeof *source->metadata.claimed);
    *source->metadata.claimed = (struct source_claimed){
        .origin = SPAN("bibtex"),
        .key = arena_copy(arena, entry->key),
        .title = entry->title,
        .authors = entry->authors,
        .venue = entry->venue,
        .year = entry->year,
        .version = entry->version,
        .identifier = identifier_of(arena, entry),
    };
}

static struct span describe_faults(struct arena *arena, const struct bibtex *bibtex) {
    if (bibtex->fault_count == 0)
        return SPAN("");
    return arena_printf(arena, "%zu malformed BibTeX entries, the first at %.*s",
                        bibtex->fault_count, SPAN_ARG(bibtex->faults[0]));
}

size_t bibliography_add(struct arena *arena, struct span text, struct span in, struct span part,
                        size_t base, struct sources *sources, struct span *faults) {
    struct bibtex bibtex;
    struct source_rows rows;
    bibtex_read(arena, text, &bibtex);
    source_rows_init(&rows, arena, sources);
    for (size_t i = 0; i < bibtex.count; i++) {
        const struct bibtex_entry *entry = &bibtex.entries[i];
        struct source_name name;
        struct source_place place = {.in = in, .part = part};
        if (base != SIZE_MAX) {
            place.start = base + entry->start;
            place.end = base + entry->end;
        }
        name_entry(arena, entry, &name);
        struct span context = entry->title.len ? entry->title : arena_copy(arena, entry->key);
        claim(arena, entry, source_rows_add(&rows, &name, place, context));
    }
    source_rows_free(&rows);
    *faults = describe_faults(arena, &bibtex);
    return bibtex.count;
}

static void tell(struct progress *progress, struct arena *arena, struct span where, size_t count,
                 struct span faults) {
    if (count > 0 || faults.len > 0)
        progress_note(progress, "fetch",
                      arena_printf(arena, "%.*s: %zu bibliography entries%s%.*s", SPAN_ARG(where),
                                   count, faults.len ? "; " : "", SPAN_ARG(faults))
                          .at);
}

/* URLs of BibTeX files among the sources. */
static size_t find_files(struct arena *arena, const struct sources *sources,
                         struct http_request *requests, struct span *in) {
    size_t count = 0;
    for (size_t i = 0; i < sources->count && count < BIBLIOGRAPHY_FILES_MOST; i++) {
        struct url_parts parts;
        const struct source *source = &sources->sources[i];
        if (!url_split(source->url, &parts) || !span_ends(parts.path, SPAN(".bib")))
            continue;
        in[count] = source->found_in;
        requests[count++] =
            (struct http_request){.url = url_raw(arena, source->url), .max_bytes = FILE_BYTES};
    }
    return count;
}

static bool add_linked(struct arena *arena, struct http *http, struct progress *progress,
                       struct sources *sources, struct error *error) {
    struct http_request requests[BIBLIOGRAPHY_FILES_MOST];
    struct http_result results[BIBLIOGRAPHY_FILES_MOST];
    struct span in[BIBLIOGRAPHY_FILES_MOST], faults;
    size_t count = find_files(arena, sources, requests, in);
    if (count > 0 && !http_fetch_all(http, arena, requests, count, results, error))
        return false;
    for (size_t i = 0; i < count; i++) {
        if (!http_is_ok(&results[i])) {
            tell(progress, arena, results[i].url, 0, results[i].reason);
            continue;
        }
        size_t read = bibliography_add(arena, results[i].body, in[i], results[i].url, SIZE_MAX,
                                       sources, &faults);
        tell(progress, arena, results[i].url, read, faults);
    }
    return true;
}

static bool add_local(struct arena *arena, struct progress *progress, const char *const *files,
                      struct sources *sources, struct error *error) {
    for (; files && *files; files++) {
        struct span text, faults, name = arena_copy(arena, span_of(path_name(*files)));
        if (!file_read(arena, *files, FILE_BYTES, ERROR_INPUT, &text, error))
            return false;
        size_t read =
            bibliography_add(arena, text, SPAN("bibliography"), name, SIZE_MAX, sources, &faults);
        tell(progress, arena, name, read, faults);
    }
    return true;
}

bool bibliography_collect(struct arena *arena, struct http *http, struct progress *progress,
                          struct span received, struct span chapter, const char *const *files,
                          struct sources *sources, struct error *error) {
    struct span faults;
    bibliography_add(arena, received, SPAN("brief"), SPAN(""), 0, sources, &faults);
    bibliography_add(arena, chapter, SPAN("chapter"), SPAN(""), 0, sources, &faults);
    return add_linked(arena, http, progress, sources, error) &&
           add_local(arena, progress, files, sources, error);
}
