/* OpenBLAS, opened when the CPU device or a description of it needs it: loading it takes some
 * milliseconds and starts its threads, which most commands should not pay for. */
#ifndef BENCH_BLAS_H
#define BENCH_BLAS_H

#include "core/error.h"

#include <cblas.h>

struct blas {
    void (*sgemm)(enum CBLAS_ORDER, enum CBLAS_TRANSPOSE, enum CBLAS_TRANSPOSE, blasint, blasint,
                  blasint, float, const float *, blasint, const float *, blasint, float, float *,
                  blasint);
    void (*set_threads)(int);
    int (*threads)(void);
    char *(*config)(void);
    char *(*core_name)(void);
};

/* The same for all callers, open until the program ends; NULL with error (which may be NULL) set
 * when the library is missing. Safe to call from several threads. */
const struct blas *blas_open(struct error *error);

#endif
