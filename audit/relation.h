/* Relations that a sentence states between two values and a number that compares them. */
#ifndef AUDIT_RELATION_H
#define AUDIT_RELATION_H

#include "audit/document.h"
#include "audit/interval.h"

/* Two values of one kind that the text sets against each other: "from 41.0 to 12.3 seconds". */
struct value_pair {
    size_t from, to;     /* quantities: the old or base value, the new one */
    size_t first, last;  /* the two in text order */
    const char *pattern; /* "from ... to" */
};

/* What the words around a comparing number say that it is. Each bit is a reading. */
enum reading {
    READ_RATIO = 1 << 0,      /* larger over smaller, as times */
    READ_INVERSE = 1 << 1,    /* smaller over larger, as times (half, 0.8x) */
    READ_TIMES_MORE = 1 << 2, /* larger over smaller less one: "3 times faster" taken literally */
    READ_DECREASE = 1 << 3,   /* 1 - to/from */
    READ_INCREASE = 1 << 4,   /* to/from - 1 */
    READ_GAIN = 1 << 5,       /* from/to - 1: work per time gained when time falls */
    READ_SHARE = 1 << 6,      /* to/from or from/to as a part of a whole */
    READ_POINTS = 1 << 7,     /* difference of two percentages */
    READ_DIFFERENCE = 1 << 8, /* |to - from| in the values' unit */
    READ_COUNT = 9,
};

struct comparison {
    size_t quantity; /* the comparing number */
    unsigned readings;
    bool strict;    /* the words leave no other reading: a miss is a contradiction */
    bool ambiguous; /* more than one reading of the same words is usual */
};

/* Pairs stated by explicit words within one sentence, in text order; at most max. */
size_t relation_pairs(const struct document *document, size_t sentence, struct value_pair *pairs,
                      size_t max);
/* Pairs that a comparing number may mean when no words state one: the value it is joined to ("4.48
 * ms and is 1.4 times slower") against the values of its kind before it in the sentence, else in
 * the sentence before. Empty when the words name another base ("than the old build"). */
size_t relation_lone_pairs(const struct document *document, size_t quantity,
                           struct value_pair *pairs, size_t max);
/* Pairs that a comparing number may mean when its clause names rows of a table before it: two rows
 * around "than", in every column; or one row that holds two values of a kind. */
size_t relation_row_pairs(const struct document *document, size_t quantity,
                          struct value_pair *pairs, size_t max);
/* Narrows a comparison by how it stands to a pair of its sentence: "by 45%" is no share, and what
 * fills a parenthesis behind the pair can be nothing else. */
void relation_tie(const struct document *document, const struct value_pair *pair,
                  struct comparison *comparison);
/* false when the quantity compares nothing. */
bool relation_comparison(const struct document *document, size_t quantity,
                         struct comparison *comparison);
/* The reading's value for a pair, exactly, in base units (percent as fraction). */
bool relation_value(const struct document *document, enum reading reading, size_t from, size_t to,
                    struct interval *out);
/* Doubles that enclose it with some slack, from 1e-5 of the larger value on; false where only the
 * exact way is safe. Where it is true relation_value is true as well (of READ_POINTS: for
 * percents).
 */
bool relation_estimate(const struct document *document, enum reading reading, size_t from,
                       size_t to, double *lo, double *hi);
/* "12.3/41.0", "1 - 12.3/41.0" ... */
struct span relation_expression(const struct document *document, enum reading reading, size_t from,
                                size_t to);
const char *relation_reading_words(enum reading reading);

#endif
