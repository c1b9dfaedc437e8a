#include "report/history.h"

#include "report/diff.h"
#include "report/diff_pairs.h"
#include "report/evidence.h"
#include "schemas/workspace.h"

#include <stdint.h>
#include <stdlib.h>

struct place {
    const char *workspace;
    struct span book, chapter, name;
};

/* Takes the last part off path. */
static struct span last_part(struct span *path) {
    size_t slash = path->len;
    while (slash > 0 && path->at[slash - 1] != '/')
        slash--;
    struct span part = span_slice(*path, slash, path->len);
    *path = span_slice(*path, 0, slash ? slash - 1 : 0);
    return part;
}

static bool place_of(const struct view *view, struct place *place) {
    char *path = realpath(view->pass->folder, NULL);
    if (!path)
        return false;
    struct span rest = arena_copy(view->arena, span_of(path));
    free(path);
    place->name = last_part(&rest);
    place->chapter = last_part(&rest);
    place->book = last_part(&rest);
    bool fits = span_equal(last_part(&rest), SPAN("passes"));
    place->workspace = arena_printf(view->arena, "%.*s/", SPAN_ARG(rest)).at;
    return fits;
}

static int name_order(struct span a, struct span b) {
    size_t shorter = a.len < b.len ? a.len : b.len;
    int order = memcmp(a.at, b.at, shorter);
    return order ? order : (a.len > b.len) - (a.len < b.len);
}

static bool is_earlier(const struct workspace_pass *pass, const struct place *place) {
    return span_equal(pass->book, place->book) && span_equal(pass->chapter, place->chapter) &&
           name_order(pass->name, place->name) < 0;
}

/* Only a pass that was audited says something to compare with. */
static bool open_pass(struct arena *arena, const char *folder, struct pass *pass,
                      struct results *results) {
    struct span json;
    if (!pass_open(arena, folder, pass, NULL) || !pass_has(pass, "claims.json"))
        return false;
    *results = (struct results){0};
    if (pass_has(pass, "results.json") && pass_read(arena, pass, "results.json", &json, NULL) &&
        !results_read(arena, json, "results.json", results, NULL))
        *results = (struct results){0};
    return true;
}

void history_load(const struct view *view, struct history *history) {
    struct place place;
    struct workspace_passes found;
    *history = (struct history){0};
    if (!place_of(view, &place) || !workspace_list(view->arena, place.workspace, &found, NULL))
        return;
    size_t from = 0, to = 0;
    for (size_t i = 0; i < found.count; i++)
        if (is_earlier(&found.items[i], &place)) {
            from = to == 0 ? i : from;
            to = i + 1;
        }
    if (to - from > HISTORY_MOST)
        from = to - HISTORY_MOST;
    for (size_t i = from; i < to; i++)
        history->count +=
            is_earlier(&found.items[i], &place) &&
            open_pass(view->arena, found.items[i].folder, &history->passes[history->count],
                      &history->results[history->count]);
    if (history->count == 0)
        return;
    struct view *previous = arena_array(view->arena, 1, sizeof *previous);
    if (view_load(view->arena, &history->passes[history->count - 1], previous, NULL))
        history->previous = previous;
}

/* What a relation says of what, without figures that a rerun changes. */
static struct span relation_key(const struct view *view, const struct evidence_item *item) {
    if (item->quoted)
        return item->quoted->id;
    if (item->finding)
        return arena_printf(view->arena, "%s %.*s %.*s %.*s", item->relation,
                            SPAN_ARG(item->finding->claim), SPAN_ARG(item->finding->check),
                            SPAN_ARG(item->finding->message));
    struct span claim = item->result->claim_count ? item->result->claims[0] : SPAN("");
    return arena_printf(view->arena, "%s %.*s %.*s", item->relation, SPAN_ARG(claim),
                        SPAN_ARG(item->result->title));
}

static struct keyed *relations(const struct view *view, size_t *count) {
    struct evidence_items list;
    evidence_collect(view, &list);
    struct keyed *keys = arena_array(view->arena, list.count, sizeof *keys);
    for (size_t i = 0; i < list.count; i++)
        keys[i] = (struct keyed){relation_key(view, &list.items[i]), i};
    *count = list.count;
    return keys;
}

static size_t *no_mates(struct arena *arena, size_t count) {
    size_t *mates = arena_array(arena, count, sizeof *mates);
    for (size_t i = 0; i < count; i++)
        mates[i] = SIZE_MAX;
    return mates;
}

static void count_relations(const struct view *previous, const struct view *view,
                            struct delta *delta) {
    size_t count_a, count_b;
    struct keyed *a = relations(previous, &count_a), *b = relations(view, &count_b);
    size_t *mates_a = no_mates(view->arena, count_a), *mates_b = no_mates(view->arena, count_b);
    diff_pair(a, count_a, mates_a, b, count_b, mates_b);
    /* diff_pair has sorted a and b: what an index means is in the list it was taken from. */
    struct evidence_items list;
    evidence_collect(previous, &list);
    for (size_t i = 0; i < count_a; i++)
        if (mates_a[i] == SIZE_MAX)
            delta->relations_removed++;
        else if (list.items[i].quoted && list.items[i].quoted->state == LEDGER_CURRENT)
            delta->relations_reused++;
        else
            delta->relations_revalidated++;
}

void delta_of(const struct view *previous, const struct view *view, struct delta *delta) {
    struct diff diff;
    *delta = (struct delta){0};
    diff_views(previous, view, &diff);
    const struct {
        enum diff_part part;
        const char *change; /* NULL: any */
        size_t *count;
    } counted[] = {
        {DIFF_CLAIMS, "added", &delta->claims_added},
        {DIFF_CLAIMS, "changed", &delta->claims_changed},
        {DIFF_CLAIMS, "removed", &delta->claims_removed},
        {DIFF_FINDINGS, "new", &delta->findings_new},
        {DIFF_FINDINGS, "gone", &delta->findings_gone},
        {DIFF_VERDICTS, "moved", &delta->verdicts_moved},
        {DIFF_MEASUREMENTS, NULL, &delta->measurements_shifted},
        {DIFF_SOURCES, "added", &delta->sources_new},
        {DIFF_SOURCES, "died", &delta->sources_died},
    };
    for (size_t i = 0; i < diff.count; i++)
        for (size_t k = 0; k < sizeof counted / sizeof *counted; k++)
            *counted[k].count +=
                diff.entries[i].part == counted[k].part &&
                (!counted[k].change || strcmp(diff.entries[i].change, counted[k].change) == 0);
    count_relations(previous, view, delta);
}
