/* Experiments measured by the same processes: what is merged, and what each gets back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bench/family.h"
#include "bench/runner_lines.h"

#include <stdlib.h>
#include <unistd.h>

static struct arena arena;

static struct plan_variant variant(const char *name, const char *boundary, const char *metric,
                                   const char *dim) {
    struct plan_variant v = {.name = span_of(name),
                             .workload = SPAN("mlp"),
                             .boundary = span_of(boundary),
                             .metric = span_of(metric)};
    plan_fields_set(&arena, &v.parameters, SPAN("dim"), span_of(dim));
    plan_fields_set(&arena, &v.parameters, SPAN("samples"), SPAN("4"));
    return v;
}

static struct experiment of(const char *id, struct plan_variant *variants, size_t count) {
    return (struct experiment){
        .id = span_of(id), .kind = SPAN("order"), .variants = variants, .variant_count = count};
}

/* E1 and E2 share the loop; both call something "a" that is not the same. */
static struct family example(const struct experiment **members) {
    static struct plan_variant first[2], second[2];
    static struct experiment e1, e2;
    first[0] = variant("a", "loop-unsynchronized", "reported", "64");
    first[1] = variant("step", "per-iteration", "step", "64");
    second[0] = variant("a", "loop-unsynchronized", "real", "64");
    second[1] = variant("again", "per-iteration", "step", "64");
    e1 = of("E1", first, 2);
    e2 = of("E2", second, 2);
    members[0] = &e1;
    members[1] = &e2;
    return family_of(&arena, members, 2);
}

static void what_is_measured_alike_is_merged(void **state) {
    (void)state;
    const struct experiment *members[2];
    struct family f = example(members);
    assert_true(family_related(members[0], members[1]));
    assert_int_equal(f.merged.variant_count, 3); /* two metrics of one loop, and the step once */
    assert_int_equal(f.sham_count, 1);           /* the step is both's cheapest */
    assert_true(span_equal(f.merged.variants[f.shams[0]].metric, SPAN("step")));
    struct turn turns[8];
    assert_int_equal(experiment_turns(&f.merged, 1, f.shams, f.sham_count, turns), 2 * 3);
}

static void different_settings_are_not_related(void **state) {
    (void)state;
    struct plan_variant small = variant("a", "per-iteration", "step", "64"),
                        large = variant("a", "per-iteration", "step", "128");
    struct experiment a = of("E1", &small, 1), b = of("E2", &large, 1);
    assert_false(family_related(&a, &b));
}

static void one_alone_stays_as_it_is(void **state) {
    (void)state;
    struct plan_variant only = variant("a", "per-iteration", "step", "64");
    struct experiment a = of("E1", &only, 1);
    const struct experiment *members[] = {&a};
    struct family f = family_of(&arena, members, 1);
    assert_true(span_equal(f.merged.variants[0].name, SPAN("a")));
    assert_int_equal(family_variant(&f, 0, SPAN("a")), 0);
}

static void each_gets_its_own_samples_under_its_own_names(void **state) {
    (void)state;
    const struct experiment *members[2];
    struct measured_family all = {example(members), (struct span[]){SPAN("k1"), SPAN("k2")}};
    struct lines lines = {0};
    struct error error = {0};
    char path[] = "/tmp/assay-family-XXXXXX";
    close(mkstemp(path));
    for (size_t i = 0; i < all.family.merged.variant_count; i++) {
        struct sample s = {.experiment = SPAN("E1"),
                           .variant = all.family.merged.variants[i].name,
                           .unit = SPAN("ms"),
                           .value = (double)i,
                           .process = 5};
        LIST_PUSH(&arena, lines.samples, lines.count, lines.capacity, s);
    }
    struct journal journal = {.path = path};
    struct process_record record = {.process = 5, .end = SPAN("finished")};
    assert_true(lines_append(&arena, &journal, &all, &lines, &record, &error));
    /* merged: 0 the loop reported, 1 the step, 2 the loop with its queue */
    static const struct {
        const char *experiment, *variant;
        double value;
    } expected[] = {{"E1", "a", 0}, {"E1", "step", 1}, {"E2", "again", 1}, {"E2", "a", 2}};
    struct journal again;
    assert_true(journal_load(&arena, path, &again, &error));
    assert_int_equal(again.sample_count, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_true(span_equal(again.samples[i].experiment, span_of(expected[i].experiment)));
        assert_true(span_equal(again.samples[i].variant, span_of(expected[i].variant)));
        assert_true(again.samples[i].value == expected[i].value);
    }
    assert_int_equal(again.process_count, 2);
    assert_true(span_equal(again.processes[1].key, SPAN("k2")));
    assert_true(span_equal(again.processes[1].shared, SPAN("E1 E2")));
    unlink(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_measured_alike_is_merged),
        cmocka_unit_test(different_settings_are_not_related),
        cmocka_unit_test(one_alone_stays_as_it_is),
        cmocka_unit_test(each_gets_its_own_samples_under_its_own_names),
    };
    arena_init(&arena);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_free(&arena);
    return failed;
}
