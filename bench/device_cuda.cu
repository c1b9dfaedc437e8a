/* A CUDA GPU as a device: one stream, the order in which commands run. */
#include "bench/device_cuda.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>

struct device_event {
    cudaEvent_t event; /* NULL: it could not be made, and the device has failed */
};

bool cuda_ok(struct device *device, cudaError_t status, const char *what) {
    if (status == cudaSuccess)
        return true;
    cudaGetLastError();
    device_fail(device, ERROR_SYSTEM, "run `assay doctor`; see the system log for Xid messages",
                "%s failed: %s", what, cudaGetErrorString(status));
    return false;
}

/* The current GPU belongs to the thread, not to the device. */
static void make_current(const struct device *device) {
    static thread_local int current = -1;
    if (current == device->options.index)
        return;
    if (cudaSetDevice(device->options.index) == cudaSuccess)
        current = device->options.index;
}

/* --- memory and commands --- */

/* cudaMalloc aligns to 256 bytes. */
static void *allocate(struct device *device, size_t bytes) {
    void *block = NULL;
    make_current(device);
    cudaError_t status = cudaMalloc(&block, bytes);
    if (status == cudaSuccess)
        return block;
    cudaGetLastError();
    if (status != cudaErrorMemoryAllocation) /* memory that ran out is the caller's to report */
        cuda_ok(device, status, "allocating memory");
    return NULL;
}

static void release(struct device *device, void *block) {
    make_current(device);
    cuda_ok(device, cudaFree(block), "freeing memory");
}

/* Which side is the host's follows from the addresses (cudaMemcpyDefault). */
static cudaError_t copy(struct cuda_device *cuda, const struct command *c) {
    if (c->size[0] == 0)
        return cudaSuccess;
    return cudaMemcpyAsync(c->at[0], c->at[1], (size_t)c->size[0], cudaMemcpyDefault, cuda->stream);
}

static const char *const operation_names[OPERATION_COUNT] = {
    "a fill",        "a copy",          "a GEMM",
    "adding a bias", "an activation",   "an activation's gradient",
    "a column sum",  "cross-entropy",   "cross-entropy's gradient",
    "a sum",         "a vector pass",   "counting a step",
    "an optimizer",  "an empty kernel", "a spinning kernel",
};

static void submit(struct device *device, const struct command *c) {
    struct cuda_device *cuda = cuda_of(device);
    make_current(device);
    if (c->operation == OP_GEMM)
        cuda_gemm(cuda, c);
    else
        cuda_ok(device, c->operation == OP_COPY ? copy(cuda, c) : cuda_launch(cuda, c),
                operation_names[c->operation]);
}

static void wait_empty(struct device *device) {
    make_current(device);
    cuda_ok(device, cudaStreamSynchronize(cuda_of(device)->stream), "queued work");
}

/* --- events --- */

static struct device_event *event_new(struct device *device) {
    auto *event = static_cast<struct device_event *>(memory_alloc(sizeof(struct device_event)));
    event->event = NULL;
    make_current(device);
    cuda_ok(device, cudaEventCreate(&event->event), "making an event");
    return event;
}

static void event_free(struct device *device, struct device_event *event) {
    if (event->event)
        cuda_ok(device, cudaEventDestroy(event->event), "freeing an event");
    free(event);
}

static void event_record(struct device *device, struct device_event *event) {
    make_current(device);
    cuda_ok(device, cudaEventRecord(event->event, cuda_of(device)->stream), "recording an event");
}

/* Resolution about 0.5 us (cudaEventElapsedTime). When the GPU waited is not known. */
static double elapsed(struct device *device, struct device_event *from, struct device_event *to,
                      double *idle_ms) {
    float ms = NAN;
    *idle_ms = NAN;
    if (!cuda_ok(device, cudaEventElapsedTime(&ms, from->event, to->event), "timing by events"))
        return NAN;
    return ms;
}

/* --- recording: a captured stream --- */

static bool pass_error(struct error *error, cudaError_t status, const char *what) {
    cudaGetLastError();
    return error_set(error, ERROR_SYSTEM, "cuda", "use execution=eager", "%s failed: %s", what,
                     cudaGetErrorString(status));
}

/* Relaxed: the allocator may ask for memory in between, and a library may load a kernel. */
static bool record_begin(struct device *device, struct error *error) {
    make_current(device);
    cudaError_t status =
        cudaStreamBeginCapture(cuda_of(device)->stream, cudaStreamCaptureModeRelaxed);
    return status == cudaSuccess || pass_error(error, status, "recording a graph");
}

static void *record_end(struct device *device, struct error *error) {
    cudaStream_t stream = cuda_of(device)->stream;
    cudaGraph_t graph = NULL;
    cudaGraphExec_t ready = NULL;
    make_current(device);
    cudaError_t status = cudaStreamEndCapture(stream, &graph);
    if (status == cudaSuccess)
        status = cudaGraphInstantiateWithFlags(&ready, graph, 0);
    if (status == cudaSuccess)
        status = cudaGraphUpload(ready, stream);
    if (graph)
        cudaGraphDestroy(graph);
    if (status == cudaSuccess)
        return ready;
    if (ready)
        cudaGraphExecDestroy(ready);
    pass_error(error, status, "recording a graph");
    return NULL;
}

static void replay(struct device *device, void *recorded) {
    make_current(device);
    cuda_ok(device, cudaGraphLaunch((cudaGraphExec_t)recorded, cuda_of(device)->stream),
            "replaying a graph");
}

static void recorded_free(struct device *device, void *recorded) {
    cuda_ok(device, cudaGraphExecDestroy((cudaGraphExec_t)recorded), "freeing a graph");
}

/* --- opening and closing --- */

static void close_cuda(struct device *device) {
    struct cuda_device *cuda = cuda_of(device);
    make_current(device);
    cuda_blas_close(cuda);
    if (cuda->sum)
        cudaFree(cuda->sum);
    if (cuda->stream)
        cudaStreamDestroy(cuda->stream);
    free(cuda);
}

static bool no_gpu(struct error *error, const char *hint, const char *reason) {
    return error_set(error, ERROR_UNAVAILABLE, "device cuda", hint, "no CUDA GPU: %s", reason);
}

static bool find_gpu(const struct device_options *options, struct error *error) {
    int driver = 0, runtime = 0, count = 0;
    char reason[160];
    cudaRuntimeGetVersion(&runtime);
    if (cudaDriverGetVersion(&driver) != cudaSuccess || driver == 0)
        return no_gpu(error, "install NVIDIA's driver, or use the cpu device",
                      "no NVIDIA driver is installed (libcuda.so.1 cannot be opened)");
    cudaError_t status = cudaGetDeviceCount(&count);
    if (status == cudaErrorInsufficientDriver) {
        snprintf(reason, sizeof reason,
                 "the driver is for CUDA %d.%d and this program needs one for %d.%d", driver / 1000,
                 driver % 1000 / 10, runtime / 1000, runtime % 1000 / 10);
        return no_gpu(error, "update NVIDIA's driver, or use the cpu device", reason);
    }
    if (status != cudaSuccess)
        return no_gpu(error, "see nvidia-smi and CUDA_VISIBLE_DEVICES", cudaGetErrorString(status));
    if (options->index >= 0 && options->index < count)
        return true;
    snprintf(reason, sizeof reason, "gpu is %d, and there are %d, counted from 0", options->index,
             count);
    return no_gpu(error, "choose another gpu", reason);
}

static cudaError_t start_context(struct cuda_device *cuda) {
    struct device_options *o = &cuda->base.options;
    cudaDeviceProp properties;
    cudaError_t status = cudaSetDevice(o->index);
    if (status == cudaSuccess)
        status = cudaFree(NULL); /* makes the context, whatever the runtime's version */
    if (status == cudaSuccess)
        status = cudaGetDeviceProperties(&properties, o->index);
    if (status != cudaSuccess)
        return status;
    snprintf(cuda->base.name, sizeof cuda->base.name, "%.100s", properties.name);
    cuda->major = properties.major;
    cuda->multiprocessors = properties.multiProcessorCount;
    o->tf32 = o->tf32 && properties.major >= 8; /* older GPUs have none */
    o->threads = 0;
    return cudaStreamCreateWithFlags(&cuda->stream, cudaStreamNonBlocking);
}

static cudaError_t start_kernels(struct cuda_device *cuda) {
    void *sum = NULL;
    cudaError_t status = cuda_load_kernels(cuda);
    if (status == cudaSuccess)
        status = cudaMalloc(&sum, sizeof *cuda->sum);
    cuda->sum = static_cast<struct cuda_sum_parts *>(sum);
    if (status == cudaSuccess)
        status = cudaMemsetAsync(sum, 0, sizeof *cuda->sum, cuda->stream);
    return status == cudaSuccess ? cudaStreamSynchronize(cuda->stream) : status;
}

/* Runs one part of opening and notes what it took. */
static bool paid(struct cuda_device *cuda, int index, const char *name,
                 cudaError_t (*part)(struct cuda_device *), struct error *error) {
    uint64_t begin = clock_monotonic_ns();
    cudaError_t status = part(cuda);
    cuda->base.startup[index].name = name;
    cuda->base.startup[index].ms = (double)(clock_monotonic_ns() - begin) / 1e6;
    if (status == cudaSuccess)
        return true;
    cudaGetLastError();
    return no_gpu(error, "see nvidia-smi: another program may hold the GPU or its memory",
                  cudaGetErrorString(status));
}

static bool start(struct cuda_device *cuda, struct error *error) {
    if (!paid(cuda, 0, "context", start_context, error) ||
        !paid(cuda, 1, "kernels", start_kernels, error))
        return false;
    uint64_t begin = clock_monotonic_ns();
    if (!cuda_blas_open(cuda, error))
        return false;
    cuda->base.startup[2].name = "library";
    cuda->base.startup[2].ms = (double)(clock_monotonic_ns() - begin) / 1e6;
    return true;
}

static bool open_cuda(const struct device_options *options, struct device **device,
                      struct error *error) {
    if (!find_gpu(options, error))
        return false;
    auto *cuda = static_cast<struct cuda_device *>(memory_alloc(sizeof(struct cuda_device)));
    memset(static_cast<void *>(cuda), 0, sizeof *cuda);
    cuda->base.kind = &device_cuda;
    cuda->base.options = *options;
    if (!start(cuda, error)) {
        close_cuda(&cuda->base);
        return false;
    }
    *device = &cuda->base;
    return true;
}

const struct device_kind device_cuda = {
    "cuda",  open_cuda,    close_cuda, allocate,   release,
    submit,  wait_empty,   event_new,  event_free, event_record,
    elapsed, record_begin, record_end, replay,     recorded_free,
};
