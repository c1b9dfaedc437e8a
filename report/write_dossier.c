/* dossier.yaml: the publication record programmer.research.chapter.v1. Every key is always there
 * and every list is a list, because the book's site builds with warnings as errors. */
#include "core/version.h"
#include "report/dossier.h"
#include "report/writers.h"

#define PUBLICATION_SCHEMA "programmer.research.chapter.v1"

/* Papers of thousands of authors exist; the record names so many of each. */
enum { MOST_AUTHORS = 50 };

static const struct span never = {"", 0};

static struct span book_title(const struct dossier *d) {
    return d->view->has[VIEW_BRIEF] ? d->view->brief.book : d->view->pass->book;
}

/* "https://host/books/b/12/" -> "/books/b/12/". */
static struct span url_path(struct span url) {
    size_t scheme = span_find(url, SPAN("://"), 0);
    size_t slash = scheme == (size_t)-1 ? scheme : span_find_byte(url, '/', scheme + 3);
    return slash == (size_t)-1 ? never : span_slice(url, slash, url.len);
}

/* The site reads dates with an offset in digits. */
static void put_date(const struct dossier *d, const char *key) {
    struct span at = d->view->pass->created_at;
    if (span_ends(at, SPAN("Z")))
        at = arena_printf(d->view->arena, "%.*s+00:00", (int)(at.len - 1), at.at);
    yaml_optional(d->w, key, at);
}

static enum { NEVER_RESEARCHED, CURRENT, STALE, FAILED_LATEST } state_of(const struct view *view) {
    if (!view->has[VIEW_FINDINGS] || !span_equal(view->pass->scope, SPAN("full")))
        return FAILED_LATEST;
    return view->pass->fingerprint == FINGERPRINT_MISMATCH ? STALE : CURRENT;
}

static void put_state(const struct dossier *d) {
    yaml_string(d->w, "state", word_of(&chapter_state_words, (int)state_of(d->view)));
}

static void put_stale_reasons(const struct dossier *d) {
    const struct view *view = d->view;
    yaml_list_begin(d->w, "stale_reasons");
    if (view->pass->fingerprint == FINGERPRINT_MISMATCH)
        yaml_string(d->w, NULL, "the text read is not the revision that the brief names");
    if (!span_equal(view->pass->scope, SPAN("full")))
        yaml_text(d->w, NULL,
                  view->snapshot.reason.len ? view->snapshot.reason
                                            : SPAN("the chapter was not read in full"));
    if (!view->has[VIEW_FINDINGS])
        yaml_string(d->w, NULL, "the claims were not audited");
    yaml_list_end(d->w);
}

static bool ran_something(const struct view *view) {
    return view->results.count > view->counts.experiments_in_status[EXPERIMENT_UNRUN];
}

static void put_identity(const struct dossier *d) {
    const struct view *view = d->view;
    yaml_map_begin(d->w, "book");
    yaml_text(d->w, "id", view->pass->book);
    yaml_text(d->w, "title", book_title(d));
    yaml_map_end(d->w);
    yaml_map_begin(d->w, "chapter");
    yaml_text(d->w, "id",
              view->brief.chapter_number.len ? view->brief.chapter_number : view->pass->chapter);
    yaml_text(d->w, "title", dossier_chapter_title(d));
    yaml_text(d->w, "slug", view->pass->chapter);
    yaml_text(d->w, "public_path", url_path(view->brief.chapter_url));
    yaml_map_end(d->w);
}

static void put_research(const struct dossier *d) {
    yaml_map_begin(d->w, "research");
    put_state(d);
    yaml_text(d->w, "run_id", d->view->pass->id);
    yaml_optional(d->w, "previous_run_id", d->previous ? d->previous->pass->id : never);
    put_date(d, "last_researched");
    yaml_string(d->w, "execution_kind", ran_something(d->view) ? "local" : "none");
    put_stale_reasons(d);
    yaml_map_end(d->w);
}

static void put_summary(const struct dossier *d) {
    yaml_map_begin(d->w, "summary");
    yaml_size(d->w, "sources", d->sources);
    yaml_size(d->w, "evidence_relations", d->relations);
    yaml_size(d->w, "supporting", d->in_group[SUPPORTING]);
    yaml_size(d->w, "qualifying", d->in_group[QUALIFYING]);
    yaml_size(d->w, "contradictory", d->in_group[CONTRADICTORY]);
    yaml_size(d->w, "background", d->in_group[BACKGROUND]);
    yaml_size(d->w, "limitations", d->limitations);
    yaml_size(d->w, "open_gaps", d->gaps);
    yaml_map_end(d->w);
}

static struct span identifier(const struct source *source, struct span scheme) {
    return span_starts(source->id, scheme) ? span_slice(source->id, scheme.len, source->id.len)
                                           : never;
}

static void put_source(const struct dossier *d, const struct source *source) {
    struct span name, rest = source->authors;
    yaml_map_begin(d->w, NULL);
    yaml_text(d->w, "id", source->id);
    yaml_text(d->w, "title", source->title.len ? source->title : SPAN("UNVERIFIED"));
    yaml_list_begin(d->w, "authors");
    for (size_t shown = 0; span_next_field(&rest, ';', &name);)
        if (span_trim(name).len && shown++ < MOST_AUTHORS)
            yaml_text(d->w, NULL, name);
    yaml_list_end(d->w);
    yaml_optional(d->w, "year", source->year);
    yaml_optional(d->w, "venue", source->venue);
    yaml_string(d->w, "status", word_of(&reading_words, (int)source->reading));
    yaml_text(d->w, "url", source->url);
    yaml_map_begin(d->w, "identifiers");
    yaml_optional(d->w, "arxiv", identifier(source, SPAN("arxiv:")));
    yaml_optional(d->w, "doi", identifier(source, SPAN("doi:")));
    yaml_map_end(d->w);
    yaml_list_begin(d->w, "provenance");
    yaml_text(d->w, NULL, source->found_in);
    yaml_list_end(d->w);
    yaml_map_end(d->w);
}

static void put_sources(const struct dossier *d) {
    yaml_list_begin(d->w, "sources");
    for (size_t i = 0; i < d->view->sources.count; i++)
        if (dossier_is_first(d->view, &d->view->sources.sources[i]))
            put_source(d, &d->view->sources.sources[i]);
    yaml_list_end(d->w);
}

static void put_card(const struct dossier *d) {
    yaml_map_begin(d->w, "status_card");
    put_state(d);
    yaml_size(d->w, "sources", d->sources);
    yaml_size(d->w, "evidence_relations", d->relations);
    yaml_size(d->w, "open_gaps", d->gaps);
    put_date(d, "last_researched");
    yaml_text(d->w, "run_id", d->view->pass->id);
    yaml_map_end(d->w);
}

static void put_end(const struct dossier *d) {
    yaml_map_begin(d->w, "actions");
    yaml_flag(d->w, "research_available", true);
    yaml_map_end(d->w);
    yaml_map_begin(d->w, "provenance");
    yaml_text(d->w, "run_id", d->view->pass->id);
    yaml_optional(d->w, "previous_run_id", d->previous ? d->previous->pass->id : never);
    yaml_string(d->w, "research_schema", PASS_SCHEMA);
    yaml_string(d->w, "publication_schema", PUBLICATION_SCHEMA);
    yaml_map_end(d->w);
}

/* What a registry's answer says against a source: retracted, another work, not registered. */
static void put_negative_findings(const struct dossier *d) {
    yaml_list_begin(d->w, "negative_findings");
    for (size_t i = 0; i < d->view->sources.count; i++) {
        const struct source *source = &d->view->sources.sources[i];
        for (size_t k = 0; k < source->metadata.finding_count; k++) {
            yaml_map_begin(d->w, NULL);
            yaml_map_begin(d->w, "paper");
            yaml_text(d->w, "id", source->id);
            yaml_text(d->w, "title", source->title.len ? source->title : SPAN("UNVERIFIED"));
            yaml_map_end(d->w);
            yaml_text(d->w, "finding", source->metadata.findings[k].message);
            yaml_map_end(d->w);
        }
    }
    yaml_list_end(d->w);
}

static void put_delta(const struct dossier *d) {
    struct delta delta;
    if (!d->previous) {
        yaml_null(d->w, "delta");
        return;
    }
    delta_of(d->previous, d->view, &delta);
    yaml_map_begin(d->w, "delta");
    yaml_size(d->w, "relations_reused", delta.relations_reused);
    yaml_size(d->w, "relations_revalidated", delta.relations_revalidated);
    yaml_size(d->w, "relations_removed", delta.relations_removed);
    yaml_size(d->w, "papers_new", delta.sources_new);
    yaml_size(d->w, "claims_added", delta.claims_added);
    yaml_size(d->w, "claims_changed", delta.claims_changed);
    yaml_size(d->w, "claims_removed", delta.claims_removed);
    yaml_map_end(d->w);
}

void write_dossier(struct buffer *out, const struct report_content *content) {
    struct yaml_writer w;
    struct dossier d = {.w = &w,
                        .view = content->view,
                        .proposals = content->proposals,
                        .previous = content->previous};
    dossier_count(&d);
    yaml_begin(&w, out);
    yaml_map_begin(&w, NULL);
    yaml_string(&w, "schema", PUBLICATION_SCHEMA);
    yaml_string(&w, "generator", "assay-" ASSAY_VERSION);
    put_identity(&d);
    put_research(&d);
    put_summary(&d);
    put_delta(&d);
    dossier_sections(&d);
    put_sources(&d);
    dossier_gaps(&d);
    put_negative_findings(&d);
    put_card(&d);
    put_end(&d);
    yaml_map_end(&w);
    yaml_end(&w);
}
