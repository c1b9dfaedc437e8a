#include "audit/role_words.h"

#include <ctype.h>
#include <pthread.h>
#include <stdint.h>

static const char *const setting[] = {
    "alpha",      "batch",      "beta",     "block",      "client", "cnt",       "concurrency",
    "config",     "connection", "context",  "count",      "decay",  "depth",     "dim",
    "dropout",    "duration",   "epoch",    "epsilon",    "every",  "grid",      "hidden",
    "input",      "iteration",  "jobs",     "layer",      "length", "level",     "lr",
    "max_tokens", "momentum",   "mtu",      "order",      "param",  "parameter", "quality",
    "queue",      "radius",     "rank",     "repetition", "round",  "run",       "sample",
    "seed",       "seq",        "sequence", "setting",    "shape",  "step",      "temperature",
    "thread",     "top_k",      "top_p",    "trial",      "ttl",    "vocab",     "warm-up",
    "warmup",     "width",      "worker",   NULL};
static const char *const limit[] = {"budget",    "buffer",     "cap",       "capped", "default",
                                    "interval",  "limit",      "limited",   "period", "pinned",
                                    "prompt",    "resolution", "retention", "size",   "target",
                                    "threshold", "timeout",    "window",    NULL};
static const char *const hardware[] = {
    "adapter", "board",   "bus",     "cache",   "card",     "chip",   "core",        "cpu",
    "ddr4",    "ddr5",    "desktop", "disk",    "dram",     "drive",  "ethernet",    "gddr6",
    "gpu",     "hbm",     "hbm2",    "hbm3",    "instance", "laptop", "link",        "machine",
    "memory",  "network", "nic",     "node",    "nvme",     "pcie",   "processor",   "ram",
    "server",  "socket",  "ssd",     "storage", "uplink",   "vram",   "workstation", "v100",
    "a100",    "h100",    "h200",    "l4",      "t4",       "rtx",    "l40s",        "mi300x",
    "epyc",    "xeon",    "ryzen",   NULL};
static const char *const rated[] = {"advertised", "boost",  "l1",          "l2",        "l3",
                                    "nominal",    "quoted", "rated",       "rating",    "sold",
                                    "spec",       "tdp",    "theoretical", "datasheet", NULL};
static const char *const measured[] = {
    "accuracy", "average", "avg",         "bandwidth",   "busy",     "bw",         "consumption",
    "cost",     "cpu",     "ctx",         "draw",        "duration", "elapsed",    "energy",
    "err",      "error",   "failed",      "failure",     "fault",    "frametime",  "fps",
    "hit",      "idle",    "iops",        "lat",         "latency",  "load",       "longest",
    "loss",     "majf",    "max",         "mean",        "median",   "memory",     "min",
    "minf",     "miss",    "noise",       "occupancy",   "p50",      "p90",        "p95",
    "p99",      "peak",    "percentile",  "perplexity",  "power",    "rate",       "real",
    "received", "recall",  "rmse",        "rss",         "score",    "shortest",   "std",
    "stddev",   "stdev",   "sum",         "sys",         "temp",     "throughput", "time",
    "top-1",    "total",   "transfer",    "uncorr",      "usage",    "used",       "user",
    "usr",      "util",    "utilisation", "utilization", "val",      "wall",       "wrong",
    NULL};
static const char *const compared[] = {
    "change", "delta",       "diff",     "difference", "efficiency", "factor", "gain",
    "growth", "improvement", "ratio",    "reduction",  "relative",   "saved",  "saves",
    "saving", "share",       "slowdown", "speed-up",   "speedup",    "vs",     "\xce\x94",
    "faktor", "anteil",      "facteur",  NULL};
static const char *const comparative[] = {
    "bigger",    "better",   "cheaper", "cut",    "decrease", "drop",  "faster", "fewer",
    "higher",    "increase", "larger",  "less",   "longer",   "lower", "more",   "off",
    "reduction", "saving",   "shorter", "slower", "smaller",  "worse", NULL};

static const char *const *const classes[] = {setting,  limit,    hardware,   rated,
                                             measured, compared, comparative};

static bool is_word_byte(char c) {
    return isalnum((unsigned char)c) || c == '_' || c == '-' || (unsigned char)c >= 0x80;
}

enum { CLASSES = sizeof classes / sizeof *classes, MOST_WORDS = 256 };

/* The words of each class by their first byte. */
static struct {
    uint16_t head[256], next[MOST_WORDS]; /* 1 + index into the class; 0 ends a chain */
} by_first[CLASSES];

_Static_assert(sizeof setting / sizeof *setting <= MOST_WORDS &&
                   sizeof limit / sizeof *limit <= MOST_WORDS &&
                   sizeof hardware / sizeof *hardware <= MOST_WORDS &&
                   sizeof rated / sizeof *rated <= MOST_WORDS &&
                   sizeof measured / sizeof *measured <= MOST_WORDS &&
                   sizeof compared / sizeof *compared <= MOST_WORDS &&
                   sizeof comparative / sizeof *comparative <= MOST_WORDS,
               "each class fits the index");

static void index_classes(void) {
    for (size_t c = 0; c < CLASSES; c++)
        for (size_t i = 0; classes[c][i]; i++) {
            uint16_t *head = &by_first[c].head[(unsigned char)classes[c][i][0]];
            by_first[c].next[i] = *head;
            *head = (uint16_t)(i + 1);
        }
}

static bool is_word(struct span word, struct span of) {
    if (!span_starts_nocase(word, of))
        return false;
    struct span rest = span_slice(word, of.len, word.len);
    return rest.len == 0 || span_equal_nocase(rest, SPAN("s")) ||
           span_equal_nocase(rest, SPAN("es")) || rest.at[0] == '_';
}

static bool is_word_of(struct span word, size_t class) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, index_classes);
    if (!word.len)
        return false;
    unsigned char first = (unsigned char)word.at[0];
    if (first >= 'A' && first <= 'Z')
        first |= 32;
    for (size_t i = by_first[class].head[first]; i; i = by_first[class].next[i - 1])
        if (is_word(word, span_of(classes[class][i - 1])))
            return true;
    return false;
}

static bool next_word(struct span text, size_t *at, struct span *word) {
    while (*at < text.len && !is_word_byte(text.at[*at]))
        ++*at;
    size_t from = *at;
    while (*at < text.len && is_word_byte(text.at[*at]))
        ++*at;
    *word = span_slice(text, from, *at);
    return word->len > 0;
}

/* The parts of "cold_ms" and "p99_latency" are words as well. */
static bool parts_match(struct span word, size_t class) {
    if (is_word_of(word, class))
        return true;
    struct span rest = word, part;
    if (span_find_byte(word, '_', 0) == (size_t)-1)
        return false;
    while (span_next_field(&rest, '_', &part))
        if (is_word_of(part, class))
            return true;
    return false;
}

bool role_words_any(struct span text, enum word_class words) {
    struct span word;
    for (size_t at = 0; next_word(text, &at, &word);)
        if (parts_match(word, words))
            return true;
    return false;
}

int role_words_last(struct span text, unsigned mask) {
    struct span word;
    int found = -1;
    for (size_t at = 0; next_word(text, &at, &word);)
        for (int i = 0; i < (int)CLASSES; i++)
            if ((mask >> i & 1) && parts_match(word, (size_t)i)) {
                found = i;
                break;
            }
    return found;
}

bool role_words_start(struct span text, const char *const *words) {
    for (; *words && text.len; words++) {
        if ((text.at[0] | 32) != (**words | 32))
            continue;
        struct span w = span_of(*words);
        if (span_starts_nocase(text, w) &&
            (text.len == w.len || !isalnum((unsigned char)text.at[w.len])))
            return true;
    }
    return false;
}

bool role_words_end(struct span text, const char *const *words) {
    for (; *words; words++) {
        struct span w = span_of(*words);
        if (text.len >= w.len &&
            span_equal_nocase(span_slice(text, text.len - w.len, text.len), w) &&
            (text.len == w.len || !isalnum((unsigned char)text.at[text.len - w.len - 1])))
            return true;
    }
    return false;
}
