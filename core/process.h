/* Child processes: argument vector (never a shell), bounded in time, memory and output. */
#ifndef CORE_PROCESS_H
#define CORE_PROCESS_H

#include "core/error.h"
#include "core/memory.h"

#include <stdint.h>

struct process_limits {
    uint64_t time_ms;      /* wall clock; 0 = none */
    uint64_t memory_bytes; /* RLIMIT_AS; 0 = none (CUDA and ASan need it off) */
    uint64_t cpu_seconds;  /* RLIMIT_CPU; 0 = none */
    size_t output_bytes; /* most of stdout that is kept, the rest is read and counted; 0 = 64 MiB */
};

enum process_end { PROCESS_EXITED, PROCESS_SIGNALLED, PROCESS_TIMED_OUT, PROCESS_INTERRUPTED };

struct process_result {
    enum process_end end;
    int status;           /* exit status, or the signal's number */
    struct span out, err; /* what it wrote, in the arena; err cut to its last 64 KiB */
    uint64_t wall_ns;
    uint64_t user_ns, system_ns;
    uint64_t peak_rss_bytes;
};

/* Called with each whole line of stdout as it arrives; may be NULL. */
typedef void process_line(void *context, struct span line);

/* Runs arguments[0] (looked up in PATH) with input on its stdin, in a process group of its own that
 * is killed at the time limit or on interruption. environment NULL keeps ours. Returns false only
 * when the program could not be started; a child that fails is a result, not an error. */
bool process_run(struct arena *arena, const char *const *arguments, const char *const *environment,
                 struct span input, const struct process_limits *limits, process_line *on_line,
                 void *context, struct process_result *result, struct error *error);
/* Path of this program (/proc/self/exe). */
const char *process_self(struct arena *arena);

#endif
