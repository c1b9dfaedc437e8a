/* GEMM of the CPU device: OpenBLAS with one thread a call, one call a member of the team. Dividing
 * the output here instead of inside OpenBLAS leaves one thread pool instead of two that compete,
 * and lets each member apply the epilogue to the tile it has just made. */
#ifndef BENCH_DEVICE_CPU_GEMM_H
#define BENCH_DEVICE_CPU_GEMM_H

#include "bench/device_cpu_loops.h"
#include "bench/device_cpu_team.h"

void cpu_gemm(struct cpu_team *team, const struct cpu_loops *loops, const struct command *command);
/* Opens OpenBLAS, makes it use one thread a call and writes its version to library (size bytes).
 * Comes before cpu_gemm. */
bool cpu_gemm_open(char *library, size_t size, int members, struct error *error);

#endif
