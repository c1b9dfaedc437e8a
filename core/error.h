/* One error, filled once at the place that knows most; callers pass it up. Only cli prints it and
 * chooses the exit status. A message says what happened and what was expected; the hint says what
 * to do next. */
#ifndef CORE_ERROR_H
#define CORE_ERROR_H

#include <stdbool.h>
#include <stddef.h>

enum error_kind {
    ERROR_NONE,
    ERROR_USAGE,    /* exit 2: the command line */
    ERROR_INPUT,    /* exit 5: a brief, config, pass directory or artifact is not what it must be */
    ERROR_MISMATCH, /* exit 4: fingerprint MISMATCH */
    ERROR_UNAVAILABLE, /* exit 3 when a report still came out: something could not be read or run */
    ERROR_SYSTEM,      /* exit 6: disk, memory, permissions, processes */
    ERROR_INTERRUPTED, /* exit 130: Ctrl-C or SIGTERM */
};

struct error {
    enum error_kind kind;
    char where[512];   /* file, URL or artifact and the place in it: "brief.txt:7" */
    char message[768]; /* what happened, what was expected */
    char hint[512];    /* what to do next; may be empty */
};

/* Always returns false, so that a failing function can `return error_set(...)`. error may be NULL.
 * Text is made safe for a terminal (control bytes become \xNN) and cut at the field's size. */
bool error_set(struct error *error, enum error_kind kind, const char *where, const char *hint,
               const char *format, ...) __attribute__((format(printf, 5, 6)));
/* The same with ": strerror(errno_value)" behind the message, kind ERROR_SYSTEM. */
bool error_system(struct error *error, int errno_value, const char *where, const char *hint,
                  const char *format, ...) __attribute__((format(printf, 5, 6)));

#endif
