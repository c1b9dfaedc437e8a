#include "report/diff_pairs.h"

#include <stdlib.h>

static int compare_keys(struct span a, struct span b) {
    size_t shorter = a.len < b.len ? a.len : b.len;
    int order = shorter ? memcmp(a.at, b.at, shorter) : 0;
    return order ? order : (a.len > b.len) - (a.len < b.len);
}

static int compare(const void *x, const void *y) {
    const struct keyed *a = x, *b = y;
    int order = compare_keys(a->key, b->key);
    return order ? order : (a->index > b->index) - (a->index < b->index);
}

void diff_pair(struct keyed *a, size_t count_a, size_t *mates_a, struct keyed *b, size_t count_b,
               size_t *mates_b) {
    if (count_a)
        qsort(a, count_a, sizeof *a, compare);
    if (count_b)
        qsort(b, count_b, sizeof *b, compare);
    for (size_t i = 0, k = 0; i < count_a && k < count_b;) {
        int order = compare_keys(a[i].key, b[k].key);
        if (order == 0) {
            mates_a[a[i].index] = b[k].index;
            mates_b[b[k].index] = a[i].index;
        }
        i += order <= 0;
        k += order >= 0;
    }
}
