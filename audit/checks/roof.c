/* Rates against the roof of the GPU that the text names: FLOP/s against the dense peak of the
 * precision, GB/s against the memory. What lies above is implausible, and the known mistakes that
 * would explain it are tried. Stated peaks are compared with the table (a peak that counts 2:4
 * sparsity is named), and a "% of peak" or MFU is computed again. */
#include "audit/checks/checks.h"
#include "audit/measure.h"
#include "audit/physics.h"
#include "audit/prose.h"

#include <math.h>
#include <stdlib.h>

static const double slack = 1.015; /* tables and data sheets round; boost clocks differ a little */

static const char *const peak_words[] = {
    "peak", "theoretical", "rated", "datasheet", "data sheet", "on paper", "roof", "spec", NULL};
static const char *const several[] = {"gpus",  "each", "total", "aggregate", "cluster", "combined",
                                      "nodes", "node", "both",  "cards",     "devices", NULL};
static const char *const other_memory[] = {
    "l1",        "l2",     "cache",    "caches",     "cached",     "shared memory",
    "pcie",      "nvlink", "network",  "disk",       "ssd",        "nvme",
    "sram",      "link",   "register", "infiniband", "compressed", "copies",
    "effective", NULL};
static const char *const share_words[] = {"of peak",
                                          "of the peak",
                                          "of its peak",
                                          "of the theoretical",
                                          "of theoretical",
                                          "mfu",
                                          "of the card's peak",
                                          "of the gpu's peak",
                                          NULL};

struct roof_run {
    const struct check_input *input;
    const struct document *document;
    struct findings *findings;
    const struct hardware *hardware;
    struct hardware_mention *named;
    size_t named_count;
    bool one_product; /* all mentions are of one */
};

enum roof_kind { ROOF_NONE, ROOF_COMPUTE, ROOF_MEMORY };

static enum roof_kind kind_of(const struct quantity *q) {
    struct measure m = measure_of(q);
    if (q->malformed || !m.unit_known || !(m.value > 0) || m.dimension.power[DIM_TIME] != -1)
        return ROOF_NONE;
    return m.dimension.power[DIM_WORK] == 1   ? ROOF_COMPUTE
           : m.dimension.power[DIM_DATA] == 1 ? ROOF_MEMORY
                                              : ROOF_NONE;
}

/* The mention that a sentence's rates belong to: the only one in it, else the only product of the
 * text. NULL when that is not clear. */
static const struct hardware_mention *gpu_of(const struct roof_run *run, const struct sentence *s) {
    const struct hardware_mention *inside = NULL;
    size_t low = 0, high = run->named_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (run->named[middle].start < s->start)
            low = middle + 1;
        else
            high = middle;
    }
    for (size_t i = low; i < run->named_count && run->named[i].end <= s->end; i++) {
        if (inside && inside->rows[0] != run->named[i].rows[0])
            return NULL;
        inside = &run->named[i];
    }
    return inside ? inside : run->one_product ? &run->named[0] : NULL;
}

static struct finding_draft begin(const struct roof_run *run, enum finding_class class,
                                  size_t quantity, const struct gpu *gpu) {
    struct finding_draft d;
    enum severity severity = class == FINDING_CONFIRMED ? SEVERITY_INFO : SEVERITY_MEDIUM;
    finding_begin(&d, run->input, run->findings, "roof", class, severity);
    finding_number(&d, "stated", quantity);
    d.finding.url = gpu->source_url;
    return d;
}

/* --- above the roof --- */

/* The roof over all products the name may mean: the highest, so that only what no product can do is
 * called implausible. */
static double roof_of(const struct roof_run *run, const struct hardware_mention *m,
                      enum roof_kind kind, enum precision p, const struct gpu **best) {
    double roof = 0;
    for (size_t i = 0; i < m->row_count; i++) {
        const struct gpu *g = &run->hardware->gpus[m->rows[i]];
        double here = kind == ROOF_MEMORY      ? g->bandwidth_gbs * 1e9
                      : p == PRECISION_UNKNOWN ? physics_highest_peak(g)
                      : p == PRECISION_FP32    ? fmax(physics_peak(g, PRECISION_FP32, false),
                                                      physics_peak(g, PRECISION_TF32, false))
                                               : physics_peak(g, p, false);
        if (here > roof) {
            roof = here;
            *best = g;
        }
    }
    return roof;
}

static double sparse_roof(const struct gpu *g, enum precision p) {
    double highest = physics_peak(g, p, true);
    for (int i = 0; p == PRECISION_UNKNOWN && i < PRECISION_COUNT; i++)
        highest = fmax(isnan(highest) ? 0 : highest, physics_peak(g, (enum precision)i, true));
    return highest;
}

/* The known mistakes that would bring the value under the roof, in words. */
static void put_explanations(struct buffer *out, const struct gpu *g, enum roof_kind kind,
                             enum precision p, double value, double roof) {
    const char *between = "";
    static const char *const names[] = {
        "a factor of 1000 in the unit",        "bytes that came from a cache and not from memory",
        "a sparse peak taken for a dense one", "another precision than the stated one",
        "a multiply-add counted twice",        "GiB for GB"};
    bool fits[] = {value / 1000 <= roof && value > 50 * roof,
                   kind == ROOF_MEMORY && value < 20 * roof,
                   kind == ROOF_COMPUTE && value <= sparse_roof(g, p) * slack,
                   kind == ROOF_COMPUTE && p != PRECISION_UNKNOWN &&
                       value <= physics_highest_peak(g) * slack,
                   kind == ROOF_COMPUTE && value / 2 <= roof * slack,
                   kind == ROOF_MEMORY && value / 1.073741824 <= roof * slack};
    for (size_t i = 0; i < sizeof fits / sizeof *fits; i++)
        if (fits[i]) {
            buffer_printf(out, "%s%s", between, names[i]);
            between = ", ";
        }
}

static void report_above(const struct roof_run *run, size_t quantity, const struct gpu *g,
                         enum roof_kind kind, enum precision p, double roof) {
    const struct quantity *q = &run->document->claims->quantities[quantity];
    double value = measure_of(q).lo, shown = roof / (kind == ROOF_MEMORY ? 1e9 : 1e12);
    const char *unit = kind == ROOF_MEMORY ? "GB/s" : "TFLOP/s";
    struct buffer why = {0};
    struct finding_draft d = begin(run, FINDING_IMPLAUSIBLE, quantity, g);
    struct measure m = measure_of(q);
    double scale = (double)m.scale_numerator / (double)m.scale_denominator;
    d.finding.expected_lo = 0;
    d.finding.expected_hi = roof / scale;
    finding_derived(&d, "roof", arena_printf(run->document->arena, "%.4g", shown), span_of(unit),
                    shown, shown);
    put_explanations(&why, g, kind, p, value, roof);
    finding_say(&d, "%.*s is %.0f%% of what the %.*s can do (%s%s%.4g %s).%s%.*s%s",
                SPAN_ARG(quantity_quote(run->document, quantity)), 100 * m.value / roof,
                SPAN_ARG(g->name), kind == ROOF_MEMORY ? "memory" : precision_name(p),
                kind == ROOF_MEMORY ? " " : " dense ", shown, unit,
                why.len ? " It would be explained by: " : "", SPAN_ARG(buffer_span(&why)),
                why.len ? "." : "");
    buffer_free(&why);
    finding_end(&d);
}

/* --- stated peaks --- */

static bool near(double value, double known) {
    return known > 0 && value / known < slack && known / value < slack;
}

/* Whether the value is the dense or the sparse peak of a product; *gpu and *p say of which. */
static bool is_peak(const struct roof_run *run, const struct hardware_mention *m, double value,
                    bool sparse, enum precision *p, const struct gpu **gpu) {
    for (size_t i = 0; i < m->row_count; i++)
        for (int k = 0; k < PRECISION_COUNT; k++) {
            const struct gpu *g = &run->hardware->gpus[m->rows[i]];
            bool asked = *p == PRECISION_UNKNOWN || *p == (enum precision)k;
            if (asked && near(value, physics_peak(g, (enum precision)k, sparse))) {
                *p = (enum precision)k;
                *gpu = g;
                return true;
            }
        }
    return false;
}

static void judge_peak(const struct roof_run *run, size_t quantity,
                       const struct hardware_mention *m, struct span text) {
    const struct quantity *q = &run->document->claims->quantities[quantity];
    double value = measure_of(q).value;
    const struct gpu *g = NULL;
    enum precision p = precision_of(text);
    if (is_peak(run, m, value, false, &p, &g)) {
        struct finding_draft d = begin(run, FINDING_CONFIRMED, quantity, g);
        finding_place(&d, m->start, m->end);
        finding_say(&d, "%.*s is the dense %s peak of the %.*s.",
                    SPAN_ARG(quantity_quote(run->document, quantity)), precision_name(p),
                    SPAN_ARG(g->name));
        finding_end(&d);
        return;
    }
    if (!is_peak(run, m, value, true, &p, &g) ||
        span_find_nocase(text, SPAN("spars"), 0) != SIZE_MAX)
        return;
    double dense = physics_peak(g, p, false) / 1e12;
    struct finding_draft d = begin(run, FINDING_IMPLAUSIBLE, quantity, g);
    finding_place(&d, m->start, m->end);
    d.finding.expected_lo = d.finding.expected_hi = dense;
    finding_say(
        &d,
        "%.*s is the %s peak of the %.*s with 2:4 sparsity, which the text does not say; its "
        "dense peak is %.4g TFLOP/s.",
        SPAN_ARG(quantity_quote(run->document, quantity)), precision_name(p), SPAN_ARG(g->name),
        dense);
    finding_end(&d);
}

/* --- shares of the peak --- */

static bool states_share(const struct document *d, size_t quantity) {
    const struct quantity *q = &d->claims->quantities[quantity];
    return measure_of(q).is_percent && !q->malformed &&
           (prose_has_any(prose_after(d, quantity, 40), share_words, NULL) ||
            prose_has_word(prose_before(d, quantity, 24), "mfu"));
}

static bool share_holds(const struct quantity *share, const struct quantity *rate, double peak) {
    struct measure s = measure_of(share), r = measure_of(rate);
    double lowest = r.lo / peak, highest = r.hi / peak;
    return highest >= s.lo - s.ulp / 2 && lowest <= s.hi + s.ulp / 2;
}

static void report_share(const struct roof_run *run, enum finding_class class, size_t share,
                         size_t rate, const struct gpu *g, double peak, const char *which) {
    struct measure m = measure_of(&run->document->claims->quantities[rate]);
    struct finding_draft d = begin(run, class, share, g);
    finding_number(&d, "rate", rate);
    d.finding.expected_lo = 100 * m.lo / peak;
    d.finding.expected_hi = 100 * m.hi / peak;
    d.finding.expression =
        arena_printf(run->document->arena, "%.4g/%.4g", m.value / 1e12, peak / 1e12);
    finding_say(&d, "%.*s is %.1f%% of %.4g (%s of the %.*s); %.*s is printed.",
                SPAN_ARG(quantity_quote(run->document, rate)), 100 * m.value / peak, peak / 1e12,
                which, SPAN_ARG(g->name), SPAN_ARG(quantity_quote(run->document, share)));
    finding_end(&d);
}

/* Dense peaks first; a share that only the sparse peak gives is named; one that no peak of a single
 * known precision gives is implausible. */
static void judge_share(const struct roof_run *run, size_t share, size_t rate,
                        const struct hardware_mention *m, struct span text) {
    const struct quantity *all = run->document->claims->quantities;
    enum precision p = precision_of(text);
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < m->row_count; i++)
            for (int k = 0; k < PRECISION_COUNT; k++) {
                const struct gpu *g = &run->hardware->gpus[m->rows[i]];
                double peak = physics_peak(g, (enum precision)k, pass == 1);
                bool asked = p == PRECISION_UNKNOWN || p == (enum precision)k;
                if (!asked || isnan(peak) || !share_holds(&all[share], &all[rate], peak))
                    continue;
                report_share(run, pass ? FINDING_IMPLAUSIBLE : FINDING_CONFIRMED, share, rate, g,
                             peak, pass ? "the peak with sparsity" : "the dense peak");
                return;
            }
    const struct gpu *g = &run->hardware->gpus[m->rows[0]];
    double peak = physics_peak(g, p, false);
    if (m->row_count == 1 && peak > 0 && all[share].bound == BOUND_NONE)
        report_share(run, FINDING_IMPLAUSIBLE, share, rate, g, peak, "the dense peak");
}

/* --- a sentence --- */

static bool is_peak_here(const struct document *d, size_t q) {
    return prose_has_any(prose_before(d, q, 40), peak_words, NULL) ||
           prose_has_any(prose_after(d, q, 24), peak_words, NULL);
}

static void judge_rate(const struct roof_run *run, size_t quantity,
                       const struct hardware_mention *m, struct span text) {
    const struct quantity *q = &run->document->claims->quantities[quantity];
    enum roof_kind kind = kind_of(q);
    const struct gpu *best = NULL;
    enum precision p = precision_of(text);
    if (kind == ROOF_COMPUTE && is_peak_here(run->document, quantity)) {
        judge_peak(run, quantity, m, text);
        return;
    }
    if (kind == ROOF_MEMORY && prose_has_any(text, other_memory, NULL))
        return;
    if (span_find_nocase(text, SPAN("spars"), 0) != SIZE_MAX || prose_has_word(text, "fp4"))
        return;
    double roof = roof_of(run, m, kind, p, &best);
    if (roof > 0 && measure_of(q).lo > roof * slack)
        report_above(run, quantity, best, kind, p, roof);
}

static void judge_sentence(const struct roof_run *run, const struct sentence *s) {
    const struct document *d = run->document;
    struct span text = span_slice(d->chapter->view, s->start, s->end);
    const struct hardware_mention *m = NULL;
    size_t share = NONE, rate = NONE, rates = 0;
    for (size_t q = s->first_quantity; q < s->first_quantity + s->quantity_count; q++) {
        bool is_rate = kind_of(&d->claims->quantities[q]) != ROOF_NONE;
        if (!is_rate && !states_share(d, q))
            continue;
        if (!m && (!(m = gpu_of(run, s)) || prose_has_any(text, several, NULL)))
            return;
        if (!is_rate) {
            share = q;
            continue;
        }
        rates++;
        rate = q;
        judge_rate(run, q, m, text);
    }
    if (share != NONE && rates == 1 && kind_of(&d->claims->quantities[rate]) == ROOF_COMPUTE)
        judge_share(run, share, rate, m, text);
}

static bool is_measurement(const struct claim *claim) {
    return claim->kind == CLAIM_MEASUREMENT || claim->kind == CLAIM_RATIO;
}

static void run(const struct check_input *input, struct findings *findings) {
    struct roof_run r = {.input = input, .document = input->document, .findings = findings};
    struct arena *arena = input->document->arena;
    r.hardware = hardware_facts();
    r.named = hardware_find_gpus(arena, r.hardware, input->document->chapter->view, &r.named_count);
    r.one_product = r.named_count > 0;
    for (size_t i = 1; i < r.named_count; i++)
        r.one_product &= r.named[i].rows[0] == r.named[0].rows[0];
    for (size_t i = 0; r.named_count && i < r.document->sentence_count; i++)
        judge_sentence(&r, &r.document->sentences[i]);
    coverage_claims(input, findings, "roof", is_measurement, "states no rate");
}

const struct check check_roof = {"roof", "Rates and shares against the hardware's roof", run};
