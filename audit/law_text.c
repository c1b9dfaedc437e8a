/* Laws as a person writes them, with the numbers as they are printed. */
#include "audit/law.h"

static void put_number(struct buffer *out, const struct law_table *t, size_t row, size_t column) {
    const struct quantity *q = &t->claims->quantities[law_cell(t, row, column)->quantity];
    buffer_add(out, q->printed);
}

static void put_value(struct buffer *out, const struct law_table *t, size_t quantity) {
    const struct quantity *q = &t->claims->quantities[quantity];
    buffer_printf(out, "%.*s %.*s", SPAN_ARG(q->printed), SPAN_ARG(q->unit));
}

static void put_factor(struct buffer *out, const struct law_table *t, size_t row, size_t column,
                       int sign) {
    if (sign < 0)
        buffer_add_string(out, out->len ? "/" : "1/");
    else if (out->len)
        buffer_add_string(out, " * ");
    put_number(out, t, row, column);
}

static void put_constant(struct buffer *out, const struct law_table *t, const struct law *law) {
    if (law->base_row != NONE) {
        for (size_t i = 0; i < law->operand_count; i++)
            put_factor(out, t, law->base_row, law->operands[i], -law->signs[i]);
    } else if (law->anchor != NONE) {
        buffer_printf(out, "%s%.*s", law->anchor_divides ? "1/" : "",
                      SPAN_ARG(t->claims->quantities[law->anchor].printed));
    } else if (law->k_lo != 1 || law->k_hi != 1) {
        buffer_printf(out, "%.5g", (law->k_lo + law->k_hi) / 2);
    }
}

static void put_product(struct buffer *out, const struct law_table *t, const struct law *law,
                        size_t row) {
    put_constant(out, t, law);
    for (int sign = 1; sign >= -1; sign -= 2)
        for (size_t i = 0; i < law->operand_count; i++)
            if (law->signs[i] == sign)
                put_factor(out, t, row, law->operands[i], sign);
}

static void put_sum(struct buffer *out, const struct law_table *t, const struct law *law,
                    size_t row) {
    if (law->shape == LAW_MEAN)
        buffer_add_byte(out, '(');
    for (size_t i = 0; i < law->operand_count; i++) {
        if (i)
            buffer_add_string(out, law->signs[i] > 0 ? " + " : " - ");
        put_number(out, t, row, law->operands[i]);
    }
    if (law->shape == LAW_MEAN)
        buffer_printf(out, ")/%zu", law->operand_count);
}

static void put_three(struct buffer *out, const struct law_table *t, const struct law *law,
                      size_t row) {
    bool grouped = law->shape == LAW_GROUPED;
    buffer_add_string(out, grouped ? "(" : "");
    put_number(out, t, row, law->operands[0]);
    buffer_add_string(out, law->signs[1] > 0 ? " + " : " - ");
    put_number(out, t, row, law->operands[1]);
    buffer_add_string(out, grouped ? ")/" : law->shape == LAW_QUOTIENT ? "/" : " * ");
    put_number(out, t, row, law->operands[2]);
}

struct span law_expression(const struct law_table *t, const struct law *law, size_t row) {
    struct buffer out = {0};
    switch (law->shape) {
    case LAW_PRODUCT:
        put_product(&out, t, law, row);
        if (law->transform == TRANSFORM_PLUS_ONE)
            buffer_add_string(&out, " - 1");
        break;
    case LAW_SUM:
    case LAW_MEAN:
        put_sum(&out, t, law, row);
        break;
    case LAW_QUOTIENT:
    case LAW_FUSED:
    case LAW_GROUPED:
        put_three(&out, t, law, row);
        break;
    case LAW_AMORTIZED:
        put_value(&out, t, law->anchor);
        buffer_add_string(&out, " + ");
        put_value(&out, t, law->second_anchor);
        buffer_add_byte(&out, '/');
        put_number(&out, t, row, law->operands[0]);
        break;
    case LAW_CUMULATIVE:
        put_number(&out, t, row - 1, law->target);
        buffer_add_string(&out, " + ");
        put_number(&out, t, row, law->operands[0]);
        break;
    case LAW_FROM_ROW:
        put_number(&out, t, row, law->operands[0]);
        buffer_add_string(&out, " - ");
        put_number(&out, t, law->base_row, law->operands[0]);
        break;
    }
    struct span plain = buffer_span(&out);
    struct span text = law->shape == LAW_PRODUCT && law->transform == TRANSFORM_ONE_MINUS
                           ? arena_printf(t->arena, "1 - %.*s", SPAN_ARG(plain))
                           : arena_copy(t->arena, plain);
    buffer_free(&out);
    return text;
}
