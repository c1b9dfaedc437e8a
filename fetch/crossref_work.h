/* What the services over Crossref's API share. */
#ifndef FETCH_CROSSREF_WORK_H
#define FETCH_CROSSREF_WORK_H

#include "fetch/service.h"

void crossref_work_read(struct arena *arena, const cJSON *work, struct service_record *record);
/* A comma separates filters: such a DOI cannot stand in one. */
bool crossref_has_comma(const struct service_item *item);

#endif
