#include "bench/series.h"

#include "bench/experiment.h"
#include "bench/stats.h"
#include "bench/trace.h"

#include <math.h>
#include <stdlib.h>

/* Boundaries whose samples are like iterations of one thing. */
static const char *const repeating[] = {"host-return",
                                        "loop-unsynchronized",
                                        "loop-synchronized",
                                        "per-iteration",
                                        "events",
                                        "warmed-median",
                                        "phases"};

static bool repeats(const struct plan_variant *variant) {
    for (size_t i = 0; i < sizeof repeating / sizeof *repeating; i++)
        if (span_equal(variant->boundary, span_of(repeating[i])))
            return true;
    return false;
}

static size_t variant_index(const struct experiment *e, struct span name) {
    for (size_t i = 0; i < e->variant_count; i++)
        if (span_equal(e->variants[i].name, name))
            return i;
    return e->variant_count;
}

/* Indices of one run: samples of one variant in one turn, none of them warm-up. */
struct run {
    size_t *at;
    double *values;
    size_t count;
};

static void take_run(const struct sample *samples, size_t from, size_t to, struct span variant,
                     struct run *run) {
    run->count = 0;
    for (size_t i = from; i < to; i++)
        if (!samples[i].warmup && span_equal(samples[i].variant, variant) &&
            isfinite(samples[i].value)) {
            run->at[run->count] = i;
            run->values[run->count++] = samples[i].value;
        }
}

static void mark_run(struct sample *samples, struct run *run) {
    size_t cut = trace_warmup(run->values, run->count);
    for (size_t i = 0; i < cut; i++)
        samples[run->at[i]].warmup = true;
    double low, high;
    trace_fences(run->values + cut, run->count - cut, &low, &high);
    for (size_t i = cut; i < run->count; i++)
        samples[run->at[i]].outlier = run->values[i] < low || run->values[i] > high;
}

static size_t turn_end(const struct sample *samples, size_t from, size_t count) {
    size_t to = from + 1;
    while (to < count && samples[to].block == samples[from].block &&
           samples[to].process == samples[from].process &&
           span_equal(samples[to].experiment, samples[from].experiment))
        to++;
    return to;
}

static struct run run_new(size_t count) {
    return (struct run){memory_alloc((count + 1) * sizeof(size_t)),
                        memory_alloc((count + 1) * sizeof(double)), 0};
}

static void run_free(struct run *run) {
    free(run->at);
    free(run->values);
}

void series_mark(const struct experiment *e, struct sample *samples, size_t count) {
    struct run run = run_new(count);
    for (size_t from = 0, to; from < count; from = to) {
        to = turn_end(samples, from, count);
        for (size_t v = 0; v < e->variant_count; v++) {
            if (!repeats(&e->variants[v]))
                continue;
            take_run(samples, from, to, e->variants[v].name, &run);
            mark_run(samples, &run);
        }
    }
    run_free(&run);
}

size_t series_unsteady(const struct experiment *e, const struct sample *samples, size_t count,
                       size_t *runs) {
    size_t unsteady = 0;
    struct run run = run_new(count);
    *runs = 0;
    for (size_t from = 0, to; from < count; from = to) {
        to = turn_end(samples, from, count);
        if (!span_equal(samples[from].experiment, e->id))
            continue;
        for (size_t v = 0; v < e->variant_count; v++) {
            take_run(samples, from, to, e->variants[v].name, &run);
            *runs += run.count > 0;
            unsteady += repeats(&e->variants[v]) && !trace_is_steady(run.values, run.count);
        }
    }
    run_free(&run);
    return unsteady;
}

/* --- medians --- */

/* A cell holds the usable values of one variant (or the sham) in one process. */
struct cell {
    double *values;
    size_t count, capacity;
};

static size_t process_index(const size_t *processes, size_t count, size_t number) {
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (processes[middle] < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && processes[low] == number ? low : count;
}

static void sort_sample(struct arena *arena, struct series *series, struct cell *cell,
                        const struct sample *sample) {
    if (series && sample->warmup) {
        series->warmup_dropped++;
        return;
    }
    if (sample->warmup || !isfinite(sample->value))
        return;
    LIST_PUSH(arena, cell->values, cell->count, cell->capacity, sample->value);
    if (series) {
        series->samples++;
        series->outliers += sample->outlier;
        series->unit = sample->unit;
    }
}

static void finish_series(struct arena *arena, struct series *series, const struct cell *cells,
                          size_t processes) {
    double *correlations = arena_array(arena, processes, sizeof *correlations);
    size_t known = 0;
    for (size_t p = 0; p < processes; p++) {
        series->medians[p] = stats_median(cells[p].values, cells[p].count);
        double correlation = trace_autocorrelation(cells[p].values, cells[p].count);
        if (!isnan(correlation))
            correlations[known++] = correlation;
    }
    series->autocorrelation = stats_median(correlations, known);
}

struct series_set series_build(struct arena *arena, const struct experiment *e,
                               const struct sample *samples, size_t count, const size_t *processes,
                               size_t process_count) {
    size_t variants = e->variant_count, width = process_count;
    struct cell *cells = arena_array(arena, (variants + 1) * width + 1, sizeof *cells);
    struct series_set set = {process_count, arena_array(arena, variants, sizeof *set.variants),
                             variants, arena_array(arena, width, sizeof *set.sham),
                             experiment_sham_variant(e)};
    for (size_t i = 0; i < count; i++) {
        size_t p = process_index(processes, process_count, samples[i].process);
        size_t v = variant_index(e, samples[i].variant);
        if (p == process_count || v == variants || !span_equal(samples[i].experiment, e->id))
            continue;
        bool sham = samples[i].sham;
        if (!sham || v == set.sham_variant)
            sort_sample(arena, sham ? NULL : &set.variants[v],
                        &cells[(sham ? variants : v) * width + p], &samples[i]);
    }
    for (size_t v = 0; v < variants; v++) {
        set.variants[v].medians = arena_array(arena, width, sizeof(double));
        finish_series(arena, &set.variants[v], &cells[v * width], width);
    }
    for (size_t p = 0; p < width; p++)
        set.sham[p] =
            stats_median(cells[variants * width + p].values, cells[variants * width + p].count);
    return set;
}

struct measured series_measured(const struct series *series, struct span variant,
                                size_t process_count) {
    double *usable = memory_alloc((process_count + 1) * sizeof *usable);
    double *logs = memory_alloc((process_count + 1) * sizeof *logs);
    size_t n = 0, positive = 0;
    for (size_t i = 0; i < process_count; i++)
        if (isfinite(series->medians[i])) {
            usable[n++] = series->medians[i];
            if (series->medians[i] > 0)
                logs[positive++] = log(series->medians[i]);
        }
    struct interval_estimate t = {NAN, NAN, NAN, 0};
    if (positive == n)
        t = stats_mean_interval(logs, n, 0.025);
    struct interval_estimate ranks = stats_median_interval(usable, n, 0.95);
    struct measured found = {
        .variant = variant,
        .unit = series->unit,
        .n = n,
        .samples = series->samples,
        .median = ranks.estimate,
        .ci_lo = exp(t.lo),
        .ci_hi = exp(t.hi),
        .rank_lo = ranks.lo,
        .rank_hi = ranks.hi,
        .autocorrelation = series->autocorrelation,
        .warmup_dropped = series->warmup_dropped,
        .outliers = series->outliers,
    };
    free(usable);
    free(logs);
    return found;
}
