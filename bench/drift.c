#include "bench/drift.h"

#include "core/version.h"

enum field_group {
    GROUP_HARDWARE,
    GROUP_SOFTWARE,
    GROUP_SYSTEM,
    GROUP_DTYPE,
    GROUP_PLAN,
    GROUP_PARTS
};

/* Names that texts give the fields of a measurement contract. GROUP_PLAN: free text whose meaning
 * is in the plan's parameters, which are compared one by one. GROUP_PARTS: the same, though a
 * setting of ours happens to bear the name (mode: "train" against "step", input: a shape against
 * where it lies). */
static const struct {
    const char *name;
    enum field_group group;
} groups[] = {
    {"device", GROUP_HARDWARE},  {"hardware", GROUP_HARDWARE},    {"gpu", GROUP_HARDWARE},
    {"cpu", GROUP_HARDWARE},     {"machine", GROUP_HARDWARE},     {"accelerator", GROUP_HARDWARE},
    {"runtime", GROUP_SOFTWARE}, {"software", GROUP_SOFTWARE},    {"framework", GROUP_SOFTWARE},
    {"library", GROUP_SOFTWARE}, {"versions", GROUP_SOFTWARE},    {"version", GROUP_SOFTWARE},
    {"pytorch", GROUP_SOFTWARE}, {"torch", GROUP_SOFTWARE},       {"cuda", GROUP_SOFTWARE},
    {"python", GROUP_SOFTWARE},  {"environment", GROUP_SOFTWARE}, {"os", GROUP_SYSTEM},
    {"platform", GROUP_SYSTEM},  {"system", GROUP_SYSTEM},        {"driver", GROUP_SYSTEM},
    {"kernel", GROUP_SYSTEM},    {"dtype", GROUP_DTYPE},          {"precision", GROUP_DTYPE},
    {"workload", GROUP_PARTS},   {"input", GROUP_PARTS},          {"mode", GROUP_PARTS},
};

static enum field_group group_of(struct span name) {
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
        if (span_equal_nocase(name, span_of(groups[i].name)))
            return groups[i].group;
    return GROUP_PLAN;
}

static void put_drift(struct arena *arena, struct result *r, struct span field, struct span claimed,
                      struct span ours) {
    struct drift drift = {field, claimed, ours};
    LIST_PUSH(arena, r->drift, r->drift_count, r->drift_capacity, drift);
}

static struct span known(struct span text) {
    return text.len ? text : SPAN("UNVERIFIED");
}

/* Whether ours is named in the claim's text: "RTX 2060" against "NVIDIA GeForce RTX 2060" either
 * way round. */
static bool names_same(struct span claimed, struct span ours) {
    return ours.len && claimed.len &&
           (span_find_nocase(claimed, ours, 0) != SIZE_MAX ||
            span_find_nocase(ours, claimed, 0) != SIZE_MAX);
}

/* "cpu" and "cuda" name a kind of device: another kind is other hardware, the same kind is no proof
 * of the same. */
static bool is_kind(struct span claimed) {
    return span_equal_nocase(claimed, SPAN("cpu")) || span_equal_nocase(claimed, SPAN("cuda"));
}

static struct span our_value(struct arena *arena, enum field_group group, struct span name,
                             const struct plan_fields *ours,
                             const struct plan_fields *environment) {
    struct span library = plan_fields_get(ours, "library");
    struct span named = plan_fields_get(ours, arena_string(arena, name));
    switch (group) {
    case GROUP_HARDWARE:
        named = plan_fields_get(ours, "device_name");
        return named.len ? named : plan_fields_get(environment, "cpu");
    case GROUP_SOFTWARE:
        return arena_printf(arena, "Assay %s%s%.*s", ASSAY_VERSION, library.len ? ", " : "",
                            SPAN_ARG(library));
    case GROUP_SYSTEM:
        return plan_fields_get(environment, "kernel");
    case GROUP_DTYPE:
        return SPAN("float32");
    case GROUP_PLAN:
        break;
    case GROUP_PARTS:
        return SPAN("");
    }
    return named;
}

static bool same_dtype(struct span claimed) {
    return span_find_nocase(claimed, SPAN("float32"), 0) != SIZE_MAX ||
           span_find_nocase(claimed, SPAN("fp32"), 0) != SIZE_MAX;
}

/* Free text that no parameter of ours bears the name of is not compared: the plan's own parameters
 * say what was taken from it. */
static bool field_differs(enum field_group group, const struct plan_field *field,
                          struct span ours) {
    bool silent = span_equal(field->value, SPAN("UNVERIFIED"));
    if (group == GROUP_PLAN || group == GROUP_PARTS)
        return ours.len && !silent && !span_equal_nocase(field->value, ours);
    if (group == GROUP_DTYPE)
        return !same_dtype(field->value);
    return silent || !names_same(field->value, ours);
}

/* "1536 -> 256" as the plan writes a change; without the arrow only the new value is known. */
static void put_scaled(struct arena *arena, const struct experiment *e, struct result *r) {
    for (size_t i = 0; i < e->scaled.count; i++) {
        struct plan_field f = e->scaled.items[i];
        size_t arrow = span_find(f.value, SPAN("->"), 0);
        struct span claimed = plan_fields_get(&e->contract, arena_string(arena, f.name));
        struct span ours = f.value;
        if (arrow != SIZE_MAX) {
            claimed = span_trim(span_slice(f.value, 0, arrow));
            ours = span_trim(span_slice(f.value, arrow + 2, f.value.len));
        }
        put_drift(arena, r, f.name, known(claimed), ours);
    }
}

void drift_find(struct arena *arena, const struct experiment *e, const struct plan_fields *ours,
                const struct plan_fields *environment, struct span device, struct result *r) {
    bool hardware_same = false, hardware_differs = false, other_differs = false, software = false;
    r->drift_count = 0;
    for (size_t i = 0; i < e->contract.count; i++) {
        const struct plan_field *field = &e->contract.items[i];
        enum field_group group = group_of(field->name);
        bool kind = group == GROUP_HARDWARE && is_kind(field->value);
        struct span value = kind ? plan_fields_get(ours, "device")
                                 : our_value(arena, group, field->name, ours, environment);
        bool differs = field_differs(group, field, value);
        if (differs)
            put_drift(arena, r, field->name, field->value, known(value));
        hardware_differs |= group == GROUP_HARDWARE && differs;
        hardware_same |= group == GROUP_HARDWARE && !differs && !kind;
        software |= group == GROUP_SOFTWARE;
        other_differs |= group > GROUP_SYSTEM && differs;
    }
    size_t before = r->drift_count;
    put_scaled(arena, e, r);
    other_differs |= r->drift_count > before;
    if (!hardware_same && !hardware_differs) {
        put_drift(arena, r, SPAN("hardware"), SPAN("UNVERIFIED"),
                  known(our_value(arena, GROUP_HARDWARE, SPAN("hardware"), ours, environment)));
        hardware_differs = true;
    }
    if (!software)
        put_drift(arena, r, SPAN("software"), SPAN("UNVERIFIED"),
                  our_value(arena, GROUP_SOFTWARE, SPAN("software"), ours, environment));
    enum match_level match = hardware_differs || other_differs ? MATCH_OTHER_HARDWARE
                             : r->drift_count                  ? MATCH_SAME_SKU
                                                               : MATCH_SAME_SOFTWARE;
    if (span_equal(device, SPAN("none")))
        match = MATCH_NONE;
    r->match = span_of(word_of(&match_words, (int)match));
}
