/* What section 6 says of all experiments at once, so that no row repeats it. */
#ifndef REPORT_EXPERIMENTS_H
#define REPORT_EXPERIMENTS_H

#include "report/page.h"
#include "report/view.h"

/* How an experiment is done and judged; many share one. */
struct experiment_method {
    struct span label; /* "M1" */
    struct span method, success, failure;
};

struct experiments_shared {
    struct plan_fields contract; /* fields with one value wherever they are named, at least twice */
    struct drift *drift;         /* the same of drifts */
    size_t drift_count, drift_capacity;
    struct experiment_method *methods; /* in the order in which results use them */
    size_t method_count, method_capacity;
};

void experiments_share(const struct view *view, struct experiments_shared *shared);

/* True when this machine could say something: the rest waits for another one. */
bool experiment_was_judged(const struct result *result);

extern const struct page_table experiment_table;
void experiment_row(struct page *page, const struct view *view, const struct result *result,
                    const struct experiments_shared *shared);

#endif
