/* Stated facts of the GPUs that a text names: SM count, compute capability, CUDA cores, memory. A
 * name may mean several products ("RTX 2060"); the facts say which, and a fact that fits none of
 * them while another does is a contradiction. Memory sizes only confirm: cards are sold with sizes
 * that no table has. */
#include "audit/hardware.h"

#include "audit/checks/checks.h"
#include "audit/prose.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>

enum { WINDOW_BEFORE = 24, WINDOW_AFTER = 160, MOST_FACTS = 8, SHORT_NAME = 3 };

enum fact_kind { FACT_SM, FACT_CAPABILITY, FACT_CORES, FACT_MEMORY };

struct fact {
    enum fact_kind kind;
    size_t start, end;
    double value; /* memory in bytes */
    double unit;  /* memory: bytes of one printed unit */
};

struct hardware_run {
    const struct check_input *input;
    struct findings *findings;
    const struct hardware *hardware;
    struct span view;
};

/* --- facts near a name --- */

static size_t skip_space(struct span text, size_t at) {
    while (at < text.len && (text.at[at] == ' ' || text.at[at] == '\n' || text.at[at] == '\t'))
        at++;
    return at;
}

static const struct fact_unit {
    const char *word;
    enum fact_kind kind;
    double bytes;
} fact_units[] = {
    {"SMs", FACT_SM, 0},
    {"SM", FACT_SM, 0},
    {"streaming multiprocessors", FACT_SM, 0},
    {"CUDA cores", FACT_CORES, 0},
    {"MiB", FACT_MEMORY, 1048576},
    {"MB", FACT_MEMORY, 1048576}, /* nvidia-smi's older spelling of MiB */
    {"GiB", FACT_MEMORY, 1073741824},
    {"GB", FACT_MEMORY, 1e9},
};

static bool unit_at(struct span text, size_t at, struct fact *fact, size_t *end) {
    for (size_t i = 0; i < sizeof fact_units / sizeof *fact_units; i++) {
        struct span word = span_of(fact_units[i].word);
        if (!span_starts(span_slice(text, at, text.len), word))
            continue;
        *end = at + word.len;
        if (*end < text.len && (isalnum((unsigned char)text.at[*end]) || text.at[*end] == '/'))
            continue;
        fact->kind = fact_units[i].kind;
        fact->unit = fact_units[i].bytes;
        return true;
    }
    return false;
}

/* Digits with ',' between thousands and one '.', at most 15 bytes. */
static double number_at(struct span text, size_t at, size_t *end) {
    char plain[16];
    size_t used = 0;
    for (; at < text.len && used < sizeof plain - 1; at++) {
        char c = text.at[at];
        bool inner = at + 1 < text.len && isdigit((unsigned char)text.at[at + 1]);
        if (c == ',' && inner)
            continue;
        if (!isdigit((unsigned char)c) && !(c == '.' && inner))
            break;
        plain[used++] = c;
    }
    plain[used] = 0;
    *end = at;
    return used ? strtod(plain, NULL) : NAN;
}

static bool capability_at(struct span text, size_t at, struct fact *fact) {
    static const char *const words[] = {"compute capability", "SM version", "sm_"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        struct span word = span_of(words[i]);
        if (!span_starts_nocase(span_slice(text, at, text.len), word))
            continue;
        size_t from = at + word.len, end;
        while (i < 2 && from < text.len && strchr(" \n:=", text.at[from]) && text.at[from])
            from++;
        double value = number_at(text, from, &end);
        if (!isfinite(value))
            continue;
        if (i == 2)
            value /= 10;
        if (i == 1)
            value = value > 99 ? value / 100 : value;
        *fact = (struct fact){FACT_CAPABILITY, from, end, value, 0};
        return true;
    }
    return false;
}

static bool fact_at(struct span text, size_t at, struct fact *fact) {
    if (capability_at(text, at, fact))
        return true;
    bool begins = isdigit((unsigned char)text.at[at]) &&
                  (!at || (!isalnum((unsigned char)text.at[at - 1]) && text.at[at - 1] != '.' &&
                           text.at[at - 1] != ','));
    if (!begins)
        return false;
    size_t end;
    fact->value = number_at(text, at, &end);
    size_t unit = skip_space(text, end);
    fact->start = at;
    if (!isfinite(fact->value) || !unit_at(text, unit, fact, &fact->end))
        return false;
    if (fact->kind == FACT_MEMORY)
        fact->value *= fact->unit;
    return true;
}

static size_t facts_near(struct span view, size_t from, size_t to, struct fact *facts) {
    size_t count = 0;
    struct fact fact;
    for (size_t at = from; at < to && count < MOST_FACTS; at++)
        if (fact_at(view, at, &fact)) {
            facts[count++] = fact;
            at = fact.end > at ? fact.end - 1 : at;
        }
    return count;
}

/* --- facts against rows --- */

enum fit { FIT_UNKNOWN, FIT_YES, FIT_NO };

/* nvidia-smi reports less than the nominal size on some cards and drivers; GB and GiB are both used
 * for the nominal size. */
static enum fit memory_fits(const struct gpu *g, const struct fact *f) {
    if (isfinite(g->memory_mib) && g->memory_mib > 0) {
        double share = f->value / (g->memory_mib * 1048576);
        if (share > 0.93 && share < 1.01)
            return FIT_YES;
    }
    if (isfinite(g->memory_gb) && fabs(f->value / f->unit - g->memory_gb) < 0.01)
        return FIT_YES;
    if (isfinite(g->memory_gb) && fabs(f->value / (g->memory_gb * 1073741824) - 1) < 0.01)
        return FIT_YES;
    return FIT_NO;
}

static enum fit fact_fits(const struct gpu *g, const struct fact *f) {
    double known = f->kind == FACT_SM ? g->sm_count : f->kind == FACT_CORES ? g->cuda_cores : NAN;
    if (f->kind == FACT_MEMORY)
        return memory_fits(g, f);
    if (f->kind == FACT_CAPABILITY) {
        size_t end;
        known = number_at(g->compute_capability, 0, &end);
    }
    if (!isfinite(known) || known <= 0)
        return FIT_UNKNOWN;
    return fabs(known - f->value) < 1e-9 ? FIT_YES : FIT_NO;
}

static const char *fact_words(enum fact_kind kind) {
    static const char *const words[] = {"SMs", "compute capability", "CUDA cores", "memory"};
    return words[kind];
}

/* The row that fits most facts; *misses gets the facts it does not fit, as bits. */
static size_t best_row(const struct hardware_run *run, const struct hardware_mention *m,
                       const struct fact *facts, size_t count, unsigned *misses) {
    size_t best = m->rows[0];
    int most = -1;
    for (size_t i = 0; i < m->row_count; i++) {
        int hits = 0;
        unsigned missed = 0;
        for (size_t k = 0; k < count; k++) {
            enum fit fit = fact_fits(&run->hardware->gpus[m->rows[i]], &facts[k]);
            hits += fit == FIT_YES;
            missed |= fit == FIT_NO ? 1u << k : 0;
        }
        if (hits > most) {
            most = hits;
            best = m->rows[i];
            *misses = missed;
        }
    }
    return best;
}

static void confirm(const struct hardware_run *run, const struct hardware_mention *m,
                    const struct gpu *g, const struct fact *facts, size_t count, unsigned misses) {
    struct finding_draft d;
    struct buffer text = {0};
    finding_begin(&d, run->input, run->findings, "hardware", FINDING_CONFIRMED, SEVERITY_INFO);
    finding_place(&d, m->start, m->end);
    for (size_t k = 0; k < count; k++) {
        if (misses >> k & 1)
            continue;
        finding_place(&d, facts[k].start, facts[k].end);
        buffer_printf(&text, "%s%s %.*s", text.len ? ", " : "", fact_words(facts[k].kind),
                      SPAN_ARG(span_slice(run->view, facts[k].start, facts[k].end)));
    }
    finding_claim_at(&d, m->start, m->start + 1);
    d.finding.url = g->source_url;
    finding_say(&d, "%.*s is the %.*s (released %.*s) by its %.*s.",
                SPAN_ARG(span_slice(run->view, m->start, m->end)), SPAN_ARG(g->name),
                SPAN_ARG(g->released), SPAN_ARG(buffer_span(&text)));
    buffer_free(&text);
    finding_end(&d);
}

static double known_value(const struct gpu *g, enum fact_kind kind) {
    size_t end;
    return kind == FACT_SM      ? g->sm_count
           : kind == FACT_CORES ? g->cuda_cores
                                : number_at(g->compute_capability, 0, &end);
}

static void contradict(const struct hardware_run *run, const struct hardware_mention *m,
                       const struct gpu *g, const struct fact *fact) {
    struct finding_draft d;
    double known = known_value(g, fact->kind);
    finding_begin(&d, run->input, run->findings, "hardware", FINDING_CONTRADICTION,
                  SEVERITY_MEDIUM);
    finding_place(&d, fact->start, fact->end);
    finding_place(&d, m->start, m->end);
    finding_claim_at(&d, fact->start, fact->start + 1);
    d.finding.url = g->source_url;
    d.finding.expected_lo = d.finding.expected_hi = known;
    finding_say(&d, "The %.*s has %s %g; the text says %.*s.", SPAN_ARG(g->name),
                fact_words(fact->kind), known,
                SPAN_ARG(span_slice(run->view, fact->start, fact->end)));
    finding_end(&d);
}

static void note_memory(const struct hardware_run *run, const struct hardware_mention *m,
                        const struct gpu *g, const struct fact *fact) {
    struct finding_draft d;
    finding_begin(&d, run->input, run->findings, "hardware", FINDING_NOTE, SEVERITY_INFO);
    finding_place(&d, fact->start, fact->end);
    finding_place(&d, m->start, m->end);
    d.finding.url = g->source_url;
    finding_say(&d, "UNVERIFIED: no %.*s of the table (as of %.*s) has %.*s of memory.",
                SPAN_ARG(g->name), SPAN_ARG(g->as_of),
                SPAN_ARG(span_slice(run->view, fact->start, fact->end)));
    finding_end(&d);
}

/* A contradiction needs a name that is long enough to be no accident ("T4" may be a heading), one
 * product, and nothing that counts several devices. */
static bool may_contradict(const struct hardware_run *run, const struct hardware_mention *m,
                           size_t from, size_t to, unsigned hits) {
    static const char *const several[] = {"each", "per",    "total", "combined", "both",
                                          "of",   "out of", "MIG",   NULL};
    struct span around = span_slice(run->view, from, to);
    return (m->end - m->start > SHORT_NAME || hits) && !prose_has_any(around, several, NULL);
}

/* Words that count several devices matter up to a little behind the fact: "34 SMs each". */
static size_t fact_reach(const struct fact *fact, size_t to) {
    enum { BEHIND = 6 };
    return fact->end + BEHIND < to ? fact->end + BEHIND : to;
}

static void judge(const struct hardware_run *run, const struct hardware_mention *m, size_t from,
                  size_t to) {
    struct fact facts[MOST_FACTS];
    unsigned misses = 0;
    size_t count = facts_near(run->view, from, to, facts);
    if (!count)
        return;
    const struct gpu *g = &run->hardware->gpus[best_row(run, m, facts, count, &misses)];
    unsigned hits = 0;
    for (size_t k = 0; k < count; k++)
        hits += fact_fits(g, &facts[k]) == FIT_YES;
    if (hits)
        confirm(run, m, g, facts, count, misses);
    for (size_t k = 0; k < count; k++) {
        if (!(misses >> k & 1))
            continue;
        bool sized = facts[k].kind == FACT_MEMORY;
        if (sized && facts[k].start >= m->end && facts[k].start - m->end < 4)
            note_memory(run, m, g, &facts[k]);
        else if (!sized && may_contradict(run, m, m->start, fact_reach(&facts[k], to), hits))
            contradict(run, m, g, &facts[k]);
    }
}

/* The stretch of text whose facts belong to the name: up to the next name, a blank line or the end
 * of the sentence. */
static size_t window_end(struct span view, size_t from, size_t to) {
    for (size_t at = from; at + 1 < to; at++) {
        bool blank = view.at[at] == '\n' && view.at[at + 1] == '\n';
        bool stop = view.at[at] == '.' && isspace((unsigned char)view.at[at + 1]);
        if (blank || stop)
            return at;
    }
    return to;
}

static bool is_environment(const struct claim *claim) {
    return claim->kind == CLAIM_ENVIRONMENT;
}

static void run(const struct check_input *input, struct findings *findings) {
    struct hardware_run r = {input, findings, hardware_facts(), input->document->chapter->view};
    struct arena *arena = input->document->arena;
    size_t count;
    struct hardware_mention *found = hardware_find_gpus(arena, r.hardware, r.view, &count);
    for (size_t i = 0; i < count; i++) {
        size_t last = i ? found[i - 1].end : 0;
        size_t next = i + 1 < count ? found[i + 1].start : r.view.len;
        size_t from = found[i].start > WINDOW_BEFORE ? found[i].start - WINDOW_BEFORE : 0;
        size_t to = found[i].end + WINDOW_AFTER < next ? found[i].end + WINDOW_AFTER : next;
        judge(&r, &found[i], from > last ? from : last, window_end(r.view, found[i].end, to));
    }
    coverage_claims(input, findings, "hardware", is_environment, "states no environment");
}

const struct check check_hardware = {"hardware", "Stated facts of named GPUs", run};
