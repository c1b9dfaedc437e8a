/* One printed number: where it ends, its value, and the interval its digits stand for. */
#ifndef AUDIT_NUMERAL_H
#define AUDIT_NUMERAL_H

#include "core/span.h"

enum numeral_form {
    NUMERAL_NONE,     /* no number here, or digits that belong to an identifier */
    NUMERAL_PLAIN,    /* 1536  1,234.5  4,2  3e-4  1.5 x 10^-3 */
    NUMERAL_POWER,    /* 2^20  10^6 */
    NUMERAL_FRACTION, /* 1/8 */
    NUMERAL_VERSION,  /* 2.6.0  11.4.2-1: two or more points */
    NUMERAL_DATE,     /* 2024-05-01  2024/05/01  01.05.2024 */
    NUMERAL_CLOCK,    /* 3:42  01:02:03.5 */
    NUMERAL_ADDRESS,  /* 10.0.0.1, long hex strings: never a quantity */
};

struct numeral {
    enum numeral_form form;
    size_t end;       /* bytes up to here */
    double value;     /* PLAIN, POWER, FRACTION; VERSION: major.minor; CLOCK: seconds */
    double half_unit; /* half a unit in the last printed place; 0 where digits are exact */
    int decimals;     /* digits behind the decimal mark less the exponent */
    bool is_integer;  /* digits only (and thousands marks) */
    bool grouped;     /* thousands marks stood in it */
    bool malformed;   /* "1,23,456" "1.2e" and the like: digits that no rule accepts */
};

/* How a document writes decimals, from its own unambiguous numbers. */
struct numeral_habit {
    bool decimal_comma;
};
struct numeral_habit numeral_habit_of(struct span text);

/* Reads the number that starts at at (a digit, or a point before a digit). Linear in its length. */
struct numeral numeral_read(struct span text, size_t at, struct numeral_habit habit);

#endif
