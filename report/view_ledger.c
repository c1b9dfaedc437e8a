#include "report/view_ledger.h"

#include <stdlib.h>

static bool read(struct view *view, const char *name, struct span *json, bool *there,
                 struct error *error) {
    *there = pass_has(view->pass, name);
    return !*there || pass_read(view->arena, view->pass, name, json, error);
}

static int compare_names(const void *a, const void *b) {
    struct span x = ((const struct view_name *)a)->name, y = ((const struct view_name *)b)->name;
    int order = memcmp(x.len ? x.at : "", y.len ? y.at : "", x.len < y.len ? x.len : y.len);
    return order ? order : (x.len > y.len) - (x.len < y.len);
}

static void lay_text(struct span *onto, struct span text) {
    if (onto->len == 0 || span_equal(*onto, SPAN("UNVERIFIED")))
        *onto = text;
}

static void lay(struct source *row, const struct ledger_source *source) {
    row->reading = source->reading;
    row->limitation = source->reading == READING_FULL_TEXT ? SPAN("") : source->reading_reason;
    if (source->read_at.len)
        row->accessed_at = source->read_at;
    lay_text(&row->title, source->title);
    lay_text(&row->authors, source->authors);
    lay_text(&row->venue, source->venue);
    lay_text(&row->year, source->year);
    lay_text(&row->version, source->version);
    lay_text(&row->metadata_status, source->metadata_status);
}

static void append(struct view *view, const struct ledger_source *source) {
    struct source row = {
        .id = source->canonical,
        .label = arena_printf(view->arena, "S%zu", view->sources.count + 1),
        .kind = source->kind,
        .url = source->url,
        .found_in = SPAN("person"),
    };
    lay(&row, source);
    LIST_PUSH(view->arena, view->sources.sources, view->sources.count, view->sources.capacity, row);
}

/* Both lists may be long: rows are found by a sorted list of their ids. */
static void merge_sources(struct view *view) {
    size_t rows = view->sources.count;
    struct view_name *names = arena_array(view->arena, rows, sizeof *names);
    for (size_t i = 0; i < rows; i++)
        names[i] = (struct view_name){view->sources.sources[i].id, i};
    if (rows)
        qsort(names, rows, sizeof *names, compare_names);
    for (size_t i = 0; i < view->evidence.source_count; i++) {
        const struct ledger_source *source = &view->evidence.sources[i];
        struct view_name wanted = {source->canonical, 0};
        const struct view_name *found =
            rows ? bsearch(&wanted, names, rows, sizeof *names, compare_names) : NULL;
        if (found)
            lay(&view->sources.sources[found->index], source);
        else
            append(view, source);
    }
}

bool view_ledger_load(struct view *view, struct error *error) {
    struct span json;
    bool there;
    if (!read(view, "evidence.json", &json, &there, error) ||
        (there && !evidence_read(view->arena, json, "evidence.json", &view->evidence, error)) ||
        !read(view, "decisions.json", &json, &there, error) ||
        (there && !decisions_read(view->arena, json, "decisions.json", &view->decisions, error)) ||
        !read(view, "carry_over.json", &json, &there, error) ||
        (there && !carry_over_read(view->arena, json, "carry_over.json", &view->carry, error)))
        return false;
    if (view->evidence.source_count)
        merge_sources(view);
    return true;
}

static bool has_relation(const struct ledger_evidence *item, const char *const *relations) {
    for (; item->state == LEDGER_CURRENT && *relations; relations++)
        if (span_equal(item->relation, span_of(*relations)))
            return true;
    return false;
}

static const char *const against[] = {"CONTRADICTS", NULL};
static const char *const limits[] = {"QUALIFIES", "LIMITATION", "SUPERSEDES", NULL};

static const struct ledger_evidence *
first_of(const struct view *view, const struct view_claim *item, const char *const *relations) {
    for (size_t i = 0; i < item->evidence_count; i++)
        if (has_relation(&view->evidence.items[item->evidence[i]], relations))
            return &view->evidence.items[item->evidence[i]];
    return NULL;
}

static void raise(struct view_claim *item, enum claim_state state, enum severity priority) {
    if (item->state > state)
        item->state = state;
    if (item->priority < priority)
        item->priority = priority;
    if (item->response == RESPONSE_NO_CHANGE)
        item->response = RESPONSE_CLARIFICATION;
}

void view_ledger_judge(const struct view *view, struct view_claim *item) {
    if (first_of(view, item, limits))
        raise(item, CLAIM_CONCERN, SEVERITY_LOW);
    if (first_of(view, item, against))
        raise(item, CLAIM_CONTRADICTED, SEVERITY_MEDIUM);
}

struct span view_ledger_why(const struct view *view, const struct view_claim *item) {
    const struct ledger_evidence *found = first_of(view, item, against);
    if (!found)
        found = first_of(view, item, limits);
    if (!found)
        return SPAN("");
    const struct source *source = view_ledger_source(view, found->source);
    return arena_printf(view->arena, "%.*s %.*s it: “%.*s”",
                        SPAN_ARG(source ? source->label : found->source), SPAN_ARG(found->relation),
                        SPAN_ARG(found->anchor.quote));
}

const struct source *view_ledger_source(const struct view *view, struct span id) {
    for (size_t i = 0; i < view->evidence.source_count; i++)
        if (span_equal(view->evidence.sources[i].id, id))
            return view_source_of(view, view->evidence.sources[i].canonical);
    return NULL;
}
