/* How a stage tells what it is doing. cli gives the implementation (a live line on a terminal,
 * plain lines otherwise); a NULL progress is silent. */
#ifndef CORE_PROGRESS_H
#define CORE_PROGRESS_H

#include <stdint.h>

struct progress {
    /* done of total (0 = unknown) items and bytes so far; what names the current item. */
    void (*step)(struct progress *, const char *stage, uint64_t done, uint64_t total,
                 uint64_t bytes, const char *what);
    /* One line worth keeping ("snapshot MATCH"); the receiver adds the stage and escapes. */
    void (*note)(struct progress *, const char *stage, const char *text);
};

static inline void progress_step(struct progress *p, const char *stage, uint64_t done,
                                 uint64_t total, uint64_t bytes, const char *what) {
    if (p)
        p->step(p, stage, done, total, bytes, what);
}

static inline void progress_note(struct progress *p, const char *stage, const char *text) {
    if (p)
        p->note(p, stage, text);
}

#endif
