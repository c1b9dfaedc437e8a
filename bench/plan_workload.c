/* The workload a contract describes, scaled so that it can be measured within a budget. */
#include "bench/plan.h"

#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

static bool has(struct span text, const char *word) {
    return span_find_nocase(text, span_of(word), 0) != SIZE_MAX;
}

/* The whole number behind a word ("dim 1536", "dim=1536") or before it ("12 layers"), or 0. */
static size_t number_beside(struct span text, const char *word, bool before) {
    size_t at = span_find_nocase(text, span_of(word), 0), value = 0;
    if (at == SIZE_MAX)
        return 0;
    if (before) {
        size_t end = at;
        while (end > 0 && (text.at[end - 1] == ' ' || text.at[end - 1] == '-'))
            end--;
        size_t start = end;
        while (start > 0 && isdigit((unsigned char)text.at[start - 1]))
            start--;
        return span_to_size(span_slice(text, start, end), 1 << 20, &value) ? value : 0;
    }
    size_t start = at + strlen(word);
    while (start < text.len && strchr(" =:", text.at[start]) && text.at[start])
        start++;
    size_t end = start;
    while (end < text.len && isdigit((unsigned char)text.at[end]))
        end++;
    return span_to_size(span_slice(text, start, end), 1 << 20, &value) ? value : 0;
}

static size_t first_of(struct span text, const char *const *words, bool before) {
    for (; *words; words++) {
        size_t value = number_beside(text, *words, before);
        if (value)
            return value;
    }
    return 0;
}

/* Fields the contract of every rerun is compared in; a text that is silent on one says so. */
static const char *const standard[] = {"workload", "model",    "input",     "device",
                                       "dtype",    "mode",     "execution", "optimizer",
                                       "window",   "hardware", "runtime",   NULL};

static struct plan_fields contract_of(struct arena *arena, const struct claims *claims) {
    struct plan_fields fields = {0};
    for (size_t i = 0; i < claims->count; i++) {
        const struct claim *c = &claims->claims[i];
        for (size_t k = 0; k < c->contract_count; k++)
            if (plan_fields_get(&fields, arena_string(arena, c->contract[k].name)).len == 0)
                plan_fields_set(arena, &fields, c->contract[k].name, c->contract[k].value);
        if (c->contract_count)
            break;
    }
    for (size_t i = 0; standard[i]; i++)
        if (plan_fields_get(&fields, standard[i]).len == 0)
            plan_fields_set(arena, &fields, span_of(standard[i]), SPAN("UNVERIFIED"));
    return fields;
}

static void set_number(struct arena *arena, struct plan_fields *fields, const char *name,
                       size_t value) {
    plan_fields_set(arena, fields, span_of(name), arena_printf(arena, "%zu", value));
}

struct sizes {
    size_t dim, depth, batch;
};

static struct sizes stated_sizes(const struct plan_fields *contract) {
    static const char *const widths[] = {"dim", "width", "hidden", NULL};
    static const char *const depths[] = {"depth", "layers", NULL};
    static const char *const counted[] = {"layers", "hidden layers", NULL};
    struct span model = plan_fields_get(contract, "model"),
                input = plan_fields_get(contract, "input");
    struct sizes sizes = {.dim = first_of(model, widths, false),
                          .depth = first_of(model, depths, false)};
    if (sizes.depth == 0)
        sizes.depth = first_of(model, counted, true);
    sizes.batch = number_beside(input, "[", false);
    if (sizes.batch == 0)
        sizes.batch = number_beside(input, "batch", false);
    return sizes;
}

/* Seconds of one training step on a slow pair of cores: 6 operations a weight and example (forward
 * 2, backward 4), and 28 bytes a weight for AdamW (four reads, three writes of 4 bytes). */
static double step_seconds(struct sizes s) {
    double weights = (double)s.depth * (double)s.dim * (double)s.dim;
    return 6 * weights * (double)s.batch / 80e9 + 28 * weights / 10e9 + 100e-6;
}

/* Halves what is largest against its floor until so many steps fit into the budget. */
static struct sizes scale(struct sizes s, double steps, double seconds) {
    enum { LEAST_DIM = 128, LEAST_DEPTH = 3, LEAST_BATCH = 16 };
    while (step_seconds(s) * steps > seconds) {
        double dim = (double)s.dim / LEAST_DIM, depth = (double)s.depth / LEAST_DEPTH,
               batch = (double)s.batch / LEAST_BATCH;
        if (dim >= 2 && dim >= depth && dim >= batch)
            s.dim /= 2;
        else if (batch >= 2 && batch >= depth)
            s.batch /= 2;
        else if (depth >= 2)
            s.depth /= 2;
        else
            break;
    }
    return s;
}

static void set_scaled(struct arena *arena, struct planned_workload *w, const char *name,
                       size_t stated, size_t used) {
    set_number(arena, &w->parameters, name, used);
    if (stated != used)
        plan_fields_set(arena, &w->scaled, span_of(name),
                        arena_printf(arena, "%zu -> %zu", stated, used));
}

/* Steps of all loops in six processes, what an exact interval of a median takes, which all
 * experiments share; the shortest loop runs twice, as its own sham. */
static double steps_planned(const struct timings *timings) {
    enum { PROCESSES = 6, OTHERS = 500 };
    double loops = 0, shortest = 0;
    for (size_t i = 0; i < timings->count; i++) {
        const struct timing *t = &timings->items[i];
        if (t->kind != TIMING_REPORTED)
            continue;
        double steps = (double)t->loop * (double)plan_loop_samples(t->loop);
        loops += steps;
        shortest = shortest == 0 || steps < shortest ? steps : shortest;
    }
    return (loops + shortest + OTHERS) * PROCESSES;
}

static bool speaks_of_mlp(const struct plan_fields *contract, const struct claims *claims) {
    struct span model = plan_fields_get(contract, "model");
    if (has(model, "MLP") || has(model, "multi-layer perceptron") || has(model, "feed-forward"))
        return true;
    if (!span_equal(model, SPAN("UNVERIFIED")))
        return false;
    for (size_t i = 0; i < claims->count; i++)
        if (has(claims->claims[i].quote, "MLP"))
            return true;
    return false;
}

/* Of the budget; the rest goes to what is sampled by time. */
#define LOOPS_PART 0.5

struct planned_workload plan_workload(struct arena *arena, const struct claims *claims,
                                      const struct brief *brief, const struct timings *timings,
                                      double budget_seconds) {
    struct planned_workload w = {.name = SPAN(""), .contract = contract_of(arena, claims)};
    (void)brief;
    if (timings->count == 0 || !speaks_of_mlp(&w.contract, claims)) {
        w.why = timings->count ? SPAN("no workload of this program does what the text measures: it "
                                      "has training and inference of an MLP")
                               : SPAN("the text states no time of a training step, its parts or a "
                                      "loop of steps in a form the planner reads");
        return w;
    }
    struct sizes stated = stated_sizes(&w.contract), defaults = {512, 6, 64};
    struct sizes wanted = {stated.dim ? stated.dim : defaults.dim,
                           stated.depth ? stated.depth : defaults.depth,
                           stated.batch ? stated.batch : defaults.batch};
    struct sizes used = scale(wanted, steps_planned(timings), budget_seconds * LOOPS_PART);
    w.name = SPAN("mlp");
    set_scaled(arena, &w, "dim", wanted.dim, used.dim);
    set_scaled(arena, &w, "depth", wanted.depth, used.depth);
    set_scaled(arena, &w, "batch", wanted.batch, used.batch);
    struct span optimizer = plan_fields_get(&w.contract, "optimizer");
    bool sgd = has(optimizer, "SGD");
    plan_fields_set(arena, &w.parameters, SPAN("optimizer"), sgd ? SPAN("sgd") : SPAN("adamw"));
    return w;
}
