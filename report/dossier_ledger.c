/* Recorded items as relations of the record. */
#include "report/dossier.h"
#include "report/view_ledger.h"

enum group dossier_group_of_quoted(const struct evidence_item *item) {
    static const enum group by_side[] = {SUPPORTING, QUALIFYING, CONTRADICTORY, UNRESOLVED,
                                         BACKGROUND};
    if (item->side == EVIDENCE_QUALIFYING && strcmp(item->relation, "ALTERNATIVE") == 0)
        return COMPETING;
    return by_side[item->side];
}

static void put_source(const struct dossier *d, const struct source *source) {
    yaml_map_begin(d->w, "source");
    yaml_text(d->w, "id", source->id);
    yaml_text(d->w, "title", source->title.len ? source->title : SPAN("UNVERIFIED"));
    yaml_list_begin(d->w, "authors");
    if (source->authors.len && !span_equal(source->authors, SPAN("UNVERIFIED")))
        yaml_text(d->w, NULL, source->authors);
    yaml_list_end(d->w);
    if (source->year.len && !span_equal(source->year, SPAN("UNVERIFIED")))
        yaml_text(d->w, "year", source->year);
    else
        yaml_null(d->w, "year");
    yaml_text(d->w, "url", source->url);
    yaml_map_end(d->w);
}

void dossier_quoted_relation(const struct dossier *d, const struct evidence_item *item) {
    static const struct source unknown = {.id = {"", 0}};
    const struct ledger_evidence *quoted = item->quoted;
    const struct source *source = view_ledger_source(d->view, quoted->source);
    const struct view_claim *claim = view_claim_of(d->view, quoted->claim.id);
    bool abstract = quoted->reading == READING_ABSTRACT_ONLY;
    yaml_map_begin(d->w, NULL);
    yaml_string(d->w, "relation", item->relation);
    yaml_text(d->w, "claim", claim ? claim->claim->quote : quoted->claim.anchor.quote);
    put_source(d, source ? source : &unknown);
    yaml_map_begin(d->w, "evidence");
    yaml_string(d->w, "tier", abstract ? "ABSTRACT_EVIDENCE" : "FULL_TEXT_EVIDENCE");
    yaml_string(d->w, "tier_label", abstract ? "Abstract only" : "Full text read");
    yaml_text(
        d->w, "section",
        arena_printf(d->view->arena, "bytes %zu to %zu", quoted->anchor.start, quoted->anchor.end));
    yaml_text(d->w, "summary", quoted->anchor.quote);
    yaml_map_end(d->w);
    yaml_map_begin(d->w, "interpretation");
    yaml_text(d->w, "rationale", quoted->note.len ? quoted->note : quoted->id);
    yaml_map_end(d->w);
    yaml_map_end(d->w);
}
