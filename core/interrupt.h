/* Ctrl-C and SIGTERM: the handler only sets a flag; long work looks at it between steps. */
#ifndef CORE_INTERRUPT_H
#define CORE_INTERRUPT_H

#include "core/error.h"

/* Installs the handlers. A second signal ends the program at once (temporary files are removed). */
void interrupt_watch(void);
/* The signal received, or 0. */
int interrupt_signal(void);
/* false (with ERROR_INTERRUPTED naming what) once a signal came. */
bool interrupt_check(const char *what, struct error *error);

#endif
