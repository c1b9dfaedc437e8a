/* The CUDA device's inside, for its own files: device_cuda.cu (the kind), device_cuda_kernels.cu
 * (launches), device_cuda_blas.cu (GEMM). */
#ifndef BENCH_DEVICE_CUDA_H
#define BENCH_DEVICE_CUDA_H

/* Before the C headers, which include some of these inside extern "C". */
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <math.h>

#include <cublas_v2.h>
#include <cuda_runtime.h>

extern "C" {
#include "bench/device_kind.h"
#include "bench/kernels.h"
#include "core/clock.h"
}

struct cuda_blas;

/* Blocks of one OP_SUM, each of which leaves its part here. */
#define CUDA_SUM_BLOCKS 1024
struct cuda_sum_parts {
    double parts[CUDA_SUM_BLOCKS];
    unsigned arrived; /* blocks that have left theirs; back to 0 when the last one has */
};

struct cuda_device {
    struct device base; /* first: a struct device * is a struct cuda_device * */
    cudaStream_t stream;
    struct cuda_blas *blas;
    struct cuda_sum_parts *sum; /* device memory */
    int major;                  /* of the compute capability */
    int multiprocessors;
    bool loading; /* launches only load */
};

static inline struct cuda_device *cuda_of(struct device *device) {
    return reinterpret_cast<struct cuda_device *>(device);
}

/* False, with the failure kept by the device, unless status is success. Drops CUDA's own record of
 * a failure that a later call could survive. */
bool cuda_ok(struct device *device, cudaError_t status, const char *what);

/* device_cuda_kernels.cu. Runs any operation but OP_COPY and OP_GEMM. */
cudaError_t cuda_launch(struct cuda_device *cuda, const struct command *command);
/* What follows a GEMM in its command (enum epilogue), as one kernel. */
cudaError_t cuda_launch_epilogue(struct cuda_device *cuda, const struct command *command);
/* Loads every kernel, which would otherwise happen at its first launch (CUDA Programming Guide,
 * lazy loading), where a recording cannot wait for it. */
cudaError_t cuda_load_kernels(struct cuda_device *cuda);

/* device_cuda_blas.cu. Opens cuBLAS, found by the dynamic linker, and describes it in
 * base.library. */
bool cuda_blas_open(struct cuda_device *cuda, struct error *error);
void cuda_blas_close(struct cuda_device *cuda);
void cuda_gemm(struct cuda_device *cuda, const struct command *command);

#endif
