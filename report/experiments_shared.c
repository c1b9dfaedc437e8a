#include "report/experiments.h"

struct named {
    struct span name, value, more;
    size_t uses;
    bool differs;
};

struct named_list {
    struct named *items;
    size_t count, capacity;
};

/* An experiment that never ran knows less of this machine ("Assay 0.1.0" for "Assay 0.1.0, OpenBLAS
 * ..."): the longer words stand for both. */
static bool is_told_shorter(struct named *known, struct span more) {
    if (span_starts(known->more, more))
        return true;
    if (!span_starts(more, known->more))
        return false;
    known->more = more;
    return true;
}

static void note(const struct view *view, struct named_list *list, struct span name,
                 struct span value, struct span more) {
    for (size_t i = 0; i < list->count; i++) {
        struct named *known = &list->items[i];
        if (!span_equal(known->name, name))
            continue;
        known->uses++;
        known->differs |= !span_equal(known->value, value) || !is_told_shorter(known, more);
        return;
    }
    struct named fresh = {name, value, more, 1, false};
    LIST_PUSH(view->arena, list->items, list->count, list->capacity, fresh);
}

static bool is_shared(const struct named *named) {
    return named->uses > 1 && !named->differs;
}

static void share_contract(const struct view *view, struct experiments_shared *shared) {
    struct named_list list = {0};
    for (size_t i = 0; i < view->results.count; i++) {
        const struct plan_fields *fields = &view->results.results[i].contract;
        for (size_t k = 0; k < fields->count; k++)
            note(view, &list, fields->items[k].name, fields->items[k].value, (struct span){0});
    }
    for (size_t i = 0; i < list.count; i++)
        if (is_shared(&list.items[i])) {
            struct plan_field field = {list.items[i].name, list.items[i].value};
            LIST_PUSH(view->arena, shared->contract.items, shared->contract.count,
                      shared->contract.capacity, field);
        }
}

static void share_drift(const struct view *view, struct experiments_shared *shared) {
    struct named_list list = {0};
    for (size_t i = 0; i < view->results.count; i++) {
        const struct result *result = &view->results.results[i];
        for (size_t k = 0; k < result->drift_count; k++)
            note(view, &list, result->drift[k].field, result->drift[k].claimed,
                 result->drift[k].ours);
    }
    for (size_t i = 0; i < list.count; i++)
        if (is_shared(&list.items[i])) {
            struct drift drift = {list.items[i].name, list.items[i].value, list.items[i].more};
            LIST_PUSH(view->arena, shared->drift, shared->drift_count, shared->drift_capacity,
                      drift);
        }
}

static void share_methods(const struct view *view, struct experiments_shared *shared) {
    for (size_t i = 0; i < view->results.count; i++) {
        const struct result *r = &view->results.results[i];
        size_t k = 0;
        while (k < shared->method_count && !(span_equal(shared->methods[k].method, r->method) &&
                                             span_equal(shared->methods[k].success, r->success) &&
                                             span_equal(shared->methods[k].failure, r->failure)))
            k++;
        if (k < shared->method_count)
            continue;
        struct experiment_method fresh = {arena_printf(view->arena, "M%zu", k + 1), r->method,
                                          r->success, r->failure};
        LIST_PUSH(view->arena, shared->methods, shared->method_count, shared->method_capacity,
                  fresh);
    }
}

void experiments_share(const struct view *view, struct experiments_shared *shared) {
    *shared = (struct experiments_shared){0};
    share_contract(view, shared);
    share_drift(view, shared);
    share_methods(view, shared);
}

bool experiment_was_judged(const struct result *result) {
    return result->status != EXPERIMENT_UNRUN && result->status != EXPERIMENT_NOT_COMPARABLE;
}
