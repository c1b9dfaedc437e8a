/* Times and sizes against what the stated workload must do. The contract gives the stack of linear
 * layers and the batch, the hardware table the roof; a time of the forward pass, of forward and
 * backward, or of a training step then implies FLOP/s. Above the roof it is implausible, below it a
 * note says which share of the roof it is. Sizes of parameters, gradients and optimizer state are
 * confirmed where they are what the stack gives. */
#include "audit/physics.h"
#include "audit/checks/checks.h"
#include "audit/measure.h"
#include "audit/prose.h"

#include <math.h>

enum { MOST_NOTES = 40 };
static const double slack = 1.02; /* boost clocks above the table's, rounding of its peaks */

enum phase { PHASE_NONE, PHASE_FORWARD, PHASE_BACKWARD, PHASE_BOTH, PHASE_STEP, PHASE_OPTIMIZER };

struct physics_run {
    const struct check_input *input;
    const struct document *document;
    struct findings *findings;
    struct layer_stack stack;
    enum precision precision;
    const struct gpu *gpu; /* the fastest product that the name may mean */
    size_t notes;
    size_t both, step; /* quantities: time of forward and backward, of the whole step; or NONE */
};

/* --- what a time is the time of --- */

static const char *const no_device_time[] = {"queued",   "host",   "submission",     "first",
                                             "reported", "launch", "unsynchronized", "naive",
                                             "return",   "cpu",    "compile",        NULL};

/* Its labels; in prose the words between the number before it and itself. */
static struct span words_of(const struct document *d, size_t quantity) {
    const struct quantity *q = &d->claims->quantities[quantity];
    if (q->sentence >= d->sentence_count || d->chapter->blocks[q->block].kind != BLOCK_PROSE)
        return q->subject;
    const struct sentence *s = &d->sentences[q->sentence];
    size_t from = quantity > s->first_quantity ? prose_end(q - 1) : s->start;
    return span_slice(d->chapter->view, from, q->start);
}

static enum phase phase_of(const struct document *d, size_t quantity) {
    struct span s = words_of(d, quantity);
    bool forward = prose_has_word(s, "forward"), backward = prose_has_word(s, "backward");
    if (prose_has_any(s, no_device_time, NULL))
        return PHASE_NONE;
    if (prose_has_word(s, "training step") || prose_has_word(s, "full step") ||
        prose_has_word(s, "train step"))
        return PHASE_STEP;
    if (prose_has_word(s, "optimizer step") || prose_has_word(s, "optimizer.step"))
        return forward || backward ? PHASE_NONE : PHASE_OPTIMIZER;
    return forward && backward ? PHASE_BOTH
           : forward           ? PHASE_FORWARD
           : backward          ? PHASE_BACKWARD
                               : PHASE_NONE;
}

static double phase_flops(const struct physics_run *run, enum phase phase) {
    double forward = physics_forward_flops(&run->stack);
    double backward = physics_backward_flops(&run->stack);
    return phase == PHASE_FORWARD    ? forward
           : phase == PHASE_BACKWARD ? backward
                                     : forward + backward;
}

static const char *phase_words(enum phase phase) {
    return phase == PHASE_FORWARD    ? "A forward pass"
           : phase == PHASE_BACKWARD ? "A backward pass"
                                     : "A forward and a backward pass";
}

static bool is_time(const struct quantity *q) {
    struct measure m = measure_of(q);
    struct dimension time = {{0}};
    time.power[DIM_TIME] = 1;
    return q->role == ROLE_MEASUREMENT && !q->malformed && m.unit_known && m.lo > 0 &&
           dimension_equal(m.dimension, time);
}

static double peak_of(const struct physics_run *run) {
    enum precision p = run->precision;
    if (p == PRECISION_UNKNOWN)
        return physics_highest_peak(run->gpu);
    double peak = physics_peak(run->gpu, p, false);
    /* libraries may run FP32 matrix products as TF32 */
    return p == PRECISION_FP32 ? fmax(peak, physics_peak(run->gpu, PRECISION_TF32, false)) : peak;
}

static void judge_time(struct physics_run *run, size_t quantity, enum phase phase) {
    const struct quantity *q = &run->document->claims->quantities[quantity];
    struct measure m = measure_of(q);
    double flops = phase_flops(run, phase), peak = peak_of(run);
    if (!(peak > 0) || run->notes >= MOST_NOTES)
        return;
    double lowest = flops / m.hi;
    bool above = lowest > peak * slack;
    struct finding_draft d;
    finding_begin(&d, run->input, run->findings, "physics",
                  above ? FINDING_IMPLAUSIBLE : FINDING_NOTE,
                  above ? SEVERITY_MEDIUM : SEVERITY_INFO);
    finding_number(&d, "time", quantity);
    d.finding.url = run->gpu->source_url;
    if (above)
        d.finding.expected_lo =
            flops / peak * (double)m.scale_denominator / (double)m.scale_numerator;
    d.finding.expression = arena_printf(run->document->arena, "%.4g GFLOP / %.*s", flops / 1e9,
                                        SPAN_ARG(quantity_quote(run->document, quantity)));
    finding_say(&d,
                "%s over %.0f rows is %.4g GFLOP; in %.*s that is %.3g TFLOP/s, %.0f%% of the %.3g "
                "that the %.*s can do in %s.%s",
                phase_words(phase), run->stack.batch, flops / 1e9,
                SPAN_ARG(quantity_quote(run->document, quantity)), flops / m.value / 1e12,
                100 * flops / m.value / peak, peak / 1e12, SPAN_ARG(run->gpu->name),
                precision_name(run->precision),
                above ? " Does the timed region wait for the device?" : "");
    finding_end(&d);
    run->notes++;
}

/* --- the optimizer: bytes over bandwidth --- */

static void note_optimizer(const struct physics_run *run) {
    const struct quantity *all = run->document->claims->quantities;
    if (run->both == NONE || run->step == NONE || !(run->gpu->bandwidth_gbs > 0))
        return;
    double rest = measure_of(&all[run->step]).value - measure_of(&all[run->both]).value;
    double bytes = physics_optimizer_bytes(&run->stack, 4, 2);
    double least = bytes / (run->gpu->bandwidth_gbs * 1e9);
    if (!(rest > 0))
        return;
    struct finding_draft d;
    finding_begin(&d, run->input, run->findings, "physics", FINDING_NOTE, SEVERITY_INFO);
    finding_number(&d, "step", run->step);
    finding_number(&d, "forward and backward", run->both);
    d.finding.url = run->gpu->source_url;
    finding_say(
        &d,
        "The step takes %.4g ms more than forward and backward. An Adam update of %.4gM FP32 "
        "parameters moves at least %.4g MB, %.3g ms at the %.0f GB/s of the %.*s; a plain "
        "SGD update %.3g ms.",
        rest * 1e3, run->stack.parameters / 1e6, bytes / 1e6, least * 1e3, run->gpu->bandwidth_gbs,
        SPAN_ARG(run->gpu->name),
        physics_optimizer_bytes(&run->stack, 4, 0) / (run->gpu->bandwidth_gbs * 1e9) * 1e3);
    finding_end(&d);
}

/* --- counts and sizes --- */

static void confirm_size(const struct physics_run *run, size_t quantity, const char *what,
                         double value, const char *unit) {
    struct finding_draft d;
    finding_begin(&d, run->input, run->findings, "physics", FINDING_CONFIRMED, SEVERITY_INFO);
    finding_number(&d, "stated", quantity);
    finding_say(&d, "%.*s is what the stated layers give for %s: %.0f%s.",
                SPAN_ARG(quantity_quote(run->document, quantity)), what, value, unit);
    finding_end(&d);
}

static bool holds(const struct measure *m, double value) {
    return value >= m->lo * (1 - 1e-12) && value <= m->hi * (1 + 1e-12);
}

static void judge_size(const struct physics_run *run, size_t quantity) {
    const struct quantity *q = &run->document->claims->quantities[quantity];
    struct measure m = measure_of(q);
    struct dimension data = {{0}};
    double bytes = run->stack.parameters *
                   (run->precision == PRECISION_UNKNOWN ? 4 : precision_bytes(run->precision));
    data.power[DIM_DATA] = 1;
    if (q->malformed || !m.unit_known)
        return;
    if (span_equal(q->unit, SPAN("parameter"))) {
        if (holds(&m, run->stack.parameters))
            confirm_size(run, quantity, "parameters", run->stack.parameters, "");
        else if (holds(&m, run->stack.weights))
            confirm_size(run, quantity, "weights without biases", run->stack.weights, "");
        return;
    }
    if (!dimension_equal(m.dimension, data))
        return;
    if (prose_has_word(q->subject, "optimizer") && holds(&m, 2 * run->stack.parameters * 4))
        confirm_size(run, quantity, "two FP32 optimizer states", 8 * run->stack.parameters,
                     " bytes");
    else if (prose_has_word(q->subject, "gradients") && holds(&m, bytes))
        confirm_size(run, quantity, "gradients", bytes, " bytes");
    else if ((prose_has_word(q->subject, "parameters") || prose_has_word(q->subject, "weights")) &&
             holds(&m, bytes))
        confirm_size(run, quantity, "parameters", bytes, " bytes");
}

/* --- the run --- */

static const struct gpu *find_gpu(struct arena *arena, struct span view) {
    const struct hardware *hardware = hardware_facts();
    size_t count;
    const struct gpu *best = NULL;
    struct hardware_mention *found = hardware_find_gpus(arena, hardware, view, &count);
    for (size_t i = 0; i < count; i++) {
        if (found[i].rows[0] != found[0].rows[0])
            return NULL;
        for (size_t k = 0; k < found[i].row_count; k++) {
            const struct gpu *g = &hardware->gpus[found[i].rows[k]];
            best = !best || g->fp32 > best->fp32 ? g : best;
        }
    }
    return best;
}

static enum precision stated_precision(const struct contract *contract) {
    enum precision found = PRECISION_UNKNOWN;
    size_t count = 0;
    for (size_t i = 0; i < contract->count; i++)
        if (span_equal(contract->fields[i].name, SPAN("dtype")) && count++ == 0)
            found = precision_of(contract->fields[i].value);
    return count == 1 ? found : PRECISION_UNKNOWN;
}

static void judge_quantity(struct physics_run *run, size_t quantity) {
    const struct quantity *q = &run->document->claims->quantities[quantity];
    judge_size(run, quantity);
    enum phase phase = is_time(q) ? phase_of(run->document, quantity) : PHASE_NONE;
    if (phase == PHASE_NONE || phase == PHASE_OPTIMIZER || !run->gpu || !(run->stack.batch > 0))
        return;
    if (phase == PHASE_BOTH)
        run->both = quantity;
    if (phase == PHASE_STEP)
        run->step = quantity;
    judge_time(run, quantity, phase);
}

static bool is_measurement(const struct claim *claim) {
    return claim->kind == CLAIM_MEASUREMENT;
}

static void run(const struct check_input *input, struct findings *findings) {
    const struct document *d = input->document;
    struct contract contract = contract_find(d);
    struct physics_run r = {.input = input,
                            .document = d,
                            .findings = findings,
                            .stack = physics_stack(&contract),
                            .precision = stated_precision(&contract),
                            .both = NONE,
                            .step = NONE};
    if (!r.stack.known) {
        coverage_add(input, findings, "physics", NONE, COVERAGE_NOT_APPLICABLE,
                     "no contract states one stack of linear layers");
        return;
    }
    r.gpu = find_gpu(d->arena, d->chapter->view);
    for (size_t q = 0; q < d->claims->quantity_count; q++)
        judge_quantity(&r, q);
    if (r.gpu)
        note_optimizer(&r);
    coverage_claims(input, findings, "physics", is_measurement, "measures nothing");
}

const struct check check_physics = {"physics", "Times and sizes against the stated workload", run};
