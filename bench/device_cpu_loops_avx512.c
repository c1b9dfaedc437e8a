/* The loops for AVX-512. */
#include "bench/device_cpu_loops.h"

#include <math.h>

#if defined(__x86_64__)
#if defined(__clang__)
#pragma clang attribute push(                                                                      \
    __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx2,fma"))), apply_to = function)
#else
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,prefer-vector-width=512")
#endif
#endif
#if !defined(__clang__)
#pragma GCC optimize("O3", "fp-contract=fast", "no-math-errno", "no-trapping-math")
#endif

#define LOOPS cpu_loops_avx512
#define LOOPS_NAME "avx512"
#include "bench/device_cpu_loops_body.h"

#if defined(__x86_64__) && defined(__clang__)
#pragma clang attribute pop
#endif
