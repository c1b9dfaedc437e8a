/* dossier.yaml: the publication record programmer.research.chapter.v1. Every key is always there
 * and every list is a list, because the book's site builds with warnings as errors. */
#include "core/version.h"
#include "report/evidence.h"
#include "report/writers.h"
#include "report/yaml.h"

#define PUBLICATION_SCHEMA "programmer.research.chapter.v1"

/* The record's groups of relations, in its order. */
enum group {
    SUPPORTING,
    QUALIFYING,
    COMPETING,
    CONTRADICTORY,
    BACKGROUND,
    UNRESOLVED,
    GROUP_COUNT
};
static const char *const group_names[] = {"supporting",    "qualifying", "competing",
                                          "contradictory", "background", "unresolved"};

struct dossier {
    struct yaml_writer *w;
    const struct view *view;
    const struct proposals *proposals;
    struct evidence_items evidence;
    size_t in_group[GROUP_COUNT];
    size_t relations, gaps, limitations, sources;
};

static bool is_experiment_left(const struct result *result) {
    return result->status != EXPERIMENT_REPRODUCED && result->status != EXPERIMENT_NOT_REPRODUCED;
}

/* What was planned but not decided is an opportunity, what was only questioned is a gap: neither is
 * a relation. */
static bool is_relation(const struct evidence_item *item) {
    return item->side != EVIDENCE_UNRESOLVED ||
           (item->result && item->result->status == EXPERIMENT_INCONCLUSIVE);
}

static enum group group_of(const struct evidence_item *item) {
    static const enum group by_side[] = {SUPPORTING, QUALIFYING, CONTRADICTORY, UNRESOLVED};
    return by_side[item->side];
}

static const struct span never = {"", 0};

static struct span book_title(const struct dossier *d) {
    return d->view->has[VIEW_BRIEF] ? d->view->brief.book : d->view->pass->book;
}

static struct span chapter_title(const struct dossier *d) {
    return d->view->has[VIEW_BRIEF] ? d->view->brief.chapter : d->view->pass->chapter;
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
    yaml_text(d->w, "title", chapter_title(d));
    yaml_text(d->w, "slug", view->pass->chapter);
    yaml_text(d->w, "public_path", url_path(view->brief.chapter_url));
    yaml_map_end(d->w);
}

static void put_research(const struct dossier *d) {
    yaml_map_begin(d->w, "research");
    put_state(d);
    yaml_text(d->w, "run_id", d->view->pass->id);
    yaml_optional(d->w, "previous_run_id", never);
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

static bool same_section(const struct claim *a, const struct claim *b) {
    if (a->heading_count != b->heading_count)
        return false;
    for (size_t i = 0; i < a->heading_count; i++)
        if (!span_equal(a->heading[i], b->heading[i]))
            return false;
    return true;
}

static void put_terms(const struct dossier *d) {
    yaml_list_begin(d->w, "concepts");
    for (size_t i = 0; i < d->view->findings.reading_count; i++) {
        const struct reading_note *note = &d->view->findings.reading[i];
        if (span_equal(note->topic, SPAN("term")) && note->quote.len)
            yaml_text(d->w, NULL, note->quote);
    }
    yaml_list_end(d->w);
}

static void put_no_terms(const struct dossier *d) {
    yaml_list_begin(d->w, "concepts");
    yaml_list_end(d->w);
}

/* One entry a section of the chapter, its claims in order; the chapter's terms with the first. */
static void put_thesis(const struct dossier *d) {
    const struct claims *claims = &d->view->claims;
    yaml_list_begin(d->w, "current_thesis");
    for (size_t i = 0; i < claims->count;) {
        const struct claim *first = &claims->claims[i];
        size_t begin = i;
        yaml_map_begin(d->w, NULL);
        yaml_text(d->w, "section",
                  first->heading_count ? first->heading[first->heading_count - 1]
                                       : chapter_title(d));
        yaml_list_begin(d->w, "claims");
        for (; i < claims->count && same_section(first, &claims->claims[i]); i++)
            yaml_text(d->w, NULL, claims->claims[i].quote);
        yaml_list_end(d->w);
        if (begin == 0)
            put_terms(d);
        else
            put_no_terms(d);
        yaml_map_end(d->w);
    }
    yaml_list_end(d->w);
}

static struct span claim_text(const struct view *view, struct span id) {
    const struct view_claim *item = view_claim_of(view, id);
    return item ? item->claim->quote : SPAN("the chapter as a whole");
}

static struct span chapter_source_id(const struct dossier *d) {
    if (d->view->brief.chapter_url.len == 0)
        return d->view->pass->stable_id;
    return arena_printf(d->view->arena, "url:%.*s", SPAN_ARG(d->view->brief.chapter_url));
}

/* The chapter's own text, which recomputation takes its numbers from. */
static void put_chapter_reference(const struct dossier *d) {
    yaml_map_begin(d->w, "source");
    yaml_text(d->w, "id", chapter_source_id(d));
    yaml_text(d->w, "title", chapter_title(d));
    yaml_list_begin(d->w, "authors");
    yaml_list_end(d->w);
    yaml_null(d->w, "year");
    yaml_text(d->w, "url", d->view->brief.chapter_url);
    yaml_map_end(d->w);
}

static void put_tier(const struct dossier *d, const struct evidence_item *item,
                     struct span summary) {
    yaml_map_begin(d->w, "evidence");
    yaml_string(d->w, "tier", item->result ? "LOCAL_MEASUREMENT" : "LOCAL_RECOMPUTATION");
    yaml_string(d->w, "tier_label",
                item->result ? "Measured on this machine"
                             : "Recomputed from the chapter's numbers");
    yaml_text(d->w, "section", item->result ? item->result->title : item->finding->check);
    yaml_text(d->w, "summary", summary);
    yaml_map_end(d->w);
}

static struct span rationale_of(const struct view *view, const struct evidence_item *item) {
    if (item->result)
        return arena_printf(view->arena, "experiment %.*s: %s", SPAN_ARG(item->result->id),
                            word_of(&experiment_words, (int)item->result->status));
    return item->finding->expression.len ? item->finding->expression : item->finding->id;
}

static void put_relation(const struct dossier *d, const struct evidence_item *item) {
    const struct view *view = d->view;
    struct span claim = item->finding               ? item->finding->claim
                        : item->result->claim_count ? item->result->claims[0]
                                                    : never;
    yaml_map_begin(d->w, NULL);
    yaml_string(d->w, "relation", item->relation);
    yaml_text(d->w, "claim", claim_text(view, claim));
    put_chapter_reference(d);
    put_tier(d, item, item->result ? item->result->reason : item->finding->message);
    yaml_map_begin(d->w, "interpretation");
    yaml_text(d->w, "rationale", rationale_of(view, item));
    yaml_map_end(d->w);
    yaml_map_end(d->w);
}

static void put_evidence(const struct dossier *d) {
    yaml_map_begin(d->w, "existing_evidence");
    for (int group = 0; group < GROUP_COUNT; group++) {
        yaml_list_begin(d->w, group_names[group]);
        for (size_t i = 0; i < d->evidence.count; i++) {
            const struct evidence_item *item = &d->evidence.items[i];
            if (is_relation(item) && (int)group_of(item) == group)
                put_relation(d, item);
        }
        yaml_list_end(d->w);
    }
    yaml_map_end(d->w);
}

/* A claim that nothing confirms, and what a check found unsupported. */
static struct span gap_of(const struct view *view, const struct view_claim *item) {
    for (size_t i = 0; i < item->finding_count; i++) {
        const struct finding *finding = &view->findings.findings[item->findings[i]];
        if (finding_asks(finding) && finding->class == FINDING_UNSUPPORTED)
            return finding->message;
    }
    return item->state == CLAIM_OPEN ? SPAN("nothing in this pass confirms or questions it")
                                     : never;
}

static void put_gaps(const struct dossier *d) {
    yaml_list_begin(d->w, "missing_evidence");
    for (size_t i = 0; i < d->view->claims.count; i++) {
        struct span gap = gap_of(d->view, &d->view->items[i]);
        if (gap.len == 0)
            continue;
        yaml_map_begin(d->w, NULL);
        yaml_text(d->w, "claim", d->view->items[i].claim->quote);
        yaml_text(d->w, "gap", gap);
        yaml_map_end(d->w);
    }
    yaml_list_end(d->w);
}

/* Each limitation of the pass through put (NULL only counts); returns how many there are. */
static size_t each_limitation(const struct dossier *d, struct yaml_writer *w) {
    const struct view *view = d->view;
    size_t count = 0;
    for (int i = 0; i < STAGE_REPORT; i++) {
        const struct pass_stage *stage = &view->pass->stages[i];
        if (stage->state == STAGE_COMPLETE)
            continue;
        count++;
        if (w)
            yaml_text(w, NULL,
                      arena_printf(view->arena, "%s: %s%s%.*s", word_of(&stage_words, i),
                                   word_of(&stage_state_words, (int)stage->state),
                                   stage->detail.len ? ", " : "", SPAN_ARG(stage->detail)));
    }
    if (view->findings.checks_completed < view->findings.checks_total) {
        count++;
        if (w)
            yaml_text(w, NULL,
                      arena_printf(view->arena, "%zu of %zu checks completed",
                                   view->findings.checks_completed, view->findings.checks_total));
    }
    return count;
}

static void put_limitations(const struct dossier *d) {
    yaml_list_begin(d->w, "limitations");
    each_limitation(d, d->w);
    yaml_list_end(d->w);
}

static void put_opportunities(const struct dossier *d) {
    yaml_list_begin(d->w, "experiment_opportunities");
    for (size_t i = 0; i < d->view->results.count; i++) {
        const struct result *result = &d->view->results.results[i];
        if (!is_experiment_left(result))
            continue;
        yaml_map_begin(d->w, NULL);
        yaml_text(d->w, "description", result->title);
        yaml_text(d->w, "reason",
                  arena_printf(d->view->arena, "%s: %.*s",
                               word_of(&experiment_words, (int)result->status),
                               SPAN_ARG(result->reason)));
        yaml_map_end(d->w);
    }
    yaml_list_end(d->w);
}

static bool was_read(const struct source *source) {
    return source->reading == READING_FULL_TEXT || source->reading == READING_ABSTRACT_ONLY;
}

static void put_literature(const struct dossier *d) {
    yaml_list_begin(d->w, "new_literature");
    for (size_t i = 0; i < d->view->sources.count; i++) {
        const struct source *source = &d->view->sources.sources[i];
        if (!was_read(source))
            continue;
        yaml_map_begin(d->w, NULL);
        yaml_text(d->w, "title", source->title.len ? source->title : SPAN("UNVERIFIED"));
        yaml_optional(d->w, "year", source->year);
        yaml_map_end(d->w);
    }
    yaml_list_end(d->w);
}

/* Only what somebody read and tied to a claim can be added to a bibliography. */
static void put_bibliography(const struct dossier *d) {
    yaml_list_begin(d->w, "bibliography_additions");
    for (size_t i = 0; i < d->view->sources.count; i++) {
        const struct source *source = &d->view->sources.sources[i];
        if (!was_read(source) || source->claim_count == 0)
            continue;
        yaml_map_begin(d->w, NULL);
        yaml_text(d->w, "title", source->title.len ? source->title : SPAN("UNVERIFIED"));
        yaml_optional(d->w, "year", source->year);
        yaml_string(d->w, "status", word_of(&reading_words, (int)source->reading));
        yaml_text(d->w, "reason", source->context);
        yaml_map_end(d->w);
    }
    yaml_list_end(d->w);
}

static void put_actions(const struct dossier *d) {
    yaml_list_begin(d->w, "recommended_actions");
    for (size_t i = 0; i < d->proposals->count; i++) {
        const struct proposal *p = &d->proposals->items[i];
        struct span why = p->finding ? p->finding->message : p->result->reason;
        yaml_map_begin(d->w, NULL);
        yaml_text(d->w, "recommendation",
                  arena_printf(d->view->arena, "%s (%s): %.*s",
                               word_of(&response_words, (int)p->response), p->decision,
                               SPAN_ARG(why)));
        yaml_map_end(d->w);
    }
    yaml_list_end(d->w);
    yaml_list_begin(d->w, "do_not_strengthen");
    for (size_t i = 0; i < d->view->claims.count; i++)
        if (d->view->items[i].state <= CLAIM_CONCERN)
            yaml_text(d->w, NULL, d->view->items[i].claim->quote);
    yaml_list_end(d->w);
}

static void put_sections(const struct dossier *d) {
    yaml_map_begin(d->w, "sections");
    put_thesis(d);
    put_evidence(d);
    put_literature(d);
    put_gaps(d);
    put_limitations(d);
    put_opportunities(d);
    put_bibliography(d);
    put_actions(d);
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
    while (span_next_field(&rest, ';', &name))
        if (span_trim(name).len)
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

/* The first of several with one canonical id. */
static bool is_first(const struct view *view, const struct source *source) {
    return view_source_of(view, source->id) == source;
}

static void put_sources(const struct dossier *d) {
    yaml_list_begin(d->w, "sources");
    for (size_t i = 0; i < d->view->sources.count; i++)
        if (is_first(d->view, &d->view->sources.sources[i]))
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
    yaml_optional(d->w, "previous_run_id", never);
    yaml_string(d->w, "research_schema", PASS_SCHEMA);
    yaml_string(d->w, "publication_schema", PUBLICATION_SCHEMA);
    yaml_map_end(d->w);
}

static void count(struct dossier *d) {
    evidence_collect(d->view, &d->evidence);
    for (size_t i = 0; i < d->evidence.count; i++)
        if (is_relation(&d->evidence.items[i])) {
            d->relations++;
            d->in_group[group_of(&d->evidence.items[i])]++;
        }
    for (size_t i = 0; i < d->view->claims.count; i++)
        d->gaps += gap_of(d->view, &d->view->items[i]).len > 0;
    for (size_t i = 0; i < d->view->sources.count; i++)
        d->sources += is_first(d->view, &d->view->sources.sources[i]);
    d->limitations = each_limitation(d, NULL);
}

void write_dossier(struct buffer *out, const struct report_content *content) {
    struct yaml_writer w;
    struct dossier d = {.w = &w, .view = content->view, .proposals = content->proposals};
    count(&d);
    yaml_begin(&w, out);
    yaml_map_begin(&w, NULL);
    yaml_string(&w, "schema", PUBLICATION_SCHEMA);
    yaml_string(&w, "generator", "assay-" ASSAY_VERSION);
    put_identity(&d);
    put_research(&d);
    put_summary(&d);
    yaml_null(&w, "delta");
    put_sections(&d);
    put_sources(&d);
    put_gaps(&d);
    yaml_list_begin(&w, "negative_findings");
    yaml_list_end(&w);
    put_card(&d);
    put_end(&d);
    yaml_map_end(&w);
    yaml_end(&w);
}
