/* Completeness of the measurement contract: what a reader needs to repeat the times and rates that
 * a text reports. One finding a document lists what is missing and where the rest is stated. An
 * item counts as stated when one of its words stands anywhere in the text, so that what is called
 * missing is missing. After "Scientific benchmarking of parallel computing systems" (Hoefler and
 * Belli, SC 2015), rules 4 to 9: spread, warm-up, environment, factors. */
#include "audit/checks/checks.h"
#include "audit/hardware.h"
#include "audit/measure.h"
#include "audit/prose.h"

enum {
    LEAST_NUMBERS = 3, /* fewer measured times are remarks, not a measurement section */
    MOST_PLACES = 8,
    LEAST_MISSING = 3,
    LEAST_MISSING_LAUNCHED = 1, /* such times may not even cover the work */
};

static const char *const warmup[] = {"warm-up",      "warmup", "warm up",    "warmed",
                                     "warming",      "warm",   "cold start", "steady state",
                                     "steady-state", "primed", "discarded",  NULL};
static const char *const repeats[] = {
    "repeats",  "repetitions", "repeated", "runs",   "runs each", "median",   "median of", "trials",
    "samples",  "rounds",      "averaged", "loops",  "loop of",   "average",  "avg",       "mean",
    "requests", "iterations",  "cnt",      "rounds", "best of",   "requests", "queries",   NULL};
static const char *const spread[] = {"stddev",    "std",      "standard deviation",
                                     "deviation", "variance", "confidence",
                                     "iqr",       "±",        "+-",
                                     "+/-",       "σ",        "p99",
                                     "p95",       "p90",      "percentile",
                                     "stdev",     "noise",    "max",
                                     "range (",   "spread",   "median absolute",
                                     "mad",       "slowest",  "worst",
                                     "varied",    NULL};
static const char *const synchronized[] = {"synchronize", "synchronized", "synchronizing", "sync",
                                           "synchronous", "cuda event",   "cuda events",   "events",
                                           "profiler",    "nvbench",      "torch.utils",   NULL};
static const char *const clocks[] = {"clock",    "clocks", "mhz",           "ghz",       "turbo",
                                     "governor", "boost",  "locked clocks", "frequency", NULL};
static const char *const machines[] = {
    "cores",  "core",    "vcpu",    "vcpus",     "xeon",      "epyc",     "ryzen",   "m1",
    "m2",     "m3",      "m4",      "raspberry", "graviton",  "geforce",  "rtx",     "nvme",
    "laptop", "server",  "mcu",     "cortex-m4", "cortex-m0", "instance", "cluster", "runner",
    "apple",  "core i9", "core i7", "core i5",   "instances", "phone",    "gpus",    NULL};
static const char *const runtimes[] = {"pytorch", "python", "cuda",    "gcc",   "clang",
                                       "jdk",     "jvm",    "node.js", "rustc", "linux",
                                       "ubuntu",  "debian", "driver",  NULL};
static const char *const dtypes[] = {"float32", "fp32",  "float16", "fp16", "bfloat16",
                                     "bf16",    "fp8",   "int8",    "tf32", "float64",
                                     "fp64",    "int4",  "f32",     "amp",  "mixed precision",
                                     "double",  "float", "q4",      NULL};

/* Words of texts that are about how fast something is; others mention times in passing. */
static const char *const subjects[] = {
    "benchmark", "benchmarks",   "benchmarked",   "timed",    "timing",  "speedup",
    "faster",    "slower",       "throughput",    "latency",  "profile", "ms/step",
    "step time", "forward pass", "training step", "per step", NULL};

/* Words that show work which is launched and not waited for. */
static const char *const launched[] = {
    "cuda", "torch.compile", "device cuda", "forward pass", "backward pass", "training step", NULL};

static const struct item {
    const char *name;
    const char *const *words;
    bool launched_only; /* asked only of texts about work that a GPU runs asynchronously */
    bool core;          /* missing ones count; the others are listed beside them */
} items[] = {
    {"warm-up", warmup, false, true},
    {"repeats", repeats, false, true},
    {"spread", spread, false, true},
    {"synchronization", synchronized, true, true},
    {"hardware", machines, false, true},
    {"clocks", clocks, true, false},
    {"runtime versions", runtimes, false, false},
    {"dtype", dtypes, true, false},
};
enum { ITEMS = sizeof items / sizeof *items };

struct contract_run {
    const struct check_input *input;
    const struct document *document;
    struct findings *findings;
    size_t at[ITEMS], length[ITEMS]; /* where it is stated; SIZE_MAX: nowhere */
    bool asks_launched;
};

/* --- what is stated --- */

static void find_words(struct span text, const char *const *words, size_t *at, size_t *length) {
    const char *word = "";
    *at = prose_find_any(text, words, &word);
    *length = strlen(word);
}

static void find_stated(struct contract_run *run) {
    struct span view = run->document->chapter->view;
    run->asks_launched = prose_has_any(view, launched, NULL);
    for (size_t i = 0; i < ITEMS; i++)
        find_words(view, items[i].words, &run->at[i], &run->length[i]);
}

static void find_hardware(struct contract_run *run) {
    const struct hardware *hardware = hardware_facts();
    size_t item = 0, count;
    while (items[item].words != machines)
        item++;
    if (run->at[item] != SIZE_MAX)
        return;
    struct arena *arena = run->document->arena;
    struct span view = run->document->chapter->view;
    struct hardware_mention *found = hardware_find_gpus(arena, hardware, view, &count);
    if (!count)
        found = hardware_find_cpus(arena, hardware, view, &count);
    if (!count)
        return;
    run->at[item] = found[0].start;
    run->length[item] = found[0].end - found[0].start;
}

/* --- what is measured --- */

/* Times below an hour, and work or data per time: what a reader would measure again. */
static bool is_measured(const struct document *d, const struct quantity *q) {
    struct measure m = measure_of(q);
    enum { SECONDS_AN_HOUR = 3600 };
    if (q->role != ROLE_MEASUREMENT || q->malformed || !m.unit_known ||
        q->claim >= d->claims->count)
        return false;
    enum block_kind kind = d->claims->claims[q->claim].block;
    bool time = m.dimension.power[DIM_TIME] == 1 &&
                m.scale_numerator < SECONDS_AN_HOUR * m.scale_denominator;
    return kind != BLOCK_CODE && kind != BLOCK_HEADING &&
           (time || (m.dimension.power[DIM_TIME] == -1 && !m.dimension.power[DIM_ENERGY] &&
                     !m.dimension.power[DIM_CHARGE] && !m.dimension.power[DIM_MONEY]));
}

/* Claims with measured numbers; *numbers of them, the first of each claim in places. */
static size_t find_measured(const struct document *d, size_t *places, size_t *numbers) {
    size_t count = 0, claim = NONE;
    *numbers = 0;
    for (size_t i = 0; i < d->claims->quantity_count; i++) {
        const struct quantity *q = &d->claims->quantities[i];
        if (!is_measured(d, q))
            continue;
        (*numbers)++;
        if (count < MOST_PLACES && q->claim != claim)
            places[count] = i;
        count += q->claim != claim;
        claim = q->claim;
    }
    return count;
}

/* --- the finding --- */

static void put_list(const struct contract_run *run, struct buffer *out, bool missing) {
    for (size_t i = 0; i < ITEMS; i++) {
        if ((run->at[i] == SIZE_MAX) != missing || (items[i].launched_only && !run->asks_launched))
            continue;
        buffer_printf(out, "%s%s", out->len ? ", " : "", items[i].name);
        if (!missing)
            buffer_printf(out, " (\"%.*s\")",
                          SPAN_ARG(span_slice(run->document->chapter->view, run->at[i],
                                              run->at[i] + run->length[i])));
    }
}

static size_t count_missing(const struct contract_run *run) {
    size_t missing = 0;
    for (size_t i = 0; i < ITEMS; i++)
        missing += items[i].core && run->at[i] == SIZE_MAX &&
                   (!items[i].launched_only || run->asks_launched);
    return missing;
}

static void report(const struct contract_run *run, const size_t *measured, size_t count,
                   size_t missing) {
    struct finding_draft d;
    struct buffer lacks = {0}, states = {0};
    enum { MANY = 4 };
    finding_begin(&d, run->input, run->findings, "contract", FINDING_INCOMPLETE,
                  missing >= MANY ? SEVERITY_MEDIUM : SEVERITY_LOW);
    for (size_t i = 0; i < count && i < MOST_PLACES; i++)
        finding_number(&d, "measured", measured[i]);
    for (size_t i = 0; i < ITEMS; i++)
        if (run->at[i] != SIZE_MAX && (!items[i].launched_only || run->asks_launched))
            finding_place(&d, run->at[i], run->at[i] + run->length[i]);
    put_list(run, &lacks, true);
    put_list(run, &states, false);
    finding_say(&d,
                "The text reports times or rates in %zu claims and does not state: %.*s. %s%.*s%s",
                count, SPAN_ARG(buffer_span(&lacks)), states.len ? "Stated: " : "Nothing else",
                SPAN_ARG(buffer_span(&states)), states.len ? "." : " is stated either.");
    buffer_free(&lacks);
    buffer_free(&states);
    finding_end(&d);
}

static bool is_measurement(const struct claim *claim) {
    return claim->kind == CLAIM_MEASUREMENT;
}

static void run(const struct check_input *input, struct findings *findings) {
    struct contract_run r = {.input = input, .document = input->document, .findings = findings};
    size_t measured[MOST_PLACES], numbers;
    size_t count = find_measured(r.document, measured, &numbers);
    if (numbers >= LEAST_NUMBERS && prose_has_any(r.document->chapter->view, subjects, NULL)) {
        find_stated(&r);
        find_hardware(&r);
        size_t missing = count_missing(&r);
        if (missing >= (r.asks_launched ? LEAST_MISSING_LAUNCHED : LEAST_MISSING))
            report(&r, measured, count, missing);
    }
    coverage_claims(input, findings, "contract", is_measurement, "measures nothing");
}

const struct check check_contract = {"contract", "Completeness of measurement contracts", run};
