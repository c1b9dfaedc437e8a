/* Facts about hardware and software, from audit/data/{gpus,cpus,software,pairs}.tsv, and the places
 * of a text that name them. An empty cell of a table is unknown (NAN, ""), never wrong. */
#ifndef AUDIT_HARDWARE_H
#define AUDIT_HARDWARE_H

#include "core/memory.h"
#include "core/table.h"

struct gpu {
    struct span id, name, form, released, architecture, compute_capability, source_url, as_of;
    double sm_count, cuda_cores, boost_mhz, memory_gb, memory_mib, bandwidth_gbs, l2_kib, tdp_w;
    /* TFLOP/s (TOP/s for int8) at spec boost; dense and with 2:4 sparsity apart; 0: no such mode */
    double fp64, fp32, tf32, fp16, bf16, fp8, int8;
    double tf32_sparse, fp16_sparse, bf16_sparse, fp8_sparse, int8_sparse;
    double fp16_acc32; /* fp16 with FP32 accumulation, dense */
};

struct cpu {
    struct span id, name, released, source_url, as_of;
    double cores, threads, base_mhz, boost_mhz, l3_mib, bandwidth_gbs, fp32_flops_per_cycle_core;
};

struct name_alias {
    struct span text;
    size_t row;
};

/* Names by what they begin with, so that each place of a text is compared with few. */
enum { NAME_BUCKETS = 1024 };
struct name_index {
    struct name_alias *aliases;
    size_t count;
    size_t *order, first[NAME_BUCKETS + 1];
};

struct hardware {
    struct gpu *gpus;
    size_t gpu_count;
    struct cpu *cpus;
    size_t cpu_count;
    struct table software, pairs;
    struct name_index gpu_names, cpu_names;
};

/* Read once; lives as long as the program. Safe to call from several threads. */
const struct hardware *hardware_facts(void);

enum { MOST_SKUS = 8 };

/* One name in a text and the rows it may mean: "RTX 2060" is three products. */
struct hardware_mention {
    size_t start, end;
    size_t rows[MOST_SKUS];
    size_t row_count;
};

/* Longest names first at each place, whole words only; in order of place. Linear in the text. */
struct hardware_mention *hardware_find_gpus(struct arena *arena, const struct hardware *hardware,
                                            struct span text, size_t *count);
struct hardware_mention *hardware_find_cpus(struct arena *arena, const struct hardware *hardware,
                                            struct span text, size_t *count);

/* A product with a version: "PyTorch 2.6.0+cu118". */
struct software_mention {
    size_t start, end;          /* name and version */
    const char *product;        /* as in software.tsv */
    struct span version, build; /* "2.6.0", "cu118" */
    size_t row;                 /* of software.tsv: this version or its release line; SIZE_MAX */
};

struct software_mention *hardware_find_software(struct arena *arena,
                                                const struct hardware *hardware, struct span text,
                                                size_t *count);
/* Row of software.tsv for the version: exact, else the longest leading part ("3.11.4": "3.11"). */
size_t software_row(const struct hardware *hardware, const char *product, struct span version);
/* -1, 0, 1 by numeric parts; a shorter version equals the longer when it is its beginning. */
int version_compare(struct span a, struct span b);

#endif
