/* What a reader asks of a chapter first: thesis, question, main claims, assumptions, examples,
 * terms, dependencies, reader level. Taken from the text by the words of stated rules, always as
 * quotes with their place; what the rules do not find is said to be not found. */
#ifndef AUDIT_READING_H
#define AUDIT_READING_H

#include "audit/check.h"

/* Adds notes to findings->reading, topic by topic, each in order of place. */
void reading_take(const struct check_input *input, struct findings *findings);

#endif
