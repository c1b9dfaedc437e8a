/* Powers of ten, and numbers as text. */
#ifndef CORE_NUMBER_H
#define CORE_NUMBER_H

#include <stddef.h>

/* pow(10, exponent), from a table near zero. Safe to call from several threads. */
double power_of_ten(int exponent);

enum { NUMBER_LONGEST = 32 };
/* Both write no NUL and return the bytes written, at most NUMBER_LONGEST. */
size_t number_format_size(char *out, size_t value);
/* The shortest decimal form of a finite double that reads back the same; whole numbers below 1e15
 * without a point. */
size_t number_format(char *out, double value);

#endif
