#include "report/view_index.h"

#include "report/view_ledger.h"

#include <stdint.h>
#include <stdlib.h>

static int compare_spans(struct span a, struct span b) {
    int order = memcmp(a.len ? a.at : "", b.len ? b.at : "", a.len < b.len ? a.len : b.len);
    return order ? order : (a.len > b.len) - (a.len < b.len);
}

static int compare_names(const void *a, const void *b) {
    const struct view_name *x = a, *y = b;
    int order = compare_spans(x->name, y->name);
    return order ? order : (x->index > y->index) - (x->index < y->index);
}

static size_t find_name(const struct view_name *names, size_t count, struct span name) {
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare_spans(names[middle].name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && span_equal(names[low].name, name) ? names[low].index : SIZE_MAX;
}

bool finding_asks(const struct finding *finding) {
    return finding->class != FINDING_CONFIRMED && finding->class != FINDING_NOTE &&
           !finding->suppressed;
}

bool finding_refutes(const struct finding *finding) {
    return finding_asks(finding) &&
           (finding->class == FINDING_CONTRADICTION || finding->class == FINDING_INCONSISTENCY);
}

/* Pairs (claim, thing) grouped by claim with a counting sort: groups[c] .. groups[c + 1]. */
struct groups {
    size_t *starts; /* (claims + 1) */
    size_t *items;
};

struct pair {
    size_t claim, item;
};

struct pairs {
    struct pair *items;
    size_t count, capacity;
};

static struct groups group(struct arena *arena, const struct pairs *pairs, size_t claims) {
    struct groups groups = {
        .starts = arena_array(arena, claims + 2, sizeof *groups.starts),
        .items = arena_array(arena, pairs->count, sizeof *groups.items),
    };
    for (size_t i = 0; i < pairs->count; i++)
        groups.starts[pairs->items[i].claim + 2]++;
    for (size_t i = 2; i < claims + 2; i++)
        groups.starts[i] += groups.starts[i - 1];
    for (size_t i = 0; i < pairs->count; i++)
        groups.items[groups.starts[pairs->items[i].claim + 1]++] = pairs->items[i].item;
    return groups;
}

static size_t claim_index(const struct view *view, struct span name) {
    return name.len ? find_name(view->claim_names, view->claim_name_count, name) : SIZE_MAX;
}

static void pair_named(const struct view *view, struct pairs *pairs, struct span name,
                       size_t item) {
    size_t claim = claim_index(view, name);
    struct pair pair = {claim, item};
    if (claim != SIZE_MAX)
        LIST_PUSH(view->arena, pairs->items, pairs->count, pairs->capacity, pair);
}

/* Gravest first: refuting, asking by severity, confirming, notes; then in the order found. */
static int rank_of(const struct finding *finding) {
    if (!finding_asks(finding))
        return finding->class == FINDING_CONFIRMED ? 10 : 11;
    return (finding_refutes(finding) ? 0 : 5) + SEVERITY_HIGH - (int)finding->severity;
}

static int compare_findings(const void *a, const void *b, void *context) {
    const struct finding *ranked = context;
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    int order = rank_of(&ranked[x]) - rank_of(&ranked[y]);
    return order ? order : (x > y) - (x < y);
}

static void sort_findings(const struct view *view, size_t *indices, size_t count) {
    if (count)
        qsort_r(indices, count, sizeof *indices, compare_findings, view->findings.findings);
}

static void index_findings(struct view *view) {
    struct pairs pairs = {0};
    size_t whole_capacity = 0;
    for (size_t i = 0; i < view->findings.count; i++) {
        if (claim_index(view, view->findings.findings[i].claim) == SIZE_MAX)
            LIST_PUSH(view->arena, view->whole, view->whole_count, whole_capacity, i);
        pair_named(view, &pairs, view->findings.findings[i].claim, i);
    }
    struct groups groups = group(view->arena, &pairs, view->claims.count);
    for (size_t i = 0; i < view->claims.count; i++) {
        view->items[i].findings = groups.items + groups.starts[i];
        view->items[i].finding_count = groups.starts[i + 1] - groups.starts[i];
        sort_findings(view, groups.items + groups.starts[i], view->items[i].finding_count);
    }
    sort_findings(view, view->whole, view->whole_count);
}

static void index_results(struct view *view) {
    struct pairs pairs = {0};
    for (size_t i = 0; i < view->results.count; i++)
        for (size_t k = 0; k < view->results.results[i].claim_count; k++)
            pair_named(view, &pairs, view->results.results[i].claims[k], i);
    struct groups groups = group(view->arena, &pairs, view->claims.count);
    for (size_t i = 0; i < view->claims.count; i++) {
        view->items[i].results = groups.items + groups.starts[i];
        view->items[i].result_count = groups.starts[i + 1] - groups.starts[i];
    }
}

static void index_sources(struct view *view) {
    struct pairs pairs = {0};
    for (size_t i = 0; i < view->sources.count; i++)
        for (size_t k = 0; k < view->sources.sources[i].claim_count; k++)
            pair_named(view, &pairs, view->sources.sources[i].claims[k], i);
    struct groups groups = group(view->arena, &pairs, view->claims.count);
    for (size_t i = 0; i < view->claims.count; i++) {
        view->items[i].sources = groups.items + groups.starts[i];
        view->items[i].source_count = groups.starts[i + 1] - groups.starts[i];
    }
}

static void index_evidence(struct view *view) {
    struct pairs pairs = {0};
    for (size_t i = 0; i < view->evidence.count; i++)
        pair_named(view, &pairs, view->evidence.items[i].claim.id, i);
    struct groups groups = group(view->arena, &pairs, view->claims.count);
    for (size_t i = 0; i < view->claims.count; i++) {
        view->items[i].evidence = groups.items + groups.starts[i];
        view->items[i].evidence_count = groups.starts[i + 1] - groups.starts[i];
    }
    for (size_t i = 0; i < view->decisions.count; i++) {
        size_t claim = claim_index(view, view->decisions.items[i].claim.id);
        if (claim != SIZE_MAX)
            view->items[claim].decision = &view->decisions.items[i];
    }
}

static void index_coverage(struct view *view) {
    for (size_t i = 0; i < view->findings.coverage_count; i++) {
        const struct coverage *coverage = &view->findings.coverage[i];
        size_t claim = claim_index(view, coverage->claim);
        if (claim == SIZE_MAX)
            continue;
        view->items[claim].checks_ran += coverage->outcome == COVERAGE_RAN;
        view->items[claim].checks_not_run += coverage->outcome == COVERAGE_NOT_RUN;
    }
}

/* Whether a verdict of that status is on what the claim itself says. An order or an equality that
 * stated times take part in says nothing of a time's own value. */
static bool has_result(const struct view *view, const struct view_claim *item,
                       enum experiment_status status) {
    bool states_value = item->claim->kind == CLAIM_MEASUREMENT;
    struct span absolute = span_of(word_of(&experiment_kinds, KIND_ABSOLUTE));
    for (size_t i = 0; i < item->result_count; i++) {
        const struct result *result = &view->results.results[item->results[i]];
        if (result->status == status && (!states_value || span_equal(result->kind, absolute)))
            return true;
    }
    return false;
}

/* A relation between stated times that did not hold here: no refutation of the times, but a reason
 * to look. */
static bool has_doubt(const struct view *view, const struct view_claim *item) {
    for (size_t i = 0; i < item->result_count; i++)
        if (view->results.results[item->results[i]].status == EXPERIMENT_NOT_REPRODUCED)
            return true;
    return false;
}

static bool is_confirmed(const struct view *view, const struct view_claim *item) {
    for (size_t i = 0; i < item->finding_count; i++)
        if (view->findings.findings[item->findings[i]].class == FINDING_CONFIRMED)
            return true;
    return has_result(view, item, EXPERIMENT_REPRODUCED);
}

/* Findings come gravest first, so the first one decides. */
static void judge(const struct view *view, struct view_claim *item) {
    const struct finding *first =
        item->finding_count ? &view->findings.findings[item->findings[0]] : NULL;
    bool asks = first && finding_asks(first);
    item->priority = asks ? first->severity : item->claim->priority;
    item->response = asks ? first->response : item->claim->response;
    if ((asks && finding_refutes(first)) || has_result(view, item, EXPERIMENT_NOT_REPRODUCED))
        item->state = CLAIM_CONTRADICTED;
    else if (asks || has_doubt(view, item))
        item->state = CLAIM_CONCERN;
    else
        item->state = is_confirmed(view, item) ? CLAIM_HOLDS : CLAIM_OPEN;
    view_ledger_judge(view, item);
}

struct span view_why(const struct view *view, const struct view_claim *item) {
    const struct finding *first =
        item->finding_count ? &view->findings.findings[item->findings[0]] : NULL;
    bool asks = first && finding_asks(first);
    if (asks && finding_refutes(first))
        return first->message;
    for (size_t i = 0; i < item->result_count; i++) {
        const struct result *result = &view->results.results[item->results[i]];
        if (result->status == EXPERIMENT_NOT_REPRODUCED)
            return result->reason;
    }
    return asks ? first->message : view_ledger_why(view, item);
}

static int compare_items(const void *a, const void *b, void *context) {
    const struct view_claim *ordered = context;
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    const struct view_claim *p = &ordered[x], *q = &ordered[y];
    if ((p->state > CLAIM_CONCERN) != (q->state > CLAIM_CONCERN))
        return p->state > CLAIM_CONCERN ? 1 : -1;
    if (p->priority != q->priority)
        return (int)q->priority - (int)p->priority;
    if (p->state != q->state)
        return (int)p->state - (int)q->state;
    return (x > y) - (x < y);
}

static void index_claims(struct view *view) {
    size_t count = view->claims.count;
    view->by_priority = arena_array(view->arena, count, sizeof *view->by_priority);
    for (size_t i = 0; i < count; i++) {
        judge(view, &view->items[i]);
        view->by_priority[i] = i;
        view->counts.claims_in_state[view->items[i].state]++;
    }
    if (count)
        qsort_r(view->by_priority, count, sizeof *view->by_priority, compare_items, view->items);
}

static void count_rest(struct view *view) {
    struct view_counts *counts = &view->counts;
    for (size_t i = 0; i < view->findings.count; i++) {
        const struct finding *finding = &view->findings.findings[i];
        counts->findings += finding_asks(finding);
        if (finding_asks(finding))
            counts->by_severity[finding->severity]++;
        counts->confirmed += finding->class == FINDING_CONFIRMED;
        counts->notes += finding->class == FINDING_NOTE;
        counts->suppressed += finding->suppressed;
    }
    for (size_t i = 0; i < view->results.count; i++)
        counts->experiments_in_status[view->results.results[i].status]++;
    for (size_t i = 0; i < view->sources.count; i++)
        counts->sources_in_status[view->sources.sources[i].reading]++;
}

static void index_claim_names(struct view *view) {
    const struct claims *claims = &view->claims;
    struct view_name *names = arena_array(view->arena, 2 * claims->count, sizeof *names);
    size_t count = 0;
    for (size_t i = 0; i < claims->count; i++) {
        names[count++] = (struct view_name){claims->claims[i].id, i};
        if (claims->claims[i].label.len)
            names[count++] = (struct view_name){claims->claims[i].label, i};
    }
    view->claim_names = names;
    view->claim_name_count = count;
    if (count)
        qsort(names, count, sizeof *names, compare_names);
}

static void index_source_names(struct view *view) {
    const struct sources *sources = &view->sources;
    struct view_name *names = arena_array(view->arena, 2 * sources->count, sizeof *names);
    size_t count = 0;
    for (size_t i = 0; i < sources->count; i++) {
        names[count++] = (struct view_name){sources->sources[i].id, i};
        if (sources->sources[i].label.len)
            names[count++] = (struct view_name){sources->sources[i].label, i};
    }
    view->source_names = names;
    view->source_name_count = count;
    if (count)
        qsort(names, count, sizeof *names, compare_names);
}

void view_index(struct view *view) {
    view->items = arena_array(view->arena, view->claims.count, sizeof *view->items);
    for (size_t i = 0; i < view->claims.count; i++)
        view->items[i].claim = &view->claims.claims[i];
    index_claim_names(view);
    index_source_names(view);
    index_findings(view);
    index_results(view);
    index_sources(view);
    index_evidence(view);
    index_coverage(view);
    index_claims(view);
    count_rest(view);
}

const struct view_claim *view_claim_of(const struct view *view, struct span id) {
    size_t index = claim_index(view, id);
    return index == SIZE_MAX ? NULL : &view->items[index];
}

const struct source *view_source_of(const struct view *view, struct span id) {
    size_t index = find_name(view->source_names, view->source_name_count, id);
    return index == SIZE_MAX ? NULL : &view->sources.sources[index];
}

void view_results_of_plan(struct arena *arena, const struct plan *plan, struct results *results) {
    *results = (struct results){0};
    for (size_t i = 0; i < plan->count; i++) {
        const struct experiment *e = &plan->experiments[i];
        struct result result = {
            .id = e->id,
            .title = e->title,
            .kind = e->kind,
            .claims = e->claims,
            .claim_count = e->claim_count,
            .status = EXPERIMENT_UNRUN,
            .reason = e->skip_reason.len ? e->skip_reason
                                         : SPAN("planned; the bench stage left no results.json"),
            .contract = e->contract,
            .claimed = e->claimed,
            .unit = e->unit,
            .claimed_lo = e->claimed_lo,
            .claimed_hi = e->claimed_hi,
            .relation = e->relation,
            .method = e->method,
            .success = e->success,
            .failure = e->failure,
            .noise_floor = __builtin_nan(""),
        };
        LIST_PUSH(arena, results->results, results->count, results->capacity, result);
    }
}
