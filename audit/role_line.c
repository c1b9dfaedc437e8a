#include "audit/role_line.h"

#include "audit/prose.h"
#include "audit/role_words.h"
#include "audit/units.h"

#include <math.h>

/* "$ wrk -t4 -d60s http://...", "Running 30s test @ http://...": what was asked for. */
static bool is_command(struct span line) {
    return span_starts(line, SPAN("$ ")) || span_starts(line, SPAN("Running "));
}

/* The device that a benchmark prints above its rows: nvbench, Google Benchmark, nvidia-smi. */
static bool is_device_fact(struct span line) {
    static const char *const facts[] = {
        "SM Version",   "PTX Version",   "Number of SMs", "Clock Rate", "Global Memory",
        "Bus Peak",     "Shared Memory", "Cache Size",    "L1 Data",    "L1 Instruction",
        "L2 Unified",   "L3 Unified",    "Run on (",      "Bus Width",  "Warp Size",
        "Max Threads/", "Registers/",    "ECC Enabled",   NULL};
    for (const char *const *f = facts; *f; f++)
        if (span_find(line, span_of(*f), 0) != SIZE_MAX)
            return true;
    return false;
}

/* "11208MiB / 15360MiB", "66W / 70W": what there is stands behind the stroke. */
static bool is_capacity(const struct document *d, const struct quantity *q) {
    size_t at = (size_t)(q - d->claims->quantities);
    if (at == 0 || q->registry == NULL || q->registry->is_noun || q[-1].registry != q->registry ||
        q[-1].unit_end <= q[-1].end)
        return false;
    return span_equal(prose_between(d, at - 1, at), SPAN("/"));
}

/* "  846,113,092  branch-misses": counters stand first in their lines. */
static bool is_counter(const struct document *d, const struct sentence *s,
                       const struct quantity *q) {
    enum { LEAST = 1000 };
    struct span head = span_trim(span_slice(d->chapter->view, s->start, q->start));
    return head.len == 0 && q->value >= LEAST && q->value == floor(q->value) &&
           q->end + 1 < s->end && d->chapter->view.at[q->end] == ' ';
}

static const char *const hyperparameters[] = {"dropout",
                                              "dropout of",
                                              "weight decay",
                                              "weight decay of",
                                              "learning rate",
                                              "momentum",
                                              "temperature",
                                              "top-p",
                                              "top_p",
                                              "lr",
                                              "warmup ratio",
                                              "epsilon",
                                              "mtu",
                                              "with mtu",
                                              "heap",
                                              "heap of",
                                              "learning rate of",
                                              NULL};
static const char *const versions[] = {
    "version",       "versions before", "upgrading from", "release",
    "since version", "before version",  "upgraded to",    NULL};
static const char *const or_later[] = {"or later", "or newer", "and later", "or higher", NULL};
static const char *const limits[] = {
    "capped at",     "limited to",   "the card at", "power limit of", "a limit of",
    "with a cap of", "throttled to", "keeps",       "kept for",       NULL};

bool role_of_line(const struct document *d, const struct sentence *s, const struct quantity *q,
                  struct span before, struct span after, bool line, enum quantity_role *role) {
    struct span text = span_slice(d->chapter->view, s->start, s->end);
    bool bullet = span_starts(text, SPAN("* ")) || span_starts(text, SPAN("- "));
    *role = ROLE_CONFIG;
    if (line && is_command(text))
        return true;
    if (role_words_end(before, hyperparameters) ||
        (q->unit.len == 0 && role_words_end(before, versions)) ||
        (q->unit.len == 0 && prose_starts_with_any(after, or_later, NULL)))
        return true;
    if (role_words_end(before, limits) && q->registry && !q->registry->is_noun)
        return true;
    *role = ROLE_SPEC;
    if ((line || bullet) && text.len < 160 && is_device_fact(text))
        return true;
    if (line && is_capacity(d, q))
        return true;
    *role = ROLE_MEASUREMENT;
    return line && is_counter(d, s, q);
}
