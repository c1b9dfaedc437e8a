/* What the person at the terminal sees: progress on stderr, colours only where they belong. */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include "core/progress.h"
#include "core/span.h"

#include <stdbool.h>

enum color_mode { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

/* quiet: no progress at all. verbose: every step on a line of its own. */
struct progress *output_progress(bool quiet, bool verbose);
/* Clears a live line that is still on the terminal. */
void output_finish(void);
bool output_color(enum color_mode mode);
/* Columns of the terminal on stdout, 80 when it is none. */
int output_width(void);
/* Writes text to stdout as it is. */
void output_write(struct span text);

#endif
