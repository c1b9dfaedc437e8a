#include "audit/hardware.h"

#include <ctype.h>
#include <math.h>
#include <stdint.h>

/* --- loading --- */

struct number_column {
    const char *name;
    size_t offset;
};

struct text_column {
    const char *name;
    size_t offset;
};

#define GPU(column, member)                                                                        \
    { column, offsetof(struct gpu, member) }
#define CPU(column, member)                                                                        \
    { column, offsetof(struct cpu, member) }

static const struct number_column gpu_numbers[] = {
    GPU("sm_count", sm_count),
    GPU("cuda_cores", cuda_cores),
    GPU("boost_mhz", boost_mhz),
    GPU("memory_gb", memory_gb),
    GPU("memory_mib", memory_mib),
    GPU("bandwidth_gbs", bandwidth_gbs),
    GPU("l2_kib", l2_kib),
    GPU("tdp_w", tdp_w),
    GPU("fp64_tflops", fp64),
    GPU("fp32_tflops", fp32),
    GPU("tf32_tensor_dense", tf32),
    GPU("fp16_tensor_dense", fp16),
    GPU("bf16_tensor_dense", bf16),
    GPU("fp8_tensor_dense", fp8),
    GPU("int8_tensor_dense_tops", int8),
    GPU("tf32_tensor_sparse", tf32_sparse),
    GPU("fp16_tensor_sparse", fp16_sparse),
    GPU("bf16_tensor_sparse", bf16_sparse),
    GPU("fp8_tensor_sparse", fp8_sparse),
    GPU("int8_tensor_sparse_tops", int8_sparse),
    GPU("fp16_acc32_tensor_dense", fp16_acc32),
};
static const struct text_column gpu_texts[] = {
    GPU("id", id),
    GPU("name", name),
    GPU("form", form),
    GPU("released", released),
    GPU("arch", architecture),
    GPU("compute_capability", compute_capability),
    GPU("source_url", source_url),
    GPU("as_of", as_of),
};
static const struct number_column cpu_numbers[] = {
    CPU("cores", cores),
    CPU("threads", threads),
    CPU("base_mhz", base_mhz),
    CPU("boost_mhz", boost_mhz),
    CPU("l3_mib", l3_mib),
    CPU("bandwidth_gbs", bandwidth_gbs),
    CPU("fp32_flops_per_cycle_core", fp32_flops_per_cycle_core),
};
static const struct text_column cpu_texts[] = {
    CPU("id", id),
    CPU("name", name),
    CPU("released", released),
    CPU("source_url", source_url),
    CPU("as_of", as_of),
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void read_row(const struct table *t, size_t row, const struct number_column *numbers,
                     size_t number_count, const struct text_column *texts, size_t text_count,
                     void *out) {
    for (size_t i = 0; i < number_count; i++)
        *(double *)((char *)out + numbers[i].offset) =
            table_number(t, row, table_column(t, numbers[i].name));
    for (size_t i = 0; i < text_count; i++)
        *(struct span *)((char *)out + texts[i].offset) =
            table_cell(t, row, table_column(t, texts[i].name));
}

static void add_aliases(struct arena *arena, const struct table *t, size_t row,
                        struct name_alias **list, size_t *count, size_t *capacity) {
    struct span name = table_cell(t, row, table_column(t, "name"));
    struct span rest = table_cell(t, row, table_column(t, "aliases")), alias;
    LIST_PUSH(arena, *list, *count, *capacity, (struct name_alias){name, row});
    while (span_next_field(&rest, ';', &alias))
        if (!span_equal(alias, name) && alias.len)
            LIST_PUSH(arena, *list, *count, *capacity, (struct name_alias){alias, row});
}

void hardware_load(struct arena *arena, struct hardware *h) {
    *h = (struct hardware){0};
    struct table gpus = table_parse(arena, data_file("audit/data/gpus.tsv"));
    struct table cpus = table_parse(arena, data_file("audit/data/cpus.tsv"));
    h->software = table_parse(arena, data_file("audit/data/software.tsv"));
    h->pairs = table_parse(arena, data_file("audit/data/pairs.tsv"));
    h->gpu_count = gpus.row_count;
    h->gpus = arena_array(arena, gpus.row_count, sizeof *h->gpus);
    for (size_t i = 0; i < gpus.row_count; i++) {
        read_row(&gpus, i, gpu_numbers, COUNT(gpu_numbers), gpu_texts, COUNT(gpu_texts),
                 &h->gpus[i]);
        add_aliases(arena, &gpus, i, &h->gpu_aliases, &h->gpu_alias_count, &h->gpu_alias_capacity);
    }
    h->cpu_count = cpus.row_count;
    h->cpus = arena_array(arena, cpus.row_count, sizeof *h->cpus);
    for (size_t i = 0; i < cpus.row_count; i++) {
        read_row(&cpus, i, cpu_numbers, COUNT(cpu_numbers), cpu_texts, COUNT(cpu_texts),
                 &h->cpus[i]);
        add_aliases(arena, &cpus, i, &h->cpu_aliases, &h->cpu_alias_count, &h->cpu_alias_capacity);
    }
}

/* --- names in a text --- */

static bool name_char(char c) {
    return isalnum((unsigned char)c);
}

/* A space of the alias matches white space, '-' or nothing ("RTX2060"), so that product names match
 * as people write them. Returns the length matched, 0 for none. */
static size_t match_alias(struct span text, size_t at, struct span alias) {
    size_t start = at;
    for (size_t i = 0; i < alias.len; i++) {
        char want = alias.at[i];
        if (want == ' ' || want == '-') {
            while (at < text.len && (isspace((unsigned char)text.at[at]) || text.at[at] == '-' ||
                                     text.at[at] == '_'))
                at++;
            continue;
        }
        if (at >= text.len || tolower((unsigned char)text.at[at]) != tolower((unsigned char)want))
            return 0;
        at++;
    }
    bool whole = at == text.len || !name_char(text.at[at]);
    return whole ? at - start : 0;
}

/* Aliases by first letter, so that each place of a text is compared with few. */
struct alias_index {
    size_t *order, first[257];
};

static unsigned bucket_of(struct span alias) {
    return alias.len ? (unsigned)tolower((unsigned char)alias.at[0]) : 0;
}

static struct alias_index index_aliases(struct arena *arena, const struct name_alias *aliases,
                                        size_t count) {
    struct alias_index index = {.order = arena_array(arena, count, sizeof *index.order)};
    size_t next[257];
    for (size_t i = 0; i < count; i++)
        index.first[bucket_of(aliases[i].text) + 1]++;
    for (size_t b = 1; b < 257; b++)
        index.first[b] += index.first[b - 1];
    memcpy(next, index.first, sizeof next);
    for (size_t i = 0; i < count; i++)
        index.order[next[bucket_of(aliases[i].text)]++] = i;
    return index;
}

static void add_row(struct hardware_mention *m, size_t row) {
    for (size_t i = 0; i < m->row_count; i++)
        if (m->rows[i] == row)
            return;
    if (m->row_count < MOST_SKUS)
        m->rows[m->row_count++] = row;
}

static struct hardware_mention *find_names(struct arena *arena, const struct name_alias *aliases,
                                           size_t alias_count, struct span text, size_t *count) {
    struct alias_index index = index_aliases(arena, aliases, alias_count);
    struct hardware_mention *found = NULL;
    size_t capacity = 0;
    *count = 0;
    for (size_t at = 0; at < text.len; at++) {
        if (!name_char(text.at[at]) || (at && name_char(text.at[at - 1])))
            continue;
        unsigned b = (unsigned)tolower((unsigned char)text.at[at]);
        struct hardware_mention best = {at, at, {0}, 0};
        for (size_t i = index.first[b]; i < index.first[b + 1]; i++) {
            const struct name_alias *alias = &aliases[index.order[i]];
            size_t len = match_alias(text, at, alias->text);
            if (!len || at + len < best.end)
                continue;
            if (at + len > best.end)
                best = (struct hardware_mention){at, at + len, {0}, 0};
            add_row(&best, alias->row);
        }
        if (!best.row_count)
            continue;
        LIST_PUSH(arena, found, *count, capacity, best);
        at = best.end - 1;
    }
    return found;
}

struct hardware_mention *hardware_find_gpus(struct arena *arena, const struct hardware *h,
                                            struct span text, size_t *count) {
    return find_names(arena, h->gpu_aliases, h->gpu_alias_count, text, count);
}

struct hardware_mention *hardware_find_cpus(struct arena *arena, const struct hardware *h,
                                            struct span text, size_t *count) {
    return find_names(arena, h->cpu_aliases, h->cpu_alias_count, text, count);
}
