/* A bounded queue of commands between one thread that submits and one worker that runs them in
 * order. A command holds its place until it has run, so `depth` is how far the submitter can be
 * ahead. */
#ifndef BENCH_DEVICE_CPU_QUEUE_H
#define BENCH_DEVICE_CPU_QUEUE_H

#include "bench/device.h"

struct cpu_queue;

/* run is called on the worker thread for each command. Ends with cpu_queue_free, which lets queued
 * commands run first. NULL: no thread could be started (errno says why). */
struct cpu_queue *cpu_queue_new(size_t depth, void (*run)(void *context, const struct command *),
                                void *context);
void cpu_queue_free(struct cpu_queue *queue);
/* Blocks while depth commands have not run yet. */
void cpu_queue_push(struct cpu_queue *queue, const struct command *command);
void cpu_queue_wait(struct cpu_queue *queue);
/* ns the worker has waited for commands so far. Only the worker may ask. */
uint64_t cpu_queue_idle_ns(const struct cpu_queue *queue);

#endif
