#include "audit/priority.h"

#include <stdlib.h>

struct by_id {
    struct span id;
    struct claim *claim;
};

static int compare(struct span a, struct span b) {
    size_t shared = a.len < b.len ? a.len : b.len;
    int order = shared ? memcmp(a.at, b.at, shared) : 0;
    return order ? order : (a.len > b.len) - (a.len < b.len);
}

static int compare_entries(const void *a, const void *b) {
    return compare(((const struct by_id *)a)->id, ((const struct by_id *)b)->id);
}

static int compare_key(const void *key, const void *entry) {
    return compare(*(const struct span *)key, ((const struct by_id *)entry)->id);
}

void priority_settle(struct arena *arena, struct claims *claims, const struct findings *findings) {
    struct by_id *ids = arena_array(arena, claims->count, sizeof *ids);
    for (size_t i = 0; i < claims->count; i++) {
        struct claim *c = &claims->claims[i];
        c->priority = SEVERITY_INFO;
        c->response = RESPONSE_NO_CHANGE;
        ids[i] = (struct by_id){c->id, c};
    }
    qsort(ids, claims->count, sizeof *ids, compare_entries);
    for (size_t i = 0; i < findings->count; i++) {
        const struct finding *f = &findings->findings[i];
        if (f->suppressed || f->class == FINDING_CONFIRMED || f->class == FINDING_NOTE)
            continue;
        struct by_id *hit =
            claims->count ? bsearch(&f->claim, ids, claims->count, sizeof *ids, compare_key) : NULL;
        if (!hit)
            continue;
        bool first = hit->claim->response == RESPONSE_NO_CHANGE;
        if (first || f->severity > hit->claim->priority) {
            hit->claim->priority = f->severity;
            hit->claim->response = f->response;
        }
    }
}
