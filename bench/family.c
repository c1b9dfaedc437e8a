#include "bench/family.h"

#include <stdint.h>

static bool same_variant(const struct plan_variant *a, const struct plan_variant *b) {
    return variants_share_run(a, b) && span_equal(a->metric, b->metric);
}

bool family_related(const struct experiment *a, const struct experiment *b) {
    for (size_t i = 0; i < a->variant_count; i++)
        for (size_t k = 0; k < b->variant_count; k++)
            if (variants_share_run(&a->variants[i], &b->variants[k]))
                return true;
    return false;
}

static size_t variant_at(const struct experiment *e, const struct plan_variant *variant) {
    for (size_t i = 0; i < e->variant_count; i++)
        if (same_variant(&e->variants[i], variant))
            return i;
    return SIZE_MAX;
}

static bool runs_as_sham(const struct family *f, size_t variant) {
    for (size_t i = 0; i < f->sham_count; i++)
        if (variants_share_run(&f->merged.variants[f->shams[i]], &f->merged.variants[variant]))
            return true;
    return false;
}

static void add_sham(struct family *f, const struct experiment *member) {
    size_t sham = experiment_sham_variant(member);
    if (sham == member->variant_count)
        return;
    size_t at = variant_at(&f->merged, &member->variants[sham]);
    if (!runs_as_sham(f, at))
        f->shams[f->sham_count++] = at;
}

static void merge(struct arena *arena, struct family *f, const struct experiment *member) {
    struct experiment *all = &f->merged;
    for (size_t i = 0; i < member->variant_count; i++) {
        if (variant_at(all, &member->variants[i]) != SIZE_MAX)
            continue;
        struct plan_variant variant = member->variants[i];
        /* members may use one name for different things */
        variant.name = arena_printf(arena, "%zu", all->variant_count);
        LIST_PUSH(arena, all->variants, all->variant_count, all->variant_capacity, variant);
    }
}

struct family family_of(struct arena *arena, const struct experiment *const *members,
                        size_t count) {
    struct family f = {members, count, *members[0], arena_array(arena, count, sizeof(size_t)), 0};
    if (count > 1) {
        f.merged = (struct experiment){
            .id = members[0]->id, .kind = members[0]->kind, .device = members[0]->device};
        for (size_t i = 0; i < count; i++)
            merge(arena, &f, members[i]);
    }
    for (size_t i = 0; i < count; i++)
        add_sham(&f, members[i]);
    return f;
}

size_t family_variant(const struct family *f, size_t member, struct span merged) {
    const struct experiment *all = &f->merged;
    for (size_t i = 0; i < all->variant_count; i++)
        if (span_equal(all->variants[i].name, merged))
            return variant_at(f->members[member], &all->variants[i]);
    return SIZE_MAX;
}
