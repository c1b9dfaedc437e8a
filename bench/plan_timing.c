/* Reading what a stated time is the time of, from the words beside it. */
#include "bench/plan.h"

#include <stdint.h>

static bool has(struct span text, const char *word) {
    return span_find_nocase(text, span_of(word), 0) != SIZE_MAX;
}

static bool is_time(const struct quantity *q) {
    static const char *const units[] = {"ns", "us", "ms", "s", "min", NULL};
    for (size_t i = 0; units[i]; i++)
        if (span_equal(q->unit, span_of(units[i])))
            return q->role == ROLE_MEASUREMENT && q->value > 0;
    return false;
}

/* "loop of 20", "20-step loop": the whole number beside the word, or 0. */
static size_t loop_of(const struct claims *claims, const struct claim *c) {
    size_t at = span_find_nocase(c->quote, SPAN("loop"), 0);
    if (at == SIZE_MAX)
        return 0;
    for (size_t i = c->first_quantity; i < c->first_quantity + c->quantity_count; i++) {
        const struct quantity *q = &claims->quantities[i];
        enum { NEAR = 24 };
        size_t place = q->start - c->start;
        bool near = place > at ? place - at < NEAR : at - place < NEAR;
        if (near && q->role == ROLE_CONFIG && q->value >= 1 && q->value < 1e6 &&
            q->value == (double)(size_t)q->value)
            return (size_t)q->value;
    }
    return 0;
}

/* The time after a loop's own is what was queued when it has no "per step", else the sum. */
static enum timing_kind loop_part(const struct quantity *q, size_t nth) {
    if (nth == 0)
        return TIMING_REPORTED;
    if (nth == 1 && q->per.len == 0)
        return TIMING_QUEUED;
    return nth == 2 && q->per.len ? TIMING_REAL : TIMING_NONE;
}

/* A line that names its value before it; running prose says too many things at once. */
static bool is_listing(const struct claim *c, const struct quantity *q) {
    enum { LONGEST = 200 };
    size_t place = q->start - c->start;
    if (c->end - c->start > LONGEST || place > c->quote.len)
        return false;
    struct span before = span_trim(span_slice(c->quote, 0, place));
    return c->block == BLOCK_TABLE || (before.len && strchr(":=|", before.at[before.len - 1]));
}

static enum timing_kind kind_of(struct span subject) {
    if (has(subject, "host") || has(subject, "submission") || has(subject, "launch"))
        return TIMING_HOST_RETURN;
    if (has(subject, "first") && (has(subject, "step") || has(subject, "iteration") ||
                                  has(subject, "call") || has(subject, "run")))
        return TIMING_FIRST;
    if (has(subject, "synchroni") || has(subject, "warmed"))
        return TIMING_SYNCHRONIZED;
    if (has(subject, "inference") || has(subject, "no_grad") || has(subject, "no grad"))
        return TIMING_INFERENCE;
    if (has(subject, "forward"))
        return has(subject, "backward") ? TIMING_FORWARD_BACKWARD : TIMING_FORWARD;
    if (has(subject, "training step") || has(subject, "train step") || has(subject, "full step"))
        return TIMING_STEP;
    return TIMING_NONE;
}

static void read_claim(struct arena *arena, const struct claims *claims, const struct claim *c,
                       struct timings *timings) {
    size_t loop = loop_of(claims, c), nth = 0;
    for (size_t i = c->first_quantity; i < c->first_quantity + c->quantity_count; i++) {
        const struct quantity *q = &claims->quantities[i];
        if (!is_time(q) || (loop == 0 && !is_listing(c, q)))
            continue;
        enum timing_kind kind = loop ? loop_part(q, nth) : nth ? TIMING_NONE : kind_of(q->subject);
        nth++;
        if (kind == TIMING_NONE)
            continue;
        struct timing timing = {.kind = kind, .loop = loop, .claim = c, .quantity = q};
        LIST_PUSH(arena, timings->items, timings->count, timings->capacity, timing);
    }
}

struct timings plan_timings(struct arena *arena, const struct claims *claims) {
    struct timings timings = {0};
    for (size_t i = 0; i < claims->count; i++)
        if (claims->claims[i].kind == CLAIM_MEASUREMENT)
            read_claim(arena, claims, &claims->claims[i], &timings);
    return timings;
}

const struct timing *plan_timing(const struct timings *timings, enum timing_kind kind,
                                 size_t loop) {
    for (size_t i = 0; i < timings->count; i++)
        if (timings->items[i].kind == kind && (loop == 0 || timings->items[i].loop == loop))
            return &timings->items[i];
    return NULL;
}
