/* Order of Python package versions (PEP 440): epoch, release numbers (trailing zeros do not count),
 * then dev < a < b < rc < final < post. Local parts ("+cu118") are left out of the order. */
#ifndef FETCH_VERSION_PEP440_H
#define FETCH_VERSION_PEP440_H

#include "core/span.h"

enum { VERSION_NUMBERS = 8 };

struct version440 {
    size_t epoch, numbers[VERSION_NUMBERS];
    int phase; /* of a pre-release: 1 a, 2 b, 3 rc; 0 of a dev release alone; 4 final */
    size_t phase_number, post, dev;
    bool has_post, has_dev;
};

/* False for what is not a version in that grammar ("v1.0", "1.0-beta.2" and other spellings that it
 * allows are read). */
bool version440_read(struct span text, struct version440 *version);
/* Negative, 0, positive as a is before, the same as, or after b. */
int version440_compare(const struct version440 *a, const struct version440 *b);
/* A pre-release or a development release. */
bool version440_is_pre(const struct version440 *version);

#endif
