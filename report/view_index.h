/* The derived half of a view: states, orders and counts. */
#ifndef REPORT_VIEW_INDEX_H
#define REPORT_VIEW_INDEX_H

#include "report/view.h"

/* Fills items, by_priority, whole and counts from the artifacts that were read. */
void view_index(struct view *view);
/* A plan without results: every experiment UNRUN, with its reason. */
void view_results_of_plan(struct arena *arena, const struct plan *plan, struct results *results);

#endif
