/* The smallest edit of a printed number that puts it into an interval. */
#ifndef AUDIT_MEND_H
#define AUDIT_MEND_H

#include "core/memory.h"

enum mend_kind {
    MEND_NONE,      /* no text of as many digits lies in the interval */
    MEND_DIGIT,     /* one digit differs */
    MEND_TRANSPOSE, /* two neighbouring digits change places */
    MEND_SIGN,
    MEND_POINT, /* the decimal mark moves, digits stay */
    MEND_REWRITE
};

struct mend {
    enum mend_kind kind;
    struct span text; /* the number to print instead, in the style of the old one */
};

/* printed: digits with optional sign, '.' as decimal mark and ',' between thousands; other styles
 * give MEND_REWRITE or MEND_NONE. lo and hi are in the printed unit; decimals as printed. */
struct mend mend_number(struct arena *arena, struct span printed, int decimals, double lo,
                        double hi);
/* "one digit", "two digits swapped", ... for messages. */
const char *mend_words(enum mend_kind kind);

#endif
