/* The loops for AVX2. */
#include "bench/device_cpu_loops.h"

#include <math.h>

#if defined(__x86_64__)
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC target("avx2,fma")
#endif
#endif
#if !defined(__clang__)
#pragma GCC optimize("O3", "fp-contract=fast", "no-math-errno", "no-trapping-math")
#endif

#define LOOPS cpu_loops_avx2
#define LOOPS_NAME "avx2"
#include "bench/device_cpu_loops_body.h"

#if defined(__x86_64__) && defined(__clang__)
#pragma clang attribute pop
#endif
