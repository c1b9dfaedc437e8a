/* How often the whole procedure is wrong or undecided, on simulated processes whose truth is known:
 * process effects (normal in log scale) and, within a process, iterations with first-order
 * autocorrelation. Seeds are fixed, so the rates are the same in every run; they are printed for
 * docs/measurements.md (make bench-stats). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bench/stats.h"
#include "bench/verdict.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define REPLICATIONS 4000

static uint64_t random_state = 20261207;

static double uniform(void) {
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return ((double)(random_state >> 11) + 0.5) / 9007199254740992.0;
}

static double normal(void) {
    return sqrt(-2 * log(uniform())) * cos(2 * M_PI * uniform());
}

/* One experiment of two variants (one for absolute) with a true log ratio. */
struct world {
    const char *kind;
    double shift, noise; /* log ratio of a to b, and its standard deviation over processes */
    double tolerance, lo, hi;
};

struct tally {
    double reproduced, refuted, open, processes;
};

static enum experiment_status look(struct arena *arena, const struct experiment *e, double *a,
                                   double *b, double *sham, size_t n, bool *open) {
    struct series variants[] = {{.unit = SPAN("ms"), .medians = a},
                                {.unit = SPAN("ms"), .medians = b}};
    struct series_set set = {n, variants, 2, sham, 0};
    struct result r = {.match = SPAN("other hardware")};
    struct evidence v = {e, &set, STATS_LOOK_ALPHA, MATCH_OTHER_HARDWARE, 0, 0, 0, 0};
    verdict_judge(arena, &v, &r);
    *open = verdict_is_open(&v, &r);
    return r.status;
}

static enum experiment_status measure(const struct world *w, size_t *processes) {
    struct arena arena;
    arena_init(&arena);
    struct plan_variant variants[] = {{.name = SPAN("a")}, {.name = SPAN("b")}};
    struct experiment e = {.id = SPAN("E1"),
                           .kind = span_of(w->kind),
                           .variants = variants,
                           .variant_count = 2,
                           .tolerance = w->tolerance,
                           .claimed_lo = w->lo,
                           .claimed_hi = w->hi};
    double a[18], b[18], sham[18];
    bool open = true;
    enum experiment_status status = EXPERIMENT_INCONCLUSIVE;
    for (size_t i = 0, at = 0; i < 18 && open; i++) {
        double both = 0.02 * normal(); /* what a process does to all its variants cancels */
        a[i] = exp(both + w->shift + w->noise * normal());
        b[i] = exp(both);
        sham[i] = a[i] * exp(0.001 * normal());
        if (i + 1 == stats_look_sizes[at]) {
            status = look(&arena, &e, a, b, sham, i + 1, &open);
            *processes = stats_look_sizes[at++];
        }
    }
    arena_free(&arena);
    return status;
}

static struct tally simulate(const char *what, struct world w) {
    struct tally t = {0};
    for (size_t i = 0; i < REPLICATIONS; i++) {
        size_t processes = 0;
        enum experiment_status status = measure(&w, &processes);
        t.reproduced += status == EXPERIMENT_REPRODUCED;
        t.refuted += status == EXPERIMENT_NOT_REPRODUCED;
        t.processes += (double)processes;
    }
    t.reproduced *= 100.0 / REPLICATIONS;
    t.refuted *= 100.0 / REPLICATIONS;
    t.processes /= REPLICATIONS;
    t.open = 100 - t.reproduced - t.refuted;
    printf("# %-52s REPRODUCED %5.1f %%, NOT REPRODUCED %5.1f %%, undecided %5.1f %%, %4.1f "
           "processes\n",
           what, t.reproduced, t.refuted, t.open, t.processes);
    return t;
}

static void a_ratio_at_its_margin_is_rarely_judged_either_way(void **state) {
    (void)state;
    struct world w = {"ratio", log(1.05), 0.02, 0.05, 1, 1};
    struct tally t = simulate("ratio exactly at its margin of 5 %, noise 2 %", w);
    assert_true(t.reproduced <= 5 && t.refuted <= 5);
    w.shift = -log(1.05);
    t = simulate("the same below", w);
    assert_true(t.reproduced <= 5 && t.refuted <= 5);
}

static void a_true_ratio_is_reproduced(void **state) {
    (void)state;
    struct tally t =
        simulate("true ratio, margin 5 %, noise 2 %", (struct world){"ratio", 0, 0.02, 0.05, 1, 1});
    assert_true(t.reproduced >= 95 && t.refuted <= 0.5);
}

static void a_shift_of_three_percent_is_seen(void **state) {
    (void)state;
    struct tally t = simulate("order, true shift 3 %, noise 1 %",
                              (struct world){"order", -0.03, 0.01, NAN, NAN, NAN});
    assert_true(t.reproduced >= 95);
    t = simulate("order reversed by 3 %, noise 1 %",
                 (struct world){"order", 0.03, 0.01, NAN, NAN, NAN});
    assert_true(t.refuted >= 95);
}

static void an_order_at_its_margin_is_rarely_judged_either_way(void **state) {
    (void)state;
    struct tally t = simulate("order, shift exactly 1 %, noise 1 %",
                              (struct world){"order", -log(1.01), 0.01, NAN, NAN, NAN});
    assert_true(t.reproduced <= 5 && t.refuted <= 5);
}

/* Median of 40 iterations with autocorrelation rho around a process's own level. */
static double process_median(double effect, double noise, double rho) {
    double values[40], deviation = normal();
    for (size_t i = 0; i < 40; i++) {
        deviation = rho * deviation + sqrt(1 - rho * rho) * normal();
        values[i] = exp(effect + noise * deviation);
    }
    return stats_median(values, 40);
}

static double coverage(size_t processes, double spread, double rho) {
    size_t covered = 0;
    for (size_t i = 0; i < REPLICATIONS; i++) {
        double logs[18];
        for (size_t p = 0; p < processes; p++)
            logs[p] = log(process_median(spread * normal(), 0.01, rho));
        struct interval_estimate t = stats_mean_interval(logs, processes, 0.025);
        covered += t.lo <= 0 && t.hi >= 0;
    }
    double percent = 100.0 * (double)covered / REPLICATIONS;
    printf("# 95 %% interval, %2zu processes, process effect %.1f %%, autocorrelation %.1f: covers "
           "%.1f %%\n",
           processes, 100 * spread, rho, percent);
    return percent;
}

static void intervals_cover_what_they_say(void **state) {
    (void)state;
    const double correlations[] = {0, 0.7};
    const size_t counts[] = {3, 6, 12, 18};
    for (size_t r = 0; r < 2; r++)
        for (size_t k = 0; k < 4; k++) {
            double found = coverage(counts[k], 0.02, correlations[r]);
            assert_true(found >= 93 && found <= 98);
        }
    double found = coverage(6, 0, 0.7); /* iterations alone */
    assert_true(found >= 93 && found <= 98);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ratio_at_its_margin_is_rarely_judged_either_way),
        cmocka_unit_test(a_true_ratio_is_reproduced),
        cmocka_unit_test(a_shift_of_three_percent_is_seen),
        cmocka_unit_test(an_order_at_its_margin_is_rarely_judged_either_way),
        cmocka_unit_test(intervals_cover_what_they_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
