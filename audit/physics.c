#include "audit/physics.h"

#include "audit/prose.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>

/* --- the workload --- */

static double whole_number(struct span text, size_t at, size_t *end) {
    double value = 0;
    enum { MOST_DIGITS = 12 };
    size_t digits = 0;
    for (*end = at; *end < text.len && digits < MOST_DIGITS; (*end)++) {
        char c = text.at[*end];
        if (c == ',' && *end + 1 < text.len && isdigit((unsigned char)text.at[*end + 1]) && digits)
            continue;
        if (!isdigit((unsigned char)c))
            break;
        value = value * 10 + (c - '0');
        digits++;
    }
    return digits ? value : 0;
}

/* The number behind a word: "dim 1536", "depth=12", "hidden size: 4096". 0 when there is none. */
static double number_behind(struct span text, const char *const *words) {
    for (; *words; words++) {
        size_t at = prose_find_word(text, *words, 0), end;
        if (at == SIZE_MAX)
            continue;
        at += strlen(*words);
        while (at < text.len && strchr(" =:", text.at[at]) && text.at[at])
            at++;
        double value = whole_number(text, at, &end);
        if (value > 0)
            return value;
    }
    return 0;
}

static void add_layer(struct layer_stack *s, double in, double out) {
    if (!s->layers)
        s->first = in * out;
    s->weights += in * out;
    s->parameters += in * out + out;
    s->outputs += out;
    s->layers++;
}

/* "Linear(1536, 4096) -> ReLU -> Linear(4096, 1536)" */
static void read_layers(struct layer_stack *s, struct span model) {
    struct span open = SPAN("Linear(");
    for (size_t at = span_find_nocase(model, open, 0); at < model.len;
         at = span_find_nocase(model, open, at + 1)) {
        size_t end;
        double in = whole_number(model, at + open.len, &end), out;
        while (end < model.len && strchr(", ", model.at[end]))
            end++;
        out = whole_number(model, end, &end);
        if (in <= 0 || out <= 0 || end >= model.len || model.at[end] != ')') {
            *s = (struct layer_stack){0};
            return;
        }
        add_layer(s, in, out);
    }
}

/* "MLP, dim 1536, depth 12": square layers */
static void read_square(struct layer_stack *s, struct span model) {
    static const char *const names[] = {"mlp", "linear", "linear layers", "dense layers", NULL};
    static const char *const widths[] = {"dim", "width", "hidden size", "hidden", NULL};
    static const char *const depths[] = {"depth", "layers", NULL};
    enum { MOST_LAYERS = 100000 };
    double width = number_behind(model, widths), depth = number_behind(model, depths);
    if (!prose_has_any(model, names, NULL) || width <= 0 || depth <= 0 || depth > MOST_LAYERS)
        return;
    for (size_t i = 0; i < (size_t)depth; i++)
        add_layer(s, width, width);
}

/* "[256, 1536]": rows of the batch first; "batch 256" */
static double read_batch(struct span input) {
    static const char *const words[] = {"batch size", "batch", NULL};
    size_t end;
    double value = number_behind(input, words);
    if (value > 0)
        return value;
    return input.len && strchr("[(", input.at[0]) ? whole_number(input, 1, &end) : 0;
}

struct layer_stack physics_stack(const struct contract *contract) {
    struct layer_stack s = {0};
    double batch = 0;
    size_t models = 0, inputs = 0;
    for (size_t i = 0; i < contract->count; i++) {
        const struct contract_field *f = &contract->fields[i];
        if (span_equal(f->name, SPAN("model")) && models++ == 0) {
            read_layers(&s, f->value);
            if (!s.layers)
                read_square(&s, f->value);
        }
        if (span_equal(f->name, SPAN("input")) && inputs++ == 0)
            batch = read_batch(f->value);
    }
    /* several models or inputs: which one a number belongs to is not known */
    if (models != 1 || inputs > 1)
        return (struct layer_stack){0};
    s.batch = batch;
    s.known = s.layers > 0;
    return s;
}

double physics_forward_flops(const struct layer_stack *s) {
    return 2 * s->batch * s->weights;
}

double physics_backward_flops(const struct layer_stack *s) {
    return 4 * s->batch * s->weights - 2 * s->batch * s->first;
}

double physics_optimizer_bytes(const struct layer_stack *s, double element_bytes, unsigned states) {
    return s->parameters * element_bytes * (3 + 2.0 * states);
}

/* --- the device --- */

static const struct precision_word {
    const char *word;
    enum precision precision;
} words[] = {
    {"fp64", PRECISION_FP64},   {"float64", PRECISION_FP64}, {"double", PRECISION_FP64},
    {"tf32", PRECISION_TF32},   {"fp32", PRECISION_FP32},    {"float32", PRECISION_FP32},
    {"single", PRECISION_FP32}, {"bf16", PRECISION_BF16},    {"bfloat16", PRECISION_BF16},
    {"fp16", PRECISION_FP16},   {"float16", PRECISION_FP16}, {"half precision", PRECISION_FP16},
    {"fp8", PRECISION_FP8},     {"e4m3", PRECISION_FP8},     {"int8", PRECISION_INT8},
};

/* A text that names two names none. */
enum precision precision_of(struct span text) {
    enum precision found = PRECISION_UNKNOWN;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (!prose_has_word(text, words[i].word))
            continue;
        if (found != PRECISION_UNKNOWN && found != words[i].precision)
            return PRECISION_UNKNOWN;
        found = words[i].precision;
    }
    return found;
}

static const struct precision_facts {
    const char *name;
    double bytes;
    size_t dense, sparse; /* offsets into struct gpu; sparse 0: no such mode */
} facts[PRECISION_COUNT] = {
    [PRECISION_FP64] = {"FP64", 8, offsetof(struct gpu, fp64), 0},
    [PRECISION_FP32] = {"FP32", 4, offsetof(struct gpu, fp32), 0},
    [PRECISION_TF32] = {"TF32", 4, offsetof(struct gpu, tf32), offsetof(struct gpu, tf32_sparse)},
    [PRECISION_FP16] = {"FP16", 2, offsetof(struct gpu, fp16), offsetof(struct gpu, fp16_sparse)},
    [PRECISION_BF16] = {"BF16", 2, offsetof(struct gpu, bf16), offsetof(struct gpu, bf16_sparse)},
    [PRECISION_FP8] = {"FP8", 1, offsetof(struct gpu, fp8), offsetof(struct gpu, fp8_sparse)},
    [PRECISION_INT8] = {"INT8", 1, offsetof(struct gpu, int8), offsetof(struct gpu, int8_sparse)},
};

const char *precision_name(enum precision p) {
    return p < PRECISION_COUNT ? facts[p].name : "any precision";
}

double precision_bytes(enum precision p) {
    return p < PRECISION_COUNT ? facts[p].bytes : NAN;
}

double physics_peak(const struct gpu *gpu, enum precision p, bool sparse) {
    if (p >= PRECISION_COUNT || (sparse && !facts[p].sparse))
        return NAN;
    size_t offset = sparse ? facts[p].sparse : facts[p].dense;
    double tera = *(const double *)((const char *)gpu + offset);
    return tera > 0 ? tera * 1e12 : NAN;
}

double physics_highest_peak(const struct gpu *gpu) {
    double highest = 0;
    for (int p = 0; p <= PRECISION_FP8; p++)
        highest = fmax(highest, physics_peak(gpu, (enum precision)p, false));
    return highest;
}
