/* claims.json: what is written reads back the same, and a bad role is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "schemas/claims.h"

static void a_range_and_a_contract_read_back(void **state) {
    (void)state;
    struct arena arena;
    arena_init(&arena);
    struct quantity q = {.start = 10,
                         .end = 15,
                         .value = 40,
                         .value_high = 50,
                         .lo = 39.5,
                         .hi = 50.5,
                         .unit = SPAN("%"),
                         .role = ROLE_RATIO,
                         .bound = BOUND_ABOUT};
    struct contract_field field = {SPAN("workload"), SPAN("training step"), 1, 9};
    struct claim claim = {.id = SPAN("c-1"),
                          .kind = CLAIM_RATIO,
                          .contract = &field,
                          .contract_count = 1,
                          .quantity_count = 1};
    struct claims in = {.claims = &claim, .count = 1, .quantities = &q, .quantity_count = 1}, out;
    struct buffer json = {0};
    struct error error = {0};
    claims_write(&json, &in);
    assert_true(claims_read(&arena, buffer_span(&json), "claims.json", &out, &error));
    assert_int_equal(out.quantity_count, 1);
    assert_true(out.quantities[0].value == 40 && out.quantities[0].value_high == 50);
    assert_int_equal(out.quantities[0].bound, BOUND_ABOUT);
    assert_true(span_equal(out.claims[0].contract[0].value, SPAN("training step")));
    buffer_free(&json);
    arena_free(&arena);
}

static void an_unknown_role_is_refused(void **state) {
    (void)state;
    struct arena arena;
    arena_init(&arena);
    struct claims out;
    struct error error = {0};
    struct span json = SPAN("{\"schema\":\"assay.claims.v1\",\"claims\":[{\"id\":\"c-1\",\"kind\":"
                            "\"ratio\",\"block\":\"prose\",\"quantities\":[{\"value\":1,"
                            "\"role\":\"guess\"}]}]}");
    assert_false(claims_read(&arena, json, "claims.json", &out, &error));
    assert_int_equal(error.kind, ERROR_INPUT);
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_range_and_a_contract_read_back),
                                       cmocka_unit_test(an_unknown_role_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
