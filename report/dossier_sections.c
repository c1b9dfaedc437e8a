/* What the record says in its sections: thesis, evidence, gaps, opportunities and actions. */
#include "report/dossier.h"

static const char *const group_names[] = {"supporting",    "qualifying", "competing",
                                          "contradictory", "background", "unresolved"};

static bool is_experiment_left(const struct result *result) {
    return result->status != EXPERIMENT_REPRODUCED && result->status != EXPERIMENT_NOT_REPRODUCED;
}

/* What was planned but not decided is an opportunity, what was only questioned is a gap: neither is
 * a relation. */
static bool is_relation(const struct evidence_item *item) {
    return item->side != EVIDENCE_UNRESOLVED || item->quoted ||
           (item->result && item->result->status == EXPERIMENT_INCONCLUSIVE);
}

static enum group group_of(const struct evidence_item *item) {
    static const enum group by_side[] = {SUPPORTING, QUALIFYING, CONTRADICTORY, UNRESOLVED};
    return item->quoted ? dossier_group_of_quoted(item) : by_side[item->side];
}

static const struct span never = {"", 0};

struct span dossier_chapter_title(const struct dossier *d) {
    return d->view->has[VIEW_BRIEF] ? d->view->brief.chapter : d->view->pass->chapter;
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
                                       : dossier_chapter_title(d));
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
    yaml_text(d->w, "title", dossier_chapter_title(d));
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
            if (!is_relation(item) || (int)group_of(item) != group)
                continue;
            if (item->quoted)
                dossier_quoted_relation(d, item);
            else
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
    return item->state == CLAIM_OPEN && item->evidence_count == 0
               ? SPAN("nothing in this pass confirms or questions it")
               : never;
}

void dossier_gaps(const struct dossier *d) {
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
        struct span why = p->finding  ? p->finding->message
                          : p->result ? p->result->reason
                                      : p->claim->decision->reason;
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

void dossier_sections(const struct dossier *d) {
    yaml_map_begin(d->w, "sections");
    put_thesis(d);
    put_evidence(d);
    put_literature(d);
    dossier_gaps(d);
    put_limitations(d);
    put_opportunities(d);
    put_bibliography(d);
    put_actions(d);
    yaml_map_end(d->w);
}

/* The first of several with one canonical id. */
bool dossier_is_first(const struct view *view, const struct source *source) {
    return view_source_of(view, source->id) == source;
}

void dossier_count(struct dossier *d) {
    evidence_collect(d->view, &d->evidence);
    for (size_t i = 0; i < d->evidence.count; i++)
        if (is_relation(&d->evidence.items[i])) {
            d->relations++;
            d->in_group[group_of(&d->evidence.items[i])]++;
        }
    for (size_t i = 0; i < d->view->claims.count; i++)
        d->gaps += gap_of(d->view, &d->view->items[i]).len > 0;
    for (size_t i = 0; i < d->view->sources.count; i++)
        d->sources += dossier_is_first(d->view, &d->view->sources.sources[i]);
    d->limitations = each_limitation(d, NULL);
}
