/* Parameters, FLOPs and bytes worked out by hand from the shapes; peaks as the vendors' data sheets
 * print them. */
#include "audit/physics.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static struct layer_stack stack_of(const char *model, const char *input) {
    struct contract_field fields[] = {{.name = SPAN("model"), .value = span_of(model)},
                                      {.name = SPAN("input"), .value = span_of(input)}};
    struct contract contract = {.fields = fields, .count = input ? 2 : 1};
    return physics_stack(&contract);
}

static void square_layers_are_counted(void **state) {
    (void)state;
    struct layer_stack s = stack_of("MLP, dim 1536, depth 12", "[256, 1536]");
    assert_true(s.known);
    assert_true(s.weights == 28311552 && s.parameters == 28329984 && s.batch == 256);
    assert_true(physics_forward_flops(&s) == 14495514624.0);
    assert_true(physics_backward_flops(&s) == 27783069696.0);
    assert_true(physics_optimizer_bytes(&s, 4, 2) == 793239552.0);
    assert_true(physics_optimizer_bytes(&s, 4, 0) == 339959808.0);
}

static void listed_layers_are_counted(void **state) {
    (void)state;
    struct layer_stack s =
        stack_of("Linear(1536, 4096) -> ReLU -> Linear(4096, 1536)", "batch 1,024");
    assert_true(s.known && s.layers == 2);
    assert_true(s.weights == 12582912 && s.parameters == 12588544 && s.batch == 1024);
}

static void what_is_no_stack_is_not_known(void **state) {
    (void)state;
    assert_false(stack_of("ResNet-50", "[256, 3, 224, 224]").known);
    assert_false(stack_of("Linear(1536, ", NULL).known);
    assert_false(stack_of("MLP, dim 1536", NULL).known);
    assert_false(physics_stack(&(struct contract){0}).known);
}

static void peaks_keep_dense_and_sparse_apart(void **state) {
    const struct hardware *hardware = hardware_facts();
    (void)state;
    size_t seen = 0;
    for (size_t i = 0; i < hardware->gpu_count; i++) {
        const struct gpu *g = &hardware->gpus[i];
        if (!span_equal(g->name, SPAN("H100 SXM 80GB")))
            continue;
        /* NVIDIA H100 data sheet: 989 dense and 1,979 sparse BF16, 67 FP32 */
        assert_true(fabs(physics_peak(g, PRECISION_BF16, false) / 989.4e12 - 1) < 0.001);
        assert_true(fabs(physics_peak(g, PRECISION_BF16, true) / 1978.9e12 - 1) < 0.001);
        assert_true(fabs(physics_peak(g, PRECISION_FP32, false) / 66.9e12 - 1) < 0.001);
        assert_true(isnan(physics_peak(g, PRECISION_FP32, true)));
        assert_true(isnan(physics_peak(g, PRECISION_UNKNOWN, false)));
        seen++;
    }
    assert_int_equal(seen, 1);
}

static void a_text_with_two_precisions_names_none(void **state) {
    (void)state;
    assert_int_equal(precision_of(SPAN("in BF16 we reach")), PRECISION_BF16);
    assert_int_equal(precision_of(SPAN("float32")), PRECISION_FP32);
    assert_int_equal(precision_of(SPAN("FP32 and FP16")), PRECISION_UNKNOWN);
    assert_int_equal(precision_of(SPAN("")), PRECISION_UNKNOWN);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(square_layers_are_counted),
        cmocka_unit_test(listed_layers_are_counted),
        cmocka_unit_test(what_is_no_stack_is_not_known),
        cmocka_unit_test(peaks_keep_dense_and_sparse_apart),
        cmocka_unit_test(a_text_with_two_precisions_names_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
