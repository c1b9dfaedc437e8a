/* plan.json, results.json and measurements.jsonl: what is written reads back, faults are named. */
#include "schemas/results.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

#define ASSERT_SPAN(span, text) assert_string_equal(arena_string(&arena, (span)), (text))

static struct arena arena;

static int setup(void **state) {
    (void)state;
    arena_init(&arena);
    return 0;
}

static int teardown(void **state) {
    (void)state;
    arena_free(&arena);
    return 0;
}

static const char plan_text[] =
    "{\"schema\":\"assay.plan.v1\",\"backend\":\"auto\",\"budget_seconds\":60,\"experiments\":[{"
    "\"id\":\"E1\",\"title\":\"t\",\"kind\":\"ratio\",\"claims\":[\"c-00000001\"],"
    "\"claimed\":{\"text\":\"2.73\",\"unit\":\"x\",\"lo\":2.725,\"hi\":2.735},\"tolerance\":0.25,"
    "\"variants\":[{\"name\":\"a\",\"workload\":\"mlp\",\"boundary\":\"per-iteration\","
    "\"metric\":\"step\",\"unit\":\"ms\",\"parameters\":{\"dim\":\"64\",\"depth\":\"2\"}},"
    "{\"name\":\"b\",\"workload\":\"mlp\",\"boundary\":\"events\",\"metric\":\"step\","
    "\"unit\":\"ms\",\"parameters\":{}}],\"judged\":2,"
    "\"conditions\":[{\"text\":\"host first\",\"left\":\"a\",\"right\":\"b\",\"at_most\":0.8}],"
    "\"relation\":\"A/B\",\"contract\":{\"dtype\":\"float32\"},\"scaled\":{\"dim\":\"1536 -> 64\"},"
    "\"skip_reason\":\"\"}]}";

static void plan_reads_and_writes_back(void **state) {
    (void)state;
    struct plan plan, again;
    struct error error = {0};
    struct buffer first = {0}, second = {0};
    assert_true(plan_read(&arena, span_of(plan_text), "plan.json", &plan, &error));
    assert_int_equal(plan.count, 1);
    const struct experiment *e = &plan.experiments[0];
    ASSERT_SPAN(e->id, "E1");
    assert_int_equal(e->variant_count, 2);
    ASSERT_SPAN(plan_fields_get(&e->variants[0].parameters, "depth"), "2");
    ASSERT_SPAN(plan_fields_get(&e->contract, "dtype"), "float32");
    ASSERT_SPAN(plan_fields_get(&e->contract, "absent"), "");
    assert_true(e->claimed_lo == 2.725 && e->claimed_hi == 2.735 && e->tolerance == 0.25);
    assert_true(e->conditions[0].at_most == 0.8);
    plan_write(&first, &plan);
    assert_true(plan_read(&arena, buffer_span(&first), "plan.json", &again, &error));
    plan_write(&second, &again);
    assert_string_equal(first.at, second.at);
    buffer_free(&first);
    buffer_free(&second);
}

static void plan_names_what_an_editor_broke(void **state) {
    (void)state;
    static const struct {
        const char *experiments, *says;
    } cases[] = {
        {"{\"kind\":\"order\",\"skip_reason\":\"x\"}", "without an id"},
        {"{\"id\":\"E1\",\"kind\":\"magic\",\"skip_reason\":\"x\"}", "unknown kind"},
        {"{\"id\":\"E1\",\"kind\":\"order\"}", "neither variants nor a skip_reason"},
        {"{\"id\":\"E1\",\"kind\":\"order\",\"variants\":[{\"name\":\"a\"},{\"name\":\"a\"}]}",
         "two variants of one name"},
        {"{\"id\":\"E1\",\"kind\":\"order\",\"variants\":[{}]}", "without a name"},
        {"{\"id\":\"E1\",\"kind\":\"order\",\"variants\":[{\"name\":\"a\"}],\"judged\":2}",
         "judged"},
        {"{\"id\":\"E1\",\"kind\":\"order\",\"variants\":[{\"name\":\"a\"}],"
         "\"conditions\":[{\"left\":\"a\",\"right\":\"z\"}]}",
         "condition on a variant"},
        {"{\"id\":\"E1\",\"kind\":\"order\",\"skip_reason\":\"x\"},"
         "{\"id\":\"E1\",\"kind\":\"order\",\"skip_reason\":\"x\"}",
         "two experiments of one id"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct plan plan;
        struct error error = {0};
        struct span text = arena_printf(
            &arena, "{\"schema\":\"assay.plan.v1\",\"experiments\":[%s]}", cases[i].experiments);
        assert_false(plan_read(&arena, text, "plan.json", &plan, &error));
        assert_int_equal(error.kind, ERROR_INPUT);
        if (!strstr(error.message, cases[i].says))
            fail_msg("case %zu: %s", i, error.message);
    }
}

static void results_read_and_write_back(void **state) {
    (void)state;
    struct drift drift = {SPAN("hardware"), SPAN("RTX 2060"), SPAN("cpu")};
    struct measured measured = {.variant = SPAN("a"),
                                .unit = SPAN("ms"),
                                .n = 6,
                                .samples = 120,
                                .median = 1.5,
                                .ci_lo = 1.25,
                                .ci_hi = 1.75,
                                .rank_lo = NAN,
                                .rank_hi = NAN,
                                .autocorrelation = 0.5,
                                .outliers = 2};
    struct effect effect = {SPAN("a / b"), 0.5, 0.25, 0.75, NAN, 0.99};
    struct condition_result condition = {SPAN("host first"), 0.9, 0.8, true, false};
    struct span disturbed = SPAN("load 9");
    struct result result = {.id = SPAN("E1"),
                            .kind = SPAN("order"),
                            .status = EXPERIMENT_NOT_COMPARABLE,
                            .reason = SPAN("because"),
                            .match = SPAN("none"),
                            .claimed_lo = NAN,
                            .claimed_hi = NAN,
                            .noise_floor = NAN,
                            .drift = &drift,
                            .drift_count = 1,
                            .measured = &measured,
                            .measured_count = 1,
                            .effects = &effect,
                            .effect_count = 1,
                            .conditions = &condition,
                            .condition_count = 1,
                            .disturbances = &disturbed,
                            .disturbance_count = 1};
    struct results results = {.results = &result, .count = 1}, again;
    struct buffer first = {0}, second = {0};
    struct error error = {0};
    results_write(&first, &results);
    assert_true(results_read(&arena, buffer_span(&first), "results.json", &again, &error));
    assert_int_equal(again.results[0].status, EXPERIMENT_NOT_COMPARABLE);
    assert_true(isnan(again.results[0].effects[0].margin_lo));
    assert_true(again.results[0].effects[0].margin_hi == 0.99);
    assert_true(again.results[0].conditions[0].known && !again.results[0].conditions[0].held);
    ASSERT_SPAN(again.results[0].disturbances[0], "load 9");
    results_write(&second, &again);
    assert_string_equal(first.at, second.at);
    buffer_free(&first);
    buffer_free(&second);
}

static void results_without_a_reason_are_refused(void **state) {
    (void)state;
    struct results results;
    struct error error = {0};
    assert_false(results_read(&arena,
                              SPAN("{\"schema\":\"assay.results.v1\",\"experiments\":[{\"id\":"
                                   "\"E1\",\"status\":\"UNRUN\"}]}"),
                              "results.json", &results, &error));
    assert_non_null(strstr(error.message, "without a reason"));
    assert_false(results_read(
        &arena, SPAN("{\"schema\":\"assay.results.v1\",\"experiments\":[{\"status\":\"PASSED\"}]}"),
        "results.json", &results, &error));
    assert_non_null(strstr(error.message, "unknown status"));
}

static void measurement_lines_read_back(void **state) {
    (void)state;
    struct sample sample = {.experiment = SPAN("E1"),
                            .variant = SPAN("a"),
                            .unit = SPAN("ms"),
                            .process = 3,
                            .block = 1,
                            .iteration = 7,
                            .value = 0.1,
                            .sham = true};
    struct sample again;
    struct buffer line = {0};
    struct error error = {0};
    sample_write(&line, &sample);
    assert_int_equal(line.at[line.len - 1], '\n');
    assert_int_equal(span_find_byte(buffer_span(&line), '\n', 0), line.len - 1);
    struct span text = span_trim(buffer_span(&line));
    assert_true(sample_read(&arena, text, "measurements.jsonl:1", &again, &error));
    assert_true(again.value == 0.1 && again.sham && again.iteration == 7 && again.process == 3);
    ASSERT_SPAN(measurement_schema(&arena, text), MEASUREMENT_SCHEMA);
    ASSERT_SPAN(measurement_schema(&arena, span_slice(text, 0, text.len / 2)), "");
    buffer_free(&line);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plan_reads_and_writes_back),
        cmocka_unit_test(plan_names_what_an_editor_broke),
        cmocka_unit_test(results_read_and_write_back),
        cmocka_unit_test(results_without_a_reason_are_refused),
        cmocka_unit_test(measurement_lines_read_back),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
