/* Numbers that take several words or parts: durations, calendar dates, spelled numbers. */
#ifndef AUDIT_COMPOUND_H
#define AUDIT_COMPOUND_H

#include "audit/numeral.h"

struct compound {
    size_t start, end;
    double value, half_unit; /* in unit; half a unit in the last printed place, 0 when exact */
    int decimals;
    struct span unit; /* registry symbol, or "" when a unit must stand behind */
    bool is_integer;
};

/* "1h 12m" is 72 min, "3m42.118s" is 222.118 s, "2 h 5 min 3 s" is 7503 s: starts at a digit. */
bool duration_read(struct span text, size_t at, size_t limit, struct compound *out);
/* "14 March 2025", "Nov 4, 2025", "Thu Feb 6 11:02:45 2025", an ISO 8601 time: starts at the first
 * digit; start may lie before it. The value is the year, 0 where none is printed. */
bool date_read(struct span text, size_t at, size_t limit, struct compound *out);
/* "twice" "half" "a third" "two thirds" are factors (unit x); "eight" "fifteen" "two hundred" are
 * integers without unit. Starts at a letter that begins a word. */
bool number_words_read(struct span text, size_t at, size_t limit, struct compound *out);

#endif
