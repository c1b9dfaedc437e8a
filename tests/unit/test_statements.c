/* What sentences, cells and printouts state about their own numbers. The expected intervals are
 * worked out on paper from the printed digits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "audit/audit.h"
#include "fetch/structure.h"

#include <math.h>

struct statement {
    const char *text, *check;
    enum finding_class class;
    double lo, hi; /* NAN: no interval is expected */
};

/* The finding of the statement's check and class, or NULL. */
static void check(const struct statement *s) {
    struct arena arena;
    struct chapter chapter = {0};
    struct claims claims = {0};
    struct findings findings = {0};
    struct audit_options options = {0};
    struct error error = {0};
    bool found = false, near = false;
    arena_init(&arena);
    assert_true(structure_read(&arena, SPAN("text"), span_of(s->text), "text", &chapter, &error));
    assert_true(
        audit_text(&arena, &chapter, SPAN("text"), NULL, &options, &claims, &findings, &error));
    for (size_t i = 0; i < findings.count; i++) {
        const struct finding *f = &findings.findings[i];
        if (!span_equal(f->check, span_of(s->check)) || f->class != s->class)
            continue;
        found = true;
        near |= isnan(s->lo) || (fabs(f->expected_lo - s->lo) <= 1e-6 * fabs(s->lo) &&
                                 fabs(f->expected_hi - s->hi) <= 1e-6 * fabs(s->hi));
    }
    if (!found || !near)
        fail_msg("%s: no finding of %s%s", s->text, s->check, found ? " with that interval" : "");
    arena_free(&arena);
}

static void check_all(const struct statement *cases, size_t count) {
    for (size_t i = 0; i < count; i++)
        check(&cases[i]);
}

#define ALL(cases) check_all(cases, sizeof cases / sizeof *cases)

static void rates_are_amounts_over_times(void **state) {
    (void)state;
    static const struct statement cases[] = {
        /* 1,080,000 +- 0.5 over 60.0 +- 0.05 */
        {"The old build answers 1,080,000 requests in 60.0 s, that is 18,000 requests/s.", "rate",
         FINDING_CONFIRMED, 1079999.5 / 60.05, 1080000.5 / 59.95},
        {"The old build answers 1,080,000 requests in 60.0 s, that is 19,000 requests/s.", "rate",
         FINDING_CONTRADICTION, 1079999.5 / 60.05, 1080000.5 / 59.95},
        {"Reading 3.2 GB in 1.4 s is 2.9 GB/s.", "rate", FINDING_CONTRADICTION, 3.15 / 1.45,
         3.25 / 1.35},
        {"A frame is drawn in 12.5 ms, i.e. 60 frames per second.", "rate", FINDING_CONTRADICTION,
         1000 / 12.55, 1000 / 12.45},
        {"Checkpoints are 118 GB each. One is written at 2.4 GB/s, which takes 94 s.", "rate",
         FINDING_CONTRADICTION, 117.5 / 2.45, 118.5 / 2.35},
        {"The collector made 3,080 pauses, 4.0 s in total, mean 13 ms.", "rate",
         FINDING_CONTRADICTION, 3950 / 3080.5, 4050 / 3079.5},
        {"Running 30s test\n  6,102,877 requests in 30.01s, 1.00GB read\nRequests/sec: 213361.60\n",
         "rate", FINDING_CONTRADICTION, 6102876.5 / 30.015, 6102877.5 / 30.005},
        {"  6,210,377,915      cycles\n  7,905,811,240      instructions  #  1.72  insn per "
         "cycle\n",
         "rate", FINDING_CONTRADICTION, 7905811239.5 / 6210377915.5, 7905811240.5 / 6210377914.5},
    };
    ALL(cases);
}

static void arithmetic_is_worked_out(void **state) {
    (void)state;
    static const struct statement cases[] = {
        {"A block has 12 x 8 = 98 threads.", "equation", FINDING_CONTRADICTION, 96, 96},
        {"A block has 12 x 8 = 96 threads.", "equation", FINDING_CONFIRMED, 96, 96},
        {"Times add up: 41.0 s - 12.3 s = 38.7 s.", "equation", FINDING_CONTRADICTION, 28.6, 28.8},
        /* 28.25 to 28.35 million weights of 4 bytes */
        {"It has 28.3M parameters × 4 bytes = 123 MB.", "equation", FINDING_CONTRADICTION, 113.0,
         113.4},
    };
    ALL(cases);
}

static void comparisons_are_tied_to_what_they_compare(void **state) {
    (void)state;
    static const struct statement cases[] = {
        {"The bill fell from $1,912 to $874, that is by 45.7%.", "relation", FINDING_CONTRADICTION,
         NAN, NAN},
        {"The ring takes 3.20 ms. The tree needs 4.48 ms and is 1.9 times slower.", "relation",
         FINDING_INCONSISTENCY, 4.475 / 3.205, 4.485 / 3.195},
        {"Requests without a session save 11.0 ms (18.6 ms -> 9.6 ms).", "relation",
         FINDING_CONTRADICTION, 8.9, 9.1},
        {"Memory dropped by half, from 6.3 GB to 4.2 GB.", "relation", FINDING_CONTRADICTION, NAN,
         NAN},
        {"It takes 96 seconds instead of 410 seconds, more than 6x faster.", "relation",
         FINDING_CONTRADICTION, NAN, NAN},
        {"Throughput is 142k tokens/s (46% MFU), against 118k tokens/s before (1.40x).", "relation",
         FINDING_CONTRADICTION, 141.5 / 118.5, 142.5 / 117.5},
        {"Inference is 18% slower (9.4 ms vs. 8.7 ms per token).", "relation",
         FINDING_CONTRADICTION, NAN, NAN},
    };
    ALL(cases);
}

static void printouts_agree_with_themselves(void **state) {
    (void)state;
    static const char hyperfine[] = "Benchmark 1: old\n"
                                    "  Time (mean ± σ):     842.6 ms ±  11.3 ms\n"
                                    "\n"
                                    "Benchmark 2: new\n"
                                    "  Time (mean ± σ):      96.2 ms ±   2.4 ms\n"
                                    "  Range (min … max):    97.9 ms … 103.0 ms    31 runs\n"
                                    "\n"
                                    "Summary\n"
                                    "  new ran\n"
                                    "    9.76 ± 0.25 times faster than old\n";
    const struct statement cases[] = {
        {hyperfine, "printout", FINDING_CONTRADICTION, 842.55 / 96.25, 842.65 / 96.15},
        {hyperfine, "printout", FINDING_CONTRADICTION, NAN, NAN},
        {"lat (usec): min=840, max=9142, avg=9654.98, stdev=211.31\n", "printout",
         FINDING_CONTRADICTION, NAN, NAN},
        {"  | 90.00th=[ 4883], 95.00th=[ 5014], 99.00th=[ 4342]\n", "printout",
         FINDING_CONTRADICTION, NAN, NAN},
        {"softmax\n  Median: 41.20 us\n  IQR:    0.90 us (40.80 to 42.70)\n", "printout",
         FINDING_CONTRADICTION, NAN, NAN},
        {"Name (time in us)      Mean              Median\n"
         "------------------------------------------------\n"
         "test_fast           11.8512 (1.0)     11.6210 (1.0)\n"
         "test_slow           64.2204 (4.52)    63.4020 (5.46)\n",
         "relative", FINDING_CONTRADICTION, NAN, NAN},
    };
    ALL(cases);
}

static void tables_keep_the_laws_they_announce(void **state) {
    (void)state;
    static const struct statement cases[] = {
        /* shares of a total that a line below states: 2.500/20.000 */
        {"name     Self CPU %   Self CPU\n"
         "-------------------------------\n"
         "addmm        41.20%   8.240ms\n"
         "relu         15.20%   2.500ms\n"
         "clamp         7.50%   1.500ms\n"
         "mean          5.00%   1.000ms\n"
         "add          33.80%   6.760ms\n"
         "-------------------------------\n"
         "Self CPU time total: 20.000ms\n",
         "law", FINDING_CONTRADICTION, 100 * 2.4995 / 20.0005, 100 * 2.5005 / 19.9995},
        /* 412.6 us + 38.5 ms / 100 */
        {"A replay takes 412.6 us. The capture costs 38.5 ms once.\n\n"
         "replays   cost per step (ms)\n"
         "10                     4.263\n"
         "50                     1.183\n"
         "100                    0.898\n"
         "1000                   0.451\n",
         "law", FINDING_CONTRADICTION, 0.41255 + 0.3845, 0.41265 + 0.3855},
    };
    ALL(cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rates_are_amounts_over_times),
        cmocka_unit_test(arithmetic_is_worked_out),
        cmocka_unit_test(comparisons_are_tied_to_what_they_compare),
        cmocka_unit_test(printouts_agree_with_themselves),
        cmocka_unit_test(tables_keep_the_laws_they_announce),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
