/* What this machine is, and what disturbed it while a process ran. All of it is read from the
 * kernel's files and the libraries in use; what cannot be read is left out. */
#ifndef BENCH_ENVIRONMENT_H
#define BENCH_ENVIRONMENT_H

#include "schemas/plan.h"

#include <stdint.h>

/* CPU, cores, frequency policy, memory, container limits, NUMA, kernel, libc, BLAS, compiler and
 * the environment variables that change how fast things run. No host name, no path. */
void environment_describe(struct arena *arena, struct plan_fields *fields);
/* What changes by the minute: load and free memory. */
void environment_describe_now(struct arena *arena, struct plan_fields *fields);
/* Hash of the fields: the id measurements refer to. */
struct span environment_id(struct arena *arena, const struct plan_fields *fields);

/* Bytes a child may use: what is available now under the machine's and the container's limits. */
uint64_t environment_memory_available(void);
/* CPUs this process may use: affinity, and the container's quota rounded up. */
size_t environment_cpus(void);

/* Counters before and after a process. */
struct environment_counters {
    uint64_t throttles;           /* thermal_throttle counts of all cores */
    uint64_t held;                /* periods in which the container's CPU quota was used up */
    uint64_t swapped;             /* pages in and out */
    double busy, stolen, elapsed; /* seconds of all CPUs, of the hypervisor, of the wall clock */
    bool throttles_known, swap_known, cpu_known, held_known;
};
struct environment_counters environment_count(void);
/* What lies between them, as sentences ("swapped 12 pages"); own_cpu_seconds is what the measured
 * process used itself. Returns how many; at most ENVIRONMENT_DISTURBANCES. */
#define ENVIRONMENT_DISTURBANCES 5
size_t environment_disturbances(struct arena *arena, const struct environment_counters *before,
                                const struct environment_counters *after, double own_cpu_seconds,
                                struct span *disturbances);

/* The parts that need a GPU's driver (bench/nvml.h); append nothing where there is none. */
void environment_describe_gpu(struct arena *arena, struct plan_fields *fields);
void environment_describe_gpu_now(struct arena *arena, struct plan_fields *fields);

#endif
