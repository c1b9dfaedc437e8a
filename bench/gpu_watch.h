/* A thread that looks at the GPU while a process measures on it. */
#ifndef BENCH_GPU_WATCH_H
#define BENCH_GPU_WATCH_H

#include "core/memory.h"

struct gpu_watch;
/* Begins to look ten times a second. Before the process starts, so that what others already do is
 * seen. NULL where there is no GPU to look at. */
struct gpu_watch *gpu_watch_begin(void);
#define GPU_DISTURBANCES 3
/* Ends it, and says what disturbed the run, as sentences; returns how many, at most
 * GPU_DISTURBANCES. NULL: none. */
size_t gpu_watch_end(struct gpu_watch *watch, struct arena *arena, struct span *disturbances);

#endif
