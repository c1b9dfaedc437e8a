/* Which loops this processor can run. */
#include "bench/device_cpu_loops.h"

const enum cpu_split cpu_splits[OPERATION_COUNT] = {
    [OP_FILL] = CPU_SPLIT_FIRST,
    [OP_COPY] = CPU_SPLIT_FIRST,
    [OP_BIAS] = CPU_SPLIT_FIRST,
    [OP_ACTIVATION] = CPU_SPLIT_FIRST,
    [OP_ACTIVATION_GRADIENT] = CPU_SPLIT_FIRST,
    [OP_COLUMN_SUM] = CPU_SPLIT_SECOND,
    [OP_CROSS_ENTROPY] = CPU_SPLIT_FIRST,
    [OP_CROSS_ENTROPY_GRADIENT] = CPU_SPLIT_FIRST,
    [OP_VECTOR] = CPU_SPLIT_FIRST,
    [OP_OPTIMIZER] = CPU_SPLIT_FIRST,
};

const struct cpu_loops *const *cpu_loops_usable(void) {
    static const struct cpu_loops *usable[4];
    size_t count = 0;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        usable[count++] = &cpu_loops_avx512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        usable[count++] = &cpu_loops_avx2;
#endif
    usable[count] = &cpu_loops_plain;
    return usable;
}

const struct cpu_loops *cpu_loops_best(void) {
    return cpu_loops_usable()[0];
}
