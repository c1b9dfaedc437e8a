/* Watches the GPU for a third of a second and prints what disturbed it, a line each; "no GPU" where
 * there is none. For tests/bench/test_gpu_environment.py. */
#include "bench/gpu_watch.h"

#include <stdio.h>
#include <time.h>

int main(void) {
    struct arena arena;
    struct span found[GPU_DISTURBANCES];
    const struct timespec third = {0, 350000000};
    arena_init(&arena);
    struct gpu_watch *watch = gpu_watch_begin();
    if (!watch)
        puts("no GPU");
    nanosleep(&third, NULL);
    size_t count = gpu_watch_end(watch, &arena, found);
    for (size_t i = 0; i < count; i++)
        printf("%.*s\n", SPAN_ARG(found[i]));
    arena_free(&arena);
    return 0;
}
