/* The loops of the CPU device over one part of a command's elements, rows or columns. The same
 * source (device_cpu_loops_body.h) is compiled for several instruction sets; the best one this
 * processor has is chosen when the device is opened. */
#ifndef BENCH_DEVICE_CPU_LOOPS_H
#define BENCH_DEVICE_CPU_LOOPS_H

#include "bench/device.h"

/* Which size of a command is divided among threads. */
enum cpu_split { CPU_SPLIT_NONE, CPU_SPLIT_FIRST, CPU_SPLIT_SECOND };

struct cpu_loops {
    const char *name;
    /* Runs [from, to) of the split size. OP_COPY, OP_GEMM, OP_NOTHING and OP_SPIN are not here. */
    void (*run[OPERATION_COUNT])(const struct command *, int64_t from, int64_t to);
    /* Sum of x[from, to), for OP_SUM. */
    double (*sum)(const float *x, int64_t from, int64_t to);
    /* The epilogue of OP_GEMM on rows [row, row_end), columns [column, column_end). */
    void (*epilogue)(const struct command *, int64_t row, int64_t row_end, int64_t column,
                     int64_t column_end);
};

extern const enum cpu_split cpu_splits[OPERATION_COUNT];
const struct cpu_loops *cpu_loops_best(void);
/* Every set this processor can run, NULL at the end (for tests). */
const struct cpu_loops *const *cpu_loops_usable(void);

extern const struct cpu_loops cpu_loops_plain, cpu_loops_avx2, cpu_loops_avx512;

#endif
