/* GEMM on the CUDA device through cuBLAS, which is opened when a GPU is, so that the program starts
 * without it. */
#include "bench/device_cuda.h"

#include <climits>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>

/* cuBLAS asks for 32 MiB on Hopper and newer and 4 MiB before (cublasSetWorkspace). It is ours so
 * that no GEMM allocates, which a recording could not contain. */
#define WORKSPACE_HOPPER ((size_t)32 << 20)
#define WORKSPACE ((size_t)4 << 20)

struct cuda_blas {
    void *library;
    cublasHandle_t handle;
    void *workspace;
    decltype(&cublasCreate_v2) create;
    decltype(&cublasDestroy_v2) destroy;
    decltype(&cublasSetStream_v2) set_stream;
    decltype(&cublasSetMathMode) set_math_mode;
    decltype(&cublasSetWorkspace_v2) set_workspace;
    decltype(&cublasGetProperty) get_property;
    decltype(&cublasSgemm_v2) sgemm;
};

static const char *status_name(cublasStatus_t status) {
    switch (status) {
    case CUBLAS_STATUS_NOT_INITIALIZED:
        return "not initialized";
    case CUBLAS_STATUS_ALLOC_FAILED:
        return "allocation failed";
    case CUBLAS_STATUS_INVALID_VALUE:
        return "invalid value";
    case CUBLAS_STATUS_ARCH_MISMATCH:
        return "the GPU is too old for it";
    case CUBLAS_STATUS_EXECUTION_FAILED:
        return "execution failed";
    case CUBLAS_STATUS_INTERNAL_ERROR:
        return "internal error";
    case CUBLAS_STATUS_NOT_SUPPORTED:
        return "not supported";
    default:
        return "unknown status";
    }
}

/* The version this was compiled with first; the functions used are the same since CUDA 11. */
static void *open_library(char *reason, size_t size) {
    static const char *const names[] = {
#define STRING(x) #x
#define NAME(version) "libcublas.so." STRING(version)
        NAME(CUBLAS_VER_MAJOR), "libcublas.so",    "/usr/local/cuda/lib64/" NAME(CUBLAS_VER_MAJOR),
        "libcublas.so.12",      "libcublas.so.11",
#undef NAME
#undef STRING
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        void *library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
        if (library)
            return library;
        if (i == 0)
            snprintf(reason, size, "%s", dlerror());
    }
    return NULL;
}

template <class Function>
static bool find(struct cuda_blas *blas, const char *name, Function *function) {
    *function = reinterpret_cast<Function>(dlsym(blas->library, name));
    return *function != NULL;
}

static bool find_all(struct cuda_blas *blas) {
    return find(blas, "cublasCreate_v2", &blas->create) &&
           find(blas, "cublasDestroy_v2", &blas->destroy) &&
           find(blas, "cublasSetStream_v2", &blas->set_stream) &&
           find(blas, "cublasSetMathMode", &blas->set_math_mode) &&
           find(blas, "cublasSetWorkspace_v2", &blas->set_workspace) &&
           find(blas, "cublasGetProperty", &blas->get_property) &&
           find(blas, "cublasSgemm_v2", &blas->sgemm);
}

static cublasStatus_t set_up(struct cuda_device *cuda, size_t workspace) {
    struct cuda_blas *blas = cuda->blas;
    cublasStatus_t status = blas->set_stream(blas->handle, cuda->stream);
    if (status == CUBLAS_STATUS_SUCCESS) /* after set_stream, which resets the workspace */
        status = blas->set_workspace(blas->handle, blas->workspace, workspace);
    if (status == CUBLAS_STATUS_SUCCESS)
        status =
            blas->set_math_mode(blas->handle, cuda->base.options.tf32 ? CUBLAS_TF32_TENSOR_OP_MATH
                                                                      : CUBLAS_DEFAULT_MATH);
    return status;
}

static void describe(struct cuda_device *cuda) {
    int version[3] = {0, 0, 0}, runtime = 0, driver = 0;
    cuda->blas->get_property(MAJOR_VERSION, &version[0]);
    cuda->blas->get_property(MINOR_VERSION, &version[1]);
    cuda->blas->get_property(PATCH_LEVEL, &version[2]);
    cudaRuntimeGetVersion(&runtime);
    cudaDriverGetVersion(&driver);
    snprintf(cuda->base.library, sizeof cuda->base.library,
             "cuBLAS %d.%d.%d, CUDA runtime %d.%d, driver for CUDA %d.%d", version[0], version[1],
             version[2], runtime / 1000, runtime % 1000 / 10, driver / 1000, driver % 1000 / 10);
}

bool cuda_blas_open(struct cuda_device *cuda, struct error *error) {
    static const char hint[] = "install the CUDA toolkit's cuBLAS or put it on LD_LIBRARY_PATH";
    char reason[256] = "";
    struct cuda_blas *blas = static_cast<struct cuda_blas *>(memory_alloc(sizeof *blas));
    *blas = cuda_blas();
    cuda->blas = blas;
    blas->library = open_library(reason, sizeof reason);
    if (!blas->library)
        return error_set(error, ERROR_UNAVAILABLE, "device cuda", hint,
                         "cuBLAS cannot be opened: %s", reason);
    if (!find_all(blas))
        return error_set(error, ERROR_UNAVAILABLE, "device cuda", hint,
                         "cuBLAS lacks a function that CUDA 11 and newer have");
    size_t workspace = cuda->major >= 9 ? WORKSPACE_HOPPER : WORKSPACE;
    cudaError_t memory = cudaMalloc(&blas->workspace, workspace);
    if (memory != cudaSuccess)
        return error_set(error, ERROR_UNAVAILABLE, "device cuda",
                         "end other programs that use this GPU", "no memory for cuBLAS: %s",
                         cudaGetErrorString(memory));
    cublasStatus_t status = blas->create(&blas->handle);
    if (status == CUBLAS_STATUS_SUCCESS)
        status = set_up(cuda, workspace);
    if (status != CUBLAS_STATUS_SUCCESS)
        return error_set(error, ERROR_UNAVAILABLE, "device cuda", hint, "cuBLAS does not start: %s",
                         status_name(status));
    describe(cuda);
    return true;
}

void cuda_blas_close(struct cuda_device *cuda) {
    struct cuda_blas *blas = cuda->blas;
    if (!blas)
        return;
    if (blas->handle)
        blas->destroy(blas->handle);
    if (blas->workspace)
        cudaFree(blas->workspace);
    /* The library stays open: cuBLAS keeps state that its own exit handlers look for. */
    free(blas);
    cuda->blas = NULL;
}

/* cuBLAS is column-major, where a row-major (m, n) matrix is its own transpose (n, m); so
 * c = op(a) op(b) becomes c^T = op(b)^T op(a)^T and no data moves. */
void cuda_gemm(struct cuda_device *cuda, const struct command *c) {
    struct device *device = &cuda->base;
    int64_t m = c->size[0], n = c->size[1], k = c->size[2];
    if (m > INT_MAX || n > INT_MAX || k > INT_MAX) {
        device_fail(device, ERROR_INPUT, "use a smaller batch, dim or classes",
                    "a matrix of %lld by %lld by %lld is too large for cuBLAS", (long long)m,
                    (long long)n, (long long)k);
        return;
    }
    bool transpose_a = c->size[3] & 1, transpose_b = c->size[3] & 2;
    float one = 1.0f, beta = c->scalar[0];
    cublasStatus_t status = cuda->blas->sgemm(
        cuda->blas->handle, transpose_b ? CUBLAS_OP_T : CUBLAS_OP_N,
        transpose_a ? CUBLAS_OP_T : CUBLAS_OP_N, (int)n, (int)m, (int)k, &one,
        (const float *)c->at[1], (int)(transpose_b ? k : n), (const float *)c->at[0],
        (int)(transpose_a ? m : k), &beta, (float *)c->at[2], (int)n);
    if (status != CUBLAS_STATUS_SUCCESS) {
        device_fail(device, ERROR_SYSTEM, "run `assay doctor`",
                    "cuBLAS failed on a matrix of %lld by %lld by %lld: %s", (long long)m,
                    (long long)n, (long long)k, status_name(status));
        return;
    }
    if (c->variant != EPILOGUE_NONE)
        cuda_ok(device, cuda_launch_epilogue(cuda, c), "the epilogue of a GEMM");
}
