#include "bench/blas.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static struct blas blas;
static bool opened;
static char reason[256];

static void load(void) {
    static const char *const names[] = {"libopenblas.so.0", "libopenblas.so"};
    void *library = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names && !library; i++) {
        library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
        if (!library && i == 0)
            snprintf(reason, sizeof reason, "%s", dlerror());
    }
    if (!library)
        return;
    const struct {
        const char *name;
        void *function;
    } wanted[] = {
        {"cblas_sgemm", &blas.sgemm},
        {"openblas_set_num_threads", &blas.set_threads},
        {"openblas_get_num_threads", &blas.threads},
        {"openblas_get_config", &blas.config},
        {"openblas_get_corename", &blas.core_name},
    };
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        void *at = dlsym(library, wanted[i].name);
        if (!at) {
            snprintf(reason, sizeof reason, "%s", dlerror());
            return;
        }
        memcpy(wanted[i].function, &at, sizeof at); /* as POSIX has it for functions */
    }
    opened = true;
}

const struct blas *blas_open(struct error *error) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    if (opened)
        return &blas;
    if (error)
        error_set(error, ERROR_UNAVAILABLE, "device cpu", "install OpenBLAS (libopenblas0)",
                  "expected OpenBLAS: %s", reason);
    return NULL;
}
