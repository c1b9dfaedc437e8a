/* From lines of measurements.jsonl to one number a process; what a journal keeps; what is drift. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bench/drift.h"
#include "bench/journal.h"
#include "bench/series.h"
#include "core/file.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

static struct arena arena;

static struct experiment two_variants(void) {
    struct experiment e = {.id = SPAN("E1"), .kind = SPAN("order")};
    const char *const names[] = {"a", "b"}, *const samples[] = {"5", "9"};
    for (size_t i = 0; i < 2; i++) {
        struct plan_variant v = {.name = span_of(names[i]),
                                 .workload = SPAN("null"),
                                 .boundary = SPAN("per-iteration"),
                                 .metric = SPAN("step")};
        plan_fields_set(&arena, &v.parameters, SPAN("samples"), span_of(samples[i]));
        LIST_PUSH(&arena, e.variants, e.variant_count, e.variant_capacity, v);
    }
    return e;
}

static struct sample sample_of(const char *variant, size_t process, size_t block, double value) {
    return (struct sample){.experiment = SPAN("E1"),
                           .variant = span_of(variant),
                           .unit = SPAN("ms"),
                           .process = process,
                           .block = block,
                           .value = value};
}

static void warmup_is_marked_in_each_turn(void **state) {
    (void)state;
    struct experiment e = two_variants();
    struct sample samples[12];
    for (size_t i = 0; i < 12; i++)
        samples[i] = sample_of("a", 0, i / 6, i % 6 == 0 ? 50 : 10 + 0.01 * (double)(i % 3));
    series_mark(&e, samples, 12);
    assert_true(samples[0].warmup && samples[6].warmup);
    assert_false(samples[5].warmup || samples[11].warmup);
    size_t runs;
    assert_int_equal(series_unsteady(&e, samples, 12, &runs), 0);
    assert_int_equal(runs, 2);
}

static void medians_are_taken_process_by_process(void **state) {
    (void)state;
    struct experiment e = two_variants();
    struct sample samples[] = {
        sample_of("a", 0, 0, 1),  sample_of("a", 0, 1, 3),  sample_of("a", 0, 1, 2),
        sample_of("b", 0, 0, 10), sample_of("a", 2, 0, 5),  sample_of("a", 1, 0, 99),
        sample_of("b", 2, 0, 20), sample_of("a", 2, 1, 99), sample_of("a", 0, 2, 7),
    };
    samples[7].warmup = true;
    samples[8].sham = true;
    const size_t processes[] = {0, 2}; /* process 1 did not finish */
    struct series_set set = series_build(&arena, &e, samples, 9, processes, 2);
    assert_true(set.variants[0].medians[0] == 2 && set.variants[0].medians[1] == 5);
    assert_true(set.variants[1].medians[0] == 10 && set.variants[1].medians[1] == 20);
    assert_true(set.sham[0] == 7 && isnan(set.sham[1]));
    assert_int_equal(set.variants[0].samples, 4);
    assert_int_equal(set.variants[0].warmup_dropped, 1);
    struct measured m = series_measured(&set.variants[0], SPAN("a"), 2);
    assert_int_equal(m.n, 2);
    assert_true(m.median == 3.5 && isnan(m.rank_lo));
    /* exp(mean log -+ 12.706 s / sqrt 2), mean log = ln sqrt 10, s = ln 2.5 / sqrt 2 */
    assert_true(fabs(log(m.ci_hi) - (log(10) / 2 + 12.7062 * log(2.5) / 2)) < 1e-4);
}

static void a_journal_keeps_what_is_whole(void **state) {
    (void)state;
    char path[] = "/tmp/assay-test-journal-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    struct error error;
    struct journal j;
    struct buffer text = {0};
    struct process_record first = {
        .experiment = SPAN("E1"), .key = SPAN("k"), .process = 0, .end = SPAN("finished")};
    struct process_record second = first;
    second.process = 4;
    second.end = SPAN("failed");
    second.reason = SPAN("killed");
    struct sample sample = sample_of("a", 6, 0, 1);
    process_record_write(&text, &first);
    process_record_write(&text, &second);
    sample_write(&text, &sample); /* of a process that never finished */
    buffer_add_string(&text, "{\"schema\": \"assay.meas");
    assert_true(file_append(path, buffer_span(&text), &error));
    assert_true(journal_load(&arena, path, &j, &error));
    assert_true(j.torn);
    size_t *finished;
    assert_int_equal(journal_finished(&arena, &j, SPAN("E1"), SPAN("k"), &finished), 1);
    assert_int_equal(journal_finished(&arena, &j, SPAN("E1"), SPAN("other"), &finished), 0);
    assert_int_equal(journal_next_process(&j, SPAN("E1")), 7);
    assert_int_equal(journal_next_process(&j, SPAN("E2")), 0);
    assert_non_null(journal_failure(&j, SPAN("E1"), SPAN("k")));
    buffer_clear(&text);
    process_record_write(&text, &first);
    assert_true(journal_append(&j, buffer_span(&text), &error));
    assert_true(journal_load(&arena, path, &j, &error));
    assert_int_equal(j.process_count, 3); /* the new line did not join the torn one */
    assert_null(journal_failure(&j, SPAN("E1"), SPAN("k")));
    buffer_free(&text);
    unlink(path);
}

static void a_key_changes_with_what_is_measured_only(void **state) {
    (void)state;
    struct experiment e = two_variants(), other = two_variants();
    struct span key = journal_key(&arena, &e, SPAN("cpu"));
    other.tolerance = 0.5;
    other.claimed = SPAN("1.5");
    other.relation = SPAN("a < b");
    assert_true(span_equal(journal_key(&arena, &other, SPAN("cpu")), key));
    assert_false(span_equal(journal_key(&arena, &e, SPAN("cuda")), key));
    plan_fields_set(&arena, &other.variants[1].parameters, SPAN("samples"), SPAN("10"));
    assert_false(span_equal(journal_key(&arena, &other, SPAN("cpu")), key));
}

static struct plan_fields fields_of(const char *text) {
    struct plan_fields fields = {0};
    struct span rest = span_of(text), line;
    while (span_next_field(&rest, ';', &line)) {
        size_t equals = span_find_byte(line, '=', 0);
        plan_fields_set(&arena, &fields, span_slice(line, 0, equals),
                        span_slice(line, equals + 1, line.len));
    }
    return fields;
}

static struct result drift_of(const char *claimed, const char *scaled) {
    struct experiment e = {.id = SPAN("E1")};
    struct result r = {0};
    e.contract = fields_of(claimed);
    if (scaled)
        e.scaled = fields_of(scaled);
    struct plan_fields ours = fields_of("device_name=NVIDIA H200;library=cuBLAS 12;batch=256"),
                       environment = fields_of("kernel=Linux 6.1;cpu=EPYC");
    drift_find(&arena, &e, &ours, &environment, SPAN("cuda"), &r);
    return r;
}

static void drift_decides_the_match(void **state) {
    (void)state;
    struct result r = drift_of("device=H200;software=Assay 0.1.0, cuBLAS 12;batch=256", NULL);
    assert_int_equal(r.drift_count, 0);
    assert_true(span_equal(r.match, SPAN("same SKU and software")));
    r = drift_of("device=NVIDIA H200 141 GB;software=PyTorch 2.6.0", NULL);
    assert_int_equal(r.drift_count, 1);
    assert_true(span_equal(r.match, SPAN("same SKU")));
    r = drift_of("device=H200", NULL); /* which software, the text does not say */
    assert_true(span_equal(r.drift[0].claimed, SPAN("UNVERIFIED")));
    assert_true(span_equal(r.match, SPAN("same SKU")));
    r = drift_of("device=RTX 2060;software=PyTorch", NULL);
    assert_true(span_equal(r.match, SPAN("other hardware")));
    r = drift_of("device=H200;software=Assay 0.1.0, cuBLAS 12;batch=512", NULL);
    assert_true(span_equal(r.match, SPAN("other hardware"))); /* another parameter */
    r = drift_of("device=H200;software=Assay 0.1.0, cuBLAS 12", "dim=1536 -> 256");
    assert_true(span_equal(r.match, SPAN("other hardware")));
    assert_true(span_equal(r.drift[0].claimed, SPAN("1536")));
    r = drift_of("", NULL);
    assert_int_equal(r.drift_count, 2); /* neither hardware nor software is named */
}

static int start(void **state) {
    (void)state;
    arena_init(&arena);
    return 0;
}

static int stop(void **state) {
    (void)state;
    arena_free(&arena);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(warmup_is_marked_in_each_turn),
        cmocka_unit_test(medians_are_taken_process_by_process),
        cmocka_unit_test(a_journal_keeps_what_is_whole),
        cmocka_unit_test(a_key_changes_with_what_is_measured_only),
        cmocka_unit_test(drift_decides_the_match),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
