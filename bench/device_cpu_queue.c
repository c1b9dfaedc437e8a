#include "bench/device_cpu_queue.h"
#include "bench/device_cpu_spin.h"
#include "core/clock.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

/* submitted and completed only grow; submitted - completed is the queue's length. A thread that
 * finds nothing to do looks again for a while and then sleeps, after saying so in its sleeping
 * flag. Flag and counters are sequentially consistent: either the sleeper sees the new count, or
 * the other side sees the flag and wakes it. */
struct cpu_queue {
    struct command *slots;
    size_t depth;
    void (*run)(void *, const struct command *);
    void *context;
    uint64_t idle_ns; /* the worker's own */
    _Atomic size_t submitted, completed;
    atomic_bool worker_sleeps, submitter_sleeps, stop;
    pthread_mutex_t lock;
    pthread_cond_t work, room;
    pthread_t worker;
};

static size_t length(struct cpu_queue *q) {
    return atomic_load(&q->submitted) - atomic_load(&q->completed);
}

static void wake(struct cpu_queue *q, atomic_bool *sleeps, pthread_cond_t *condition) {
    if (!atomic_load(sleeps))
        return;
    pthread_mutex_lock(&q->lock);
    pthread_cond_signal(condition);
    pthread_mutex_unlock(&q->lock);
}

/* False when there is nothing left and the queue is being freed. */
static bool wait_for_work(struct cpu_queue *q) {
    for (int i = 0; i < CPU_SPIN_ROUNDS; i++) {
        if (length(q) > 0)
            return true;
        cpu_relax();
    }
    pthread_mutex_lock(&q->lock);
    atomic_store(&q->worker_sleeps, true);
    while (length(q) == 0 && !atomic_load(&q->stop))
        pthread_cond_wait(&q->work, &q->lock);
    atomic_store(&q->worker_sleeps, false);
    pthread_mutex_unlock(&q->lock);
    return length(q) > 0;
}

static bool next_work(struct cpu_queue *q) {
    if (length(q) > 0)
        return true;
    uint64_t from = clock_monotonic_ns();
    bool more = wait_for_work(q);
    q->idle_ns += clock_monotonic_ns() - from;
    return more;
}

static void *work(void *queue) {
    struct cpu_queue *q = queue;
    cpu_flush_subnormals();
    while (next_work(q)) {
        size_t done = atomic_load(&q->completed);
        q->run(q->context, &q->slots[done % q->depth]);
        atomic_store(&q->completed, done + 1);
        wake(q, &q->submitter_sleeps, &q->room);
    }
    return NULL;
}

/* The submitter waits until at most `most` commands are left. */
static void wait_until(struct cpu_queue *q, size_t most) {
    for (int i = 0; i < CPU_SPIN_ROUNDS; i++) {
        if (length(q) <= most)
            return;
        cpu_relax();
    }
    pthread_mutex_lock(&q->lock);
    atomic_store(&q->submitter_sleeps, true);
    while (length(q) > most)
        pthread_cond_wait(&q->room, &q->lock);
    atomic_store(&q->submitter_sleeps, false);
    pthread_mutex_unlock(&q->lock);
}

void cpu_queue_push(struct cpu_queue *q, const struct command *command) {
    if (length(q) == q->depth)
        wait_until(q, q->depth - 1);
    size_t next = atomic_load(&q->submitted);
    q->slots[next % q->depth] = *command;
    atomic_store(&q->submitted, next + 1);
    wake(q, &q->worker_sleeps, &q->work);
}

void cpu_queue_wait(struct cpu_queue *q) {
    wait_until(q, 0);
}

uint64_t cpu_queue_idle_ns(const struct cpu_queue *q) {
    return q->idle_ns;
}

struct cpu_queue *cpu_queue_new(size_t depth, void (*run)(void *, const struct command *),
                                void *context) {
    struct cpu_queue *q = memory_alloc(sizeof *q);
    *q = (struct cpu_queue){.depth = depth, .run = run, .context = context};
    q->slots = memory_alloc(depth * sizeof *q->slots);
    pthread_mutex_init(&q->lock, NULL);
    pthread_cond_init(&q->work, NULL);
    pthread_cond_init(&q->room, NULL);
    int failed = pthread_create(&q->worker, NULL, work, q);
    if (!failed)
        return q;
    free(q->slots);
    free(q);
    errno = failed;
    return NULL;
}

void cpu_queue_free(struct cpu_queue *q) {
    atomic_store(&q->stop, true);
    pthread_mutex_lock(&q->lock);
    pthread_cond_signal(&q->work);
    pthread_mutex_unlock(&q->lock);
    pthread_join(q->worker, NULL);
    pthread_cond_destroy(&q->work);
    pthread_cond_destroy(&q->room);
    pthread_mutex_destroy(&q->lock);
    free(q->slots);
    free(q);
}
