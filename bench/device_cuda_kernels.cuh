/* The kernels of the CUDA device. The arithmetic of an element is in bench/kernels.h; here is only
 * who does which element. Included by device_cuda_kernels.cu alone. */
#ifndef BENCH_DEVICE_CUDA_KERNELS_CUH
#define BENCH_DEVICE_CUDA_KERNELS_CUH

#include "bench/device_cuda.h"

/* --- one element at a time ---
 *
 * A body has `enum { READS, WRITES }`, begin(), which each thread calls once, and
 * operator()(in, out), which computes the values written from the values read. A thread reads all
 * its elements before it writes any of them, so outputs may be inputs. */

template <int READS, int WRITES> struct tensors {
    const float *in[READS > 0 ? READS : 1];
    float *out[WRITES];
};

template <int WIDTH> struct alignas(4 * WIDTH) lanes { float at[WIDTH]; };

template <int WIDTH, class Body, class Tensors>
__device__ static __forceinline__ void body_at(Body &body, const Tensors &tensors, int64_t at) {
    lanes<WIDTH> in[Body::READS > 0 ? Body::READS : 1], out[Body::WRITES];
#pragma unroll
    for (int k = 0; k < Body::READS; k++)
        in[k] = *reinterpret_cast<const lanes<WIDTH> *>(tensors.in[k] + at);
#pragma unroll
    for (int i = 0; i < WIDTH; i++) {
        float read[Body::READS > 0 ? Body::READS : 1], write[Body::WRITES];
#pragma unroll
        for (int k = 0; k < Body::READS; k++)
            read[k] = in[k].at[i];
        body(read, write);
#pragma unroll
        for (int k = 0; k < Body::WRITES; k++)
            out[k].at[i] = write[k];
    }
#pragma unroll
    for (int k = 0; k < Body::WRITES; k++)
        *reinterpret_cast<lanes<WIDTH> *>(tensors.out[k] + at) = out[k];
}

/* n elements, WIDTH at a time; what does not fill a group is done one at a time by the first
 * threads. */
template <int WIDTH, class Body, class Tensors>
__global__ void each(Body body, Tensors tensors, int64_t n) {
    int64_t thread = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    int64_t threads = (int64_t)gridDim.x * blockDim.x;
    int64_t groups = n / WIDTH, rest = groups * WIDTH + thread;
    body.begin();
    for (int64_t group = thread; group < groups; group += threads)
        body_at<WIDTH>(body, tensors, group * WIDTH);
    if (WIDTH > 1 && rest < n)
        body_at<1>(body, tensors, rest);
}

/* The same over a matrix (rows, columns), columns a multiple of WIDTH, with one vector read by
 * column: body(in, of_column, out). */
template <int WIDTH, class Body, class Tensors>
__global__ void each_by_column(Body body, Tensors tensors, const float *by_column, int64_t rows,
                               int64_t columns) {
    int64_t first = ((int64_t)blockIdx.x * blockDim.x + threadIdx.x) * WIDTH;
    int64_t step = (int64_t)gridDim.x * blockDim.x * WIDTH;
    for (int64_t column = first; column < columns; column += step) {
        lanes<WIDTH> vector = *reinterpret_cast<const lanes<WIDTH> *>(by_column + column);
        for (int64_t row = blockIdx.y; row < rows; row += gridDim.y) {
            int64_t at = row * columns + column;
            lanes<WIDTH> z = *reinterpret_cast<const lanes<WIDTH> *>(tensors.in[0] + at);
            lanes<WIDTH> out[Body::WRITES];
#pragma unroll
            for (int i = 0; i < WIDTH; i++) {
                float write[Body::WRITES];
                body(z.at[i] + vector.at[i], write);
#pragma unroll
                for (int k = 0; k < Body::WRITES; k++)
                    out[k].at[i] = write[k];
            }
#pragma unroll
            for (int k = 0; k < Body::WRITES; k++)
                *reinterpret_cast<lanes<WIDTH> *>(tensors.out[k] + at) = out[k];
        }
    }
}

/* --- reductions ---
 *
 * Trees in shared memory, in a fixed order, so that the same input gives the same bits. Blocks have
 * a power of two threads; every thread of the block gets the result. */

#define REDUCE_THREADS 256

struct add {
    template <class T> __device__ T operator()(T a, T b) const {
        return a + b;
    }
};

struct larger {
    __device__ float operator()(float a, float b) const {
        return kernel_max(a, b);
    }
};

template <class T, class Combine>
__device__ static T reduce_block(T mine, T *shared, Combine combine) {
    int thread = (int)threadIdx.x;
    __syncthreads(); /* whatever shared held has been read */
    shared[thread] = mine;
    __syncthreads();
    for (int half = (int)blockDim.x / 2; half > 0; half /= 2) {
        if (thread < half)
            shared[thread] = combine(shared[thread], shared[thread + half]);
        __syncthreads();
    }
    return shared[0];
}

/* A block a row: the largest logit and the sum of e^(x - largest). */
__device__ static void softmax_row(const float *x, int64_t columns, float *shared, float *most,
                                   float *sum) {
    float large = x[0], part = 0;
    for (int64_t j = threadIdx.x; j < columns; j += blockDim.x)
        large = kernel_max(x[j], large);
    *most = reduce_block(large, shared, larger());
    for (int64_t j = threadIdx.x; j < columns; j += blockDim.x)
        part += kernel_exp(x[j] - *most);
    *sum = reduce_block(part, shared, add());
}

__global__ void cross_entropy(float *loss, const float *logits, const int32_t *labels, int64_t rows,
                              int64_t columns) {
    __shared__ float shared[REDUCE_THREADS];
    for (int64_t row = blockIdx.x; row < rows; row += gridDim.x) {
        const float *x = logits + row * columns;
        float most, sum;
        softmax_row(x, columns, shared, &most, &sum);
        if (threadIdx.x == 0)
            loss[row] = most - x[labels[row]] + logf(sum);
    }
}

/* out may be logits: the reductions end after every thread has read the row for them, and after
 * that a thread reads only what it writes. */
__global__ void cross_entropy_gradient(float *out, const float *logits, const int32_t *labels,
                                       int64_t rows, int64_t columns, float scale) {
    __shared__ float shared[REDUCE_THREADS];
    for (int64_t row = blockIdx.x; row < rows; row += gridDim.x) {
        const float *x = logits + row * columns;
        float most, sum;
        softmax_row(x, columns, shared, &most, &sum);
        float each_of = scale / sum;
        for (int64_t j = threadIdx.x; j < columns; j += blockDim.x) {
            float value = each_of * kernel_exp(x[j] - most);
            out[row * columns + j] = j == labels[row] ? value - scale : value;
        }
    }
}

#define COLUMN_SUM_WIDE 32 /* columns a block, side by side: one line of memory */
#define COLUMN_SUM_TALL 16 /* threads that share a column */

__global__ void column_sum(float *out, const float *x, int64_t rows, int64_t columns, float beta) {
    __shared__ float shared[COLUMN_SUM_TALL][COLUMN_SUM_WIDE];
    int64_t column = (int64_t)blockIdx.x * COLUMN_SUM_WIDE + threadIdx.x;
    float sum = 0;
    if (column < columns)
        for (int64_t row = threadIdx.y; row < rows; row += COLUMN_SUM_TALL)
            sum += x[row * columns + column];
    shared[threadIdx.y][threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.y != 0 || column >= columns)
        return;
    for (int k = 1; k < COLUMN_SUM_TALL; k++)
        sum += shared[k][threadIdx.x];
    out[column] = beta == 0 ? sum : out[column] + sum;
}

/* This thread's part of the sum: 256 values at a time in float, those in double, so that the error
 * does not grow with n. */
__device__ static double sum_of_thread(const float *x, int64_t n) {
    int64_t at = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    int64_t threads = (int64_t)gridDim.x * blockDim.x;
    double all = 0;
    while (at < n) {
        float part = 0;
        for (int k = 0; k < 256 && at < n; k++, at += threads)
            part += x[at];
        all += part;
    }
    return all;
}

/* Blocks leave their parts in global memory; the last one to arrive adds them up. */
__global__ void sum_all(float *out, const float *x, int64_t n, float scale,
                        struct cuda_sum_parts *global) {
    __shared__ double shared[REDUCE_THREADS];
    __shared__ bool last;
    double block = reduce_block(sum_of_thread(x, n), shared, add());
    if (threadIdx.x == 0) {
        global->parts[blockIdx.x] = block;
        __threadfence(); /* the part is seen before the arrival */
        last = atomicInc(&global->arrived, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last)
        return;
    __threadfence();
    const volatile double *parts = global->parts;
    double mine = 0;
    for (unsigned k = threadIdx.x; k < gridDim.x; k += blockDim.x)
        mine += parts[k];
    double all = reduce_block(mine, shared, add());
    if (threadIdx.x == 0)
        *out = (float)((double)scale * all);
}

/* --- single threads --- */

__global__ void count_step(struct schedule *schedule) {
    kernel_schedule(schedule);
}

__global__ void nothing(void) {
}

__device__ static uint64_t nanoseconds(void) {
#ifdef __CUDA_ARCH__
    uint64_t now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
#else
    return clock_monotonic_ns();
#endif
}

__global__ void spin(uint64_t ns) {
    for (uint64_t from = nanoseconds(); nanoseconds() - from < ns;)
        continue;
}

#endif
