/* The loops for any processor. */
#include "bench/device_cpu_loops.h"

#include <math.h>

#if !defined(__clang__)
#pragma GCC optimize("O3", "fp-contract=fast", "no-math-errno", "no-trapping-math")
#endif

#define LOOPS cpu_loops_plain
#define LOOPS_NAME "plain"
#include "bench/device_cpu_loops_body.h"
