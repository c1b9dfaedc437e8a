/* The MLP on the CPU device against the double-precision reference, the reference against finite
 * differences, and a net whose best loss is known by hand.
 *
 * `test_mlp dump FOLDER name=value...` instead trains it 100 steps and leaves the first parameters,
 * the data and the losses in FOLDER, for tests/bench/test_torch.py. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bench/reference.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

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

static struct plan_fields settings_of(const char *text) {
    struct plan_fields fields = {0};
    struct span rest = span_of(text), word;
    while (span_next_field(&rest, ' ', &word)) {
        size_t equals = span_find_byte(word, '=', 0);
        LIST_PUSH(&arena, fields.items, fields.count, fields.capacity,
                  (struct plan_field){span_slice(word, 0, equals),
                                      span_slice(word, equals + 1, word.len)});
    }
    return fields;
}

struct net {
    struct device *device;
    struct workload_run run;
    struct mlp *mlp;
};

static void must(bool fine, const struct error *error) {
    if (!fine)
        fail_msg("%s: %s", error->where, error->message);
}

static struct net open_net(const char *text) {
    struct net net;
    struct error error = {0};
    struct plan_fields settings = settings_of(text);
    struct device_options options;
    must(device_settings(&settings, &options, &error), &error);
    must(device_open("cpu", &options, &net.device, &error), &error);
    must(workload_open(&arena, net.device, SPAN("mlp"), &settings, &net.run, &error), &error);
    net.mlp = net.run.state;
    return net;
}

static void close_net(struct net *net) {
    workload_close(&net->run);
    assert_int_equal(device_memory_use(net->device).now_total, 0);
    device_close(net->device);
}

static double loss_after(struct net *net, size_t steps) {
    struct error error = {0};
    double loss;
    for (size_t i = 0; i < steps; i++)
        workload_step(&net->run);
    must(workload_result(&net->run, &loss, &error), &error);
    return loss;
}

static void download(struct net *net, float *to, const float *from, size_t count) {
    struct error error = {0};
    device_copy(net->device, to, from, count * sizeof *to);
    must(device_synchronize(net->device, &error), &error);
}

/* The same training in double precision. */
struct twin {
    double *p, *g, *m, *v;
    size_t t;
};

static struct twin twin_of(struct net *net) {
    size_t n = net->mlp->floats;
    struct twin twin = {.p = arena_array(&arena, n, sizeof(double)),
                        .g = arena_array(&arena, n, sizeof(double)),
                        .m = arena_array(&arena, n, sizeof(double)),
                        .v = arena_array(&arena, n, sizeof(double))};
    float *first = arena_array(&arena, n, sizeof *first);
    download(net, first, net->mlp->parameters, n);
    for (size_t i = 0; i < n; i++)
        twin.p[i] = (double)first[i];
    return twin;
}

static double twin_loss(struct twin *twin, const struct net *net) {
    return reference_mlp(&net->mlp->shape, twin->p, net->mlp->host_inputs, net->mlp->host_labels,
                         twin->g);
}

static double twin_step(struct twin *twin, const struct net *net) {
    double loss = twin_loss(twin, net);
    reference_optimizer(&net->mlp->optimizer, ++twin->t, twin->p, twin->g, twin->m, twin->v,
                        net->mlp->floats);
    return loss;
}

#define SMALL "dim=21 depth=3 batch=13 classes=5 "

static void reference_gradients_agree_with_finite_differences(void **state) {
    (void)state;
    static const char *const nets[] = {SMALL "activation=gelu", SMALL "activation=gelu-tanh",
                                       SMALL "activation=relu",
                                       "dim=9 depth=2 batch=7 classes=0 activation=gelu"};
    for (size_t k = 0; k < 4; k++) {
        struct net net = open_net(nets[k]);
        struct twin twin = twin_of(&net);
        double step = 1e-5;
        twin_loss(&twin, &net);
        double *analytic = arena_array(&arena, net.mlp->floats, sizeof *analytic);
        memcpy(analytic, twin.g, net.mlp->floats * sizeof *analytic);
        for (size_t i = 0; i < net.mlp->floats; i += 17) {
            double kept = twin.p[i];
            twin.p[i] = kept + step;
            double above = twin_loss(&twin, &net);
            twin.p[i] = kept - step;
            double below = twin_loss(&twin, &net);
            twin.p[i] = kept;
            /* a central difference is off by step^2 |f'''| / 6 and by 1e-16 / step */
            if (fabs((above - below) / (2 * step) - analytic[i]) > 1e-8)
                fail_msg("%s: parameter %zu: %.12g by differences, %.12g", nets[k], i,
                         (above - below) / (2 * step), analytic[i]);
        }
        close_net(&net);
    }
}

static void device_gradients_agree_with_the_reference(void **state) {
    (void)state;
    static const char *const nets[] = {
        SMALL "mode=forward-backward activation=gelu",
        SMALL "mode=forward-backward activation=gelu-tanh execution=fused",
        SMALL "mode=forward-backward activation=relu execution=fused zero_grad=zero",
        SMALL "mode=forward-backward activation=relu execution=graph",
        "dim=9 depth=2 batch=7 classes=0 mode=forward-backward execution=graph-fused",
        "dim=65 depth=1 batch=130 classes=33 mode=forward-backward execution=fused threads=3",
    };
    for (size_t k = 0; k < sizeof nets / sizeof *nets; k++) {
        struct net net = open_net(nets[k]);
        struct twin twin = twin_of(&net);
        double expected = twin_loss(&twin, &net), found = loss_after(&net, 2);
        assert_true(fabs(found - expected) <= 1e-6 * expected);
        float *g = arena_array(&arena, net.mlp->floats, sizeof *g);
        double scale = 0;
        download(&net, g, net.mlp->gradients, net.mlp->floats);
        for (size_t i = 0; i < net.mlp->floats; i++)
            scale = fmax(scale, fabs(twin.g[i]));
        for (size_t i = 0; i < net.mlp->floats; i++)
            if (!(fabs((double)g[i] - twin.g[i]) <= 2e-6 * scale))
                fail_msg("%s: gradient %zu is %.9g, expected %.9g", nets[k], i, (double)g[i],
                         twin.g[i]);
        close_net(&net);
    }
}

/* Every optimizer, implementation, execution and way of zeroing follows the reference for 30 steps.
 * Losses differ by what float32 loses on the way: stated in docs/adding.md as 1e-4 of the loss. */
static void training_follows_the_reference(void **state) {
    (void)state;
    static const char *const optimizers[] = {
        "optimizer=adamw lr=0.01", "optimizer=adam lr=0.01 weight_decay=0.02",
        "optimizer=sgd lr=0.5", "optimizer=sgd lr=0.05 momentum=0.9 weight_decay=0.01"};
    static const char *const ways[] = {
        "implementation=multi-tensor execution=eager zero_grad=none",
        "implementation=loop execution=fused zero_grad=zero",
        "implementation=fused execution=graph zero_grad=none",
        "implementation=fused execution=graph-fused zero_grad=zero input=copied"};
    for (size_t o = 0; o < 4; o++)
        for (size_t w = 0; w < 4; w++) {
            struct span text = arena_printf(&arena, SMALL "%s %s", optimizers[o], ways[w]);
            struct net net = open_net(text.at);
            struct twin twin = twin_of(&net);
            double first = 0, expected = 0;
            for (int t = 0; t < 30; t++) {
                expected = twin_step(&twin, &net);
                first = t == 0 ? expected : first;
            }
            double found = loss_after(&net, 30); /* the loss of step 30, before its update */
            if (!(fabs(found - expected) <= 1e-4 * expected))
                fail_msg("%s: loss %.9g, expected %.9g", text.at, found, expected);
            assert_true(expected < 0.98 * first);
            close_net(&net);
        }
}

static void all_modes_see_the_same_loss(void **state) {
    (void)state;
    static const char *const modes[] = {"mode=inference", "mode=inference execution=fused",
                                        "mode=forward", "mode=forward-backward",
                                        "mode=inference execution=graph-fused"};
    for (size_t i = 0; i < 5; i++) {
        struct span text = arena_printf(&arena, SMALL "%s", modes[i]);
        struct net net = open_net(text.at);
        struct twin twin = twin_of(&net);
        double expected = twin_loss(&twin, &net);
        assert_true(fabs(loss_after(&net, 2) - expected) <= 1e-6 * expected);
        close_net(&net);
    }
}

/* With all inputs zero the net can only say one thing to every example; the best it can say is how
 * often each label occurs, and the loss is then the entropy of the labels. */
static void a_net_without_inputs_learns_the_frequencies_of_the_labels(void **state) {
    (void)state;
    struct net net = open_net("dim=8 depth=2 batch=12 classes=3 lr=0.02 optimizer=adam");
    static const int32_t labels[12] = {0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2}; /* 1/2, 1/3, 1/6 */
    double entropy = log(2) / 2 + log(3) / 3 + log(6) / 6;                  /* 1.0114 */
    device_fill(net.device, net.mlp->inputs, 12 * 8, 0);
    device_copy(net.device, net.mlp->labels, labels, sizeof labels);
    double loss = loss_after(&net, 500);
    assert_true(loss >= entropy * (1 - 1e-6));
    assert_true(loss <= entropy * (1 + 1e-4));
    close_net(&net);
}

static void same_seed_same_losses_other_seed_other_losses(void **state) {
    (void)state;
    double losses[3];
    static const char *const nets[] = {SMALL "seed=5", SMALL "seed=5", SMALL "seed=6"};
    for (size_t i = 0; i < 3; i++) {
        struct net net = open_net(nets[i]);
        losses[i] = loss_after(&net, 3);
        close_net(&net);
    }
    assert_true(losses[0] == losses[1]);
    assert_true(losses[0] != losses[2]);
}

static void memory_is_counted_by_category(void **state) {
    (void)state;
    struct net net = open_net("dim=16 depth=2 batch=4 classes=16 implementation=fused");
    loss_after(&net, 1);
    struct memory_use use = device_memory_use(net.device);
    size_t block = 3 * (16 * 16 + 16) * sizeof(float); /* three layers without gaps */
    assert_int_equal(use.now[MEMORY_PARAMETERS], block);
    assert_int_equal(use.now[MEMORY_GRADIENTS], block);
    assert_int_equal(use.now[MEMORY_OPTIMIZER], 2 * block + sizeof(struct schedule));
    assert_int_equal(use.now[MEMORY_DATA], 4 * 16 * sizeof(float) + 4 * sizeof(int32_t));
    /* before and after of two layers, logits, two gradients between layers, losses */
    assert_int_equal(use.now[MEMORY_ACTIVATIONS], (7 * 4 * 16 + 4 + 1) * sizeof(float));
    close_net(&net);
}

static void a_net_beyond_the_budget_is_refused_with_the_numbers(void **state) {
    (void)state;
    struct plan_fields settings = settings_of("dim=1024 depth=4 memory_budget_mb=10");
    struct device_options options;
    struct device *device;
    struct error error = {0};
    struct workload_run run = {0};
    must(device_settings(&settings, &options, &error), &error);
    must(device_open("cpu", &options, &device, &error), &error);
    assert_false(workload_open(&arena, device, SPAN("mlp"), &settings, &run, &error));
    assert_int_equal(error.kind, ERROR_UNAVAILABLE);
    assert_non_null(strstr(error.message, "out of memory"));
    assert_non_null(strstr(error.message, "10000000"));
    workload_close(&run);
    device_close(device);
}

/* --- dump --- */

static void write_file(const char *folder, const char *name, const void *at, size_t bytes) {
    FILE *file = fopen(arena_printf(&arena, "%s/%s", folder, name).at, "wb");
    if (!file || fwrite(at, 1, bytes, file) != bytes || fclose(file) != 0)
        exit(1);
}

#define DUMP_STEPS 100

static int dump(const char *folder, int count, char **words) {
    struct buffer text = {0};
    float losses[DUMP_STEPS];
    for (int i = 0; i < count; i++)
        buffer_printf(&text, "%s%s", i ? " " : "", words[i]);
    arena_init(&arena);
    struct net net = open_net(text.at);
    struct mlp *mlp = net.mlp;
    float *first = arena_array(&arena, mlp->floats, sizeof *first);
    download(&net, first, mlp->parameters, mlp->floats);
    write_file(folder, "parameters", first, mlp->floats * sizeof *first);
    write_file(folder, "inputs", mlp->host_inputs,
               mlp->shape.batch * mlp->shape.dim * sizeof(float));
    write_file(folder, "labels", mlp->host_labels, mlp->shape.batch * sizeof(int32_t));
    for (int i = 0; i < DUMP_STEPS; i++)
        losses[i] = (float)loss_after(&net, 1);
    write_file(folder, "losses", losses, sizeof losses);
    close_net(&net);
    buffer_free(&text);
    arena_free(&arena);
    return 0;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(int count, char **words) {
    const struct CMUnitTest tests[] = {
        TEST(reference_gradients_agree_with_finite_differences),
        TEST(device_gradients_agree_with_the_reference),
        TEST(training_follows_the_reference),
        TEST(all_modes_see_the_same_loss),
        TEST(a_net_without_inputs_learns_the_frequencies_of_the_labels),
        TEST(same_seed_same_losses_other_seed_other_losses),
        TEST(memory_is_counted_by_category),
        TEST(a_net_beyond_the_budget_is_refused_with_the_numbers),
    };
    if (count > 3 && strcmp(words[1], "dump") == 0)
        return dump(words[2], count - 3, words + 3);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
