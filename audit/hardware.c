#include "audit/hardware.h"

#include <ctype.h>
#include <pthread.h>
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

/* --- aliases by their first letters and digits --- */

static bool is_separator(char c) {
    return isspace((unsigned char)c) || c == '-' || c == '_';
}

/* Up to so many bytes of a name from a place on, separators left out, fold into its bucket. Returns
 * how many there were. */
enum { KEY_BYTES = 3 };
static unsigned buckets_at(struct span text, size_t at, unsigned bucket[KEY_BYTES]) {
    unsigned count = 0, hash = 0;
    for (; at < text.len && count < KEY_BYTES; at++) {
        if (is_separator(text.at[at]))
            continue;
        hash = hash * 31 + (unsigned)tolower((unsigned char)text.at[at]) + 1;
        bucket[count++] = hash % NAME_BUCKETS;
    }
    return count;
}

/* The bucket of an alias; one of no letters at all goes where nothing matches it anyway. */
static unsigned bucket_of(struct span alias) {
    unsigned bucket[KEY_BYTES] = {0}, count = buckets_at(alias, 0, bucket);
    return count ? bucket[count - 1] : 0;
}

static void sort_aliases(struct arena *arena, struct name_index *index) {
    size_t next[NAME_BUCKETS + 1];
    index->order = arena_array(arena, index->count, sizeof *index->order);
    for (size_t i = 0; i < index->count; i++)
        index->first[bucket_of(index->aliases[i].text) + 1]++;
    for (size_t b = 1; b <= NAME_BUCKETS; b++)
        index->first[b] += index->first[b - 1];
    memcpy(next, index->first, sizeof next);
    for (size_t i = 0; i < index->count; i++)
        index->order[next[bucket_of(index->aliases[i].text)]++] = i;
}

/* --- the tables --- */

/* All rows of a table into an array of structs of so many bytes. */
static void read_rows(const struct table *t, const struct number_column *numbers,
                      size_t number_count, const struct text_column *texts, size_t text_count,
                      void *out, size_t size) {
    for (size_t i = 0; i < number_count; i++) {
        size_t column = table_column(t, numbers[i].name);
        for (size_t row = 0; row < t->row_count; row++)
            *(double *)((char *)out + row * size + numbers[i].offset) =
                table_number(t, row, column);
    }
    for (size_t i = 0; i < text_count; i++) {
        size_t column = table_column(t, texts[i].name);
        for (size_t row = 0; row < t->row_count; row++)
            *(struct span *)((char *)out + row * size + texts[i].offset) =
                table_cell(t, row, column);
    }
}

static void add_aliases(struct arena *arena, const struct table *t, struct name_index *index) {
    size_t capacity = 0, names = table_column(t, "name"), aliases = table_column(t, "aliases");
    for (size_t row = 0; row < t->row_count; row++) {
        struct span name = table_cell(t, row, names), rest = table_cell(t, row, aliases), alias;
        LIST_PUSH(arena, index->aliases, index->count, capacity, (struct name_alias){name, row});
        while (span_next_field(&rest, ';', &alias))
            if (!span_equal(alias, name) && alias.len)
                LIST_PUSH(arena, index->aliases, index->count, capacity,
                          (struct name_alias){alias, row});
    }
    sort_aliases(arena, index);
}

static struct arena data_arena; /* lives as long as the program */
static struct hardware data;

static void load(void) {
    struct hardware *h = &data;
    struct table gpus = table_parse(&data_arena, data_file("audit/data/gpus.tsv"));
    struct table cpus = table_parse(&data_arena, data_file("audit/data/cpus.tsv"));
    h->software = table_parse(&data_arena, data_file("audit/data/software.tsv"));
    h->pairs = table_parse(&data_arena, data_file("audit/data/pairs.tsv"));
    h->gpu_count = gpus.row_count;
    h->gpus = arena_array(&data_arena, gpus.row_count, sizeof *h->gpus);
    read_rows(&gpus, gpu_numbers, COUNT(gpu_numbers), gpu_texts, COUNT(gpu_texts), h->gpus,
              sizeof *h->gpus);
    add_aliases(&data_arena, &gpus, &h->gpu_names);
    h->cpu_count = cpus.row_count;
    h->cpus = arena_array(&data_arena, cpus.row_count, sizeof *h->cpus);
    read_rows(&cpus, cpu_numbers, COUNT(cpu_numbers), cpu_texts, COUNT(cpu_texts), h->cpus,
              sizeof *h->cpus);
    add_aliases(&data_arena, &cpus, &h->cpu_names);
}

const struct hardware *hardware_facts(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return &data;
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

static void add_row(struct hardware_mention *m, size_t row) {
    for (size_t i = 0; i < m->row_count; i++)
        if (m->rows[i] == row)
            return;
    if (m->row_count < MOST_SKUS)
        m->rows[m->row_count++] = row;
}

/* The longest name at a place, and the rows it may mean. */
static struct hardware_mention name_at(const struct name_index *index, struct span text,
                                       size_t at) {
    struct hardware_mention best = {at, at, {0}, 0};
    unsigned bucket[KEY_BYTES], buckets = buckets_at(text, at, bucket);
    for (unsigned b = 0; b < buckets; b++)
        for (size_t i = index->first[bucket[b]]; i < index->first[bucket[b] + 1]; i++) {
            const struct name_alias *alias = &index->aliases[index->order[i]];
            size_t len = match_alias(text, at, alias->text);
            if (!len || at + len < best.end)
                continue;
            if (at + len > best.end)
                best = (struct hardware_mention){at, at + len, {0}, 0};
            add_row(&best, alias->row);
        }
    return best;
}

static struct hardware_mention *find_names(struct arena *arena, const struct name_index *index,
                                           struct span text, size_t *count) {
    struct hardware_mention *found = NULL;
    size_t capacity = 0;
    *count = 0;
    for (size_t at = 0; at < text.len; at++) {
        if (!name_char(text.at[at]) || (at && name_char(text.at[at - 1])))
            continue;
        struct hardware_mention best = name_at(index, text, at);
        if (!best.row_count)
            continue;
        LIST_PUSH(arena, found, *count, capacity, best);
        at = best.end - 1;
    }
    return found;
}

struct hardware_mention *hardware_find_gpus(struct arena *arena, const struct hardware *h,
                                            struct span text, size_t *count) {
    return find_names(arena, &h->gpu_names, text, count);
}

struct hardware_mention *hardware_find_cpus(struct arena *arena, const struct hardware *h,
                                            struct span text, size_t *count) {
    return find_names(arena, &h->cpu_names, text, count);
}
