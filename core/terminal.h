/* Text from outside on its way to a terminal or a log: control and escape bytes never get through.
 */
#ifndef CORE_TERMINAL_H
#define CORE_TERMINAL_H

#include "core/memory.h"

/* Appends text with C0 and C1 controls, DEL, bidirectional overrides and bytes that are not UTF-8
 * written as \xNN (\u{NNNN} for code points); newline and tab become one space. */
void terminal_escape(struct buffer *out, struct span text);

#endif
