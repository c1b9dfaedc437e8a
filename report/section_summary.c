/* The short summary at the head of section 1. */
#include "report/sections.h"

/* Claims named in a sentence, and of them quoted with their reason; all are in section 2. */
enum { NAMED_LIMIT = 8, QUOTED_LIMIT = 4 };

static void say(struct page *page, const char *what) {
    page_begin(page, PAGE_ITEM);
    page_strong(page, what);
    page_text(page, SPAN(" "));
}

/* "C3, C4 and 5 more" of one state, in order of the text. */
static void name_claims(struct page *page, const struct view *view, enum claim_state state) {
    size_t shown = 0, count = view->counts.claims_in_state[state];
    for (size_t i = 0; i < view->claims.count && shown < NAMED_LIMIT; i++) {
        if (view->items[i].state != state)
            continue;
        page_text(page, shown++ ? SPAN(", ") : SPAN(""));
        part_claim(page, view->items[i].claim);
    }
    if (count > shown)
        page_print(page, " and %zu more", count - shown);
}

static void name_results(struct page *page, const struct view *view,
                         enum experiment_status status) {
    for (size_t i = 0, shown = 0; i < view->results.count; i++)
        if (view->results.results[i].status == status) {
            page_text(page, shown++ ? SPAN(", ") : SPAN(""));
            page_reference(page, view->results.results[i].id, view->results.results[i].id);
        }
}

static void say_holds(struct page *page, const struct view *view) {
    size_t count = view->counts.claims_in_state[CLAIM_HOLDS];
    size_t reproduced = view->counts.experiments_in_status[EXPERIMENT_REPRODUCED];
    say(page, "What holds:");
    if (count) {
        page_print(page, "%zu of %zu claims (", count, view->claims.count);
        name_claims(page, view, CLAIM_HOLDS);
        page_text(page, SPAN("). Their numbers agree with the chapter's own, with a table of facts "
                             "or with a rerun, and no check questions them ("));
    } else
        page_text(page, SPAN("no claim was confirmed ("));
    part_checks_completed(page, view);
    page_text(page, SPAN(")."));
    if (reproduced) {
        page_text(page, SPAN(" A rerun here agreed in "));
        name_results(page, view, EXPERIMENT_REPRODUCED);
        page_text(page, SPAN("."));
    }
    page_end(page, PAGE_ITEM);
}

/* A sentence inside another one: without its own full stop. */
static struct span clause_of(struct span sentence) {
    sentence = span_trim(sentence);
    return span_slice(sentence, 0, sentence.len - (span_ends(sentence, SPAN(".")) ? 1 : 0));
}

static void say_contradicted(struct page *page, const struct view *view) {
    size_t count = view->counts.claims_in_state[CLAIM_CONTRADICTED], shown = 0;
    part_count(page, count, "claim is contradicted", "claims are contradicted");
    for (size_t i = 0; i < view->claims.count && shown < QUOTED_LIMIT; i++) {
        const struct view_claim *item = &view->items[view->by_priority[i]];
        if (item->state != CLAIM_CONTRADICTED)
            continue;
        page_text(page, shown++ ? SPAN("; ") : SPAN(": "));
        part_claim(page, item->claim);
        page_print(page, " (line %zu): ", view_position(view, item->claim->start).line);
        page_quote(page, clause_of(view_why(view, item)));
    }
    page_text(page, count > shown ? SPAN("; the rest is in section 2.") : SPAN("."));
}

static void say_fails(struct page *page, const struct view *view) {
    const size_t *in = view->counts.claims_in_state;
    say(page, "What does not:");
    if (in[CLAIM_CONTRADICTED])
        say_contradicted(page, view);
    else
        page_text(page, SPAN("no claim is contradicted."));
    if (in[CLAIM_CONCERN]) {
        page_print(page, " %zu %s a concern: ", in[CLAIM_CONCERN],
                   in[CLAIM_CONCERN] == 1 ? "claim has" : "claims have");
        name_claims(page, view, CLAIM_CONCERN);
        page_text(page, SPAN("."));
    }
    page_end(page, PAGE_ITEM);
}

static void say_open(struct page *page, const struct view *view) {
    static const enum experiment_status undecided[] = {
        EXPERIMENT_INCONCLUSIVE, EXPERIMENT_NOT_COMPARABLE, EXPERIMENT_FAILED, EXPERIMENT_UNRUN};
    const size_t *in = view->counts.experiments_in_status;
    size_t shown = 0;
    say(page, "What is open:");
    part_count(page, view->counts.claims_in_state[CLAIM_OPEN], "claim is", "claims are");
    page_text(page, view->counts.claims_in_state[CLAIM_OPEN]
                        ? SPAN(" UNVERIFIED: nothing here confirms or questions the value")
                        : SPAN(" UNVERIFIED"));
    for (size_t i = 0; i < sizeof undecided / sizeof *undecided; i++) {
        if (in[undecided[i]] == 0)
            continue;
        if (shown++ == 0)
            page_print(page, ". Of %zu %s ", view->results.count,
                       view->results.count == 1 ? "experiment" : "experiments");
        else
            page_text(page, SPAN(", "));
        page_print(page, "%zu %s %s", in[undecided[i]], in[undecided[i]] == 1 ? "is" : "are",
                   word_of(&experiment_words, (int)undecided[i]));
    }
    page_text(page, SPAN("."));
    page_end(page, PAGE_ITEM);
}

static void say_unseen(struct page *page, const struct view *view) {
    const size_t *in = view->counts.sources_in_status;
    size_t closed = in[READING_LEAD] + in[READING_NOT_ACCESSIBLE];
    say(page, "What was not looked at:");
    if (!part_scope_is(view, "full"))
        page_text(page, part_scope_is(view, "excerpt") ? SPAN("the chapter beyond the excerpt; ")
                                                       : SPAN("the chapter; "));
    if (!view->has[VIEW_SOURCES])
        page_text(page, SPAN("sources (none are recorded)."));
    else if (view->sources.count == 0)
        page_text(page, SPAN("no source is named."));
    else
        page_print(page, "%zu of the %zu sources (read in full: %zu, by the abstract only: %zu).",
                   closed, view->sources.count, in[READING_FULL_TEXT], in[READING_ABSTRACT_ONLY]);
    page_end(page, PAGE_ITEM);
}

static void say_changes(struct page *page, const struct proposals *proposals) {
    static const enum response responses[] = {RESPONSE_CORRECTION,     RESPONSE_CLARIFICATION,
                                              RESPONSE_CITATION,       RESPONSE_NEW_EXAMPLE,
                                              RESPONSE_NEW_EXPERIMENT, RESPONSE_NEW_SECTION};
    size_t shown = 0;
    part_count(page, proposals->count, "change is", "changes are");
    page_text(page, SPAN(" proposed"));
    for (size_t i = 0; i < sizeof responses / sizeof *responses; i++) {
        size_t count = 0;
        for (size_t k = 0; k < proposals->count; k++)
            count += proposals->items[k].response == responses[i];
        if (count)
            page_print(page, "%s%zu %s%s", shown++ ? ", " : ": ", count,
                       word_of(&response_words, (int)responses[i]), count == 1 ? "" : "s");
    }
    page_text(page, SPAN(" (section 5). The decisions are the author's (section 7)."));
}

static void say_since(struct page *page, const struct view *view, const struct view *previous) {
    struct delta delta;
    size_t shown = 0;
    if (!previous)
        return;
    delta_of(previous, view, &delta);
    const struct {
        size_t count;
        const char *one, *many;
    } parts[] = {
        {delta.claims_added, "claim added", "claims added"},
        {delta.claims_changed, "claim changed", "claims changed"},
        {delta.claims_removed, "claim removed", "claims removed"},
        {delta.findings_new, "finding new", "findings new"},
        {delta.findings_gone, "finding gone", "findings gone"},
        {delta.verdicts_moved, "verdict moved", "verdicts moved"},
        {delta.measurements_shifted, "measurement shifted", "measurements shifted"},
        {delta.sources_new, "source new", "sources new"},
        {delta.sources_died, "source died", "sources died"},
    };
    say(page, "What changed");
    page_text(page, SPAN("since the pass of "));
    page_quote(page, previous->pass->created_at);
    page_text(page, SPAN(": "));
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (parts[i].count == 0)
            continue;
        page_text(page, shown++ ? SPAN(", ") : SPAN(""));
        part_count(page, parts[i].count, parts[i].one, parts[i].many);
    }
    page_text(page, shown ? SPAN(" (") : SPAN("nothing ("));
    page_code(page, SPAN("assay diff"));
    page_text(page, SPAN(" shows each)."));
    page_end(page, PAGE_ITEM);
}

void part_summary(struct page *page, const struct report_content *content) {
    const struct view *view = content->view;
    page_begin(page, PAGE_PARAGRAPH);
    if (content->proposals->count)
        say_changes(page, content->proposals);
    else
        page_text(page,
                  part_was_checked(view)
                      ? SPAN("Nothing that was checked justifies a change of the chapter.")
                      : SPAN("No claim was checked, so nothing can be said for or against the "
                             "chapter."));
    page_end(page, PAGE_PARAGRAPH);
    page_begin(page, PAGE_LIST);
    say_holds(page, view);
    say_fails(page, view);
    say_open(page, view);
    say_unseen(page, view);
    say_since(page, view, content->previous);
    page_end(page, PAGE_LIST);
}
